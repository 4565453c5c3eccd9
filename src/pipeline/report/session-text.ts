// An orchestrator run, the files and the state it changed, in words: what the console and the Markdown report share.
import type { ResultEvent } from '../../model/event.js'
import { receiversOf, type TimelineEvent, type TimelineStep } from '../../model/session-timeline.js'
import { plural } from '../../base/format.js'

type Session = NonNullable<ResultEvent['session']>
type FileChange = NonNullable<ResultEvent['changes']>[number]
type State = NonNullable<ResultEvent['state']>
type StateChange = NonNullable<State['changes']>[number]

/** `3 iterations, MaxIterations, exit code 2: 3 iterations are over`. */
export function endingText(session: Session): string {
  const { iterations, iterations_left_out = 0, termination_reason = 'not ended', exit_code, message } = session
  const parts = [plural(iterations.length + iterations_left_out, 'iteration'), termination_reason]
  if (exit_code !== undefined) parts.push(`exit code ${exit_code}`)
  return `${parts.join(', ')}${message === undefined ? '' : `: ${message}`}`
}

/** `build.task → builder; plan.note`: what went wrong, then the events. */
export function stepText({ iteration, events }: TimelineStep): string {
  const { error, malformed = 0 } = iteration ?? {}
  const wrong = [error ?? '', malformed > 0 ? plural(malformed, 'malformed event') : '']
  return [...wrong, ...events.map(eventText)].filter(Boolean).join('; ')
}

/** `changed src/api.ts (+3 -1)`. */
export function changeText({ path, change, additions, deletions }: FileChange): string {
  const lines = additions === undefined || deletions === undefined ? '' : ` (+${additions} -${deletions})`
  return `${change} ${path}${lines}`
}

/** `$.orders.o1.status: "paid" → "refunded"`. */
export function stateChangeText({ path, change, before, after, cut }: StateChange): string {
  const shown = (value: Record<string, unknown> | undefined): string =>
    value === undefined ? (cut ? '…' : 'nothing') : JSON.stringify(Object.values(value)[0])
  return `${change} ${path}: ${shown(before)} → ${shown(after)}`
}

/** Where it comes from, for people. */
export function stateTitle({ source, claimed }: State): string {
  if (claimed) return 'State, as the agent reports it (claimed)'
  return source === 'hook' ? 'State changed, as testing.state reads it' : 'State changed'
}

function eventText(event: TimelineEvent): string {
  const receivers = receiversOf(event)
  return receivers.length === 0 ? event.topic : `${event.topic} → ${receivers.join(', ')}`
}
