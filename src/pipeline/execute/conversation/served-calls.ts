// Calls of tools that the test serves: Viva received them, so its own record counts, whatever the agent reports.
import { AgentError } from '../../../errors.js'
import type { AgentReply } from '../../../model/agent.js'
import type { CaseTools } from '../../../model/given-tools.js'
import type { ToolCall } from '../../../model/message.js'
import { isRecord } from '../../../base/record.js'

type Served = Pick<CaseTools, 'tools'>

/** What is recorded stands where it was reported, else at the end; what was only reported is marked as claimed. */
export function withServedCalls(reply: AgentReply, recorded: readonly ToolCall[], served: Served): AgentReply {
  const { served_calls: _kept, ...rest } = reply
  return { ...rest, tool_calls: joined(reply.tool_calls, recorded, served) }
}

/** The same for an agent that failed: what it had called by then was called. */
export function withServedPartial(error: unknown, recorded: readonly ToolCall[], served: Served): unknown {
  if (recorded.length === 0 || !(error instanceof AgentError)) return error
  const partial = isRecord(error.partial)
    ? error.partial
    : error.partial === undefined
      ? {}
      : { content: error.partial }
  const reported = Array.isArray(partial['tool_calls']) ? (partial['tool_calls'] as ToolCall[]) : []
  return error.having({ ...partial, tool_calls: joined(reported, recorded, served) })
}

function joined(reported: readonly ToolCall[], recorded: readonly ToolCall[], { tools }: Served): ToolCall[] {
  const left = [...recorded]
  const names = tools.map(({ spec }) => spec.name)
  const calls = reported.map((call): ToolCall => {
    const name = call.unnamed ? undefined : names.find((each) => isNamed(call.name, each))
    if (name === undefined) return call
    const at = left.findIndex((each) => each.name === name)
    const [own] = at < 0 ? [] : left.splice(at, 1)
    if (!own) return { ...call, claimed: true }
    return call.id === undefined ? own : { ...own, id: call.id }
  })
  return [...calls, ...left]
}

/** Agents put the name of the server in front: `mcp__viva__refund`, `viva.refund`. */
function isNamed(reported: string, name: string): boolean {
  if (reported === name) return true
  return reported.endsWith(name) && /(?:__|[./:])$/.test(reported.slice(0, -name.length))
}
