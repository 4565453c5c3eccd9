// `event_occurred`, `event_sequence`, `event_count`, `no_event`, `event_schema`: what was published on the bus.
import * as v from 'valibot'
import { parseJson } from '../../../base/json/parse-json.js'
import { plural } from '../../../base/format.js'
import { suggest } from '../../../base/suggest.js'
import { preview } from '../../../base/text.js'
import { matchesTopic } from '../../../base/topics.js'
import type { SessionEvent, SessionEvidence } from '../../../model/session-evidence.js'
import { boundEntries, describeBounds, isWithin, requireBounds } from '../bounds.js'
import { defineAssertion, notAvailable, type AssertServices, type Check, type Verdict } from '../define-assertion.js'
import { inOrder } from '../in-order.js'
import { requireSchema } from '../json-schema.js'
import { requirePattern } from '../patterns.js'
import { nearestPart } from '../text-diff.js'

const topic = v.pipe(v.string(), v.nonEmpty())
/** More of them would bury the verdict. */
const MAX_SHOWN = 50

export const eventOccurred = defineAssertion({
  type: 'event_occurred',
  summary: 'An event of the topic was published, with a payload that matches; `*` stands for one word of a topic',
  example: { type: 'event_occurred', topic: 'build.done', payload_pattern: 'tests pass' },
  on: 'session',
  schema: v.object({ topic, payload_pattern: v.optional(v.pipe(v.string(), v.nonEmpty())) }),

  compile({ topic: wanted, payload_pattern: source }, { field }) {
    // A missing event refutes it, whatever the pattern.
    const payload = source === undefined ? undefined : requirePattern(source, `${field}.payload_pattern`, true)
    return inSession((session) => {
      const { events } = session
      const found = ofTopic(events, wanted)
      if (found.length === 0) return { ...notPublished(wanted, events), ...(isIdle(session) && { absent: IDLE }) }
      if (!payload || found.some((event) => payload.test(event.payload))) return { passed: true, actual: found.length }
      return {
        passed: false,
        message: `${wanted} was published ${plural(found.length, 'time')}, never with a payload that matches ${source}`,
        expected: source,
        actual: found.slice(0, MAX_SHOWN).map((event) => preview(event.payload)),
      }
    })
  },
})

export const eventSequence = defineAssertion({
  type: 'event_sequence',
  summary: 'Events of these topics were published in this order; others may come between them',
  example: { type: 'event_sequence', topics: ['task.start', 'build.task', 'build.done'] },
  on: 'session',
  schema: v.object({ topics: v.pipe(v.array(topic), v.minLength(1)) }),

  compile({ topics }) {
    const fits = topics.map((wanted) => (name: string) => matchesTopic(wanted, name))
    return inSession((session) => {
      const published = session.events.map((event) => event.topic)
      const verdict = inOrder(topics, fits, published, listed(published))
      return verdict.passed || !isIdle(session) ? verdict : { ...verdict, absent: IDLE }
    })
  },
})

export const eventCount = defineAssertion({
  type: 'event_count',
  summary: 'Events of the topic were published this many times: min, max or exact',
  example: { type: 'event_count', topic: 'build.task', min: 1, max: 3 },
  on: 'session',
  schema: v.object({ topic, ...boundEntries }),

  compile(spec, { field }) {
    const bounds = requireBounds(spec, field)
    return inSession((session, { warn }) => {
      const { events } = session
      const actual = ofTopic(events, spec.topic).length
      if (actual === 0 && isIdle(session)) return nothingHappened()
      const expected = describeBounds(bounds)
      if (isWithin(actual, bounds))
        return actual > 0 ? { passed: true, expected, actual } : { ...neverThere(spec.topic, session, warn), expected }
      const message = `${spec.topic} was published ${plural(actual, 'time')}, expected ${expected}`
      return { passed: false, message: `${message}${nearTopic(spec.topic, events)}`, expected, actual }
    })
  },
})

export const noEvent = defineAssertion({
  type: 'no_event',
  summary: 'No event of the topic was published',
  example: { type: 'no_event', topic: 'build.blocked' },
  on: 'session',
  schema: v.object({ topic }),

  compile({ topic: unwanted }) {
    return inSession((session, { warn }) => {
      const found = ofTopic(session.events, unwanted)
      if (found.length === 0 && isIdle(session)) return nothingHappened()
      if (found.length === 0) return neverThere(unwanted, session, warn)
      const [{ iteration, payload } = { iteration: 0, payload: '' }] = found
      const first = `first in iteration ${iteration}: ${preview(payload, 120)}`
      const message = `${unwanted} was published ${plural(found.length, 'time')}, ${first}`
      return { passed: false, message, expected: 0, actual: found.length }
    })
  },
})

