// What was done, for `-v`: an orchestrator's iterations with their hats and events, then the files and the state that changed.
import type { ResultEvent } from '../../../model/event.js'
import { formatDuration } from '../../../base/duration.js'
import { plural } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import { timelineOf, type TimelineStep } from '../../../model/session-timeline.js'
import { changeText, endingText, stateChangeText, stateTitle, stepText } from '../session-text.js'

/** More than this is of no use on a console; the reports have more. */
const MOST = 50

export function sessionLines({ session }: ResultEvent): string[] {
  if (!session) return []
  const steps = timelineOf(session)
  const lines = steps.slice(0, MOST).map((step) => `  · ${describe(step)}`)
  if (steps.length > MOST) lines.push(`  · and ${plural(steps.length - MOST, 'more step')}`)
  return [`  Orchestrator: ${preview(endingText(session), 500)}`, ...lines]
}

export function fileLines({ changes = [], changes_left_out = 0 }: ResultEvent): string[] {
  if (changes.length === 0) return []
  const lines = changes.slice(0, MOST).map((change) => `  · ${preview(changeText(change), 300)}`)
  const more = changes.length + changes_left_out - lines.length
  return ['  Files changed:', ...lines, ...(more > 0 ? [`  · and ${more} more`] : [])]
}

export function stateLines({ state }: ResultEvent): string[] {
  if (!state || (!state.claimed && !state.changes?.length)) return []
  const { changes = [], changes_left_out = 0 } = state
  const lines = changes.slice(0, MOST).map((change) => `  · ${preview(stateChangeText(change), 300)}`)
  const more = changes.length + changes_left_out - lines.length
  return [`  ${stateTitle(state)}:`, ...lines, ...(more > 0 ? [`  · and ${more} more`] : [])]
}

function describe(step: TimelineStep): string {
  const { iteration, left_out } = step
  const told = preview(stepText(step), 500)
  if (!iteration) return told
  const { n, hat, duration_ms } = iteration
  const gap = left_out > 0 ? `(${plural(left_out, 'iteration')} left out) ` : ''
  const time = duration_ms === undefined ? '' : ` (${formatDuration(duration_ms)})`
  return `${gap}${n} ${preview(hat)}${time}${told === '' ? '' : `: ${told}`}`
}
