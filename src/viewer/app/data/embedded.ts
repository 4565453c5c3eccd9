// A run that stands in the page: rows are read at once, the details of a case when it is opened.
import type { ResultEvent, StartEvent, StabilityEvent, SummaryEvent, ErrorEvent } from '../../../model/event.js'
import type { PackedRow } from '../../../model/result-row.js'
import type { Result } from './cases.js'
import type { Sink, Source } from './source.js'

export function openEmbedded(page: Document): Source {
  const blocks: Element[] = []
  const firsts: number[] = []
  // The lines of the block read last: neighbours are opened together, and an export reads them all.
  let opened = -1
  let lines: string[] = []

  // A details block is `[`, one line for each result, `]`: only the wanted line is parsed.
  function detailNow(result: Result): ResultEvent {
    let index = firsts.length - 1
    while (index > 0 && (firsts[index] ?? 0) > result.at) index -= 1
    if (index !== opened) {
      lines = (blocks[index]?.textContent ?? '').split('\n')
      opened = index
    }
    const line = lines[result.at - (firsts[index] ?? 0) + 1] ?? 'null'
    return JSON.parse(line.endsWith(',') ? line.slice(0, -1) : line) as ResultEvent
  }

  function open(sink: Sink) {
    let count = 0
    for (const block of page.querySelectorAll('script[data-viva]')) {
      const kind = block.getAttribute('data-viva')
      // Never read here: a report may hold a hundred megabytes of details.
      if (kind === 'details') {
        blocks.push(block)
        continue
      }
      const value: unknown = JSON.parse(block.textContent ?? 'null')
      if (kind === 'rows') {
        const rows = value as PackedRow[]
        firsts.push(count)
        sink.rows(
          rows,
          rows.map((_row, index) => count + index),
        )
        count += rows.length
      } else if (kind === 'start') sink.start(value as StartEvent)
      else if (kind === 'stability') sink.stability(value as StabilityEvent[])
      else if (kind === 'summary') sink.summary(value as SummaryEvent)
      else if (kind === 'error') sink.error(value as ErrorEvent)
    }
    sink.state('ended')
  }

  return {
    live: false,
    open,
    close() {},
    detailNow,
    detail: async (result) => detailNow(result),
    async details(results) {
      const found = new Map<Result, ResultEvent>()
      for (const result of results.toSorted((a, b) => a.at - b.at)) found.set(result, detailNow(result))
      return results.flatMap((result) => found.get(result) ?? [])
    },
  }
}
