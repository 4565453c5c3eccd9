// A Markdown table with aligned columns.
import { displayWidth } from '../../base/width.js'

/** A table whose columns are padded, as the seeds show it. */
export function table(head: readonly [string, string, ...string[]], rows: ReadonlyArray<readonly string[]>): string {
  const widths = head.map((title, column) =>
    rows.reduce((width, row) => Math.max(width, displayWidth(row[column] ?? '')), Math.max(title.length, 3)),
  )
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => padded(cells[column] ?? '', width)).join(' | ')} |\n`
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |\n`
  return `${line(head)}${rule}${rows.map(line).join('')}`
}

function padded(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - displayWidth(text)))
}
