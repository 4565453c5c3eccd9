// Runs of made-up agents whose true rates are known: what a decision says about them can be checked against the truth.
import {
  decideChange,
  type CaseSides,
  type ChangeDecision,
  type DecisionRule,
  type SideRuns,
} from '../../src/pipeline/fold/decide/decide-change.js'
import { plannedLooks } from '../../src/pipeline/fold/decide/looks.js'
import { variantClaims } from '../../src/pipeline/fold/decide/variant-claims.js'
import type { Random } from '../../src/pipeline/fold/statistics/random.js'

export const RULE: DecisionRule = { margin: 5, practical_points: 1, looks: plannedLooks(30) }

/** The true pass rates of a suite's cases, by the name of their shape. */
export const SHAPES: Record<string, (cases: number, random: Random) => number[]> = {
  'all 0.9': (cases) => Array<number>(cases).fill(0.9),
  'all 0.5': (cases) => Array<number>(cases).fill(0.5),
  'all 0.99': (cases) => Array<number>(cases).fill(0.99),
  'always 0 or 1': (cases) => Array.from({ length: cases }, (_, index) => (index % 10 === 0 ? 0 : 1)),
  'beta (2, ½)': (cases, random) => Array.from({ length: cases }, () => betaOf(random)),
  'a tenth at 0.5': (cases) => Array.from({ length: cases }, (_, index) => (index % 10 === 0 ? 0.5 : 1)),
}

/** The mean falls by `by`, in every case by the same part. */
export function spread(rates: readonly number[], by: number): number[] {
  const factor = 1 - by / meanOf(rates)
  return rates.map((rate) => rate * factor)
}

/** The mean falls by `by`, and whole cases break until it has. */
export function concentrated(rates: readonly number[], by: number): number[] {
  let left = by * rates.length
  return rates.map((rate) => {
    const loss = Math.min(rate, left)
    left -= loss
    return rate - loss
  })
}

export interface Sides {
  before: readonly number[]
  after: readonly number[]
  /** The part of runs that end without a verdict, before and after. */
  lost?: readonly [number, number]
}

/** Checks as planned until it can decide, as `--runs auto` does. */
export function decideBySimulation(
  { before, after, lost = [0, 0] }: Sides,
  random: Random,
  rule: DecisionRule = RULE,
): ChangeDecision {
  const cases = before.map((_rate, at): CaseSides => ({ id: `T${at}`, before: noRuns(), after: noRuns() }))
  let decision: ChangeDecision | undefined
  let done = 0
  for (const look of rule.looks) {
    for (; done < look; done++)
      for (const [index, sides] of cases.entries()) {
        addRun(sides.before, before[index] ?? 0, lost[0], random)
        addRun(sides.after, after[index] ?? 0, lost[1], random)
      }
    decision = decideChange(cases, look, rule)
    if (decision.verdict !== 'undecided') break
  }
  if (!decision) throw new Error('no look')
  return decision
}

/** Which of the variants with these true rates, by index, are in the best set. */
export function bestBySimulation(variants: readonly number[][], runs: number, random: Random): boolean[] {
  const rated = variants.map((rates, index) => {
    const cases = rates.map((rate) => {
      let hits = 0
      for (let run = 0; run < runs; run++) if (random() < rate) hits++
      return { hits, runs }
    })
    return { name: String(index), cases, single: cases }
  })
  return variantClaims(rated).ranked.map(({ best }) => best)
}

function meanOf(rates: readonly number[]): number {
  return rates.reduce((sum, rate) => sum + rate, 0) / rates.length
}

function noRuns(): SideRuns {
  return { passes: 0, fails: 0, lost: 0 }
}

function addRun(side: SideRuns, rate: number, lost: number, random: Random): void {
  if (lost > 0 && random() < lost) side.lost++
  else if (random() < rate) side.passes++
  else side.fails++
}

// Of the mean 0.8, most of it near 1: two gamma variables, of shape 2 and ½.
function betaOf(random: Random): number {
  const normal = Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  const two = -Math.log((1 - random()) * (1 - random()))
  const half = (normal * normal) / 2
  return two / (two + half)
}
