// Two runs in one page: the later one is the run that is shown, and each of its cases knows the earlier one.
import { signal } from '@preact/signals'
import type { ComparedCase, ComparisonOverview } from '../../../model/compared-case.js'
import { minPassRateOf } from '../../../model/case-status.js'
import { unpackRow } from '../../../model/result-row.js'
import { CaseList } from './cases.js'
import { openEmbedded } from './embedded.js'
import type { Sink, Source } from './source.js'
import { createSink, list, source, version } from './store.js'

/** Undefined where one run is shown by itself. */
export const comparison = signal<ComparisonOverview | undefined>(undefined)
export const beforeSource = signal<Source | undefined>(undefined)

export function openComparison(page: Document): void {
  const earlier = new CaseList()
  beforeSource.value = openEmbedded(page, 'before')
  beforeSource.value.open(sinkInto(earlier))
  source.value = openEmbedded(page, 'after')
  source.value.open(createSink())
  for (const block of page.querySelectorAll('script[data-kind=cases]'))
    list.compareWith(earlier, JSON.parse(block.textContent ?? '[]') as ComparedCase[])
  const overview = page.querySelector('script[data-kind=comparison]')?.textContent ?? '{}'
  comparison.value = JSON.parse(overview) as ComparisonOverview
  version.value += 1
}

function sinkInto(cases: CaseList): Sink {
  return {
    reset() {},
    start(event) {
      cases.minPassRate = minPassRateOf(event)
      cases.runsPerCase = event.runs_per_case ?? 1
    },
    rows: (rows, at) => rows.forEach((row, index) => cases.add(unpackRow(row), at[index] ?? 0)),
    stability: (events) => events.forEach((event) => cases.addStability(event)),
    error() {},
    summary() {},
    running() {},
    state() {},
  }
}
