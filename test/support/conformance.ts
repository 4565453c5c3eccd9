// What the original implementation does, read from beside the checkout when it is there.
import { existsSync, readFileSync } from 'node:fs'

export interface ConformanceRow {
  area: string
  name: string
  given: Record<string, unknown>
  expect: Record<string, unknown>
}

/** The rows of one area of one file (`yao/dynamic`); none where the data is absent. */
export function conformanceRows(file: string, area: string): ConformanceRow[] {
  const path = new URL(`../../../shared/data/conformance/${file}.jsonl`, import.meta.url)
  if (!existsSync(path)) return []
  const lines = readFileSync(path, 'utf8').split('\n')
  const rows = lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as ConformanceRow)
  return rows.filter((row) => row.area === area)
}
