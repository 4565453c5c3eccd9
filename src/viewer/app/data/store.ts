// What the whole application knows: the run so far, what is filtered, what is open.
import { batch, computed, signal } from '@preact/signals'
import { minPassRateOf } from '../../../model/case-status.js'
import type { ComparisonOverview } from '../../../model/compared-case.js'
import type { ErrorEvent, PromptEvent, StartEvent, SummaryEvent } from '../../../model/event.js'
import { unpackRow } from '../../../model/result-row.js'
import type { Place } from './address.js'
import { CaseList } from './cases.js'
import type { VariantsOverview } from '../../../model/variants-overview.js'
import { FAILURES_FIRST, filterCases, NO_FILTER, sortCases, type Filter, type Sort } from './filter.js'
import type { Sink, Source, SourceState } from './source.js'
import { computeTotals } from './totals.js'

export const source = signal<Source | undefined>(undefined)
export const sourceState = signal<SourceState>('loading')
export const start = signal<StartEvent | undefined>(undefined)
export const summary = signal<SummaryEvent | undefined>(undefined)
/** Long system prompts, by the id that traces name. */
export const prompts = signal<ReadonlyMap<string, string>>(new Map())
export const errors = signal<ErrorEvent[]>([])
export const running = signal<string[]>([])
/** Changes whenever `list` does; the list itself is too large to copy. */
export const version = signal(0)
export let list = new CaseList()

export const filter = signal<Filter>(NO_FILTER)
export const sort = signal<Sort>(FAILURES_FIRST)
/** The row with the keyboard focus. */
export const active = signal(0)
/** The opened case and run, as in the address. */
export const opened = signal<Place | undefined>(undefined)

/** Of several runs on a server, the one being viewed. */
export const viewed = signal<string | undefined>(undefined)
/** The earlier one that it is compared with. */
export const viewedEarlier = signal<string | undefined>(undefined)

/** With several variants: the table shows what they answered. */
export const answersShown = signal(false)

/** What can be said about several variants; known when the run has ended. */
export const variants = signal<VariantsOverview | undefined>(undefined)

/** Undefined if a single run is shown. */
export const comparison = signal<ComparisonOverview | undefined>(undefined)

/** Whether the claims of answers are marked. */
export const claimsShown = signal(false)
export const helpOpen = signal(false)

// Each reads the version, since the list stays the same object while it grows.
export const cases = computed(() => {
  void version.value
  return list.cases.slice()
})
export const shown = computed(() => {
  void version.value
  // Until both runs have arrived, nothing can be said about a case.
  const known = comparison.value ? list.cases.filter((item) => item.compared) : list.rows
  return sortCases(filterCases(known, filter.value), sort.value)
})
/** Every case once, whatever the number of variants. */
export const rows = computed(() => {
  void version.value
  return list.rows.slice()
})
export const variantNames = computed(() =>
  comparison.value ? [] : (start.value?.variants ?? []).map(({ name }) => name),
)
export const totals = computed(() => {
  void version.value
  return computeTotals(list, summary.value)
})
export const severalRuns = computed(() => {
  void version.value
  return list.results > list.cases.length || (start.value?.runs_per_case ?? 1) !== 1
})

export function setFilter(change: Partial<Filter>): void {
  batch(() => {
    filter.value = { ...filter.value, ...change }
    active.value = 0
  })
}

/** Its id comes from its text: the runs of a comparison share them. */
export function keepPrompt({ id, text }: PromptEvent): void {
  prompts.value = new Map(prompts.value).set(id, text)
}

/** Takes what a source reports and shows it, at most a few times a second however fast results come. */
export function createSink(): Sink {
  let scheduled = false
  const changed = () => {
    if (scheduled) return
    scheduled = true
    // The first paint must not wait; a flood must not paint for every result.
    setTimeout(
      () => {
        scheduled = false
        version.value += 1
      },
      list.results < 200 ? 30 : 250,
    )
  }
  return {
    reset() {
      list = new CaseList()
      batch(() => {
        start.value = undefined
        summary.value = undefined
        variants.value = undefined
        prompts.value = new Map()
        errors.value = []
        running.value = []
        version.value += 1
      })
    },
    start(event) {
      list.minPassRate = minPassRateOf(event)
      list.runsPerCase = event.runs_per_case ?? 1
      // Two runs are compared case by case of each variant.
      list.variants = comparison.value ? [] : (event.variants ?? []).map(({ name }) => name)
      start.value = event
    },
    rows(rows, at) {
      rows.forEach((row, index) => list.add(unpackRow(row), at[index] ?? 0))
      changed()
    },
    stability(events) {
      for (const event of events) list.addStability(event)
      changed()
    },
    prompt: keepPrompt,
    error(event) {
      errors.value = [...errors.value, event].slice(-100)
    },
    summary(event) {
      summary.value = event
    },
    variants(overview) {
      variants.value = overview
    },
    running(ids) {
      running.value = ids
    },
    state(state) {
      batch(() => {
        version.value += 1
        sourceState.value = state
      })
    },
  }
}
