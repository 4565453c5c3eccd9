// What was done, as part of a Markdown report: an orchestrator's iterations, how it ended, the files and the state that changed.
import type { ResultEvent } from '../../model/event.js'
import { isSessionFile } from '../../model/session.js'
import { timelineOf, type TimelineStep } from '../../model/session-timeline.js'
import { formatDuration } from '../../base/duration.js'
import { plural } from '../../base/format.js'
import { table } from './markdown-table.js'
import { cell, fenced, inline } from './markdown-text.js'
import { changeText, endingText, stateChangeText, stateTitle, stepText } from './session-text.js'

export function markdownSession({ session, changes = [], changes_left_out = 0 }: ResultEvent): string[] {
  const parts: string[] = []
  if (session) {
    const rows = timelineOf(session).flatMap(rowsOf)
    parts.push(`**Timeline:** ${inline(endingText(session), 700)}\n`)
    if (rows.length > 0) parts.push(table(['#', 'Hat', 'Time', 'Events'], rows))
  }
  if (changes.length === 0) return parts
  const lines = changes.map((change) => `- ${inline(changeText(change), 300)}`)
  if (changes_left_out > 0) lines.push(`- ${plural(changes_left_out, 'more file')}`)
  parts.push(`**Files changed**\n\n${lines.join('\n')}\n`)
  // The files an orchestrator keeps about its run are described above.
  const shown = changes.filter(({ path, diff }) => diff && !(session && isSessionFile(path)))
  for (const { path, diff = '' } of shown.slice(0, MOST_DIFFS))
    parts.push(`${inline(path, 300)}\n\n${fenced(diff, 'diff', MOST_CHARACTERS)}`)
  return parts
}

export function markdownState({ state }: ResultEvent): string[] {
  if (!state || (!state.claimed && !state.changes?.length)) return []
  const { changes = [], changes_left_out = 0 } = state
  const lines = changes.map((change) => `- ${inline(stateChangeText(change), 300)}`)
  if (changes_left_out > 0) lines.push(`- ${plural(changes_left_out, 'more change')}`)
  return [`**${stateTitle(state)}**\n\n${lines.join('\n')}\n`]
}

const MOST_DIFFS = 10
const MOST_CHARACTERS = 2000

function rowsOf(step: TimelineStep): string[][] {
  const { iteration, left_out } = step
  const told = cell(stepText(step), 500)
  if (!iteration) return [['0', '', '', told]]
  const { n, hat, duration_ms } = iteration
  const time = duration_ms === undefined ? '' : formatDuration(duration_ms)
  const gap = left_out > 0 ? [['…', '', '', `${plural(left_out, 'iteration')} left out`]] : []
  return [...gap, [String(n), cell(hat), time, told]]
}
