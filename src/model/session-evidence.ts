// What assertions see of an orchestrator run, from the records of its session. Pure.
import { isKind, type SessionRecord } from './session.js'

export interface SessionEvent {
  topic: string
  payload: string
  /** The hat that published it; null for the orchestrator itself. */
  source: string | null
  target: string | null
  /** The iteration in which it was published; 0 before the first. */
  iteration: number
}

export interface SessionIteration {
  n: number
  hat: string
}

export interface SessionEvidence {
  events: SessionEvent[]
  iterations: SessionIteration[]
  /** Absent: the run has not ended, or was killed. */
  termination_reason?: string
  exit_code?: number
  duration_ms?: number
  tokens?: number
  /** Absent: the price of a call is unknown, which is not 0. */
  cost_dollars?: number
}

export function sessionEvidence(records: readonly SessionRecord[]): SessionEvidence {
  const evidence: SessionEvidence = { events: [], iterations: [] }
  const calls: Array<{ tokens?: number; cost_dollars?: number }> = []
  for (const record of records) {
    if (isKind(record, '_meta.iteration')) {
      evidence.iterations.push({ n: record.data.n, hat: record.data.hat })
    } else if (isKind(record, 'bus.publish')) {
      const { topic, payload, source, target } = record.data
      evidence.events.push({ topic, payload, source, target, iteration: evidence.iterations.at(-1)?.n ?? 0 })
    } else if (isKind(record, 'backend.call')) {
      calls.push(record.data)
    } else if (isKind(record, '_meta.termination')) {
      const { reason, exit_code, elapsed_secs } = record.data
      evidence.termination_reason = reason
      if (exit_code !== undefined) evidence.exit_code = exit_code
      if (elapsed_secs !== undefined) evidence.duration_ms = elapsed_secs * 1000
    }
  }
  const cost = sumOf(calls.map(({ cost_dollars }) => cost_dollars))
  if (cost !== undefined) evidence.cost_dollars = cost
  const tokens = sumOf(calls.map((call) => call.tokens))
  if (tokens !== undefined) evidence.tokens = tokens
  return evidence
}

/** One unknown makes the sum unknown; of no calls nothing is known. */
function sumOf(values: Array<number | undefined>): number | undefined {
  if (values.length === 0) return undefined
  return values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0)
}
