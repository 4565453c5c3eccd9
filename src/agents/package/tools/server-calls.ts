// `ctx.mcp.*` of hooks and tools: calling an agent's tool servers from a script.
import type { AgentContext, ToolReplacements } from '../../../model/agent.js'
import type { ModelCall } from '../../../model/model-call.js'
import type { ScriptCall } from '../../../model/script.js'
import { defined } from '../../../base/defined.js'
import { isRecord } from '../../../base/record.js'
import { describe } from '../load/describe.js'
import { formatToolName } from './tool-names.js'
import { openToolbox, type Toolbox, type ToolboxParts } from './toolbox.js'
import type { AgentPackage } from '../types.js'

export interface ServerCall {
  pkg: AgentPackage
  parts: ToolboxParts
  /** `ListTools`, `CallTool`, `CallTools`, `CallToolsParallel`, in any case. */
  method: string
  /** The server's id, then what the method takes. */
  args: unknown[]
  context: AgentContext
  replacements: ToolReplacements
  call: ModelCall
  signal: AbortSignal
  onSpent?: ScriptCall['onSpent']
}

export async function callServer(call: ServerCall): Promise<unknown> {
  const [server, subject, args] = call.args
  if (typeof server !== 'string')
    throw new Error(`ctx.mcp.${call.method}: expected the id of a server, found ${describe(server)}`)
  const { pkg, context, replacements, signal, onSpent } = call
  const toolbox = await openToolbox(call.parts, {
    pkg,
    servers: [{ server_id: server }],
    context,
    replacements,
    call: call.call,
    signal,
    ...defined({ onSpent }),
  })
  switch (call.method.toLowerCase()) {
    case 'listtools':
      return {
        tools: toolbox.specs.map(({ name, description, input_schema }) => ({
          name: bareName(name, server),
          description,
          inputSchema: input_schema,
        })),
      }
    case 'calltool':
      return callTool(toolbox, server, { name: subject, arguments: args })
    case 'calltools': {
      const results: unknown[] = []
      for (const item of requireList(subject)) results.push(await callTool(toolbox, server, item, results.length + 1))
      return results
    }
    case 'calltoolsparallel':
      return Promise.all(requireList(subject).map((item, index) => callTool(toolbox, server, item, index + 1)))
    default:
      throw new Error(
        `ctx.mcp.${call.method} is not part of Viva; in a test, give it an answer: t.mock("mcp.${call.method}", …)`,
      )
  }
}

/** What a script passed as its context. */
export function contextOf(value: unknown): AgentContext {
  if (isRecord(value) && typeof value['assistant_id'] === 'string') return value as unknown as AgentContext
  throw new Error('ctx.mcp can be used only with the context of an agent')
}

async function callTool(toolbox: Toolbox, server: string, item: unknown, number = 1): Promise<unknown> {
  const { name, arguments: args } = isRecord(item) ? item : {}
  if (typeof name !== 'string') throw new Error(`expected a tool call {name, arguments}, found ${describe(item)}`)
  const request = { name: formatToolName(server, name), arguments: args ?? {}, call_id: `mcp_${number}` }
  const answer = await toolbox.call(request)
  if ('error' in answer) throw new Error(`the tool ${server}.${name} failed: ${answer.error}`)
  return answer.result
}

function requireList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value
  throw new Error(`expected a list of tool calls, found ${describe(value)}`)
}

function bareName(name: string, server: string): string {
  return name.slice(formatToolName(server, 'x').length - 1)
}
