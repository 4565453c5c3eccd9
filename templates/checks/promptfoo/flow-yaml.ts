// YAML in the flow style, as promptfoo's parser reads it. What it might read differently is an error, never a guess.

/** Undefined if it cannot be read. */
export function readFlow(text: string): unknown {
  try {
    return new Flow(text).document()
  } catch (error) {
    if (error instanceof Unreadable) return undefined
    throw error
  }
}

class Unreadable extends Error {}

/** YAML may read it as something other than what it looks like. */
function unknown(what: string): Error {
  return new Error('cannot tell whether there is JSON in the answer: ' + what)
}

const DEEPEST = 100
const UNPRINTABLE =
  /[\x00-\x08\x0B\x0C\x0E-\x1F\x7F-\x84\x86-\x9F\uFFFE\uFFFF]|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?:[^\uD800-\uDBFF]|^)[\uDC00-\uDFFF]/
const ESCAPES: Record<string, string> = {
  '0': '\0',
  a: '\x07',
  b: '\b',
  t: '\t',
  '\t': '\t',
  n: '\n',
  v: '\v',
  f: '\f',
  r: '\r',
  e: '\x1b',
  ' ': ' ',
  '"': '"',
  '/': '/',
  '\\': '\\',
  N: '\x85',
  _: '\xa0',
  L: '\u2028',
  P: '\u2029',
}

class Flow {
  at = 0
  line = 0
  lineStart = 0
  depth = 0
  readonly text: string

  constructor(text: string) {
    this.text = text
  }

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
      char === '{' || char === '['
        ? { value: this.collection(char) }
        : char === '"' || char === "'"
          ? { value: this.quoted(char) }
          : this.plain()
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

  /** A line break inside a text: a space, or one break for each empty line. */
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
