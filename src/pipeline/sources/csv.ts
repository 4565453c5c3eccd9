// CSV text → rows of cells (RFC 4180): quoted cells may hold separators, quotes and line breaks. Strict: anything ambiguous
// is a problem, never a guess. Blanks around a cell count only inside quotes.
import type { Problem } from '../../errors.js'

export interface CsvCell {
  text: string
  line: number
  column: number
}

export interface CsvRow {
  cells: CsvCell[]
  /** 1-based line of its first character. */
  line: number
  problem?: Problem
}

const MAX_ROW = 16 * 1024 * 1024
const SEPARATORS = [',', ';', '\t']

type State = 'start' | 'plain' | 'quoted' | 'closing' | 'closed' | 'broken'

export class CsvParser {
  /** Reading cannot continue. */
  stopped = false
  #separator: string | undefined
  #state: State = 'start'
  #line = 1
  #column = 1
  #row: CsvRow = { cells: [], line: 1 }
  #text = ''
  #cell = { line: 1, column: 1 }
  #length = 0
  #out: CsvRow[] = []

  /** `separator`: if it is known; else the first line decides between comma, semicolon and tab. */
  constructor(separator?: string) {
    this.#separator = separator
  }

  feed(text: string): CsvRow[] {
    for (let at = 0; at < text.length && !this.stopped; at += 1) {
      at = this.#state === 'quoted' ? this.#skipQuoted(text, at) : at
      const char = text[at]
      if (char !== undefined) this.#step(char)
    }
    return this.#take()
  }

  end(): CsvRow[] {
    if (this.stopped) return this.#take()
    if (this.#state === 'quoted') {
      this.#break(this.#cell, 'a quoted cell is never closed: put a " at its end, and write a " inside it twice')
      this.#finishRow()
    } else if (this.#state !== 'start' || this.#row.cells.length > 0) this.#finishRow()
    return this.#take()
  }

  /** Plain text of a quoted cell is consumed in one go. */
  #skipQuoted(text: string, from: number): number {
    let at = from
    while (at < text.length && text[at] !== '"' && text[at] !== '\n') at += 1
    this.#text += text.slice(from, at)
    this.#column += at - from
    this.#grow(at - from)
    return at
  }

  #step(char: string): void {
    this.#grow(1)
    switch (this.#state) {
      case 'start':
      case 'plain':
        this.#stepPlain(char)
        break
      case 'quoted':
        if (char === '"') this.#state = 'closing'
        else this.#text += char
        break
      case 'closing':
        if (char === '"') {
          this.#text += '"'
          this.#state = 'quoted'
          break
        }
        this.#state = 'closed'
        this.#stepClosed(char)
        break
      case 'closed':
        this.#stepClosed(char)
        break
      case 'broken':
        if (char === '\n') this.#finishRow()
    }
    if (char === '\n') {
      this.#line += 1
      this.#column = 1
      if (this.#row.cells.length === 0 && this.#state === 'start') this.#row.line = this.#line
    } else this.#column += 1
  }

  #stepPlain(char: string): void {
    if (this.#endsCell(char)) return
    if (char === '"' && this.#text.trim() === '') {
      this.#text = ''
      this.#cell = { line: this.#line, column: this.#column }
      this.#state = 'quoted'
      return
    }
    if (char === '"')
      return this.#break(
        { line: this.#line, column: this.#column },
        'a " inside a cell that does not begin with one: put the whole cell in quotes and write each " in it twice',
      )
    if (this.#state === 'start') {
      this.#cell = { line: this.#line, column: this.#column }
      this.#state = 'plain'
    }
    this.#text += char
  }

  #stepClosed(char: string): void {
    if (char === ' ' || char === '\r' || (char === '\t' && this.#separator !== '\t')) return
    if (this.#endsCell(char)) return
    this.#break(
      { line: this.#line, column: this.#column },
      `text after the closing " of a cell: write a " inside a quoted cell twice`,
    )
  }

  /** True: the cell, and perhaps the row, ended here. */
  #endsCell(char: string): boolean {
    if (char === '\n') {
      this.#finishRow()
      return true
    }
    if (this.#separator === undefined && SEPARATORS.includes(char)) this.#separator = char
    if (char !== this.#separator) return false
    this.#finishCell()
    return true
  }

  #finishCell(): void {
    const isQuoted = this.#state === 'closed' || this.#state === 'closing'
    const position = this.#state === 'start' ? { line: this.#line, column: this.#column } : this.#cell
    this.#row.cells.push({ text: isQuoted ? this.#text : this.#text.trim(), ...position })
    this.#text = ''
    this.#state = 'start'
  }

  #finishRow(): void {
    if (this.#state !== 'broken') this.#finishCell()
    const { cells, problem } = this.#row
    const isBlank = cells.every(({ text }) => text === '')
    if (problem || !isBlank) this.#out.push(this.#row)
    // A header of one column leaves no choice for the lines below it.
    if (!isBlank) this.#separator ??= ','
    this.#row = { cells: [], line: this.#line + 1 }
    this.#text = ''
    this.#length = 0
    this.#state = 'start'
  }

  #break(position: { line: number; column: number }, message: string): void {
    this.#row.problem = { ...position, message }
    this.#state = 'broken'
  }

  #grow(by: number): void {
    this.#length += by
    if (this.#length <= MAX_ROW) return
    this.#break(this.#cell, 'row longer than the limit of 16 MB; is a closing " missing?')
    this.#out.push(this.#row)
    this.stopped = true
  }

  #take(): CsvRow[] {
    const rows = this.#out
    this.#out = []
    return rows
  }
}
