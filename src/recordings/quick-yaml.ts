// The part of YAML that cassettes are written in, read without the library: a replay spends most of its time in there.
// Whatever a person wrote differently is not read here but by the library; both must agree on all that is.
import { isRecord } from '../base/record.js'

export interface QuickDocument {
  value: Record<string, unknown>
  /** Of the items of the lists at the top, by key: the lines they begin in, from 1. */
  itemLines: Record<string, number[]>
}

/** Undefined: for the library to read. */
export function parseQuickly(text: string): QuickDocument | undefined {
  if (text.includes('\r') || text.includes('\t') || text.startsWith('\uFEFF')) return undefined
  const reader = new QuickReader(text.split('\n'))
  try {
    return reader.document()
  } catch (error) {
    if (error === ELSEWHERE) return undefined
    throw error
  }
}

/** A value on one line: JSON, which is YAML too. */
export function flowOf(value: unknown): string {
  return printable(JSON.stringify(value))
}

/** A text as a scalar; `indent` is where the lines of a long one begin. */
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
/** No character of it can mean anything in YAML but itself. */
const PLAIN = /^[A-Za-z](?:[\w,;!?()/@+=.'$"{}[\]<>*&|%~^`-]|:(?=\S)| (?=[\w,;!?()/@+=.'$"{}[\]<>*&|%~^`]))*$/
const WORDS = /^(?:true|false|null|yes|no|on|off|y|n)$/i
const LONGEST_WORD = 'false'.length
const NUMBER = /^-?\d/
/** The version of YAML that is read has no times of its own. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)?$/
const KEY = /^[A-Za-z_][\w./-]*$/

function isPlain(text: string): boolean {
  const isWord = text.length <= LONGEST_WORD && WORDS.test(text)
  return (PLAIN.test(text) && !isWord) || TIME.test(text)
}

/** Lines that need no escape, and neither begin nor end with white space that a reader might take for layout. */
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

/** Thrown, never seen: what is here is for the library. */
const ELSEWHERE = new Error('not written as cassettes are')

class QuickReader {
  readonly #lines: string[]
  /** By what was read: the one text for it, which objects find faster. There are only a few. */
  readonly #keys = new Map<string, string>()
  readonly #flows = new Map<string, unknown>()
  #at = 0
  /** Of the line that was looked at last; -1 at the end. */
  #indent = 0

  constructor(lines: string[]) {
    this.#lines = lines
  }

  document(): QuickDocument {
    const value: Record<string, unknown> = {}
    const itemLines: Record<string, number[]> = {}
    for (;;) {
      const line = this.#next()
      if (line === undefined) return { value, itemLines }
      const key = this.#key(line, 0)
      if (Object.hasOwn(value, key)) return elsewhere()
      this.#at++
      const rest = behind(line, key, 0)
      if (rest !== '') value[key] = this.#scalar(rest, 0)
      else if (this.#next()?.startsWith('  - ')) value[key] = this.#list(2, (itemLines[key] = []))
      else value[key] = this.#map(2)
    }
  }

  /** The next line that says something, comments and blank lines passed. */
  #next(): string | undefined {
    for (; this.#at < this.#lines.length; this.#at++) {
      const line = this.#lines[this.#at] ?? ''
      const first = line.charCodeAt((this.#indent = indentOf(line)))
      if (!Number.isNaN(first) && first !== HASH) return line
    }
    this.#indent = -1
    return undefined
  }

  #key(line: string, indent: number): string {
    const key = line.slice(indent, line.indexOf(':', indent))
    const known = this.#keys.get(key)
    if (known !== undefined) return known
    if (!isKey(key)) return elsewhere()
    this.#keys.set(key, key)
    return key
  }

  #map(indent: number): Record<string, unknown> {
    const map: Record<string, unknown> = {}
    for (;;) {
      const line = this.#next()
      if (line === undefined || this.#indent < indent) return map
      if (this.#indent > indent) return elsewhere()
      const key = this.#key(line, indent)
      if (map[key] !== undefined) return elsewhere()
      this.#at++
      const rest = behind(line, key, indent)
      map[key] = rest === '' ? this.#block(indent) : this.#scalar(rest, indent)
    }
  }

  /** What stands below a key that has nothing beside it. */
  #block(indent: number): unknown {
    const line = this.#next() ?? ''
    if (this.#indent !== indent + 2) return elsewhere()
    return line.startsWith('- ', indent + 2) ? this.#list(indent + 2) : this.#map(indent + 2)
  }

  #list(indent: number, starts: number[] = []): unknown[] {
    const list: unknown[] = []
    for (;;) {
      const line = this.#next()
      if (line === undefined || this.#indent < indent) return list
      if (this.#indent > indent || !line.startsWith('- ', indent)) return elsewhere()
      starts.push(this.#at + 1)
      const rest = line.slice(indent + 2)
      if (/^[A-Za-z_][\w./-]*:(?: |$)/.test(rest)) {
        this.#lines[this.#at] = ' '.repeat(indent + 2) + rest
        list.push(this.#map(indent + 2))
      } else {
        this.#at++
        list.push(this.#scalar(rest, indent))
      }
    }
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
    const start = this.#at
    let end = start
    for (let at = start; at < this.#lines.length; at++) {
      const line = this.#lines[at] ?? ''
      const deep = indentOf(line)
      if (deep === line.length) {
        // White space further in than the text is text.
        if (deep > indent) return elsewhere()
      } else if (deep < indent) break
      else end = at + 1
    }
    if (indentOf(this.#lines[start] ?? '') !== indent || end === start) return elsewhere()
    this.#at = end
    const lines = this.#lines.slice(start, end).map((line) => line.slice(indent))
    return header === '|' ? `${lines.join('\n')}\n` : lines.join('\n')
  }
}

function json(text: string): unknown {
  let value: unknown
  try {
    value = JSON.parse(text) as unknown
  } catch {
    return elsewhere()
  }
  // Keys given twice, and numbers that change when they are read, are for the library to refuse.
  if ((isRecord(value) || Array.isArray(value)) && (flowOf(value) !== text || text.includes('"__proto__"')))
    return elsewhere()
  return value
}

function indentOf(line: string): number {
  let at = 0
  while (line.charCodeAt(at) === SPACE) at++
  return at
}

const SPACE = 32
const HASH = 35

/** What stands beside a key; nothing: it is below. */
function behind(line: string, key: string, indent: number): string {
  const colon = indent + key.length
  if (line.length === colon + 1) return ''
  return line.charCodeAt(colon + 1) === SPACE && line.length > colon + 2 ? line.slice(colon + 2) : elsewhere()
}

function elsewhere(): never {
  throw ELSEWHERE
}
