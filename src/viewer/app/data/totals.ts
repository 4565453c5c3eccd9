// The numbers of the summary: the run's own if it wrote them, else counted from what has arrived so far.
import { quantileOfSorted } from '../../../base/quantile.js'
import type { SummaryEvent } from '../../../model/event.js'
import { helpersTotal } from '../../../model/helper-cost.js'
import type { Usage } from '../../../model/message.js'
import type { CaseList } from './cases.js'

export interface Totals {
  total: number
  passed: number
  failed: number
  /** By somebody's choice. */
  skipped: number
  notShown: number
  undetermined: number
  notRun: number
  flaky: number
  /** 0–100, over the cases that nobody chose to skip. */
  passRate: number
  results: number
  /** Results of what was not skipped. */
  runs: number
  durationMs: number | undefined
  cost: number | undefined
  isEstimated: boolean | undefined
  /** What judges, simulators and generators cost. */
  helpers: number | undefined
  helperCalls: number
  tokens: Usage | undefined
  turns: number
  p50: number
  p95: number
  max: number
}

export function computeTotals(list: CaseList, summary: SummaryEvent | undefined): Totals {
  let passed = 0
  let failed = 0
  let undetermined = 0
  let notShown = 0
  let flaky = 0
  let cost: number | undefined
  let turns = 0
  const durations: number[] = []
  for (const item of list.cases) {
    if (item.status === 'passed') passed += 1
    else if (item.status === 'failed') failed += 1
    else if (item.status === 'undetermined') undetermined += 1
    else if (item.status === 'not_shown') notShown += 1
    if (item.flaky) flaky += 1
    if (item.cost !== null) cost = (cost ?? 0) + item.cost
    for (const result of item.results) {
      turns += result.turns
      if (result.status !== 'skipped' && result.status !== 'not_shown') durations.push(result.durationMs)
    }
  }
  const sorted = Float64Array.from(durations).toSorted()
  const total = list.cases.length
  const judged = passed + failed + undetermined + notShown
  // A case that was started but not finished has its row; the summary counts it among those not run.
  const notRun = summary ? Math.max(0, (summary.total ?? total) - total) : 0
  return {
    total: total + notRun,
    passed,
    failed,
    undetermined,
    notShown,
    skipped: total - judged,
    notRun,
    flaky,
    passRate: judged === 0 ? 0 : (passed / judged) * 100,
    results: list.results,
    runs: durations.length,
    durationMs: summary?.duration_ms,
    cost: summary?.cost_dollars ?? cost,
    isEstimated: summary?.cost_estimated,
    helpers: helpersTotal(summary?.helpers),
    helperCalls: (summary?.helpers ?? []).reduce((calls, helper) => calls + helper.calls, 0),
    tokens: summary?.usage,
    turns,
    p50: quantileOfSorted(sorted, 0.5),
    p95: quantileOfSorted(sorted, 0.95),
    max: sorted.at(-1) ?? 0,
  }
}
