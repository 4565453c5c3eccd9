// Why a run was ended from outside, as far as whoever ended it says so.
import type { TerminationReason } from '../model/termination.js'
import { DeadlineError } from '../time/deadline.js'

/** The reason to abort a run with when its end is wanted and nothing is wrong: it exits 0. */
export class LoopCancelled extends Error {
  constructor() {
    super('cancelled')
    this.name = 'LoopCancelled'
  }
}

export function stopReason({ reason }: AbortSignal): TerminationReason {
  if (reason instanceof LoopCancelled) return 'Cancelled'
  return reason instanceof DeadlineError ? 'Stopped' : 'Interrupted'
}
