// The subset of YAML that cassettes are written in, read without the library: a replay spends most of its time here.
// Whatever a person wrote differently is left to the library; both must agree on everything that is read here.
import { isRecord } from '../base/record.js'

export interface QuickDocument {
  value: Record<string, unknown>
  /** Of the items of the top-level lists, by key: the lines they begin on, from 1. */
  itemLines: Record<string, number[]>
}

/** An item of the list under `key`, and the line it begins on. */
export type OnItem = (key: string, item: unknown, line: number) => void

/** Undefined: for the library to read. `take` receives the items of the top-level lists, which are then not kept. */
export function parseQuickly(text: string, take?: OnItem): QuickDocument | undefined {
  if (text.includes('\r') || text.includes('\t') || text.startsWith('\uFEFF')) return undefined
  try {
    return new QuickReader(text).document(take)
  } catch (error) {
    // Nested deeper than the stack.
    if (error === ELSEWHERE || error instanceof RangeError) return undefined
    throw error
  }
}

/** A value on one line: JSON, which is YAML too. */
export function flowOf(value: unknown): string {
  return printable(JSON.stringify(value))
}

/** A string as a scalar; `indent` is where the lines of a long one begin. */
export function scalarOf(text: string, indent: number): string {
  if (isPlain(text)) return text
  if (isBlock(text)) {
    const lines = text.endsWith('\n') ? text.slice(0, -1) : text
    return `${text.endsWith('\n') ? '|' : '|-'}\n${lines.replaceAll(/^(?=.)/gm, ' '.repeat(indent))}`
  }
  return isSingleQuoted(text) ? `'${text.replaceAll("'", "''")}'` : flowOf(text)
}

/** A key that needs no quotes. */
export function isKey(key: string): boolean {
  return KEY.test(key) && key !== '__proto__'
}

// eslint-disable-next-line no-control-regex
const UNPRINTABLE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]|\p{Surrogate}/u
const UNPRINTABLES = new RegExp(UNPRINTABLE, 'gu')
/** None of its characters can mean anything in YAML but itself. */
const PLAIN = /^[A-Za-z](?:[\w,;!?()/@+=.'$"{}[\]<>*&|%~^`-]|:(?=\S)| (?=[\w,;!?()/@+=.'$"{}[\]<>*&|%~^`]))*$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const LONGEST_WORD = 'false'.length
const NUMBER = /^-?\d/
/** The version of YAML that is read has no time type. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/
const KEY = /^[A-Za-z_][\w./-]*$/
const KEY_THERE = /[A-Za-z_][\w./-]*:(?: |$)/my

function isPlain(text: string): boolean {
  const isWord = text.length <= LONGEST_WORD && WORDS.test(text)
  return (PLAIN.test(text) && !isWord) || TIME.test(text)
}

/** Lines that need no escape, and neither begin nor end with white space that could be taken for layout. */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || UNPRINTABLE.test(text)) return false
  return /^[^\s]/.test(text) && /\S\n?$/.test(text)
}

function isSingleQuoted(text: string): boolean {
  return text.includes('"') && !text.includes('\n') && !UNPRINTABLE.test(text)
}

function printable(json: string): string {
  if (!UNPRINTABLE.test(json)) return json
  return json.replaceAll(UNPRINTABLES, (found) =>
    [...Array(found.length).keys()].map((at) => `\\u${found.charCodeAt(at).toString(16).padStart(4, '0')}`).join(''),
  )
}

const MOST_FLOWS = 200
/** The library has a depth limit, and a message for it. Half of the limit may be on one line. */
const DEEPEST = 80

/** Thrown, never seen: this is for the library to read. */
const ELSEWHERE = new Error('not written as cassettes are')

/**
 * The beginning of a line with a key in it, and what it yielded the last time. Most interactions are like the one before:
 * then a line is recognised by comparison, and nothing is created for it again.
 */
interface Known {
  /** Up to the colon, with the space before it. */
  line: string
  key: string
  /** Where the line begins, and where the key does: further in after the dash of a list. */
  column: number
  indent: number
  /** What followed it. */
  next: Known | undefined
  /** What was beside it on its line, and its value. */
  text: string | undefined
  value: unknown
}

class QuickReader {
  readonly #text: string
  readonly #known = new Map<string, Known>()
  readonly #flows = new Map<string, unknown>()
  #last = knownOf('', 0, 0)
  /** The line that has been looked at but not consumed. */
  #ahead: Known | undefined
  /** Its offset, and its number. */
  #at = 0
  #line = 1
  /** Of a line without a key: its indentation; -1 at the end. */
  #indent = 0

