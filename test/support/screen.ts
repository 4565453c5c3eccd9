// A terminal's screen, as far as our output uses one: what a person would see after these bytes.
import { displayWidth } from '../../src/base/width.js'

export interface TerminalScreen {
  write(text: string): void
  /** Everything that was ever shown, scrolled-up lines included. */
  text(): string
}

// eslint-disable-next-line no-control-regex
const PIECES = /\u001b\[([?0-9;]*)([A-Za-z])|\u001b[=>]|[\s\S]/gu

export function createScreen(columns: number): TerminalScreen {
  const rows: string[][] = [[]]
  let row = 0
  let column = 0
  const cells = (): string[] => (rows[row] ??= [])

  const put = (character: string): void => {
    const width = displayWidth(character)
    if (width === 0) {
      if (column > 0) cells()[column - 1] += character
      return
    }
    if (column + width > columns) {
      row += 1
      column = 0
    }
    cells()[column] = character
    if (width === 2) cells()[column + 1] = ''
    column += width
  }

  const control = (given: string, command: string): void => {
    const count = Number(given) || 1
    if (command === 'A') row = Math.max(0, row - count)
    if (command === 'B') row += count
    if (command === 'C') column += count
    if (command === 'D') column = Math.max(0, column - count)
    if (command === 'G') column = count - 1
    if (command === 'K' || command === 'J') cells().length = Math.min(cells().length, column)
    if (command === 'J') rows.length = row + 1
  }

  return {
    write(text) {
      for (const [piece, given, command] of text.matchAll(PIECES)) {
        if (command !== undefined) control(given ?? '', command)
        else if (piece === '\n') row += 1
        else if (piece === '\r') column = 0
        else if (piece >= ' ') put(piece)
      }
    },
    text: () =>
      Array.from(rows, (line) =>
        Array.from(line ?? [], (cell) => cell ?? ' ')
          .join('')
          .trimEnd(),
      ).join('\n'),
  }
}
