// Folds what was chosen, a tool or a skill, against what should have been: a matrix, precision and recall by name.
import { defined } from '../../base/defined.js'
import { percentOf } from '../../base/round-off.js'
import type { ChoicesSummary, ResultEvent } from '../../model/event.js'
import { CHOICE_KINDS, type Choice } from '../../model/result-schema.js'
import { wilson } from './statistics/intervals.js'

/** Agents can make up names: beyond these, runs are only counted. */
const MOST_NAMES = 1_000
const MOST_CELLS = 5_000
const LISTED_NEAR = 20
const CONFIDENCE = 0.95

export class ChoicesFold {
  readonly #kinds = new Map<Choice['of'], KindFold>()

  add(result: ResultEvent): void {
    const { choice } = result
    if (!choice || result.status === 'skipped') return
    let kind = this.#kinds.get(choice.of)
    if (!kind) this.#kinds.set(choice.of, (kind = new KindFold()))
    kind.add(choice, result)
  }

  /** Undefined if no case expects a choice. */
  summary(): ChoicesSummary[] | undefined {
    if (this.#kinds.size === 0) return undefined
    return CHOICE_KINDS.flatMap((of) => {
      const kind = this.#kinds.get(of)
      return kind ? [{ of, ...kind.summary() }] : []
    })
  }
}

type Name = string | null
type NearMiss = NonNullable<ChoicesSummary['near']>[number]

interface Tally {
  expected: number
  taken: number
  right: number
}

class KindFold {
  #runs = 0
  #cases = 0
  #lost = 0
  #right = 0
  #leftOut = 0
  #hasMoreNames = false
  #nearMisses = 0
  readonly #names = new Map<Name, Tally>()
  readonly #cells = new Map<Name, Map<Name, number>>()
  #cellCount = 0
  readonly #near: NearMiss[] = []

  add({ expected, taken, near }: Choice, { id, run, variant }: ResultEvent): void {
    if (run === 1) this.#cases++
    if (taken === undefined) {
      this.#lost++
      return
    }
    this.#runs++
    const isRight = taken === expected
    if (isRight) this.#right++
    this.#tally(expected, isRight ? { expected: 1, taken: 1, right: 1 } : { expected: 1, taken: 0, right: 0 })
    if (!isRight) this.#tally(taken, { expected: 0, taken: 1, right: 0 })
    this.#count(expected, taken)
    if (near !== undefined)
      this.#addNear(defined({ id, run: run === 1 ? undefined : run, variant, expected, taken, near }))
  }

  /** A name that is listed has been counted from its first run on, so its figures are whole. */
  #tally(name: Name, { expected, taken, right }: Tally): void {
    let own = this.#names.get(name)
    if (!own) {
      if (this.#names.size >= MOST_NAMES) {
        this.#hasMoreNames = true
        return
      }
      own = { expected: 0, taken: 0, right: 0 }
      this.#names.set(name, own)
    }
    own.expected += expected
    own.taken += taken
    own.right += right
  }

  #count(expected: Name, taken: Name): void {
    const row = this.#cells.get(expected) ?? new Map<Name, number>()
    const before = row.get(taken)
    if (before === undefined && this.#cellCount >= MOST_CELLS) {
      this.#leftOut++
      return
    }
    if (before === undefined) this.#cellCount++
    row.set(taken, (before ?? 0) + 1)
    this.#cells.set(expected, row)
  }

  /** The same ones whatever the order in which cases end. */
  #addNear(miss: NearMiss): void {
    this.#nearMisses++
    this.#near.push(miss)
    if (this.#near.length <= LISTED_NEAR) return
    this.#near.sort(byCase)
    this.#near.length = LISTED_NEAR
  }

  summary(): Omit<ChoicesSummary, 'of'> {
    return defined({
      runs: this.#runs,
      cases: this.#cases,
      lost: this.#lost > 0 ? this.#lost : undefined,
      right: this.#right,
      rate: shareOf(this.#right, this.#runs),
      confidence: CONFIDENCE,
      matrix: sorted(this.#cells).flatMap(([expected, row]) =>
        sorted(row).map(([taken, runs]) => ({ expected, taken, runs })),
      ),
      matrix_left_out: this.#leftOut > 0 ? this.#leftOut : undefined,
      names: sorted(this.#names).map(([name, { expected, taken, right }]) =>
        defined({
          name,
          expected,
          taken,
          right,
          precision: shareOf(right, taken),
          recall: shareOf(right, expected),
        }),
      ),
      names_left_out: this.#hasMoreNames ? (true as const) : undefined,
      near_misses: this.#nearMisses > 0 ? this.#nearMisses : undefined,
      near: this.#nearMisses > 0 ? this.#near.toSorted(byCase) : undefined,
    })
  }
}

function shareOf(part: number, whole: number): ChoicesSummary['rate'] {
  if (whole === 0) return undefined
  const { low, high } = wilson(part, whole, CONFIDENCE)
  return { percent: percentOf(part / whole), low: percentOf(low), high: percentOf(high) }
}

/** By name; none last. */
function sorted<T>(map: ReadonlyMap<Name, T>): Array<[Name, T]> {
  return [...map].toSorted(([left], [right]) => {
    if (left === null || right === null) return left === right ? 0 : left === null ? 1 : -1
    return compareText(left, right)
  })
}

function byCase(left: NearMiss, right: NearMiss): number {
  return (
    compareText(left.id, right.id) ||
    (left.run ?? 1) - (right.run ?? 1) ||
    compareText(left.variant ?? '', right.variant ?? '')
  )
}

function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}
