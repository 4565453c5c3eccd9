// Where in a text an offset lies, as editors count: lines and columns from 1.

export interface Position {
  line: number
  column: number
}

export function positionAt(text: string, offset: number): Position {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', start)) {
    line++
    start = at + 1
  }
  return { line, column: offset - start + 1 }
}
