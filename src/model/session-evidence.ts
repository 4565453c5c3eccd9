// What assertions see of an orchestrator run, from the records of its session. Pure.
import { defined } from '../base/defined.js'
import { isStrings, readString, readStrings } from '../base/record.js'
import { isKind, type SessionRecord } from './session.js'

export interface SessionEvent {
  topic: string
  payload: string
  /** The hat that published it; null for the orchestrator itself. */
  source: string | null
  target: string | null
  /** The hats that received it, as far as the session says. */
  recipients?: string[]
  /** The iteration in which it was published; 0 before the first. */
  iteration: number
}

export interface SessionIteration {
  n: number
  hat: string
  /** When it began, after the start of the run. */
  elapsed_ms?: number
  /** How long its call took; absent: it has not ended, or was not measured. */
  duration_ms?: number
  /** Why the call failed. */
  error?: string
  /** Under which its backend keeps what it did. */
  session_id?: string
  /** How many tags looked like events but were not. */
  malformed?: number
}

export interface SessionEvidence {
  /** All hats, and the topics they name, if the session says so. */
  hats?: string[]
  topics?: string[]
  events: SessionEvent[]
  iterations: SessionIteration[]
  /** Absent: the run has not ended, or was killed. */
  termination_reason?: string
  /** More about the reason. */
  message?: string
  exit_code?: number
  duration_ms?: number
  tokens?: number
  /** Absent: the price of a call is unknown, which is not 0. */
  cost_dollars?: number
  /** Hats whose backends do not report their tool calls. */
  unreported_hats?: string[]
  /** A backend was cut off: there may be calls that it did not report. */
  calls_cut?: true
}

export function sessionEvidence(records: readonly SessionRecord[]): SessionEvidence {
  const evidence: SessionEvidence = { events: [], iterations: [] }
  const calls: Array<{ tokens?: number; cost_dollars?: number }> = []
  const silent: string[] = []
  const reported = new Set<SessionIteration>()
  for (const record of records) {
    if (isKind(record, '_meta.loop_start')) {
      const { hats, topics, backend } = record.data
      // What a whole program does is not ours to see.
      if (backend === RALPH) silent.push(RALPH)
      Object.assign(evidence, defined({ hats: texts(hats), topics: texts(topics) }))
    } else if (isKind(record, '_meta.iteration')) {
      const { n, hat, elapsed_ms } = record.data
      evidence.iterations.push({ n, hat, ...defined({ elapsed_ms: number(elapsed_ms) }) })
    } else if (isKind(record, 'bus.publish')) {
      const { topic, payload, source, target, recipients } = record.data
      const iteration = evidence.iterations.at(-1)?.n ?? 0
      evidence.events.push({
        topic,
        payload: readString(payload) ?? '',
        source: readString(source) ?? null,
        target: readString(target) ?? null,
        iteration,
        ...(Array.isArray(recipients) && { recipients: readStrings(recipients) }),
      })
    } else if (isKind(record, 'bus.malformed')) {
      const last = evidence.iterations.at(-1)
      if (last) last.malformed = (last.malformed ?? 0) + 1
    } else if (isKind(record, 'backend.call')) {
      calls.push(record.data)
      const { hat, duration_ms, error, tool_calls, calls_cut, session_id } = record.data
      if (calls_cut === true) evidence.calls_cut = true
      const last = evidence.iterations.at(-1)
      if (last?.hat !== hat) continue
      if (Array.isArray(tool_calls)) reported.add(last)
      Object.assign(
        last,
        defined({
          duration_ms: number(duration_ms),
          error: readString(error),
          session_id: readString(session_id),
        }),
      )
    } else if (isKind(record, '_meta.termination')) {
      const { reason, exit_code, elapsed_secs, message } = record.data
      evidence.termination_reason = reason
      const secs = number(elapsed_secs)
      Object.assign(
        evidence,
        defined({
          message: readString(message),
          exit_code: number(exit_code),
          duration_ms: secs === undefined ? undefined : secs * 1000,
        }),
      )
    }
  }
  silent.push(...evidence.iterations.filter((each) => !reported.has(each)).map(({ hat }) => hat))
  if (silent.length > 0) evidence.unreported_hats = [...new Set(silent)]
  const cost = sumOf(calls.map(({ cost_dollars }) => cost_dollars))
  if (cost !== undefined) evidence.cost_dollars = cost
  const tokens = sumOf(calls.map((call) => call.tokens))
  if (tokens !== undefined) evidence.tokens = tokens
  return evidence
}

const RALPH = 'ralph'

// Recordings of other programs leave out what ours have, or say null.
function texts(value: unknown): string[] | undefined {
  return isStrings(value) ? value : undefined
}

function number(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

/** One unknown makes the sum unknown; without calls nothing is known. */
function sumOf(values: Array<number | undefined>): number | undefined {
  if (values.length === 0) return undefined
  return values.reduce((sum, value) => (sum === undefined || value === undefined ? undefined : sum + value), 0)
}
