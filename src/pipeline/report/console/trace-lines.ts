// What happened inside a call, step by step: hooks, model calls, tools, agents it delegated to.
import type { TraceStep } from '../../../model/agent.js'
import { formatDuration } from '../../../base/duration.js'
import { preview } from '../../../base/text.js'

/** More steps than this are of no use on a console; the reports have them all. */
const MOST = 50

export function traceLines(steps: TraceStep[]): string[] {
  const lines = steps.slice(0, MOST).map((step) => `  · ${describe(step)}`)
  return steps.length > MOST ? [...lines, `  · and ${steps.length - MOST} more`] : lines
}

function describe({ kind, name, start_ms, duration_ms, error }: TraceStep): string {
  const start = start_ms === undefined ? '' : `+${formatDuration(start_ms)} `
  const time = duration_ms === undefined ? '' : ` (${formatDuration(duration_ms)})`
  const failed = error === undefined ? '' : `: ${preview(error, 200)}`
  return `${start}${kind} ${preview(name)}${time}${failed}`
}
