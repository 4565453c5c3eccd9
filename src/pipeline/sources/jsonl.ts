// JSONL text → values: one per line, or pretty-printed one after another. Blank lines and comment lines are skipped.
import type { FileHandle } from 'node:fs/promises'
import type { Problem } from '../../errors.js'
import { scanJson } from '../../base/json/json-text.js'
import { MAX_VALUE_BYTES, readText, UnreadableText, type TextBlock } from './lines.js'
import { brokenValue, positionOf, type RawValue } from './raw-value.js'
import { parseJson } from '../../base/json/parse-json.js'

export async function* readJsonl(file: FileHandle, onBytes?: (bytes: Uint8Array) => void): AsyncGenerator<RawValue[]> {
  const parser = new JsonlParser()
  try {
    for await (const block of readText(file, { by: 'lines', ...(onBytes && { onBytes }) })) {
      const values = await parser.feed(block)
      if (values.length > 0) yield values
      if (parser.stopped) return
    }
    yield await parser.end()
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    yield [...parser.take(), parser.unreadable(error)]
  }
}

/** A value that continues over several lines. */
interface Pending {
  line: number
  indent: number
  lines: string[]
  length: number
  depth: number
  /** The last non-space character: does a value, or a key, follow here? */
  last: string
}

export class JsonlParser {
  /** Nothing after this point can be read as cases. */
  stopped = false
  #line = 0
  #pending: Pending | undefined
  /** After a mistake inside a value: lines are skipped until one looks like the start of the next. */
  #skipTo: number | undefined
  #seen = false
  #out: RawValue[] = []

  async feed(block: TextBlock): Promise<RawValue[]> {
    const { text, bad } = block
    let index = 0
    for (let start = 0; start < text.length && !this.stopped; index++) {
      const newline = text.indexOf('\n', start)
      const end = newline < 0 ? text.length : newline
      const stop = end > start && text.charCodeAt(end - 1) === 0x0d ? end - 1 : end
      this.#line++
      const mistake = bad?.get(index)
      if (mistake) this.#addProblem({ line: this.#line, ...mistake })
      else if (this.#pending || this.#skipTo !== undefined || !this.#readWhole(text, start, stop)) {
        await this.#readLine(text.slice(start, stop))
      }
      start = end + 1
    }
    return this.take()
  }

  async end(): Promise<RawValue[]> {
    if (this.#pending) await this.#giveUp(this.#pending)
    return this.take()
  }

  take(): RawValue[] {
    const values = this.#out
    this.#out = []
    return values
  }

  unreadable(error: UnreadableText): RawValue {
    const line = this.#line + 1 + error.line
    return brokenValue({ line, column: error.column, message: error.message })
  }

  /** The usual line: a whole object. False means that it needs a closer look. */
  #readWhole(text: string, start: number, stop: number): boolean {
    if (text.charCodeAt(start) !== 0x7b || text.charCodeAt(stop - 1) !== 0x7d) return false
    const line = text.slice(start, stop)
    try {
      this.#out.push({ value: JSON.parse(line) as unknown, line: this.#line, column: 1, text: line })
    } catch {
      return false
    }
    this.#seen = true
    return true
  }

