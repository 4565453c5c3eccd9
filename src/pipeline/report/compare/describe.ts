// The sentences of a comparison, the same in every format.
import { formatDuration } from '../../../base/duration.js'
import { formatCost, formatCount, formatPercent } from '../text.js'
import type { CaseChange, CaseShift, Comparison, Direction, Shift, SuiteTest } from './types.js'

export interface Measure {
  name: string
  before: string
  after: string
  change: string
  test: string
  verdict: string
}

/** Pass rate, lost verdicts, duration and cost, with the test that was used. */
export function measures(comparison: Comparison): Measure[] {
  const { before, after, pass_rate, lost, duration, cost } = comparison
  const rows: Measure[] = [
    {
      name: 'Pass rate',
      before: formatPercent(before.pass_rate),
      after: formatPercent(after.pass_rate),
      ...suite(pass_rate, RATE_WORDS),
    },
    {
      name: 'Duration',
      before: formatDuration(before.duration_ms),
      after: formatDuration(after.duration_ms),
      ...shift(duration, TIME_WORDS),
    },
  ]
  if (lost.difference !== 0) rows.push({ name: 'Without a verdict', before: '', after: '', ...suite(lost, LOST_WORDS) })
  if (cost)
    rows.push({
      name: 'Cost',
      before: dollars(before.cost_dollars),
      after: dollars(after.cost_dollars),
      ...shift(cost, COST_WORDS),
    })
  return rows
}

/** The last line: is it a regression? */
export function conclusion(comparison: Comparison): string {
  if (comparison.regression) return `Regression: ${comparison.reasons.join('; ')}`
  const { count } = comparison.newly_failing
  if (count === 0) return comparison.pass_rate.verdict === 'better' ? 'Better than before' : 'No regression'
  const rest = `which may be chance (${comparison.pass_rate.test}, p = ${comparison.pass_rate.p_value.toFixed(3)})`
  const verb = count === 1 ? 'fails that passed before' : 'fail that passed before'
  return `No regression shown: ${formatCount(count, 'case')} ${verb}, ${rest}; run both with --runs 5 to know`
}

export function describeChange(change: CaseChange): string {
  const runs =
    change.before_runs === undefined && change.after_runs === undefined
      ? ''
      : ` (${change.before_runs ?? '1 run'} → ${change.after_runs ?? '1 run'})`
  return `${change.name ?? ''}${runs}${change.error === undefined ? '' : `: ${change.error}`}`.trim().replace(/^: /, '')
}

export function describeShift(item: CaseShift, format: (value: number) => string): string {
  const tested = item.p_value === undefined ? 'one run each, not tested' : `Welch, p = ${item.p_value.toFixed(3)}`
  return `${format(item.before)} → ${format(item.after)} (×${item.ratio.toFixed(2)}, ${tested})`
}

type Words = Record<Direction, string>

const RATE_WORDS: Words = { worse: 'worse', better: 'better', unchanged: 'no significant change' }
const LOST_WORDS: Words = { worse: 'more', better: 'fewer', unchanged: 'no significant change' }
const TIME_WORDS: Words = { worse: 'slower', better: 'faster', unchanged: 'no significant change' }
const COST_WORDS: Words = { worse: 'dearer', better: 'cheaper', unchanged: 'no significant change' }

function suite(test: SuiteTest, words: Words): Pick<Measure, 'change' | 'test' | 'verdict'> {
  const { low, high } = test.interval
  return {
    change: `${signed(test.difference)} points (${signed(low)} to ${signed(high)})`,
    test: described(test),
    verdict: words[test.verdict],
  }
}

function shift(test: Shift, words: Words): Pick<Measure, 'change' | 'test' | 'verdict'> {
  const { low, high } = test.interval
  return {
    change: `×${test.ratio.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`,
    test: described(test),
    verdict: words[test.verdict],
  }
}

function described({ test, p_value, confidence, pairs }: SuiteTest | Shift): string {
  return `${test}, p = ${p_value.toFixed(4)}, ${formatCount(pairs, 'case')}, ${Math.round(confidence * 100)}% confidence`
}

function signed(points: number): string {
  return `${points > 0 ? '+' : ''}${points.toFixed(1)}`
}

function dollars(cost: number | undefined): string {
  return cost === undefined ? '' : formatCost(cost)
}
