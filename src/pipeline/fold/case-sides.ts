// The outcome of each case's runs, for every variant: small, and enough to compare any two of them.
import { defined } from '../../base/defined.js'
import type { ResultEvent, VariantSummary } from '../../model/event.js'
import { hasVerdict, isLeftOut, isNotShown, isWithheld } from '../../model/status.js'
import { caseKey, type CaseKey } from '../../model/run-key.js'
import { compareBehaviour, type BehaviourChange } from './behaviour/compare-behaviour.js'
import { createFingerprints } from './behaviour/fingerprints.js'
import type { CaseSides as DecidedCase, SideRuns } from './decide/decide-change.js'
import { shiftTest, type SamplePair, type ShiftRule, type ShiftTest } from './statistics/shift.js'
import type { Rate } from './statistics/stratified.js'
import { addToSample, type Sample } from './statistics/welch.js'

interface Side extends SideRuns {
  /** Among the runs that the test of a single case counts. */
  firstPasses: number
  skipped: number
  /** Runs that nobody chose to skip. */
  notShown: number
  /** Logarithms of milliseconds and of dollars, of runs with a verdict. */
  durations: Sample
  costs: Sample
  fingerprints: readonly number[]
}

export type VariantChanges = Pick<VariantSummary, 'duration_change' | 'cost_change' | 'behaviour_change'>

const CONFIDENCE = 0.95
const NOTICEABLE_MS = 50
const NO_PRINTS: readonly number[] = []

export class CaseSides {
  readonly #variants: number
  readonly #isTested: boolean
  readonly #firstRuns: number
  readonly #fingerprints = createFingerprints()
  /** By case, whatever the variant. Kept to the end, since every pair of variants is compared. */
  readonly #cases = new Map<CaseKey, { id: string; sides: Side[] }>()

  /**
   * `isTested`: behaviour is collected too. `firstRuns`: where outcomes decide how often a case runs, the number that
   * every case has; the test of a single case counts only those.
   */
  constructor(variants: number, isTested: boolean, firstRuns = Infinity) {
    this.#firstRuns = firstRuns
    this.#variants = variants
    this.#isTested = isTested
  }

