// What is known about the cases during a watch: which of them did not pass when they last ran.
import type { RunEvent } from '../../model/event.js'
import { isNotShown } from '../../model/status.js'
import type { EventSink } from '../../pipeline/record/event-log.js'

export interface Verdicts {
  failed: ReadonlySet<string>
  /** For one round: takes its events. */
  round(round: RoundSize): RoundVerdicts
}

export interface RoundSize {
  runs: number | 'auto'
  variants: number
}

export interface RoundVerdicts {
  sink: EventSink
  /** Whether the round has its verdict for all variants and runs. */
  isDone(id: string): boolean
}

export function createVerdicts(): Verdicts {
  const failed = new Set<string>()
  return {
    failed,
    round: ({ runs, variants }) => {
      const seen = new Map<string, number>()
      const type = runs === 1 ? 'result' : 'stability'
      const take = (event: RunEvent): void => {
        if (event.type !== type || !('status' in event)) return
        const { id, status } = event
        // A case is run again with all its variants, and one that fails is enough.
        if (!seen.has(id)) failed.delete(id)
        seen.set(id, (seen.get(id) ?? 0) + (isWhole(event, runs) ? 1 : 0))
        if (status === 'failed' || status === 'undetermined' || isNotShown(event)) failed.add(id)
      }
      return { sink: { name: 'watch', write: take }, isDone: (id) => (seen.get(id) ?? 0) >= variants }
    },
  }
}

function isWhole(event: RunEvent, runs: number | 'auto'): boolean {
  return event.type !== 'stability' || runs === 'auto' || event.status === 'skipped' || event.runs >= runs
}
