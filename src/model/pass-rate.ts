// The rates of a run in words: each says what it counts, and every format says the same.
import { formatPercent } from '../base/format.js'
import type { SummaryEvent } from './event.js'

/** Of cases first: that is what the counts beside it are of. */
export function passRateText({ pass_rate, overall_pass_rate }: SummaryEvent): string {
  const cases = formatPercent(pass_rate)
  return overall_pass_rate === undefined ? cases : `${cases} of cases; ${runsRateText(overall_pass_rate)}`
}

/** The mean over the cases: with `--runs auto` some have more runs than others. */
export function runsRateText(overall: number): string {
  return `${formatPercent(overall)} of a case's runs on average`
}
