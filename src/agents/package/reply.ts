// One reply from everything that happened in a call.
import type { AgentReply } from '../../model/agent.js'
import type { Spent } from '../../model/helper-cost.js'
import type { Message, ToolCall, Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import { defined } from '../../base/defined.js'
import { asText } from '../../base/text.js'
import type { LogKeeper } from '../../scripts/host/log-keeper.js'
import type { Call } from './call.js'
import type { NextPayload, NextReturn, ToolResponse } from './hooks.js'
import { parseToolName } from './tools/tool-names.js'
import type { LoopRecord } from './tools/tool-loop.js'

export function replyOf(end: {
  record: LoopRecord
  call: Call
  next: NextReturn | null
  waitedMs: number
}): AgentReply {
  const { record, call, next, waitedMs } = end
  const { completions, tool_calls, added } = record
  const last = completions[completions.length - 1]
  const firstChunk = completions[0]?.first_chunk_ms
  const retries = completions.flatMap((completion) => completion.api_retries ?? [])
  return {
    // Without a model, what the hooks said is the answer.
    content: last?.content ?? call.said.text() ?? null,
    tool_calls,
    messages: added,
    trace: call.trace,
    ...defined({
      finish_reason: last?.finish_reason,
      refusal: last?.refusal,
      unsigned: last?.unsigned,
      awaiting_input: last?.awaiting_input,
      input_hint: last?.input_hint,
      ...sumSpent([...completions, ...call.spent]),
      next: next?.data,
      raw: last?.raw,
      first_chunk_ms: firstChunk === undefined ? undefined : waitedMs + firstChunk,
      api_retries: retries.length > 0 ? retries : undefined,
      exit_code: last?.exit_code,
      ...logsOf(call.logs),
    }),
  }
}

/** Under the names that a reply has. */
export function logsOf(logs: LogKeeper): Pick<AgentReply, 'logs' | 'logs_dropped'> {
  const lines = logs.lines()
  return defined({ logs: nonEmpty(lines), logs_dropped: logs.dropped || undefined })
}

export function nextPayload(messages: Message[], record: LoopRecord, failure: unknown): NextPayload {
  const { completions, tool_calls } = record
  const last = completions[completions.length - 1]
  return {
    messages,
    completion: last
      ? { content: last.content, ...defined({ tool_calls: nonEmpty(last.tool_calls), usage: last.usage }) }
      : null,
    tools: tool_calls.map(toolResponse),
    ...(failure !== undefined && { error: failure instanceof Error ? failure.message : asText(failure) }),
  }
}

/** Hooks alone cost nothing. A model has a cost, even if it is unknown. */
export function hasPaid({ usage, cost_dollars, trace = [] }: Partial<AgentReply>): boolean {
  return usage !== undefined || cost_dollars !== undefined || trace.some(({ kind }) => kind === 'model')
}

export function sumSpent(spent: Spent[]): Spent {
  const cost_dollars = sumCosts(spent.map((each) => each.cost_dollars))
  const isEstimated = cost_dollars !== undefined && spent.some((each) => each.cost_estimated)
  return {
    ...defined({ usage: sumUsage(spent.map(({ usage }) => usage)), cost_dollars }),
    ...(isEstimated && { cost_estimated: true }),
  }
}

/** Undefined if no call reported its usage. */
function sumUsage(parts: (Usage | undefined)[]): Usage | undefined {
  let sum: Usage | undefined
  for (const part of parts) if (part) sum = addUsage(sum, part)
  return sum
}

/** Unknown as soon as one part is: a sum that leaves out a call would be a wrong price. */
function sumCosts(parts: (number | undefined)[]): number | undefined {
  let sum: number | undefined
  for (const part of parts) {
    if (part === undefined) return undefined
    sum = (sum ?? 0) + part
  }
  return sum
}

function toolResponse(call: ToolCall): ToolResponse {
  const name = parseToolName(call.name)
  return {
    toolcall_id: call.id ?? '',
    server: call.server ?? name?.server ?? '',
    tool: name?.tool ?? call.name,
    arguments: call.args,
    ...defined({ result: call.result, error: call.error }),
  }
}

function nonEmpty<T>(list: T[]): T[] | undefined {
  return list.length > 0 ? list : undefined
}