  constructor(text: string) {
    this.#text = text
  }

  document(take: OnItem | undefined): QuickDocument {
    const value: Record<string, unknown> = {}
    const itemLines: Record<string, number[]> = {}
    for (;;) {
      const known = this.#peek()
      if (!known && this.#indent < 0) return { value, itemLines }
      if (!known || known.indent > 0) return elsewhere()
      const { key } = known
      if (Object.hasOwn(value, key)) return elsewhere()
      const beside = this.#beside(known)
      if (beside !== undefined) value[key] = this.#scalar(beside, 0)
      else if (this.#isListAt(2)) value[key] = this.#items(key, take, (itemLines[key] = []))
      else value[key] = this.#block(0)
    }
  }

  /** The top-level list: without `take` it is kept, with the lines of its items. */
  #items(key: string, take: OnItem | undefined, lines: number[]): unknown[] {
    const list: unknown[] = []
    this.#list(2, (item, line) => {
      if (take) return take(key, item, line)
      list.push(item)
      lines.push(line)
    })
    return list
  }

  /** The key of the next significant line; undefined: it begins with none. */
  #peek(): Known | undefined {
    if (this.#ahead) return this.#ahead
    const text = this.#text
    while (text.charCodeAt(this.#at) === NEWLINE) this.#goOn(this.#at)
    const { next } = this.#last
    if (next && text.startsWith(next.line, this.#at)) {
      const behind = text.charCodeAt(this.#at + next.line.length)
      if (behind === SPACE || behind === NEWLINE) return (this.#ahead = next)
    }
    if (!this.#skip()) return undefined
    const start = this.#at + this.#indent + (text.startsWith('- ', this.#at + this.#indent) ? 2 : 0)
    KEY_THERE.lastIndex = start
    if (!KEY_THERE.test(text)) return undefined
    const line = text.slice(this.#at, text.indexOf(':', start) + 1)
    let known = this.#known.get(line)
    if (!known) this.#known.set(line, (known = knownOf(line, this.#indent, start - this.#at)))
    if (!isKey(known.key)) return elsewhere()
    this.#last.next = known
    return (this.#ahead = known)
  }

  /** Skips comments and blank lines. */
  #skip(): boolean {
    const text = this.#text
    while (this.#at < text.length) {
      let at = this.#at
      while (at < text.length && text.charCodeAt(at) === SPACE) at++
      const first = at < text.length ? text.charCodeAt(at) : NEWLINE
      if (first !== NEWLINE && first !== HASH) {
        this.#indent = at - this.#at
        return true
      }
      this.#goOn(this.#end(at))
    }
    this.#indent = -1
    return false
  }

  #end(from: number): number {
    const end = this.#text.indexOf('\n', from)
    return end < 0 ? this.#text.length : end
  }

  /** Past the end of a line. */
  #goOn(end: number): void {
    this.#at = end + 1
    this.#line++
    this.#ahead = undefined
  }

  /** What is beside a key; consumes the line. Undefined: it is below. */
  #beside(known: Known): string | undefined {
    const colon = this.#at + known.line.length - 1
    const end = this.#end(colon)
    this.#last = known
    this.#goOn(end)
    if (end === colon + 1) return undefined
    return end > colon + 2 ? this.#text.slice(colon + 2, end) : elsewhere()
  }

  /** The same as the last time, and the line is consumed; undefined: a different one. */
  #again(known: Known): unknown {
    const { line, text, value } = known
    if (text === undefined) return undefined
    const start = this.#at + line.length + 1
    const end = start + text.length
    if (!this.#text.startsWith(text, start)) return undefined
    if (end !== this.#text.length && this.#text.charCodeAt(end) !== NEWLINE) return undefined
    this.#last = known
    this.#goOn(end)
    return value
  }

  /** `isBegun`: its first key follows the dash of a list. */
  #map(indent: number, isBegun: boolean): Record<string, unknown> {
    const map: Record<string, unknown> = {}
    for (let column = isBegun ? indent - 2 : indent; ; column = indent) {
      const known = this.#peek()
      if ((known ? known.column : this.#indent) < column) return map
      if (!known || known.indent !== indent || known.column !== column || indent > DEEPEST) return elsewhere()
      const { key } = known
      if (map[key] !== undefined) return elsewhere()
      map[key] = this.#again(known) ?? this.#value(known)
    }
  }

  #value(known: Known): unknown {
    const text = this.#beside(known)
    if (text === undefined) return this.#block(known.indent)
    const value = this.#scalar(text, known.indent)
    // A block has more lines than this one, and null means that nothing was known.
    if (text.charCodeAt(0) !== BAR && value !== null) {
      known.text = text
      known.value = value
    }
    return value
  }

  /** What is below a key that has nothing beside it. */
  #block(indent: number): unknown {
    const known = this.#peek()
    if ((known ? known.column : this.#indent) !== indent + 2) return elsewhere()
    return this.#isListAt(indent + 2) ? this.#list(indent + 2) : this.#map(indent + 2, false)
  }

  #isListAt(indent: number): boolean {
    const known = this.#peek()
    if (known) return known.column === indent && known.indent > indent
    return this.#indent === indent && this.#text.startsWith('- ', this.#at + indent)
  }

  /** `take` receives the items instead. */
  #list(indent: number, take?: (item: unknown, line: number) => void): unknown[] {
    const list: unknown[] = []
    for (;;) {
      const known = this.#peek()
      if ((known ? known.column : this.#indent) < indent) return list
      if (!this.#isListAt(indent)) return elsewhere()
      const line = this.#line
      const item = known ? this.#map(indent + 2, true) : this.#item(indent)
      if (take) take(item, line)
      else list.push(item)
    }
  }

  #item(indent: number): unknown {
    const start = this.#at + indent + 2
    const end = this.#end(start)
    this.#goOn(end)
    return this.#scalar(this.#text.slice(start, end), indent)
  }

  #scalar(text: string, indent: number): unknown {
    const first = text[0]
    if (first === '|') return this.#literal(text, indent + 2)
    if (first === "'") return (/^'((?:[^']|'')*)'$/.exec(text)?.[1] ?? elsewhere()).replaceAll("''", "'")
    if (first === '"') return json(text)
    if (first === '{' || first === '[') return this.#flow(text)
    if (isPlain(text)) return text
    if (NUMBER.test(text)) return String(Number(text)) === text ? Number(text) : elsewhere()
    if (text === 'true' || text === 'false') return text === 'true'
    return text === 'null' ? null : elsewhere()
  }

  /** The context of agents is the same in every interaction: it is read once. */
  #flow(text: string): unknown {
    let value = this.#flows.get(text)
    if (value !== undefined) return value
    value = json(text)
    if (this.#flows.size < MOST_FLOWS) this.#flows.set(text, value)
    return value
  }

  #literal(header: string, indent: number): string {
    if (header !== '|' && header !== '|-') return elsewhere()
    const lines: string[] = []
    // Blank lines at the end are not part of it.
    let count = 0
    let { at, line } = { at: this.#at, line: this.#line }
    while (at < this.#text.length) {
      const end = this.#end(at)
      let first = at
      while (first < end && this.#text.charCodeAt(first) === SPACE) first++
      const deep = first - at
      if (first === end) {
        // White space further in than the text is text.
        if (deep > indent) return elsewhere()
      } else if (deep < indent) break
      else if (lines.length === 0 && deep !== indent) return elsewhere()
      lines.push(first === end ? '' : this.#text.slice(at + indent, end))
      at = end + 1
      line++
      if (first === end) {
        if (lines.length === 1) return elsewhere()
        continue
      }
      count = lines.length
      this.#at = at
      this.#line = line
    }
    if (count === 0) return elsewhere()
    const text = lines.slice(0, count).join('\n')
    return header === '|' ? `${text}\n` : text
  }
}

function knownOf(line: string, column: number, indent: number): Known {
  return { line, key: line.slice(indent, -1), column, indent, next: undefined, text: undefined, value: undefined }
}

function json(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text) as unknown
  } catch {
    return elsewhere()
  }
  // Repeated keys, and numbers that change when read, are for the library to refuse.
  if ((isRecord(value) || Array.isArray(value)) && (flowOf(value) !== text || text.includes('"__proto__"')))
    return elsewhere()
  if (isDeep(value, DEEPEST / 2)) return elsewhere()
  return value
}

function isDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return left === 0 || Object.values(value).some((item) => isDeep(item, left - 1))
}

const NEWLINE = 10
const SPACE = 32
const HASH = 35
const BAR = 124

function elsewhere(): never {
  throw ELSEWHERE
}
