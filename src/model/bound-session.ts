// What a result line keeps of an orchestrator run: all of a usual one, the beginning and the end of a long one. Pure.
import { defined } from '../base/defined.js'
import { clip } from '../base/text.js'
import type { SessionResult } from './result-schema.js'
import type { SessionEvent, SessionEvidence, SessionIteration } from './session-evidence.js'

const FIRST = 150
const LAST = 50
const MOST_RECIPIENTS = 20
const NAME = 200
const TEXT = 500

export function boundSession(session: SessionEvidence): SessionResult {
  const { termination_reason, message, exit_code, duration_ms } = session
  const iterations = ends(session.iterations)
  const kept = new Set(iterations.map(({ n }) => n))
  const events = ends(session.events.filter(({ iteration }) => iteration === 0 || kept.has(iteration)))
  return {
    iterations: iterations.map(boundIteration),
    events: events.map(boundEvent),
    ...defined({
      iterations_left_out: leftOut(session.iterations, iterations),
      events_left_out: leftOut(session.events, events),
      termination_reason: clipped(termination_reason, NAME),
      message: clipped(message, TEXT),
      exit_code,
      duration_ms,
    }),
  }
}

function ends<Item>(items: Item[]): Item[] {
  return items.length <= FIRST + LAST ? items : [...items.slice(0, FIRST), ...items.slice(-LAST)]
}

function boundIteration({ n, hat, elapsed_ms, duration_ms, error, malformed }: SessionIteration) {
  const more = defined({ elapsed_ms, duration_ms, error: clipped(error, TEXT), malformed })
  return { n, hat: clip(hat, NAME), ...more }
}

function boundEvent({ topic, payload, source, target, recipients, iteration }: SessionEvent) {
  const hats = recipients?.slice(0, MOST_RECIPIENTS).map((hat) => clip(hat, NAME))
  return {
    topic: clip(topic, NAME),
    payload: clip(payload, TEXT),
    source: source === null ? null : clip(source, NAME),
    target: target === null ? null : clip(target, NAME),
    iteration,
    ...defined({ recipients: hats }),
  }
}

function leftOut(all: unknown[], kept: unknown[]): number | undefined {
  return all.length > kept.length ? all.length - kept.length : undefined
}

function clipped(text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : clip(text, max)
}
