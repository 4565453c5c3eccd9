// Delegating a conversation to another agent, and joining what both of them did.
import { AgentError } from '../../errors.js'
import type { AgentContext, AgentReply, TraceStep } from '../../model/agent.js'
import type { Message } from '../../model/message.js'
import { callOf } from '../../model/model-call.js'
import { defined } from '../../base/defined.js'
import type { Call } from './call.js'
import type { Delegate } from './hooks.js'
import { keepGathered } from './keep-gathered.js'
import { hasPaid, logsOf, sumSpent } from './reply.js'
import { monotonicNow } from '../../time/clock.js'

export interface DelegateCall {
  call: Call
  context: AgentContext
  delegate: Delegate
  /** What the other agent gets unless the hook said something else. */
  messages: Message[]
  /** What this agent had done when its Next hook delegated. */
  before?: AgentReply
}

const MAX_DEPTH = 10
// Agents that delegate to each other in a circle would never end; the context object travels with the call.
const depths = new WeakMap<AgentContext, number>()

export async function delegateTo({ call, delegate, messages, before, ...given }: DelegateCall): Promise<AgentReply> {
  const { parts, request, trace } = call
  const depth = (depths.get(request.context) ?? 0) + 1
  const { __prompt_preset: _named, ...metadata } = given.context.metadata
  const context = { ...given.context, assistant_id: delegate.agent_id, metadata }
  depths.set(context, depth)
  // Mode and preset name prompts of this agent; the rest applies to the whole call.
  const { mode: _mode, prompt_preset: _preset, ...rest } = request.options
  const options = { ...rest, ...delegate.options }

  const start = monotonicNow()
  const step: TraceStep = { kind: 'delegate', name: delegate.agent_id, start_ms: start }
  const steps = [...trace, step]
  // A Create hook may have called agents before it delegated.
  const spent = before ? [before].filter(hasPaid) : call.spent
  try {
    if (depth > MAX_DEPTH) throw inCircles(delegate.agent_id)
    const agent = await parts.agent(delegate.agent_id)
    // A tool that the case replaces may belong to the delegating agent.
    const { ownTools: _own, ...passed } = request
    const own = callOf(agent.id, request.call)
    const reply = await agent.send({ ...passed, messages: delegate.messages ?? messages, context, options, call: own })
    const {
      usage: _usage,
      cost_dollars: _cost,
      cost_estimated: _estimated,
      ...answer
    } = withLogs(reply, before ?? logsOf(call.logs))
    return join(before, { ...answer, ...sumSpent([...spent, ...[reply].filter(hasPaid)]) }, steps)
  } catch (error) {
    step.error = (error as Error).message
    const { tool_calls = [], messages: said = [] } = before ?? {}
    throw keepGathered(error, { tool_calls, messages: said, trace: steps, spent, printed: logsOf(call.logs) })
  } finally {
    step.duration_ms = monotonicNow() - start
  }
}

/** What both printed, in order. */
function withLogs(reply: AgentReply, first: Pick<AgentReply, 'logs' | 'logs_dropped'>): AgentReply {
  if (!first.logs) return reply
  const dropped = (first.logs_dropped ?? 0) + (reply.logs_dropped ?? 0)
  return {
    ...reply,
    logs: [...first.logs, ...(reply.logs ?? [])],
    ...(dropped > 0 && { logs_dropped: dropped }),
  }
}

/** The answer is the other agent's; calls and times are those of both. */
function join(before: AgentReply | undefined, reply: AgentReply, steps: TraceStep[]): AgentReply {
  const trace = [...steps, ...(reply.trace ?? [])]
  if (!before) return { ...reply, trace }
  return {
    ...reply,
    tool_calls: [...before.tool_calls, ...reply.tool_calls],
    messages: [...(before.messages ?? []), ...(reply.messages ?? [])],
    trace,
    ...defined({
      first_chunk_ms: before.first_chunk_ms ?? reply.first_chunk_ms,
      api_retries:
        before.api_retries || reply.api_retries
          ? [...(before.api_retries ?? []), ...(reply.api_retries ?? [])]
          : undefined,
    }),
  }
}

function inCircles(id: string): AgentError {
  return new AgentError({
    code: 'failed',
    message: `agents delegate to each other endlessly (${MAX_DEPTH} times, last to ${id})`,
    hint: 'check the delegate that their Create and Next hooks return',
  })
}
