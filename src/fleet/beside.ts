// What a case leaves besides its result travels with it, and is stored before it.
import { isRecord } from '../base/record.js'
import type { ResultEvent } from '../model/event.js'
import { runKey, type RunName } from '../model/run-key.js'
import type { Interceptors } from '../interceptors/compose.js'
import { WHOLE_RUN, type Beside } from './protocol.js'

/** On the worker, as JSON: for this case, and what belongs to all and has not been sent yet. */
export function collectBeside({ id, run, variant }: RunName, interceptors: Interceptors): string[] {
  const own = { id, run, variant }
  const beside: Beside[] = []
  const shared = interceptors.collect()
  if (shared) beside.push({ id: WHOLE_RUN, run: 1, shares: shared })
  const shares = interceptors.collect(own)
  if (shares) beside.push({ ...own, shares })
  return beside.map((each) => JSON.stringify(each))
}

/** At the coordinator. */
export class BesideTaker {
  readonly #interceptors: Interceptors
  /** What could not be kept: errors of the run. */
  readonly problems: string[] = []

  constructor(interceptors: Interceptors) {
    this.#interceptors = interceptors
  }

  /** Whatever becomes of the unit: the worker does not send it again. */
  shared(beside: readonly Beside[] = []): void {
    for (const each of beside) if (each.id === WHOLE_RUN) this.#take(each)
  }

  /** For a result that counts, or for what was called around the tests of a unit that is done. */
  of(own: ResultEvent | RunName, beside: readonly Beside[] = []): void {
    const found = beside.find((each) => runKey(each) === runKey(own))
    if (found) this.#take(found, own)
  }

  #take({ shares }: Beside, own?: ResultEvent | RunName): void {
    if (isRecord(shares)) this.problems.push(...this.#interceptors.take(shares, own))
  }
}
