// What an agent did as spans: the one projection of steps, hats and the agent's own spans, for assertions and telemetry. Pure.
import type { InferOutput } from 'valibot'
import { defined } from '../base/defined.js'
import { isRecord } from '../base/record.js'
import type { span, traceStep } from './result-schema.js'
import type { SessionIteration } from './session-evidence.js'

export interface Span extends InferOutput<typeof span> {}
type TraceStep = InferOutput<typeof traceStep>

/** Fields that both evidence and results have. */
export interface SpanSource {
  trace?: readonly TraceStep[] | undefined
  session?: { iterations: readonly SessionIteration[] } | undefined
  /** The agent itself. */
  spans?: readonly Span[] | undefined
}

/** In the order in which they began, as far as that is known. */
export function agentSpans({ trace = [], session, spans = [] }: SpanSource): Span[] {
  const all = [...trace.map(stepSpan), ...(session?.iterations ?? []).map(iterationSpan), ...spans]
  return all.toSorted((a, b) => (a.start_ms ?? 0) - (b.start_ms ?? 0))
}

function stepSpan({ kind, name, start_ms, duration_ms, detail, error }: TraceStep): Span {
  return { name, kind, ...defined({ start_ms, duration_ms, error }), ...(isRecord(detail) && { attributes: detail }) }
}

function iterationSpan({ n, hat, elapsed_ms, duration_ms, error }: SessionIteration): Span {
  const times = defined({ start_ms: elapsed_ms, duration_ms, error })
  return { name: hat, kind: 'iteration', ...times, attributes: { n } }
}
