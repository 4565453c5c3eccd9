// What keeps further cases from being started: a spent budget, enough failures.
import { IdTable } from '../base/id-table.js'
import type { ResultEvent, StabilityEvent, StartEvent } from '../model/event.js'
import { caseKey } from '../model/run-key.js'

export interface Limit {
  add(event: ResultEvent | StabilityEvent | StartEvent): void
  isReached(): boolean
  /** What the summary says about it. `isRefused`: a case was not started because of it. */
  why(isRefused: boolean): string | undefined
  /** Failures that it still allows. */
  failuresLeft?(): number
  /** Dollars that no result accounts for. */
  spent?(dollars: number): void
  /** What an earlier part of the run had is known; from now on it is this part. */
  goOn?(): void
}

export interface Brake extends Pick<Limit, 'add'> {
  /** Asked before a run of a case is started: all variants end after the same case. */
  isPulled(id: string): boolean
  /** Asked before another round of all cases. */
  endsRound(): boolean
  stopped(): string | undefined
  failuresLeft(): number | undefined
  /** Called for a result that came again and does not count. */
  spent(dollars: number): void
  goOn(): void
}

export function createBrake(limits: readonly Limit[], several: boolean): Brake {
  if (limits.length === 0) return NONE
  /** Cases that one variant has begun, so that the others follow. */
  const begun = several ? new IdTable() : undefined
  const refused = new Set<Limit>()
  const refuse = (): boolean => {
    const reached = limits.filter((limit) => limit.isReached())
    for (const limit of reached) refused.add(limit)
    return reached.length > 0
  }
  return {
    add: (event) => {
      if (event.type === 'result') begun?.add(caseKey({ id: event.id }), 1)
      for (const limit of limits) limit.add(event)
    },
    isPulled: (id) => {
      const key = caseKey({ id })
      if (begun?.has(key)) return false
      const isRefused = refuse()
      if (!isRefused) begun?.add(key, 1)
      return isRefused
    },
    endsRound: refuse,
    stopped: () => {
      const reasons = limits.map((limit) => limit.why(refused.has(limit))).filter((reason) => reason !== undefined)
      return reasons.length === 0 ? undefined : reasons.join('; ')
    },
    failuresLeft: () => limits.find((limit) => limit.failuresLeft)?.failuresLeft?.(),
    spent: (dollars) => {
      for (const limit of limits) limit.spent?.(dollars)
    },
    goOn: () => {
      for (const limit of limits) limit.goOn?.()
    },
  }
}

const NONE: Brake = {
  add: () => {},
  isPulled: () => false,
  endsRound: () => false,
  stopped: () => undefined,
  failuresLeft: () => undefined,
  spent: () => {},
  goOn: () => {},
}
