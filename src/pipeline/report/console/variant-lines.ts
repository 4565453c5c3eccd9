// Variants on the console: one line for a case with a mark for each variant, and the table at the end.
import { formatDuration } from '../../../base/duration.js'
import { formatPercent } from '../../../base/format.js'
import { preview } from '../../../base/text.js'
import { textTable } from '../../../base/text-table.js'
import { minPassRateOf, stabilityStatus } from '../../../model/case-status.js'
import type { ResultEvent, StabilityEvent, StartEvent, SummaryEvent } from '../../../model/event.js'
import type { CaseStatus } from '../../../model/status.js'
import { caseKey, type CaseKey } from '../../../model/run-key.js'
import { sideBySide } from '../side-by-side.js'
import type { Screen } from '../recording.js'
import { paint } from './paint.js'

interface OpenLine {
  id: string
  name: string | undefined
  marks: Array<{ status: CaseStatus; note: string } | undefined>
  missing: number
}

// A variant that has ended sends nothing more: its cases are not waited for.
const MOST_OPEN = 500

/** Collects the outcomes of a case's variants; returns its line once the last of them has arrived. */
export class VariantLines {
  readonly #names: readonly string[]
  readonly #start: StartEvent
  readonly #screen: Screen
  readonly #open = new Map<CaseKey, OpenLine>()

  constructor(start: StartEvent, screen: Screen) {
    this.#start = start
    this.#screen = screen
    this.#names = (start.variants ?? []).map(({ name }) => name)
  }

  add(event: ResultEvent | StabilityEvent): string {
    const { id, name } = event
    const key = caseKey({ id })
    let line = this.#open.get(key)
    if (!line) {
      line = { id, name, marks: this.#names.map(() => undefined), missing: this.#names.length }
      this.#open.set(key, line)
    }
    line.marks[this.#names.indexOf(event.variant ?? '')] = this.#markOf(event)
    line.missing -= 1
    if (line.missing === 0) return this.#close(key, line)
    const [oldest] = this.#open
    return this.#open.size > MOST_OPEN && oldest ? this.#close(...oldest) : ''
  }

  /** Those that were cut short. */
  rest(): string {
    return [...this.#open].map(([key, line]) => this.#close(key, line)).join('')
  }

  #markOf(event: ResultEvent | StabilityEvent): { status: CaseStatus; note: string } {
    if (event.type === 'result') return { status: event.status, note: formatDuration(event.duration_ms) }
    const status = stabilityStatus(event, minPassRateOf(this.#start))
    return { status, note: status === 'skipped' ? 'skipped' : formatPercent(event.pass_rate) }
  }

  #close(key: CaseKey, { id, name, marks }: OpenLine): string {
    this.#open.delete(key)
    const shown = marks.map((mark) => this.#paint(mark?.status)).join(' ')
    const notes = marks.map((mark) => mark?.note ?? 'not run').join(', ')
    const label = name === undefined ? '' : ` ${preview(name, 100)}`
    return `${shown} [${preview(id, 100)}]${label} (${notes})\n`
  }

  #paint(status: CaseStatus | undefined): string {
    const color = paint(this.#screen.color)
    switch (status) {
      case 'passed':
        return color.green('✓')
      case 'failed':
        return color.red('✗')
      case 'undetermined':
        return color.yellow('?')
      case 'skipped':
        return color.yellow('○')
      case undefined:
        return color.dim('·')
    }
  }
}

export function variantTable(summary: SummaryEvent): string[] {
  const found = sideBySide(summary)
  if (!found) return []
  const rows = found.rows.map((row) => row.map((text) => preview(text, 40)))
  const lines = textTable(found.head, rows).trimEnd().split('\n')
  return ['', ...lines.map((line) => `  ${line}`), '', ...found.sentences.map((text) => `  ${preview(text, 300)}`)]
}

/** What is compared, in the order of the marks. */
export function variantHeader({ variants = [] }: StartEvent): string[] {
  return variants.map(({ name, agent_id, connector, descriptions }, index) => {
    const via = connector === undefined ? '' : ` with ${preview(connector, 60)}`
    const agent = name === agent_id ? '' : `: ${preview(agent_id, 200)}`
    const words = descriptions === undefined ? '' : `, descriptions of ${preview(descriptions, 100)}`
    return `ℹ Variant ${index + 1}: ${preview(name, 120)}${agent}${via}${words}${index === 0 ? ' (baseline)' : ''}`
  })
}
