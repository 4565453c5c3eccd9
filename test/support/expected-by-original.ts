// What the original implementation does, read from beside the checkout; nothing where the data is absent.
import { existsSync, readFileSync } from 'node:fs'

export interface Original<Given, Expected> {
  area: string
  name: string
  given: Given
  expect: Expected
}

export function conformance<Given, Expected>(file: string, area: string): Array<Original<Given, Expected>> {
  const url = new URL(`../../../shared/data/conformance/yao/${file}.jsonl`, import.meta.url)
  if (!existsSync(url)) return []
  const lines = readFileSync(url, 'utf8').trim().split('\n')
  const rows = lines.map((line) => JSON.parse(line) as Original<Given, Expected>).filter((row) => row.area === area)
  if (rows.length === 0) throw new Error(`no rows of ${area} in ${file}`)
  return rows
}