export const eventSchema = defineAssertion({
  type: 'event_schema',
  summary: 'Every event of the topic has a payload that is JSON and valid under a JSON Schema',
  example: { type: 'event_schema', topic: 'order.created', schema: { type: 'object', required: ['order_id'] } },
  on: 'session',
  schema: v.object({ topic, schema: v.union([v.record(v.string(), v.unknown()), v.boolean()]) }),

  compile(spec, { field }) {
    const validate = requireSchema(spec.schema, `${field}.schema`)
    return inSession(({ events }) => {
      const found = ofTopic(events, spec.topic)
      // No payload honours the contract, and none breaks it.
      if (found.length === 0) return { ...notPublished(spec.topic, events), absent: `no event ${spec.topic}` }
      for (const [index, event] of found.entries()) {
        const json = parseJson(event.payload)
        const problems = json ? validate(json.value) : ['it is not JSON']
        if (problems.length === 0) continue
        const message = `the payload of ${event.topic} (${index + 1} of ${found.length}) breaks its contract: ${problems.join('; ')}`
        return { passed: false, message, actual: preview(event.payload, 500) }
      }
      return { passed: true, actual: found.length }
    })
  },
})

/** Without a session nothing can be said about it. */
export function inSession(check: (session: SessionEvidence, services: AssertServices) => Verdict): Check {
  return ({ session }, services) =>
    session ? check(session, services) : notAvailable('there is no session: nothing was run that publishes events')
}

/** No hat has had a turn: it shows only that the run was started. */
export function isIdle({ events, iterations }: SessionEvidence): boolean {
  return iterations.length === 0 && events.every(({ source }) => source === null)
}

const IDLE = 'no hat has had a turn'

export function nothingHappened(): Verdict {
  const message = `${IDLE}: nothing was shown`
  return { passed: false, message, absent: message }
}

/** A pass; but a similar topic that hats know may be the one that was meant. Differing numbers are not typos. */
function neverThere(
  wanted: string,
  { events, topics = [] }: SessionEvidence,
  warn: ((text: string) => void) | undefined,
): Verdict {
  const known = [...new Set([...topics, ...events.map((event) => event.topic)])]
  const verdict = { passed: true, expected: 0, actual: 0 }
  if (known.some((topic) => topic === wanted || matchesTopic(wanted, topic))) return verdict
  const near = suggest(wanted, known)
  if (near === undefined || withoutDigits(near) === withoutDigits(wanted)) return verdict
  const message = `no hat uses "${wanted}", but "${near}" is used: did you mean that one?`
  warn?.(message)
  return { ...verdict, message }
}

function withoutDigits(text: string): string {
  return text.replaceAll(/\d+/g, '#')
}

function ofTopic(events: readonly SessionEvent[], pattern: string): SessionEvent[] {
  return events.filter((event) => matchesTopic(pattern, event.topic))
}

function notPublished(wanted: string, events: readonly SessionEvent[]): Verdict {
  const actual = [...new Set(topicsOf(events))]
  const seen = actual.length === 0 ? 'nothing was published' : `published: ${actual.join(', ')}`
  const verdict = { passed: false, message: `no event ${wanted}: ${seen}`, expected: wanted, actual }
  return events.length === 0 ? { ...verdict, absent: 'nothing was published' } : verdict
}

function topicsOf(events: readonly SessionEvent[]): string[] {
  return listed(events.map((event) => event.topic))
}

/** A list of names, cut to what a person reads. */
export function listed(names: string[]): string[] {
  return names.length <= MAX_SHOWN ? names : [...names.slice(0, MAX_SHOWN), `… ${names.length - MAX_SHOWN} more`]
}

function nearTopic(wanted: string, events: readonly SessionEvent[]): string {
  if (events.some(({ topic: seen }) => matchesTopic(wanted, seen))) return ''
  const near = nearestPart(wanted, [...new Set(topicsOf(events))].join(' '))
  return near === undefined ? '' : ` (nearest: ${near})`
}
