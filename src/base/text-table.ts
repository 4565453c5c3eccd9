// A table in plain text, columns aligned by display width.
import { displayWidth } from './width.js'

export function textTable(header: string[], rows: string[][]): string {
  const widths = header.map((cell, i) => Math.max(displayWidth(cell), ...rows.map((row) => displayWidth(row[i] ?? ''))))
  const line = (row: string[]): string =>
    row
      .map((cell, i) => cell + ' '.repeat(Math.max(0, (widths[i] ?? 0) - displayWidth(cell))))
      .join('  ')
      .trimEnd()
  return `${[line(header), line(widths.map((width) => '─'.repeat(width))), ...rows.map(line)].join('\n')}\n`
}
