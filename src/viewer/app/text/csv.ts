// Rows as CSV that a spreadsheet opens as text: a cell that would start a formula gets an apostrophe.

export type Cell = string | number | boolean | null | undefined

export function toCsv(header: string[], rows: Iterable<Cell[]>): string {
  const lines = [header.map(cell).join(',')]
  for (const row of rows) lines.push(row.map(cell).join(','))
  return `${lines.join('\r\n')}\r\n`
}

function cell(value: Cell): string {
  if (value === null || value === undefined) return ''
  // Our own numbers are safe, negative ones too.
  if (typeof value !== 'string') return String(value)
  const text = /^[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
