// The bottom of the live display: running cases and the progress, no line wider than the terminal.
import { paint } from '../pipeline/report/console/paint.js'
import { formatDuration } from '../base/duration.js'
import { preview } from '../base/text.js'
import type { RunKey } from '../model/run-key.js'
import { displayWidth, fitWidth } from '../base/width.js'

export interface LiveState {
  /** What is running, and since when. */
  running: Map<RunKey, { title: string; since: number }>
  done: number
  failed: number
  skipped: number
  /** Unknown while cases are read as they come. */
  total?: number
  started: number
}

const RUNNING_SHOWN = 5
const WIDEST_ID = 60
const WIDE_BAR = 24
const NARROW_BAR = 10

export function liveBlock(state: LiveState, place: { columns: number; color: boolean; now: number }): string[] {
  // The last column stays free: some terminals break the line there.
  const columns = place.columns - 1
  const color = paint(place.color)
  const lines = [...state.running.values()].slice(0, RUNNING_SHOWN).map(({ title, since }) => {
    const time = formatDuration(place.now - since)
    return `  ▸ ${fitWidth(preview(title), Math.min(WIDEST_ID, columns - 5 - time.length))} ${color.dim(time)}`
  })
  const more = state.running.size - RUNNING_SHOWN
  if (more > 0) lines.push(color.dim(fitWidth(`  … and ${more} more running`, columns)))
  const fitting = progressLines(state, place).find((line) => displayWidth(line) <= columns)
  return fitting === undefined ? lines : [...lines, fitting]
}

/** The progress in ever fewer words. */
function progressLines(state: LiveState, { color: colored, now }: { color: boolean; now: number }): string[] {
  const color = paint(colored)
  const { done, failed, skipped, total, started } = state
  const rate = done / Math.max((now - started) / 1000, 0.001)
  const counts = [
    color.green(`${done - failed - skipped} passed`),
    ...(failed > 0 ? [color.red(`${failed} failed`)] : []),
    ...(skipped > 0 ? [color.yellow(`${skipped} skipped`)] : []),
  ].join(', ')
  const speed = `${rate.toFixed(1)}/s`
  if (total === undefined) return [`  ${counts} · ${speed}`, `  ${counts}`, `  ${done}`]
  const bar = (width: number): string => {
    const filled = Math.min(width, Math.round((done / Math.max(1, total)) * width))
    return `${'█'.repeat(filled)}${color.dim('░'.repeat(width - filled))}`
  }
  const left = done === 0 ? '' : ` · ${formatDuration(((total - done) / rate) * 1000)} left`
  const share = `${done}/${total}`
  return [
    `  ${bar(WIDE_BAR)} ${share} · ${counts} · ${speed}${left}`,
    `  ${bar(WIDE_BAR)} ${share} · ${counts}${left}`,
    `  ${bar(NARROW_BAR)} ${share} · ${counts}${left}`,
    `  ${bar(NARROW_BAR)} ${share} · ${counts}`,
    `  ${share} · ${counts}`,
    `  ${share}`,
  ]
}
