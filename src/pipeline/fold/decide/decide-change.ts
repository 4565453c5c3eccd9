// Is the right side worse than the left one, and did single cases fall? Paired over cases, which are taken as fixed, and
// checked as often as planned: over all looks what is called worse or fallen, and what is called not worse, is each wrong
// in at most 2.5%.
import { percentOf } from '../../../base/round-off.js'
import { correctedPaired, type Correction } from '../judged/correct-difference.js'
import type { Interval } from '../statistics/intervals.js'
import { pairedTest, type PairedTest } from '../statistics/paired.js'
import { shareLevel } from '../statistics/share-level.js'
import type { Stratum } from '../statistics/stratified.js'
import { caseChanges } from './case-changes.js'
import { levelAt } from './looks.js'

/** The runs of one case on one side. */
export interface SideRuns {
  passes: number
  fails: number
  /** Ended without a verdict, or skipped on this side only. */
  lost: number
}

export interface CaseSides {
  id: string
  before: SideRuns
  after: SideRuns
}

export interface DecisionRule {
  /** Points by which the pass rate may fall. */
  margin: number
  /** The smallest fall in points that matters at all. */
  practical_points: number
  /** Run counts after which the comparison may be checked; a fixed number of runs is one look. */
  looks: readonly number[]
  /** A fixed number: any other could have been asked for. */
  most_runs?: number
}

/** On the whole. `slightly_worse`: beyond chance, and within the margin. */
export type ChangeVerdict = 'worse' | 'slightly_worse' | 'not_worse' | 'undecided'

export interface ChangeDecision {
  verdict: ChangeVerdict
  /** Runs of each case on each side so far, and cases with a verdict on both. */
  runs: number
  cases: number
  /** Percent: the means of the cases' rates. */
  before: number
  after: number
  /** Points, after minus before, and what chance leaves open at this look: the bounds that the verdict rests on. */
  difference: number
  interval: Interval
  /** Points, before the difference was corrected for the judge's error; absent: it was not. */
  as_judged?: number
  /** One-sided, adjusted for the looks: below 0.025 exactly where the bound allows the claim. */
  p_worse: number
  p_not_worse: number
  /** Cases that passed less often by more than chance, whatever the others did. */
  fell?: CaseFall[]
  /** If `undecided`: what would settle it. */
  needed?: Needed
  /** The right side loses more runs than chance explains: further runs would show nothing else. */
  breaks?: boolean
}

export interface CaseFall {
  id: string
  /** Percent. */
  before: number
  after: number
  /** One-sided, adjusted for the cases and the looks: below 0.025. */
  p_value: number
}

export interface Needed {
  /**
   * `runs`: about `count` more of each case, if they continue as they began. `cases`: all planned runs of these cases could
   * not tell, about `count` more cases could. `verdicts`: the rates would do, or there are none: too many runs ended without a
   * verdict. `rule`: the right side may be worse than the margin by less than matters: only another rule would settle it.
   */
  what: 'runs' | 'cases' | 'verdicts' | 'rule'
  count?: number
  lost_before?: number
  lost_after?: number
}

const LEVEL = 0.025
const RATE_WEIGHT = 2

/** `correction`: for the errors of judges, as far as they are known. */
export function decideChange(
  cases: readonly CaseSides[],
  runs: number,
  rule: DecisionRule,
  correction?: Correction,
): ChangeDecision {
  const level = levelAt(runs, rule.looks, LEVEL)
  const margin = rule.margin / 100
  const seen = pairedTest(cases.map(ofBoth))
  const judged = correctedPaired(seen, correction)
  // A side that breaks down instead of failing must not be called as good as the other one.
  const counted = cases.some(hasLost)
    ? correctedPaired(
        pairedTest(cases.map(({ before, after }) => ({ before: ofAll(before), after: ofAll(after) }))),
        correction,
      )
    : judged
  const strata = cases.filter(isJudged)
  const changes = caseChanges(strata.map(ofBoth), 'falls')
  // One promise for both claims.
  const shares = shareLevel(level, {
    rate: { weight: RATE_WEIGHT, least: 0, speaks: (at) => boundsOf(judged, at).high < 0 },
    cases: changes.member,
  })
  const fell = changes.at(shares.cases).map(({ index, before, after, p_value }): CaseFall => ({
    id: strata[index]?.id ?? '',
    before: percentOf(before),
    after: percentOf(after),
    p_value: adjusted(p_value, shares.cases),
  }))
  const interval = { low: boundsOf(judged, level).low, high: boundsOf(judged, shares.rate).high }
  const difference = percentOf(judged.difference)
  const claims = claimsOf(interval, difference, rule)
  const whole = counted === judged ? claims : claimsOf(boundsOf(counted, level), percentOf(counted.difference), rule)
  const isAsGood = claims.notWorse && whole.notWorse
  const verdict = verdictOf(claims.worse, isAsGood)
  const decision: ChangeDecision = {
    verdict,
    runs,
    cases: judged.cases,
    before: percentOf(judged.before),
    after: percentOf(judged.after),
    difference,
    interval,
    ...(correction && { as_judged: percentOf(seen.difference) }),
    p_worse: adjusted(judged.below(0), shares.rate),
    p_not_worse: adjusted(Math.max(judged.above(-margin), counted.above(-margin)), level),
    ...(fell.length > 0 && { fell }),
  }
  if (verdict !== 'undecided') return decision
  const lacksVerdicts = claims.notWorse || whole.worse || judged.cases === 0
  return {
    ...decision,
    needed: lacksVerdicts ? verdictsOf(cases) : neededFor(judged, runs, rule),
    ...(whole.worse && { breaks: true }),
  }
}

