// An orchestrator run as a timeline: each iteration with the events that came out of it. Pure.
import type { SessionResult } from './result-schema.js'

type Iteration = SessionResult['iterations'][number]
export type TimelineEvent = SessionResult['events'][number]

export interface TimelineStep {
  /** Absent: before the first. */
  iteration?: Iteration
  /** How many iterations before this one were left out. */
  left_out: number
  events: TimelineEvent[]
}

export function timelineOf({ iterations, events, iterations_left_out = 0 }: SessionResult): TimelineStep[] {
  const during = (n: number) => events.filter(({ iteration }) => iteration === n)
  const steps: TimelineStep[] = events.some(({ iteration }) => iteration === 0)
    ? [{ left_out: 0, events: during(0) }]
    : []
  let last = 0
  for (const iteration of iterations) {
    const left_out = iterations_left_out > 0 ? Math.max(0, iteration.n - last - 1) : 0
    steps.push({ iteration, left_out, events: during(iteration.n) })
    last = iteration.n
  }
  return steps
}

/** The recipients; empty if there were none, or they are not known. */
export function receiversOf({ recipients, target }: TimelineEvent): string[] {
  return recipients ?? (target === null ? [] : [target])
}
