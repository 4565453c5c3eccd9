// A call that failed halfway: the tools that ran and what the model has cost by then are kept with the error.
import { AgentError, UserError } from '../../errors.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import type { AgentReply } from '../../model/agent.js'
import type { Spent } from '../../model/helper-cost.js'
import type { Call } from './call.js'
import { hasPaid, logsOf, sumSpent } from './reply.js'
import type { LoopRecord } from './tools/tool-loop.js'

export interface Gathered extends Required<Pick<AgentReply, 'tool_calls' | 'messages' | 'trace'>> {
  /** What each model that was asked has used. */
  spent: Spent[]
  printed: Pick<AgentReply, 'logs' | 'logs_dropped'>
}

export function gatheredBy({ completions, tool_calls, added }: LoopRecord, { trace, spent, logs }: Call): Gathered {
  return { tool_calls, messages: added, trace, spent: [...completions, ...spent], printed: logsOf(logs) }
}

/** What the user must fix is returned as it is. */
export function keepGathered(failure: unknown, gathered: Gathered): unknown {
  const { tool_calls, messages, trace, spent, printed } = gathered
  const isEmpty = spent.length + tool_calls.length + trace.length === 0 && !printed.logs
  if (failure instanceof UserError || isEmpty) return failure
  const message = messageOf(failure)
  if (!(failure instanceof AgentError)) {
    const partial = { tool_calls, messages, trace, ...printed, ...sumSpent(spent) }
    return new AgentError({ code: 'failed', message, partial, cause: failure })
  }
  const { code, hint, status, retry, retryAfterMs: retry_after_ms, partial } = failure
  // What had arrived when it failed comes after what was gathered before.
  const { usage, cost_dollars, cost_estimated, ...last }: Partial<AgentReply> = isRecord(partial)
    ? partial
    : { content: partial }
  const error = new AgentError({
    code,
    message,
    partial: {
      ...printed,
      ...defined(last),
      ...sumSpent([...spent, ...[defined({ usage, cost_dollars, cost_estimated })].filter(hasPaid)]),
      tool_calls: [...tool_calls, ...(last.tool_calls ?? [])],
      messages: [...messages, ...(last.messages ?? [])],
      trace: [...trace, ...(last.trace ?? [])],
    },
    cause: failure.cause,
    ...defined({ hint, status, retry, retry_after_ms }),
  })
  error.retries = failure.retries
  return error
}
