// How many units go into a job, and how many jobs may wait: enough to keep every worker busy, and no more.

/** What a job should take: long compared to the cost of handing it over, short compared to the cost of losing it. */
const JOB_MS = 800
const MAX_UNITS = 50
/** The weight of the newest duration. */
const NEWEST = 0.1

export class Sizing {
  #average: number | undefined

  add(ms: number): void {
    this.#average = this.#average === undefined ? ms : this.#average * (1 - NEWEST) + ms * NEWEST
  }

  /** Milliseconds; undefined before the first unit is done. */
  get average(): number | undefined {
    return this.#average
  }

  /** Until a duration is known, and towards the end, small jobs share the work best. */
  unitsPerJob(waiting: number, slots: number): number {
    if (this.#average === undefined) return 1
    const fitting = Math.floor(JOB_MS / Math.max(1, this.#average))
    return Math.max(1, Math.min(fitting, MAX_UNITS, Math.ceil(waiting / Math.max(1, slots))))
  }
}

/** One job for each slot, and one more so that no worker waits for the next. */
export function jobsAtOnce(slots: number, isBudgeted: boolean): number {
  // What is queued is spent: with a budget nothing is queued ahead.
  return isBudgeted ? slots : slots * 2
}
