// What a benchmark of a skill sums up: the share of its expectations that each run meets, time and tokens, by
// configuration, and how far the configurations are apart. Runs without a verdict count nowhere, and are counted.
import type { ResultEvent } from '../../model/event.js'
import type { AssertionResult } from '../../model/result-schema.js'
import { hasVerdict } from '../../model/status.js'
import { lessSure, shareTest, type ShareTest } from './statistics/shares.js'
import { addToSample, type Sample } from './statistics/welch.js'

export interface Spread {
  mean: number
  /** Of the sample; null for a single value. */
  stddev: number | null
  min: number
  max: number
}

export interface ConfigurationSums {
  runs: number
  lost: number
  /** Runs of cases without a single check. */
  unchecked: number
  /** Null: no run was measured. */
  pass_rate: Spread | null
  time_seconds: Spread | null
  tokens: Spread | null
  /** Runs whose tokens nobody reported. */
  tokens_unknown: number
}

/** Null: not measured on both sides of any eval. */
export interface Delta {
  pass_rate: number | null
  time_seconds: number | null
  tokens: number | null
  /** Some eval was measured on one side only, so it is not the difference of the means. */
  isPartial: boolean
  evals: number
}

/** Of one eval in one configuration: a value a run. */
interface EvalRuns {
  shares: number[]
  seconds: number[]
  tokens: number[]
  lost: number
}

/** An expectation that says nothing about the difference. */
export interface IdleExpectation {
  id: string
  text: string
  outcome: 'met' | 'not met'
}

interface Measured extends Sample {
  min: number
  max: number
}

interface Side {
  runs: number
  lost: number
  unchecked: number
  shares: Measured
  seconds: Measured
  tokens: Measured
  tokensUnknown: number
}

export class BenchmarkFold {
  readonly #names: readonly string[]
  readonly #sides: Side[]
  /** By eval, then by configuration. */
  readonly #evals = new Map<string, EvalRuns[]>()
  /** By eval and text: runs of each configuration, and those that met it. */
  readonly #expectations = new Map<string, { id: string; text: string; runs: number[]; met: number[] }>()
  #parts = Infinity

  /** The baseline first. */
  constructor(names: readonly string[]) {
    this.#names = names
    this.#sides = names.map(newSide)
  }

  get ids(): string[] {
    return [...this.#evals.keys()]
  }

  add(event: ResultEvent): void {
    const at = Math.max(0, this.#names.indexOf(event.variant ?? ''))
    const side = this.#sides[at]
    if (!side) return
    const own = this.#sidesOf(event.id)[at]
    side.runs++
    const judged = expectationsOf(event)
    if (hasVerdict(event) && judged.every(({ advice }) => advice !== undefined)) {
      side.unchecked++
      return
    }
    const share = shareOf(event, judged)
    if (share === undefined) {
      side.lost++
      if (own) own.lost++
      return
    }
    const seconds = secondsOf(event)
    own?.shares.push(share)
    own?.seconds.push(seconds)
    this.#parts = Math.min(this.#parts, judged.filter(counts).length)
    measure(side.shares, share)
    measure(side.seconds, seconds)
    if (event.usage) {
      own?.tokens.push(event.usage.total_tokens)
      measure(side.tokens, event.usage.total_tokens)
    } else side.tokensUnknown++
    for (const each of judged) if (counts(each)) this.#note(event.id, expectationText(each), each.passed, at)
  }

  sums(at: number): ConfigurationSums {
    const { runs, lost, unchecked, shares, seconds, tokens, tokensUnknown } = this.#sides[at] ?? newSide()
    return {
      runs,
      lost,
      unchecked,
      pass_rate: spread(shares),
      time_seconds: spread(seconds),
      tokens: spread(tokens),
      tokens_unknown: tokensUnknown,
    }
  }

  /**
   * Against the baseline. A side that breaks down on what it cannot do must not look better for it: the difference must
   * also be there with every run without a verdict taken to have met nothing.
   */
  difference(at: number): ShareTest {
    const judged = this.#tested(at, ({ shares }) => shares)
    if (this.sums(0).lost + this.sums(at).lost === 0) return judged
    const all = this.#tested(at, ({ shares, lost }) => [...shares, ...Array.from({ length: lost }, () => 0)])
    const isSame = Math.sign(all.difference) === Math.sign(judged.difference)
    return lessSure(judged, isSame ? all.p_value : 1)
  }

  /**
   * Against the baseline, over the evals that were measured on both sides, each counting alike: a side that breaks down on
   * the long and hard ones is neither faster nor better for it.
   */
  delta(at: number): Delta {
    const sides = [...this.#evals.values()].map((each) => ({ before: each[0], after: each[at] }))
    const over = (valuesOf: (runs: EvalRuns) => number[]): number[] =>
      sides.flatMap(({ before, after }) => {
        const [one, other] = [before ? valuesOf(before) : [], after ? valuesOf(after) : []]
        return one.length > 0 && other.length > 0 ? meanOf(other) - meanOf(one) : []
      })
    const shares = over((runs) => runs.shares)
    return {
      pass_rate: meanOrNull(shares),
      time_seconds: meanOrNull(over((runs) => runs.seconds)),
      tokens: meanOrNull(over((runs) => runs.tokens)),
      isPartial: sides.some(
        ({ before, after }) => (before?.shares.length ?? 0) > 0 !== (after?.shares.length ?? 0) > 0,
      ),
      evals: shares.length,
    }
  }

  #tested(at: number, sharesOf: (runs: EvalRuns) => number[]): ShareTest {
    const strata = [...this.#evals.values()].map((sides) => ({
      before: sides[0] ? sharesOf(sides[0]) : [],
      after: sides[at] ? sharesOf(sides[at]) : [],
    }))
    return shareTest(strata, Number.isFinite(this.#parts) ? this.#parts : 1)
  }

  /** Met in every run of both, or in none. */
  idle(at: number): IdleExpectation[] {
    return [...this.#expectations.values()].flatMap(({ id, text, runs, met }): IdleExpectation[] => {
      const [before, after] = [runs[0] ?? 0, runs[at] ?? 0]
      if (before === 0 || after === 0) return []
      const all = (met[0] ?? 0) + (met[at] ?? 0)
      if (all === before + after) return [{ id, text, outcome: 'met' }]
      return all === 0 ? [{ id, text, outcome: 'not met' }] : []
    })
  }

  #sidesOf(id: string): EvalRuns[] {
    const known = this.#evals.get(id)
    if (known) return known
    const sides = this.#names.map((): EvalRuns => ({ shares: [], seconds: [], tokens: [], lost: 0 }))
    this.#evals.set(id, sides)
    return sides
  }

