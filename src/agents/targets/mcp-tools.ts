// The tools of an MCP server as a model is offered them. The server is started for the list, and ended after it.
import { AgentError } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { isRecord, readString } from '../../base/record.js'
import { describeEnd } from '../../mcp-client/exchange.js'
import { parseMcpTarget, type McpTargetContext } from '../../mcp-client/parse-target.js'
import { isOpen, openSession } from '../../mcp-client/session.js'
import type { McpEnvironment } from '../../mcp-client/wire.js'
import type { AgentEntry } from '../../model/config.js'
import type { ToolSpec } from '../../model/tool-spec.js'

const LIST_MS = 30_000

export async function listMcpTools(entry: AgentEntry, context: McpTargetContext & McpEnvironment): Promise<ToolSpec[]> {
  const session = await openSession(parseMcpTarget(entry, context), context, { timeoutMs: LIST_MS })
  try {
    if (!isOpen(session)) throw notListed(describeEnd(session.initialized))
    const { items, problem } = await session.listAll('tools', { timeoutMs: LIST_MS })
    if (problem !== undefined) throw notListed(problem)
    if (items.length === 0) throw notListed('it lists none')
    return items.map(toolSpec)
  } finally {
    await session.close()
  }
}

function toolSpec(item: Record<string, unknown>, at: number, all: Array<Record<string, unknown>>): ToolSpec {
  const name = readString(item['name'])
  if (name === undefined || name.trim() === '') throw notListed(`tool ${at + 1} has no name`)
  if (all.findIndex((other) => other['name'] === name) !== at) throw notListed(`it lists "${name}" twice`)
  const schema = item['inputSchema']
  return {
    name,
    ...defined({ description: readString(item['description']) }),
    input_schema: isRecord(schema) ? schema : { type: 'object' },
  }
}

function notListed(why: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `the tools of the MCP server cannot be offered to a model: ${why}`,
    hint: 'viva test -n "mcp:…" without cases examines the server itself',
    retry: false,
  })
}
