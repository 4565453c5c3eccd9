// What a result line keeps of an orchestrator run: all of an ordinary one, the beginning and end of a long one. Pure.
import { defined } from '../base/defined.js'
import { clip } from '../base/text.js'
import type { SessionResult } from './result-schema.js'
import type { SessionEvent, SessionEvidence, SessionIteration } from './session-evidence.js'

const FIRST = 150
const LAST = 50
const MOST_RECIPIENTS = 20
const NAME = 200
const TEXT = 500

/** The session that a result line was made from; undefined if the line has only part of it. */
export function wholeSession({
  texts_cut,
  iterations_left_out,
  events_left_out,
  ...session
}: SessionResult): SessionEvidence | undefined {
  const isWhole = !texts_cut && iterations_left_out === undefined && events_left_out === undefined
  return isWhole && session.events.every(({ payload }) => payload.length < TEXT) ? session : undefined
}

export function boundSession(session: SessionEvidence): SessionResult {
  const { termination_reason, message, exit_code, duration_ms, unreported_hats } = session
  const iterations = ends(session.iterations)
  const kept = new Set(iterations.map(({ n }) => n))
  const events = ends(session.events.filter(({ iteration }) => iteration === 0 || kept.has(iteration)))
  const bound = { iterations: iterations.map(boundIteration), events: events.map(boundEvent) }
  const isCut =
    iterations.some(isLongIteration) ||
    events.some(isLongEvent) ||
    isLong(message, TEXT) ||
    isLong(termination_reason, NAME)
  return {
    ...bound,
    ...(isCut && { texts_cut: true as const }),
    ...defined({
      iterations_left_out: leftOut(session.iterations, iterations),
      events_left_out: leftOut(session.events, events),
      termination_reason: clipped(termination_reason, NAME),
      message: clipped(message, TEXT),
      exit_code,
      duration_ms,
      unreported_hats: unreported_hats?.map((hat) => clip(hat, NAME)),
    }),
  }
}

function ends<Item>(items: Item[]): Item[] {
  return items.length <= FIRST + LAST ? items : [...items.slice(0, FIRST), ...items.slice(-LAST)]
}

function boundIteration({ n, hat, elapsed_ms, duration_ms, error, session_id, malformed }: SessionIteration) {
  const more = defined({
    elapsed_ms,
    duration_ms,
    error: clipped(error, TEXT),
    session_id: clipped(session_id, NAME),
    malformed,
  })
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

function isLongIteration({ hat, error }: SessionIteration): boolean {
  return isLong(hat, NAME) || isLong(error, TEXT)
}

function isLongEvent({ topic, payload, source, target, recipients = [] }: SessionEvent): boolean {
  const names = [topic, source ?? '', target ?? '', ...recipients]
  return recipients.length > MOST_RECIPIENTS || isLong(payload, TEXT) || names.some((name) => isLong(name, NAME))
}

function isLong(text: string | undefined, max: number): boolean {
  return text !== undefined && text.length > max
}

function leftOut(all: unknown[], kept: unknown[]): number | undefined {
  return all.length > kept.length ? all.length - kept.length : undefined
}

function clipped(text: string | undefined, max: number): string | undefined {
  return text === undefined ? undefined : clip(text, max)
}
