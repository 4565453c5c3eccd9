// How a program learns where the tools of its case are served.
import { shippedPath } from '../../files/shipped.js'
import type { AgentRequest } from '../../model/agent.js'

export const MOCK_MCP = 'VIVA_MOCK_MCP'

export function mockMcpEnv({ mockMcp }: AgentRequest): Record<string, string> {
  return mockMcp === undefined ? {} : { [MOCK_MCP]: mockMcp }
}

/** Serves them on standard input and output, to agents that only start their servers. */
export function bridgeCommand(): [string, ...string[]] {
  return [process.execPath, shippedPath('bin', 'viva.js'), 'mock-mcp']
}