function verdictOf(isWorse: boolean, isAsGood: boolean): ChangeVerdict {
  if (isWorse) return isAsGood ? 'slightly_worse' : 'worse'
  return isAsGood ? 'not_worse' : 'undecided'
}

function claimsOf(
  { low, high }: Interval,
  difference: number,
  { margin, practical_points }: DecisionRule,
): { worse: boolean; notWorse: boolean } {
  return { worse: high < 0 && difference < -practical_points, notWorse: low >= -margin }
}

/** The first look that would settle it, or else how many more cases would at the last one. */
function neededFor(test: PairedTest, runs: number, rule: DecisionRule): Needed {
  const tells = (factor: number, level: number): boolean => {
    const { worse, notWorse } = claimsOf(boundsOf(test.scaled(factor), level), percentOf(test.difference), rule)
    return worse || notWorse
  }
  for (const { look, level } of laterLooks(runs, rule))
    if (tells(look / runs, level)) return { what: 'runs', count: look - runs }
  const most = mostRuns(rule)
  const level = rule.looks.length === 1 ? LEVEL : levelAt(most, rule.looks, LEVEL)
  const enough = (total: number): boolean => tells((most / runs) * (total / test.cases), level)
  const total = smallest(test.cases + 1, enough)
  return total === undefined ? { what: 'rule' } : { what: 'cases', count: total - test.cases }
}

/** Those still to come; if the number was fixed, every other number that could have been. */
function laterLooks(runs: number, { looks, most_runs = 0 }: DecisionRule): Array<{ look: number; level: number }> {
  if (looks.length > 1)
    return looks.filter((look) => look > runs).map((look) => ({ look, level: levelAt(look, looks, LEVEL) }))
  return Array.from({ length: Math.max(0, most_runs - runs) }, (_, at) => ({ look: runs + at + 1, level: LEVEL }))
}

/** Of each case. */
export function mostRuns({ looks, most_runs = 0 }: DecisionRule): number {
  return Math.max(looks.at(-1) ?? 0, looks.length === 1 ? most_runs : 0)
}

const MOST_CASES = 10_000_000

/** The smallest integer from `from` on that is enough; undefined if none of practical use is. */
function smallest(from: number, isEnough: (count: number) => boolean): number | undefined {
  let high = from
  while (!isEnough(high)) {
    high *= 2
    if (high > MOST_CASES) return undefined
  }
  let low = from
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isEnough(middle)) high = middle
    else low = middle + 1
  }
  return high
}

function verdictsOf(cases: readonly CaseSides[]): Needed {
  let [lost_before, lost_after] = [0, 0]
  for (const { before, after } of cases) {
    lost_before += before.lost
    lost_after += after.lost
  }
  return { what: 'verdicts', lost_before, lost_after }
}

function hasLost({ before, after }: CaseSides): boolean {
  return before.lost + after.lost > 0
}

function isJudged({ before, after }: CaseSides): boolean {
  return before.passes + before.fails > 0 && after.passes + after.fails > 0
}

function ofBoth({ before, after }: CaseSides): Stratum {
  return { before: ofVerdicts(before), after: ofVerdicts(after) }
}

function ofVerdicts({ passes, fails }: SideRuns): Stratum['before'] {
  return { hits: passes, runs: passes + fails }
}

function ofAll({ passes, fails, lost }: SideRuns): Stratum['before'] {
  return { hits: passes, runs: passes + fails + lost }
}

/** As if there were one look: below the whole level exactly where this look's share is undercut. */
function adjusted(p: number, level: number): number {
  return Math.min(1, (p * LEVEL) / level)
}

function boundsOf(test: Pick<PairedTest, 'bounds'>, level: number): Interval {
  const { low, high } = test.bounds(level)
  return { low: percentOf(low), high: percentOf(high) }
}
