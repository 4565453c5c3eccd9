// What the hats of an orchestrator publish.
import type { SessionEvent } from '../../../model/session-evidence.js'
import { inserted, removed, replaced, spread } from '../change.js'
import type { Mutant, Operator, Original } from '../operator.js'

const MOST = 8

export const eventMissing: Operator = {
  name: 'event missing',
  about: 'events',
  meaning: 'a step of the work is left out',
  mutants: (original) =>
    eachEvent(original, (events, index) => ({
      what: `${events[index]?.topic} is not published`,
      events: removed(events, index),
    })),
}

export const eventDoubled: Operator = {
  name: 'event doubled',
  about: 'events',
  meaning: 'a step of the work is done twice',
  mutants: (original) =>
    eachEvent(original, (events, index) => {
      const event = events[index]
      return event && { what: `${event.topic} is published twice`, events: inserted(events, index + 1, event) }
    }),
}

export const eventOrder: Operator = {
  name: 'event out of order',
  about: 'events',
  meaning: 'steps of the work are done in the wrong order',
  mutants: (original) =>
    eachEvent(original, (events, index) => {
      const [event, next] = [events[index], events[index + 1]]
      if (!event || !next || event.topic === next.topic) return undefined
      return {
        what: `${next.topic} is published before ${event.topic}`,
        events: replaced(replaced(events, index, next), index + 1, event),
      }
    }),
}

function* eachEvent(
  { conduct }: Original,
  change: (events: readonly SessionEvent[], index: number) => { what: string; events: SessionEvent[] } | undefined,
): Generator<Mutant> {
  for (const [turn, reply] of conduct.replies.entries()) {
    const { session } = reply
    if (!session) continue
    for (const index of spread([...session.events.keys()], MOST)) {
      const changed = change(session.events, index)
      if (!changed) continue
      const replies = replaced(conduct.replies, turn, { ...reply, session: { ...session, events: changed.events } })
      yield { what: changed.what, conduct: { ...conduct, replies }, turn }
    }
  }
}
