// Saves the filtered cases: JSON with everything a result holds, CSV with one line per result.
import { toCsv } from '../text/csv.js'
import type { Result } from './cases.js'
import { shown, source, start, summary } from './store.js'

const COLUMNS = [
  'id',
  'name',
  'run',
  'variant',
  'status',
  'error_kind',
  'error',
  'duration_ms',
  'cost_dollars',
  'turns',
  'flaky',
  'score',
  'tags',
  'input',
  'output',
]

export async function exportJson(): Promise<void> {
  const results = await source.value?.details(shownResults())
  save('json', 'application/json', JSON.stringify({ start: start.value, summary: summary.value, results }, null, 2))
}

export async function exportCsv(): Promise<void> {
  const rows = shownResults().map((result) => [
    result.id,
    result.name,
    result.run,
    result.variant,
    result.status,
    result.kind,
    result.error,
    result.durationMs,
    result.cost,
    result.turns,
    result.flaky,
    result.score,
    result.tags.join(' '),
    result.input,
    result.output,
  ])
  save('csv', 'text/csv;charset=utf-8', toCsv(COLUMNS, rows))
}

function shownResults(): Result[] {
  return shown.value.flatMap((item) => item.results)
}

function save(extension: string, type: string, text: string): void {
  const name = (start.value?.agent_id || 'viva').replace(/[^\w.-]+/g, '-')
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.download = `${name}-results.${extension}`
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