  /** `at`: the index of its variant. */
  add(event: ResultEvent, at: number): void {
    // Cases that are not for every variant: there is nothing to compare.
    if (event.uncompared || isLeftOut(event)) return
    const side = this.#sideOf(event.id, at)
    if (!side) return
    if (isNotShown(event)) side.notShown++
    // Otherwise an agent that asks back where it used to fail would seem better.
    if (isWithheld(event)) {
      side.fails++
      return
    }
    if (event.status === 'skipped') {
      side.skipped++
      return
    }
    if (!hasVerdict(event)) {
      side.lost++
      return
    }
    const isFirst = side.passes + side.fails < this.#firstRuns
    if (event.status === 'passed') {
      side.passes++
      if (isFirst) side.firstPasses++
    } else side.fails++
    if (!this.#isTested) return
    addToSample(side.durations, Math.log(Math.max(1, event.duration_ms)))
    if (event.cost_dollars !== undefined && event.cost_dollars > 0)
      addToSample(side.costs, Math.log(event.cost_dollars))
    const print = this.#fingerprints.add(event)
    if (print !== undefined) side.fingerprints = [...side.fingerprints, print]
  }

  /** In the same order for every variant. */
  rates(at: number): Rate[] {
    return this.#map((sides) => {
      const { passes, fails } = sides[at] ?? newSide()
      return { hits: passes, runs: passes + fails }
    })
  }

  /** Likewise, of the first runs alone. */
  firstRates(at: number): Rate[] {
    return this.#map((sides) => {
      const { passes, fails, firstPasses } = sides[at] ?? newSide()
      return { hits: firstPasses, runs: Math.min(this.#firstRuns, passes + fails) }
    })
  }

  /** In the order of the rates. */
  ids(): string[] {
    return this.#map((_sides, id) => id)
  }

  /** Likewise, with the runs that ended without a verdict; a case that all variants skipped has none. */
  allRates(at: number): Rate[] {
    return this.#map((sides) => {
      const { passes, fails, lost } = sides.some(hasRun) ? counted(sides[at] ?? newSide()) : newSide()
      return { hits: passes, runs: passes + fails + lost }
    })
  }

  /** Without the cases that were skipped on both sides. */
  pairs(before: number, after: number): DecidedCase[] {
    return this.#map((sides, id) => ({ id, one: sides[before] ?? newSide(), other: sides[after] ?? newSide() }))
      .filter(({ one, other }) => hasRun(one) || hasRun(other))
      .map(({ id, one, other }) => ({ id, before: counted(one), after: counted(other) }))
  }

  /** Passed in every run on one side, and shown in none on the other. */
  noLongerShown(before: number, after: number): string[] {
    const ids = this.#map((sides, id) => {
      const [one, other] = [sides[before] ?? newSide(), sides[after] ?? newSide()]
      const hasPassed = one.passes > 0 && one.fails + one.lost + one.skipped === 0
      return hasPassed && other.notShown > 0 && other.notShown === runsOf(other) ? id : undefined
    })
    return ids.filter((id) => id !== undefined)
  }

  /** Time, cost and behaviour. `practical`: percent and points that matter. */
  changes(before: number, after: number, practical: number): VariantChanges {
    const rule = { confidence: CONFIDENCE, practical }
    return defined({
      // A machine that is busy with something else is not a slower agent.
      duration_change: this.duration(before, after, { ...rule, noticeable: NOTICEABLE_MS }),
      cost_change: this.cost(before, after, rule),
      behaviour_change: this.behaviour(before, after, practical),
    })
  }

  duration(before: number, after: number, rule: ShiftRule): ShiftTest | undefined {
    return shiftTest(this.#samples(before, after, 'durations'), rule)
  }

  cost(before: number, after: number, rule: ShiftRule): ShiftTest | undefined {
    return shiftTest(this.#samples(before, after, 'costs'), rule)
  }

  /** Undefined if no case has a verdict in both. */
  behaviour(before: number, after: number, practical: number): BehaviourChange | undefined {
    const prints = this.#map((sides) => ({
      before: sides[before]?.fingerprints ?? NO_PRINTS,
      after: sides[after]?.fingerprints ?? NO_PRINTS,
    }))
    const change = compareBehaviour(prints, this.#fingerprints, practical)
    return change.pairs > 0 ? change : undefined
  }

  #samples(before: number, after: number, what: 'durations' | 'costs'): SamplePair[] {
    return this.#map((sides) => ({
      before: (sides[before] ?? newSide())[what],
      after: (sides[after] ?? newSide())[what],
    }))
  }

  #map<Value>(read: (sides: Side[], id: string) => Value): Value[] {
    return Array.from(this.#cases.values(), ({ id, sides }) => read(sides, id))
  }

  #sideOf(id: string, at: number): Side | undefined {
    const key = caseKey({ id })
    let found = this.#cases.get(key)
    if (!found) this.#cases.set(key, (found = { id, sides: Array.from({ length: this.#variants }, newSide) }))
    return found.sides[at]
  }
}

function hasRun({ passes, fails, lost }: Side): boolean {
  return passes + fails + lost > 0
}

function runsOf({ passes, fails, lost, skipped }: Side): number {
  return passes + fails + lost + skipped
}

/** What the other side did not skip, an agent that asks back caused to be skipped: no verdict, like any other lost run. */
function counted({ passes, fails, lost, skipped }: Side): SideRuns {
  return { passes, fails, lost: lost + skipped }
}

function newSide(): Side {
  return {
    skipped: 0,
    notShown: 0,
    passes: 0,
    firstPasses: 0,
    fails: 0,
    lost: 0,
    durations: { count: 0, sum: 0, squares: 0 },
    costs: { count: 0, sum: 0, squares: 0 },
    fingerprints: NO_PRINTS,
  }
}
