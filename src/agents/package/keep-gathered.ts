// A call that failed halfway: the tools that ran and what the model has cost by then are kept with the error.
import { AgentError } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import type { Call } from './call.js'
import { logsOf, sumCosts, sumUsage } from './reply.js'
import type { LoopRecord } from './tools/tool-loop.js'

export function keepGathered(failure: unknown, record: LoopRecord, { trace, logs }: Call): unknown {
  const printed = logsOf(logs)
  if (record.completions.length === 0 && record.tool_calls.length === 0 && !printed.logs) return failure
  const { completions, tool_calls, added } = record
  const gathered = defined({
    tool_calls,
    messages: added,
    trace,
    usage: sumUsage(completions.map((completion) => completion.usage)),
    ...printed,
    cost_dollars: completions.length === 0 ? undefined : sumCosts(completions.map(({ cost_dollars }) => cost_dollars)),
  })
  const message = messageOf(failure)
  if (!(failure instanceof AgentError))
    return new AgentError({ code: 'failed', message, partial: gathered, cause: failure })
  const { code, hint, status, retry, retryAfterMs: retry_after_ms, partial } = failure
  const own = isRecord(partial) ? partial : partial === undefined ? {} : { content: partial }
  const error = new AgentError({
    code,
    message,
    partial: { ...gathered, ...own },
    cause: failure.cause,
    ...defined({ hint, status, retry, retry_after_ms }),
  })
  error.retries = failure.retries
  return error
}
