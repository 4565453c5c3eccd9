// Two runs in one page: the later one is the run that is shown, and each of its cases knows the earlier one.
import { batch, signal } from '@preact/signals'
import type { ComparedCase, ComparisonOverview } from '../../../model/compared-case.js'
import { minPassRateOf } from '../../../model/case-status.js'
import { unpackRow } from '../../../model/result-row.js'
import { CaseList } from './cases.js'
import { openEmbedded } from './embedded.js'
import type { Sink, Source, SourceState } from './source.js'
import { comparison, createSink, list, source, version, keepPrompt } from './store.js'

export const beforeSource = signal<Source | undefined>(undefined)

/** What a server knows about two of its runs; `error` if they cannot be read. */
export interface ServedComparison {
  overview?: ComparisonOverview
  cases?: ComparedCase[]
  error?: string
}

/** The two runs as their sources report them. The cases are known once both have arrived. */
export function openSources(before: Source, after: Source, { overview, cases = [] }: ServedComparison): void {
  const earlier = new CaseList()
  const arrived = new Set<Source>()
  const arrive = (from: Source, state: SourceState) => {
    if (state !== 'ended' && state !== 'following') return
    arrived.add(from)
    if (arrived.size < 2) return
    list.compareWith(earlier, cases)
    version.value += 1
  }
  const sink = createSink()
  sink.reset()
  batch(() => {
    comparison.value = overview
    source.value = after
    beforeSource.value = before
  })
  before.open({ ...sinkInto(earlier), state: (state) => arrive(before, state) })
  after.open({
    ...sink,
    state(state) {
      sink.state(state)
      arrive(after, state)
    },
  })
}

/** Both runs are in the page. */
export function openEmbeddedComparison(page: Document): void {
  const cases = [...page.querySelectorAll('script[data-kind=cases]')].flatMap(
    (block) => JSON.parse(block.textContent ?? '[]') as ComparedCase[],
  )
  const text = page.querySelector('script[data-kind=comparison]')?.textContent ?? '{}'
  const overview = JSON.parse(text) as ComparisonOverview
  openSources(openEmbedded(page, 'before'), openEmbedded(page, 'after'), { overview, cases })
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
    prompt: keepPrompt,
    error() {},
    summary() {},
    variants() {},
    running() {},
    state() {},
  }
}
