// A terminal's screen, as far as our output uses one: what a person would see after these bytes.
import { displayWidth } from '../../src/base/width.js'

export interface TerminalScreen {
  write(text: string): void
  /** Everything that was ever shown, scrolled-up lines included. */
  text(): string
  /** The same with its colours: runs of equal style, line by line. */
  styled(): StyledText[][]
}

export interface StyledText {
  text: string
  /** Numbers of SGR that are on: `1` bold, `31` red, … */
  style: readonly number[]
}

interface Cell {
  character: string
  style: readonly number[]
}

// eslint-disable-next-line no-control-regex
const PIECES = /\u001b\[([?0-9;]*)([A-Za-z])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[=>]|[\s\S]/gu

export function createScreen(columns: number): TerminalScreen {
  const rows: Cell[][] = [[]]
  let row = 0
  let column = 0
  let style: readonly number[] = []
  const cells = (): Cell[] => (rows[row] ??= [])

  const put = (character: string): void => {
    const width = displayWidth(character)
    if (width === 0) {
      const before = cells()[column - 1]
      if (before) before.character += character
      return
    }
    if (column + width > columns) {
      row += 1
      column = 0
    }
    cells()[column] = { character, style }
    if (width === 2) cells()[column + 1] = { character: '', style }
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
    if (command === 'm') style = styleAfter(style, given)
  }

  const lines = (): Cell[][] =>
    Array.from(rows, (line) => trimEnd(Array.from(line ?? [], (cell) => cell ?? { character: ' ', style: [] })))

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
      lines()
        .map((line) => line.map(({ character }) => character).join(''))
        .join('\n'),
    styled: () => lines().map(runsOf),
  }
}

/** Each of these numbers switches off what the others of its group switched on. */
const OFF: Record<number, (on: number) => boolean> = {
  22: (on) => on === 1 || on === 2,
  23: (on) => on === 3,
  24: (on) => on === 4,
  27: (on) => on === 7,
  39: isColour,
}

function isColour(code: number): boolean {
  return (code >= 30 && code <= 37) || (code >= 90 && code <= 97)
}

function styleAfter(before: readonly number[], given: string): readonly number[] {
  let style = before
  for (const code of given.split(';').map(Number)) {
    const isOff = OFF[code]
    if (code === 0) style = []
    else if (isOff) style = style.filter((on) => !isOff(on))
    else style = [...style.filter((on) => on !== code && !(isColour(code) && isColour(on))), code]
  }
  return style
}

function trimEnd(line: Cell[]): Cell[] {
  let end = line.length
  while (end > 0 && line[end - 1]?.character.trim() === '') end -= 1
  return line.slice(0, end)
}

function runsOf(line: Cell[]): StyledText[] {
  const runs: StyledText[] = []
  for (const { character, style } of line) {
    const last = runs.at(-1)
    if (last && last.style.join() === style.join()) last.text += character
    else runs.push({ text: character, style })
  }
  return runs
}