  #note(id: string, text: string, isMet: boolean, at: number): void {
    const key = JSON.stringify([id, text])
    let found = this.#expectations.get(key)
    if (!found) {
      found = { id, text, runs: this.#names.map(() => 0), met: this.#names.map(() => 0) }
      this.#expectations.set(key, found)
    }
    found.runs[at] = (found.runs[at] ?? 0) + 1
    if (isMet) found.met[at] = (found.met[at] ?? 0) + 1
  }
}

/** Every check of a run, those of its turns first. */
export function expectationsOf(event: ResultEvent): AssertionResult[] {
  return [
    ...(event.turns ?? []).flatMap((turn) => turn.assertions ?? []),
    ...(event.assertions ?? []),
    ...(event.final_assertions ?? []),
    ...(event.checkpoints ?? []).flatMap(({ assertion }) => assertion ?? []),
  ]
}

/** A judge that only advises, and what was never reached, decide nothing. */
export function counts({ advice, not_evaluated, error }: AssertionResult): boolean {
  return advice === undefined && not_evaluated === undefined && error === undefined
}

/** In the words of who wrote it. */
export function expectationText({ label, criterion, type, value }: AssertionResult): string {
  if (label !== undefined) return label
  if (typeof criterion === 'string') return criterion
  return value === undefined ? type : `${type}: ${typeof value === 'string' ? value : JSON.stringify(value)}`
}

/** Undefined: the run has no verdict, or nothing in it was judged. A failed run without a single check met none. */
export function shareOf(event: ResultEvent, judged = expectationsOf(event)): number | undefined {
  if (!hasVerdict(event)) return undefined
  const counted = judged.filter(counts)
  if (counted.length < judged.filter(({ advice }) => advice === undefined).length) return undefined
  if (counted.length === 0) return undefined
  return counted.filter(({ passed }) => passed).length / counted.length
}

/** Until the first check that asks somebody: a slow judge is not a slow agent. */
export function secondsOf(event: ResultEvent): number {
  const starts = event.turns ? [] : (event.assertions ?? []).flatMap(({ start_ms }) => start_ms ?? [])
  return Math.min(event.duration_ms, ...starts) / 1000
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function meanOrNull(values: readonly number[]): number | null {
  return values.length === 0 ? null : meanOf(values)
}

function newSide(): Side {
  return {
    runs: 0,
    lost: 0,
    unchecked: 0,
    shares: measured(),
    seconds: measured(),
    tokens: measured(),
    tokensUnknown: 0,
  }
}

function measured(): Measured {
  return { count: 0, sum: 0, squares: 0, min: Infinity, max: -Infinity }
}

function measure(sample: Measured, value: number): void {
  addToSample(sample, value)
  sample.min = Math.min(sample.min, value)
  sample.max = Math.max(sample.max, value)
}

function spread({ count, sum, squares, min, max }: Measured): Spread | null {
  if (count === 0) return null
  const mean = sum / count
  const variance = count < 2 ? null : Math.max(0, squares - sum * mean) / (count - 1)
  return { mean, stddev: variance === null ? null : Math.sqrt(variance), min, max }
}
