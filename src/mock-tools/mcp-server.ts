// The tools of a test over MCP: what a client may ask.
import { Server, type CallToolResult } from '@modelcontextprotocol/server'
import { toolText } from '../mcp-client/tool-result.js'
import { isRecord } from '../base/record.js'
import { messageOf } from '../base/message-of.js'
import type { ToolSpec } from '../model/connector.js'
import type { ToolOutcome } from '../model/given-tools.js'
import { version } from '../version.js'

export interface ServedTools {
  specs: readonly ToolSpec[]
  serve(name: string, args: unknown): Promise<ToolOutcome>
}

export function createToolServer({ specs, serve }: ServedTools): Server {
  const server = new Server({ name: 'viva-mock', version: version() }, { capabilities: { tools: {} } })
  server.setRequestHandler('tools/list', () => ({
    tools: specs.map(({ name, description, input_schema }) => ({
      name,
      inputSchema: input_schema as { type: 'object' },
      ...(description !== undefined && { description }),
    })),
  }))
  server.setRequestHandler('tools/call', async ({ params }) => {
    try {
      return answerOf(await serve(params.name, params.arguments ?? {}))
    } catch (error) {
      return answerOf({ error: messageOf(error) })
    }
  })
  return server
}

function answerOf(outcome: ToolOutcome): CallToolResult {
  if ('error' in outcome) return { content: [{ type: 'text', text: outcome.error }], isError: true }
  const { result } = outcome
  const content = [{ type: 'text' as const, text: toolText(result) }]
  return isRecord(result) ? { content, structuredContent: result } : { content }
}
