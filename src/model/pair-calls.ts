// Which step of a trace is which tool call: the step knows when, the call what came of it. Pure.
import type { InferOutput } from 'valibot'
import type { ToolCall } from './message.js'
import type { traceStep } from './result-schema.js'

type TraceStep = InferOutput<typeof traceStep>

/** What results have of both. */
interface Called {
  trace?: readonly TraceStep[] | undefined
  turns?: ReadonlyArray<{ tool_calls?: ToolCall[] | undefined }> | undefined
  tool_calls?: readonly ToolCall[] | undefined
}

/** By name, in the order in which both are listed. */
export function pairCalls({ trace = [], turns, tool_calls = [] }: Called): ReadonlyMap<TraceStep, ToolCall> {
  const left = turns ? turns.flatMap((turn) => turn.tool_calls ?? []) : [...tool_calls]
  const pairs = new Map<TraceStep, ToolCall>()
  for (const step of trace) {
    const at = step.kind === 'tool' ? left.findIndex(({ name }) => name === step.name) : -1
    const [call] = at < 0 ? [] : left.splice(at, 1)
    if (call) pairs.set(step, call)
  }
  return pairs
}
