// A run embedded in the page: rows are read immediately, the details of a case when it is opened.
import type {
  ErrorEvent,
  PromptEvent,
  ResultEvent,
  StabilityEvent,
  StartEvent,
  SummaryEvent,
} from '../../../model/event.js'
import type { PackedRow } from '../../../model/result-row.js'
import type { VariantsOverview } from '../../../model/variants-overview.js'
import type { Result } from './cases.js'
import type { Sink, Source } from './source.js'

/** `side`: which of two runs, in a comparison. */
export function openEmbedded(page: Document, side?: 'before' | 'after'): Source {
  const mine = side === undefined ? ':not([data-side])' : `[data-side=${side}]`
  // The lines of the block read last: neighbours are opened together, and an export reads them all.
  let opened: Element | undefined
  let lines: string[] = []

  // A details block is `[`, one line per result, `]`: only the wanted line is parsed.
  function detailNow(result: Result): ResultEvent | undefined {
    const block = findBlock(page, `script[data-details]${mine}`, result.at)
    if (!block) return undefined
    if (block !== opened) {
      lines = (block.textContent ?? '').split('\n')
      opened = block
    }
    const line = lines[result.at - firstOf(block) + 1]
    return line === undefined ? undefined : (JSON.parse(line.replace(/,$/, '')) as ResultEvent)
  }

  function open(sink: Sink) {
    let count = 0
    for (const block of page.querySelectorAll(`script[data-kind]${mine}`)) {
      const kind = block.getAttribute('data-kind')
      const value: unknown = JSON.parse(block.textContent ?? 'null')
      if (kind === 'rows') {
        const rows = value as PackedRow[]
        sink.rows(
          rows,
          rows.map((_row, index) => count + index),
        )
        count += rows.length
      } else if (kind === 'start') sink.start(value as StartEvent)
      else if (kind === 'stability') sink.stability(value as StabilityEvent[])
      else if (kind === 'summary') sink.summary(value as SummaryEvent)
      else if (kind === 'variants') sink.variants(value as VariantsOverview)
      else if (kind === 'prompt') sink.prompt(value as PromptEvent)
      else if (kind === 'error') sink.error(value as ErrorEvent)
    }
    sink.state('ended')
  }

  return {
    live: false,
    open,
    close() {},
    detailNow,
    async detail(result) {
      const event = detailNow(result) ?? (await loaded(page).then(() => detailNow(result)))
      if (!event) throw new Error('the report is incomplete')
      return event
    },
    async details(results) {
      await loaded(page)
      const found = new Map<Result, ResultEvent | undefined>()
      for (const result of results.toSorted((a, b) => a.at - b.at)) found.set(result, detailNow(result))
      return results.flatMap((result) => found.get(result) ?? [])
    },
  }
}

/** The last block that starts at or before the row. While the page loads, the last one of all may be unfinished. */
function findBlock(page: Document, which: string, at: number): Element | undefined {
  const blocks = page.querySelectorAll(which)
  let low = 0
  let high = blocks.length
  while (low < high) {
    const middle = (low + high) >> 1
    const block = blocks[middle]
    if (block && firstOf(block) <= at) low = middle + 1
    else high = middle
  }
  return low === blocks.length && page.readyState === 'loading' ? undefined : blocks[low - 1]
}

function firstOf(block: Element): number {
  return Number(block.getAttribute('data-details'))
}

/** The details follow the application in the page and arrive while it is already running. */
function loaded(page: Document): Promise<void> {
  if (page.readyState !== 'loading') return Promise.resolve()
  return new Promise((resolve) => page.addEventListener('DOMContentLoaded', () => resolve(), { once: true }))
}
