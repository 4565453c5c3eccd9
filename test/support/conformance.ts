// What the implementation does that the case and script formats come from, row by row. Differences are listed in docs/compatibility.md.
import { readFileSync } from 'node:fs'

export interface ConformanceRow<Given = Record<string, unknown>, Expected = Record<string, unknown>> {
  area: string
  name: string
  given: Given
  expect: Expected
}

/** The rows of one area of one file of test/fixtures/conformance. */
export function conformance<Given, Expected>(file: string, area: string): Array<ConformanceRow<Given, Expected>> {
  const rows = conformanceFile(file).filter((row) => row.area === area)
  if (rows.length === 0) throw new Error(`no rows of ${area} in ${file}`)
  return rows as Array<ConformanceRow<Given, Expected>>
}

export function conformanceFile(file: string): ConformanceRow[] {
  const text = readFileSync(new URL(`../fixtures/conformance/${file}.jsonl`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as ConformanceRow)
}

export function conformanceRows(file: string, area: string): ConformanceRow[] {
  return conformance(file, area)
}
