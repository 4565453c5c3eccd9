// A .json file → values: the items of an array, of `cases` in an object, or of the lists that the files of a skill have.
// Read as a stream, one item at a time.
import type { FileHandle } from 'node:fs/promises'
import type { Problem } from '../../errors.js'
import { entryOf, SKILL_LISTS } from '../../model/skill-eval.js'
import { MAX_VALUE_BYTES, readText, UnreadableText } from './lines.js'
import { isRecord } from '../../base/record.js'
import { brokenValue, positionOf, type RawValue } from './raw-value.js'
import { strayKeys } from './stray-keys.js'

export async function* readJsonFile(
  file: FileHandle,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<RawValue[]> {
  const splitter = new JsonItemSplitter()
  try {
    for await (const { text, bad } of readText(file, { by: 'characters', ...(onBytes && { onBytes }) })) {
      const [first] = bad ?? []
      if (first) throw new UnreadableText(first[1].message, first[0], first[1].column)
      yield await splitter.feed(text)
      if (splitter.stopped) return
    }
    yield await splitter.end()
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    yield [
      ...splitter.take(),
      brokenValue({ line: splitter.line + error.line, column: error.column, message: error.message }),
    ]
  }
}

type Stage = 'start' | 'object' | 'items' | 'after'

export class JsonItemSplitter {
  stopped = false
  line = 1
  #column = 1
  #stage: Stage = 'start'
  #depth = 0
  /** Depth of the list that holds the cases. */
  #itemDepth = 1
  #inString = false
  #escaped = false
  /** The item being collected: pieces of earlier blocks, and where it began. */
  #item: { pieces: string[]; length: number; line: number; column: number } | undefined
  #afterComma: { line: number; column: number } | undefined
  /** An object around the list, with the list left out. */
  #frame = ''
  #foundCases = false
  /** What the list being read is called. */
  #list: string | undefined
  #out: RawValue[] = []

  async feed(text: string): Promise<RawValue[]> {
    let itemStart = 0
    for (let at = 0; at < text.length && !this.stopped; at++) {
      const char = text[at] ?? ''
      const gathering = this.#item !== undefined
      const finished = this.#step(char)
      if (!gathering && this.#item) itemStart = at
      if (finished && this.#item) {
        this.#item.pieces.push(text.slice(itemStart, at))
        await this.#finishItem(this.#item)
        if (char === ']') this.#closeList()
        else this.#afterComma = { line: this.line, column: this.#column }
      }
      this.#advance(char)
    }
    if (this.#item && !this.stopped) {
      const piece = text.slice(itemStart)
      this.#item.pieces.push(piece)
      this.#item.length += piece.length
      if (this.#item.length > MAX_VALUE_BYTES) throw new UnreadableText('case longer than the limit of 16 MB')
    }
    return this.take()
  }

  async end(): Promise<RawValue[]> {
    if (this.stopped || this.#stage === 'start') return this.take()
    const whole = !this.#item || (await this.#finishItem(this.#item))
    if (this.#stage === 'after') {
      if (this.#frame !== '') await this.#checkFrame()
    } else if (whole) this.#stop('unexpected end of the file: a closing bracket is missing')
    return this.take()
  }

  take(): RawValue[] {
    const values = this.#out
    this.#out = []
    return values
  }

  #advance(char: string): void {
    if (char === '\n') {
      this.line++
      this.#column = 1
    } else this.#column++
  }

  /** Processes one character. True: the item being collected ended before it. */
  #step(char: string): boolean {
    const outside = !this.#inString
    this.#track(char)
    switch (this.#stage) {
      case 'start':
        if (!isSpace(char)) this.#begin(char)
        return false
      case 'object':
        this.#stepFrame(char, outside)
        return false
      case 'items':
        return this.#stepItems(char, outside)
      case 'after':
        if (!isSpace(char)) this.#stop(SECOND_VALUE)
        return false
    }
  }

  #track(char: string): void {
    if (this.#inString) {
      if (this.#escaped) this.#escaped = false
      else if (char === '\\') this.#escaped = true
      else if (char === '"') this.#inString = false
    } else if (char === '"') this.#inString = true
    else if (char === '{' || char === '[') this.#depth++
    else if (char === '}' || char === ']') this.#depth--
  }

  #begin(char: string): void {
    if (char === '[') this.#stage = 'items'
    else if (char === '{') {
      this.#stage = 'object'
      this.#frame = char
    } else this.#stop(`${EXPECTED}, found ${JSON.stringify(char)}`)
  }

  #stepFrame(char: string, outside: boolean): void {
    const [, list] = outside && char === '[' && this.#depth === 2 ? (LIST.exec(this.#frame) ?? []) : []
    if (list !== undefined) {
      this.#list = list
      this.#stage = 'items'
      this.#itemDepth = 2
      this.#foundCases = true
      return
    }
    this.#frame += char
    if (this.#frame.length > MAX_VALUE_BYTES) throw new UnreadableText('text around "cases" longer than 16 MB')
    if (outside && this.#depth === 0) this.#stage = 'after'
  }

  #stepItems(char: string, outside: boolean): boolean {
    const closes = outside && char === ']' && this.#depth === this.#itemDepth - 1
    if (this.#item) return closes || (outside && char === ',' && this.#depth === this.#itemDepth)
    if (isSpace(char)) return false
    if (closes) {
      if (this.#afterComma) this.#problem({ ...this.#afterComma, message: 'trailing comma before "]"' })
      this.#closeList()
    } else if (char === ',') this.#stop('unexpected ",": a case is missing before it')
    else {
      this.#item = { pieces: [], length: 0, line: this.line, column: this.#column }
      this.#afterComma = undefined
    }
    return false
  }

  #closeList(): void {
    this.#stage = this.#itemDepth === 1 ? 'after' : 'object'
    if (this.#itemDepth === 2) this.#frame += '[]'
  }

  /** False: it is not JSON, and that has been reported. */
  async #finishItem(item: { pieces: string[]; line: number; column: number }): Promise<boolean> {
    this.#item = undefined
    const raw: RawValue = {
      value: undefined,
      text: item.pieces.join('').trimEnd(),
      line: item.line,
      column: item.column,
    }
    try {
      const entry = entryOf(this.#list, JSON.parse(raw.text))
      if ('value' in entry) this.#out.push({ ...raw, ...entry })
      else this.#problem({ line: raw.line, column: raw.column, message: entry.contradiction })
      return true
    } catch {
      this.#problem(await explain(raw))
      return false
    }
  }

  async #checkFrame(): Promise<void> {
    const raw = { text: this.#frame, line: 1, column: 1 }
    try {
      const frame = JSON.parse(this.#frame) as unknown
      if (!this.#foundCases) this.#problem(noCases(frame))
      else {
        for (const problem of strayKeys(frame)) this.#problem({ line: 1, column: 1, ...problem })
      }
    } catch {
      this.#problem(await explain(raw))
    }
  }

  #stop(message: string): void {
    this.#problem({ line: this.line, column: this.#column, message })
    this.stopped = true
  }

  #problem(problem: Problem): void {
    this.#out.push(brokenValue(problem))
  }
}

const LIST = new RegExp(`"(cases|${SKILL_LISTS.join('|')})"\\s*:\\s*$`)
const EXPECTED = 'expected a list of cases or {"cases": […]}'
const SECOND_VALUE =
  'a second value: a .json file holds one list of cases; name it .jsonl if it has one case after another'

async function explain(raw: Pick<RawValue, 'text' | 'line' | 'column'>): Promise<Problem> {
  const { explainJson } = await import('../../base/json/json-error.js')
  const { offset, message, suggestion } = explainJson(raw.text, 'list')
  return { ...positionOf(raw, offset), message, ...(suggestion !== undefined && { suggestion }) }
}

function noCases(frame: unknown): Problem {
  const keys = isRecord(frame) ? Object.keys(frame) : []
  const one = keys.includes('id')
    ? '; put one case in a list: [{…}]'
    : keys.includes('skill_name')
      ? '; the evals of a skill are expected in a list called "evals", its queries in one called "queries"'
      : ''
  const found = keys.length > 0 ? `an object with ${keys.slice(0, 8).join(', ')}` : 'an empty object'
  return { line: 1, column: 1, message: `${EXPECTED}, found ${found}${one}` }
}

function isSpace(char: string): boolean {
  return char === ' ' || char === '\n' || char === '\t' || char === '\r'
}
