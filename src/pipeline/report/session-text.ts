// An orchestrator run and the files it changed, in words: what the console and the Markdown report share.
import type { ResultEvent } from '../../model/event.js'
import { receiversOf, type TimelineEvent, type TimelineStep } from '../../model/session-timeline.js'
import { plural } from '../../base/format.js'

type Session = NonNullable<ResultEvent['session']>
type FileChange = NonNullable<ResultEvent['changes']>[number]

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

function eventText(event: TimelineEvent): string {
  const receivers = receiversOf(event)
  return receivers.length === 0 ? event.topic : `${event.topic} → ${receivers.join(', ')}`
}
