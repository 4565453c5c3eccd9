// Part of the script that comes with an imported suite: which JSON objects are in a text, as promptfoo finds them.

export const JSON_PATH = 'scripts/json.ts'

export const JSON_SCRIPT = String.raw`// Objects in a text, found as they were found before: from a brace to where as many are closed as opened, quotes not heeded,
// and read as YAML in one line would be. What was cut off is closed first. An object is strict where it is JSON as it stands.

export interface Found {
  value: unknown
  strict: boolean
}

const LONGEST = 100_000

export function objectsIn(text: string): Found[] {
  const found: Found[] = []
  // A brace that ends the text begins nothing.
  for (let start = text.indexOf('{'); start >= 0 && start < text.length - 1; start = text.indexOf('{', start)) {
    const { end, open } = extent(text, start)
    const piece = text.slice(start, end)
    const value = readFlow(withHashes(piece + '}'.repeat(open)))
    if (value !== undefined) found.push({ value, strict: open === 0 && isJson(piece) })
    start = value === undefined ? start + 1 : end
  }
  return found
}

/** The objects that are JSON as they stand, quotes heeded; none that is inside another. */
export function strictObjectsIn(text: string): unknown[] {
  const found: unknown[] = []
  for (let start = text.indexOf('{'); start >= 0; start = text.indexOf('{', start)) {
    const end = closing(text, start)
    const piece = end === undefined ? '' : text.slice(start, end)
    const isOne = isJson(piece)
    if (isOne) found.push(JSON.parse(piece))
    start = isOne ? start + piece.length : start + 1
  }
  return found
}

export function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function extent(text: string, start: number): { end: number; open: number } {
  const last = Math.min(start + LONGEST, text.length)
  let open = 1
  let end = start + 1
  for (; end < last && open > 0; end += 1) {
    if (text[end] === '{') open += 1
    else if (text[end] === '}') open -= 1
  }
  return { end, open }
}

/** Behind the brace that closes an object of JSON. */
function closing(text: string, start: number): number | undefined {
  let open = 0
  const last = Math.min(start + LONGEST, text.length)
  for (let at = start; at < last; at += 1) {
    const char = text[at]
    if (char === '"') {
      for (at += 1; at < last && text[at] !== '"'; at += 1) if (text[at] === '\\') at += 1
    } else if (char === '{') open += 1
    else if (char === '}' && (open -= 1) === 0) return at + 1
  }
  return undefined
}

/** Comments that begin with two slashes → comments of YAML. Quotes end with their line; an address is not a comment. */
function withHashes(text: string): string {
  return text.split('\n').map(hashed).join('\n')
}

function hashed(line: string): string {
  let quote = ''
  for (let at = 0; at < line.length; at += 1) {
    const char = line[at]
    if (quote !== '') {
      if (char === quote && !isEscaped(line, at) && !(quote === "'" && /[a-zA-Z]/.test(line[at + 1] ?? 'undefined'))) quote = ''
    } else if (char === '"' || (char === "'" && !/[a-zA-Z]/.test(line[at - 1] ?? ''))) quote = char
    else if (char === '/' && line[at + 1] === '/') {
      const word = /\S*$/.exec(line.slice(0, at))?.[0] ?? ''
      if ((word + '//').includes('://')) continue
      const slashes = /^\/+/.exec(line.slice(at))?.[0].length ?? 2
      return line.slice(0, at) + '#'.repeat(Math.floor(slashes / 2)) + line.slice(at + slashes)
    }
  }
  return line
}

function isEscaped(line: string, at: number): boolean {
  return (/\\*$/.exec(line.slice(0, at))?.[0].length ?? 0) % 2 === 1
}

/** The object that a text is in the flow style of YAML; undefined where it cannot be read. */
function readFlow(text: string): unknown {
  try {
    return new Flow(text).document()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {}

/** Read by YAML, perhaps as something else than what it looks like: then nothing is known. */
function unknown(what: string): Error {
  return new Error('cannot tell whether there is JSON in the answer: ' + what)
}

const DEEPEST = 100
const UNPRINTABLE = /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/
const ESCAPES: Record<string, string> = {
  '0': '\0', a: '\x07', b: '\b', t: '\t', '\t': '\t', n: '\n', v: '\v', f: '\f', r: '\r', e: '\x1b', ' ': ' ', '"': '"', '/': '/', '\\': '\\', N: '\x85', _: '\xa0', L: '\u2028', P: '\u2029',
}

class Flow {
  at = 0
  line = 0
  lineStart = 0
  depth = 0
  constructor(readonly text: string) {}

  document(): unknown {
    if (this.text.includes('\0')) throw new Unreadable()
    const node = this.node()
    this.space()
    if (this.at < this.text.length) {
      // A key in braces, or a second document.
      if (this.text[this.at] === ':' || this.isSeparator()) throw unknown('something follows the braces')
      throw new Unreadable()
    }
    return node?.value
  }

  node(): { value: unknown } | undefined {
    if (this.depth >= DEEPEST) throw new Unreadable()
    if (this.isSeparator()) return undefined
    const char = this.text[this.at]
    if (char === '!' || char === '&' || char === '*') throw unknown(char + ' before a value')
    this.depth += 1
    const found =
      char === '{' || char === '[' ? { value: this.collection(char) } : char === '"' || char === "'" ? { value: this.quoted(char) } : this.plain()
    this.depth -= 1
    return found
  }

  collection(bracket: string): unknown {
    const isMap = bracket === '{'
    const end = isMap ? '}' : ']'
    const map: Record<string, unknown> = {}
    const list: unknown[] = []
    let isNext = true
    this.at += 1
    while (this.at < this.text.length) {
      this.space()
      const char = this.text[this.at]
      if (char === end) {
        this.at += 1
        return isMap ? map : list
      }
      if (!isNext || char === ',') throw new Unreadable()
      if (char === '?' && isBlank(this.text[this.at + 1])) throw unknown('a key after a question mark')
      const line = this.line
      const key = this.node()
      this.space()
      if ((isMap || this.line === line) && this.text[this.at] === ':') {
        this.at += 1
        this.space()
        const value = this.node()?.value ?? null
        this.space()
        if (isMap) put(map, key?.value ?? null, value)
        else list.push(put({}, key?.value ?? null, value))
      } else if (isMap) put(map, key?.value ?? null, null)
      else if (key) list.push(key.value)
      isNext = this.text[this.at] === ','
      if (isNext) this.at += 1
    }
    throw new Unreadable()
  }

  quoted(quote: string): string {
    let value = ''
    this.at += 1
    for (;;) {
      const char = this.text[this.at]
      if (char === undefined) throw new Unreadable()
      if (char === quote) {
        if (quote === '"' || this.text[this.at + 1] !== quote) break
        value += quote
        this.at += 2
      } else if (char === '\\' && quote === '"') value += this.escape()
      else if (char === '\n' || char === '\r') value = value.replace(/[ \t]+$/, '') + this.fold()
      else if (this.isSeparator() || (char !== '\t' && char < ' ')) throw new Unreadable()
      else {
        value += char
        this.at += 1
      }
    }
    this.at += 1
    return value
  }

  escape(): string {
    const char = this.text[this.at + 1] ?? ''
    if (char === '\n' || char === '\r') {
      this.at += 1
      this.fold()
      return ''
    }
    const simple = Object.hasOwn(ESCAPES, char) ? ESCAPES[char] : undefined
    if (simple !== undefined) {
      this.at += 2
      return simple
    }
    const length = { x: 2, u: 4, U: 8 }[char]
    const code = length === undefined ? '' : this.text.slice(this.at + 2, this.at + 2 + length)
    if (length === undefined || !/^[0-9a-fA-F]+$/.test(code) || code.length !== length) throw new Unreadable()
    this.at += 2 + length
    const number = Number.parseInt(code, 16)
    if (number > 0x10ffff) throw unknown('an escape beyond Unicode')
    return String.fromCodePoint(number)
  }

  /** A line break inside a text: a space, or as many breaks as there are empty lines. */
  fold(): string {
    let breaks = 0
    for (;;) {
      const rest = /^[ \t]*(?:\r\n|\n|\r)/.exec(this.text.slice(this.at, this.at + 10_000))?.[0]
      if (rest === undefined) break
      this.at += rest.length
      this.line += 1
      this.lineStart = this.at
      breaks += 1
    }
    this.at += /^[ \t]*/.exec(this.text.slice(this.at))?.[0].length ?? 0
    return breaks === 1 ? ' ' : '\n'.repeat(breaks - 1)
  }

  plain(): { value: unknown } | undefined {
    const first = this.text[this.at]
    const second = this.text[this.at + 1]
    if (first === undefined || isBlank(first) || '#&*!|>\'"%@\x60,[]{}'.includes(first)) return undefined
    if ((first === '?' || first === '-') && (isBlank(second) || isFlow(second))) return undefined
    let [value, spaces] = ['', '']
    while (this.at < this.text.length) {
      const char = this.text[this.at] ?? ''
      const next = this.text[this.at + 1]
      if (this.isSeparator()) break
      if (char === ':' && (isBlank(next) || isFlow(next))) break
      if (char === '#' && isBlank(this.text[this.at - 1])) break
      if (isFlow(char)) break
      if (char === '\n' || char === '\r') {
        spaces = this.fold()
        continue
      }
      if (char === ' ' || char === '\t') spaces += char
      else {
        value += spaces + char
        spaces = ''
      }
      this.at += 1
    }
    if (value === '') return undefined
    if (UNPRINTABLE.test(value)) throw new Unreadable()
    return { value: scalar(value) }
  }

  space(): void {
    let isSeparate = this.at === this.lineStart || isBlank(this.text[this.at - 1])
    for (;;) {
      while (this.text[this.at] === ' ' || this.text[this.at] === '\t') {
        isSeparate = true
        this.at += 1
      }
      if (isSeparate && this.text[this.at] === '#')
        while (this.at < this.text.length && this.text[this.at] !== '\n' && this.text[this.at] !== '\r') this.at += 1
      const char = this.text[this.at]
      if (char !== '\n' && char !== '\r') return
      this.at += char === '\r' && this.text[this.at + 1] === '\n' ? 2 : 1
      this.line += 1
      this.lineStart = this.at
      isSeparate = true
    }
  }

  isSeparator(): boolean {
    return this.at === this.lineStart && /^(?:---|\.\.\.)(?:[ \t\r\n]|$)/.test(this.text.slice(this.at, this.at + 4))
  }
}

/** The end of the text counts as blank. */
function isBlank(char: string | undefined): boolean {
  return char === undefined || char === ' ' || char === '\t' || char === '\n' || char === '\r'
}

function isFlow(char: string | undefined): boolean {
  return char !== undefined && ',[]{}'.includes(char)
}

function put(map: Record<string, unknown>, key: unknown, value: unknown): Record<string, unknown> {
  if (key === '<<') throw unknown('<<')
  if (typeof key === 'object' && key !== null) throw unknown('a key that is not a text')
  Object.defineProperty(map, String(key), { value, enumerable: true, configurable: true, writable: true })
  return map
}

function scalar(text: string): unknown {
  if (/^(?:~|null|Null|NULL)$/.test(text)) return null
  if (/^(?:true|True|TRUE)$/.test(text)) return true
  if (/^(?:false|False|FALSE)$/.test(text)) return false
  if (/^[-+]?[0-9]+$/.test(text)) return Number(text)
  if (/^[-+]?0[obx]/.test(text)) return special(text)
  if (/^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/.test(text)) return Number.parseFloat(text)
  if (/^[-+]?\.(?:inf|Inf|INF)$/.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (/^\.(?:nan|NaN|NAN)$/.test(text)) return NaN
  if (/^\d{4}-\d\d?-\d\d?(?:$|[Tt \t])/.test(text)) throw unknown('a date without quotes')
  return text
}

function special(text: string): unknown {
  const [, sign, base = '', digits = ''] = /^([-+]?)0([obx])([0-9a-fA-F]+)$/.exec(text) ?? []
  if (digits === '') return text
  throw unknown('the number ' + (sign ?? '') + '0' + base + digits)
}
`
