// What is known about the cases during a watch: which of them did not pass when they last ran.
import type { RunEvent } from '../../model/event.js'
import type { EventSink } from '../../pipeline/record/event-log.js'

export interface Verdicts {
  failed: ReadonlySet<string>
  /** For one round: takes its events. */
  sink(runs: number | 'auto'): EventSink
}

export function createVerdicts(): Verdicts {
  const failed = new Set<string>()
  return {
    failed,
    sink: (runs) => {
      /** With several variants one that fails is enough. */
      const seen = new Set<string>()
      const type = runs === 1 ? 'result' : 'stability'
      const take = (event: RunEvent): void => {
        if (event.type !== type || !('status' in event)) return
        // A case is run again with all its variants.
        const { id, status } = event
        if (!seen.has(id)) failed.delete(id)
        seen.add(id)
        if (status === 'failed' || status === 'undetermined') failed.add(id)
      }
      return { name: 'watch', write: take }
    },
  }
}
