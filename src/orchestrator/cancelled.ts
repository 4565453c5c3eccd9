// Why a run was ended from outside, if that is known.
import type { TerminationReason } from '../model/termination.js'
import { DeadlineError } from '../time/deadline.js'

/** The abort reason for a run that is ended on purpose, with nothing wrong: it exits 0. */
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