  async #readLine(line: string): Promise<void> {
    const indent = firstSolid(line)
    const comment = line[indent] === '#' || line.startsWith('//', indent)
    if (comment && line.includes('\r')) return this.#addProblem(carriageReturns(this.#line, line.indexOf('\r') + 1))
    if (indent === line.length || comment) {
      if (this.#pending) this.#pending.lines.push('')
      return
    }
    if (this.#skipTo !== undefined) {
      if (line[indent] !== '{' || indent > this.#skipTo) return
      this.#skipTo = undefined
    }
    await (this.#pending ? this.#continue(this.#pending, line, indent) : this.#begin(line, indent))
  }

  async #begin(line: string, indent: number): Promise<void> {
    if (line[indent] === '\uFEFF') return this.#addProblem(markInside(this.#line, indent + 1))
    if (line[indent] === '[') return this.#refuseList(line, indent)
    const json = parseJson(line)
    if (json !== undefined) return this.#addValue(json.value, line, this.#line)
    const { depth, openString } = scanJson(line)
    const pending: Pending = {
      line: this.#line,
      indent,
      lines: [line],
      length: line.length,
      depth,
      last: lastSolid(line),
    }
    if (line[indent] === '{' && depth > 0 && !openString) this.#pending = pending
    else await this.#giveUp(pending)
  }

  async #continue(pending: Pending, line: string, indent: number): Promise<void> {
    if (line[indent] === '{' && indent === pending.indent && !',[:{'.includes(pending.last)) {
      await this.#giveUp(pending)
      return this.#begin(line, indent)
    }
    const { depth, openString } = scanJson(line, pending.depth)
    pending.lines.push(line)
    pending.length += line.length + 1
    pending.depth = depth
    pending.last = lastSolid(line)
    if (pending.length > MAX_VALUE_BYTES) throw new UnreadableText('value longer than the limit of 16 MB')
    if (depth > 0 && !openString) return
    const text = pending.lines.join('\n')
    const json = depth === 0 && !openString ? parseJson(text) : undefined
    if (json === undefined) return this.#giveUp(pending)
    this.#pending = undefined
    this.#addValue(json.value, text, pending.line)
  }

  /**
   * The collected lines are not a value. Either there is a mistake among them, or the value was never closed and the
   * lines after it are the next ones: then only the first is to blame, and the others are read again.
   */
  async #giveUp(pending: Pending): Promise<void> {
    const { explainJson } = await import('../../base/json/json-error.js')
    this.#pending = undefined
    const whole = { text: pending.lines.join('\n'), line: pending.line, column: 1 }
    const mistake = explainJson(whole.text)
    const position = positionOf(whole, mistake.offset)
    const nextStart = pending.lines.findIndex((line, index) => index > 0 && startsValue(line, pending.indent))
    const atStart = startsValue(pending.lines[position.line - pending.line] ?? '', pending.indent)
    const unclosed =
      mistake.offset >= whole.text.trimEnd().length || (atStart && position.column === pending.indent + 1)
    if (nextStart > 0 && unclosed) return this.#splitOff(pending, nextStart)
    this.#addProblem({
      ...position,
      message: mistake.message,
      ...(mistake.suggestion && { suggestion: mistake.suggestion }),
    })
    if (pending.depth !== 0) this.#skipTo = pending.indent
  }

  async #splitOff(pending: Pending, count: number): Promise<void> {
    const rest = pending.lines.slice(count)
    await this.#giveUp({ ...pending, lines: pending.lines.slice(0, count) })
    const current = this.#line
    this.#line = pending.line + count - 1
    for (const line of rest) {
      this.#line++
      await this.#readLine(line)
    }
    this.#line = current
  }

  #refuseList(line: string, indent: number): void {
    const first = !this.#seen
    const message = first
      ? 'this is a JSON array, not JSONL: put each case on a line of its own, or name the file .json'
      : `expected an object, found a list`
    this.#addProblem({ line: this.#line, column: indent + 1, message })
    if (first) this.stopped = true
    else if (scanJson(line).depth !== 0) this.#skipTo = indent
  }

  #addValue(value: unknown, text: string, line: number): void {
    this.#seen = true
    this.#out.push({ value, line, column: 1, text })
  }

  #addProblem(problem: Problem): void {
    this.#seen = true
    this.#out.push(brokenValue(problem))
  }
}

function startsValue(line: string, indent: number): boolean {
  return firstSolid(line) === indent && line[indent] === '{'
}

/** Only what JSON calls white space: a byte order mark is not. */
function firstSolid(line: string): number {
  let at = 0
  while (at < line.length && ' \t\r'.includes(line[at] ?? '')) at++
  return at
}

function lastSolid(line: string): string {
  let at = line.length - 1
  while (at >= 0 && ' \t\r'.includes(line[at] ?? '')) at--
  return line[at] ?? ''
}

function carriageReturns(line: number, column: number): Problem {
  return { line, column, message: 'CR line endings: save the file with LF or CRLF' }
}

function markInside(line: number, column: number): Problem {
  return { line, column, message: 'byte order mark (BOM) inside the file, left there by joining files: remove it' }
}
