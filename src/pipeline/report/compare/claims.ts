// What a comparison may claim: that the pass rate of the suite changed, that more runs were lost, that single cases
// changed. One promise for all of it together: at most 5% false alarms between runs of the same suite.
import { percentOf, roundOff } from '../../../base/round-off.js'
import { caseChanges } from '../../fold/decide/case-changes.js'
import { correctedStratified, type Correction } from '../../fold/judged/correct-difference.js'
import { shareLevel, type Member } from '../../fold/statistics/share-level.js'
import { stratifiedTest, type StratifiedTest, type Stratum } from '../../fold/statistics/stratified.js'
import type { Corrections } from './judged-runs.js'
import type { Pair } from './pair-up.js'
import { verdictsOf, type CaseRecord } from './records.js'
import type { Direction, RateChange, SuiteTest } from './types.js'

export interface Claims {
  pass_rate: SuiteTest
  lost: SuiteTest
  regressed: RateChange[]
  improved: RateChange[]
  /** Sorted by name. */
  variants: Array<{ name: string; pass_rate: SuiteTest; lost: SuiteTest }>
}

/** `variants`: if there are several, each is tested on its own as well, within the same promise. */
export function testClaims(
  pairs: readonly Pair[],
  confidence: number,
  variants: readonly string[] = [],
  corrections?: Corrections,
): Claims {
  const alpha = roundOff(1 - confidence)
  const { judged, suite } = suiteOf(pairs, corrections?.whole)
  const own = variants.map((name) => ({
    name,
    ...suiteOf(
      pairs.filter(({ after }) => after.variant === name),
      corrections?.byVariant.get(name),
    ),
  }))
  const cases = caseChanges(judged.map((pair) => stratumOf(pair, passRate)))
  const level = shareLevel<string>(alpha, {
    ...membersOf('', suite),
    ...Object.assign({}, ...own.map((each, at) => membersOf(`${at}`, each.suite))),
    cases: cases.member,
  })
  const levelOf = (name: string): number => level[name] ?? 0
  const caseLevel = levelOf('cases')
  const changed = cases.at(caseLevel).map(({ index, before, after, p_value: p }): RateChange => ({
    id: judged[index]?.id ?? '',
    before: percentOf(before),
    after: percentOf(after),
    p_value: scaled(p, alpha, caseLevel),
  }))
  const claimsOf = (which: string, { rate, lost }: Suite): Pick<Claims, 'pass_rate' | 'lost'> => ({
    pass_rate: suiteTest(rate, { alpha, level: levelOf(`rate${which}`) }, -1),
    lost: suiteTest(lost, { alpha, level: levelOf(`lost${which}`) }, 1),
  })
  return {
    ...claimsOf('', suite),
    variants: own.map((each, at) => ({ name: each.name, ...claimsOf(`${at}`, each.suite) })),
    regressed: changed.filter((change) => change.after < change.before),
    improved: changed.filter((change) => change.after > change.before),
  }
}

/** The rates alone: between different run plans there is nothing to claim. */
export function untestedClaims({ pass_rate, lost, variants }: Claims): Claims {
  const untested = (test: SuiteTest): SuiteTest => ({
    ...test,
    test: 'none: different run plans',
    p_value: 1,
    interval: { low: -100, high: 100 },
    verdict: 'not_tested',
  })
  return {
    pass_rate: untested(pass_rate),
    lost: untested(lost),
    variants: variants.map((own) => ({ name: own.name, pass_rate: untested(own.pass_rate), lost: untested(own.lost) })),
    regressed: [],
    improved: [],
  }
}

interface NamedTest {
  name: string
  pairs: number
  test: StratifiedTest
  /** Before it was corrected for the error of judges. */
  seen?: StratifiedTest
}

interface Suite {
  rate: NamedTest
  lost: NamedTest
}

function suiteOf(pairs: readonly Pair[], correction: Correction | undefined): { judged: Pair[]; suite: Suite } {
  const judged = pairs.filter(({ before, after }) => verdictsOf(before) > 0 && verdictsOf(after) > 0)
  const ran = pairs.filter(({ before, after }) => runsOf(before) > 0 && runsOf(after) > 0)
  return { judged, suite: { rate: corrected(namedTest(judged, passRate), correction), lost: namedTest(ran, lostRate) } }
}

function namedTest(pairs: readonly Pair[], counts: Counts): NamedTest {
  const test = stratifiedTest(pairs.map((pair) => stratumOf(pair, counts)))
  return { name: nameOf(pairs, test), pairs: pairs.length, test }
}

function corrected(found: NamedTest, correction: Correction | undefined): NamedTest {
  if (!correction || found.pairs === 0) return found
  const name = `${found.name}, corrected for the error of the judge`
  return { ...found, name, test: correctedStratified(found.test, correction), seen: found.test }
}

function membersOf(which: string, { rate: { test: rate }, lost: { test: lost } }: Suite): Record<string, Member> {
  return {
    [`rate${which}`]: { weight: 2, least: rate.least, speaks: (at) => rate.p_value < at },
    [`lost${which}`]: { weight: 1, least: lost.least, speaks: (at) => lost.p_value < at },
  }
}

function suiteTest(
  { test, pairs, name, seen }: NamedTest,
  { alpha, level }: { alpha: number; level: number },
  worse: 1 | -1,
): SuiteTest {
  const interval = test.interval(level)
  const speaks = test.p_value < level
  const direction: Direction = Math.sign(test.difference) === worse ? 'worse' : 'better'
  return {
    test: name,
    pairs,
    confidence: 1 - alpha,
    p_value: scaled(test.p_value, alpha, level),
    before: percentOf(test.before),
    after: percentOf(test.after),
    difference: percentOf(test.difference),
    interval: { low: percentOf(interval.low), high: percentOf(interval.high) },
    verdict: speaks ? direction : 'unchanged',
    ...(seen && {
      as_judged: {
        before: percentOf(seen.before),
        after: percentOf(seen.after),
        difference: percentOf(seen.difference),
      },
    }),
  }
}

/** As if it had the whole level to itself: below `alpha` exactly where the claim holds. */
function scaled(p: number, alpha: number, level: number): number {
  return Math.min(1, (p * alpha) / level)
}

function nameOf(pairs: readonly Pair[], { method }: StratifiedTest): string {
  const single = pairs.every(({ before, after }) => runsOf(before) === 1 && runsOf(after) === 1)
  return `${single ? 'exact McNemar' : 'stratified exact test'}${method === 'normal' ? ' (normal limit)' : ''}`
}

type Counts = (record: CaseRecord) => { hits: number; runs: number }

const passRate: Counts = (record) => ({ hits: record.passes, runs: verdictsOf(record) })
const lostRate: Counts = (record) => ({ hits: record.lost, runs: runsOf(record) })

function stratumOf({ before, after }: Pair, counts: Counts): Stratum {
  return { before: counts(before), after: counts(after) }
}

function runsOf(record: CaseRecord): number {
  return verdictsOf(record) + record.lost
}
