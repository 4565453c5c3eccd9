// How long things last in a fleet, in milliseconds. Workers must agree on them: BullMQ's checks use those of the last to come.

/**
 * A worker that does not renew its job for this long has lost it. In a large fleet renewing takes its time: a job that is
 * still running must not be taken for lost. `slots`: of all workers.
 */
export function lockMs(slots: number): number {
  return Math.min(LONGEST_LOCK_MS, 5_000 + slots * 5)
}

const LONGEST_LOCK_MS = 60_000
export const STALLED_CHECK_MS = 2_000
/** Of a coordinator: longer than it may be paused. */
export const LEASE_MS = 120_000
export const RENEW_MS = 5_000
/** Keys of a run that is no longer renewed. */
export const KEEP_MS = 600_000
/** Of a worker. */
export const ALIVE_MS = 10_000
export const BEAT_MS = 2_000
/** How long a worker that was asked to stop lets its cases continue. */
export const DRAIN_MS = 7_000
