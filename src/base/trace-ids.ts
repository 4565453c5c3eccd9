// Ids of traces and spans, derived from what they belong to: caller and report agree on them, and
// a run that is reported again is the same trace.
import { createHash } from 'node:crypto'

export interface SpanIds {
  id: string
  run: number
  variant?: string | undefined
  attempt?: number | undefined
  turn?: number | undefined
}

export function traceIdOf(runId: string): string {
  return digest(`trace ${runId}`).slice(0, 32)
}

/** Of the whole run. */
export function runSpanId(runId: string): string {
  return digest(`run ${runId}`).slice(0, 16)
}

/** Of a case; with `turn` and `attempt` of one call of its agent. */
export function spanIdOf(runId: string, { id, run, variant, attempt, turn }: SpanIds): string {
  return digest(JSON.stringify([runId, id, run, variant ?? null, attempt ?? null, turn ?? null])).slice(0, 16)
}

/** Of a part of another span, by its number. */
export function partSpanId(parent: string, number: number): string {
  return digest(`${parent} ${number}`).slice(0, 16)
}

/** W3C format; sampled, since tracing was asked for. */
export function traceparentOf(runId: string, place: SpanIds): string {
  return `00-${traceIdOf(runId)}-${spanIdOf(runId, place)}-01`
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
