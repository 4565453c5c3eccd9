// JSON as models write it: comments, trailing commas, single quotes, Python's True, False and None.

export interface LenientValue {
  value: unknown
  /** Where the value ends in the text. */
  end: number
  /** Some object in it has the same key twice: which one counts is anyone's guess. */
  repeated: boolean
}

/** Characters that may still be read. One budget over all attempts keeps a hostile text from costing n². */
export interface ReadBudget {
  left: number
}

/** Reads the value that starts at `start`. Nothing is guessed: a missing bracket or an unquoted word is a failure. */
export function readLenientJson(text: string, start: number, budget: ReadBudget): LenientValue | undefined {
  const reader = new Reader(text, start, budget)
  try {
    const value = reader.value(0)
    return { value, end: reader.position, repeated: reader.repeated }
  } catch (error) {
    if (error === UNREADABLE) return undefined
    throw error
  }
}

/** The whole text as one value, with comments before and after it. */
export function parseLenientJson(text: string): { value: unknown } | undefined {
  const reader = new Reader(text, 0, { left: text.length * 4 + 1000 })
  try {
    const value = reader.value(0)
    reader.skipBlank()
    return reader.position === text.length ? { value } : undefined
  } catch (error) {
    if (error === UNREADABLE) return undefined
    throw error
  }
}

const UNREADABLE = new Error('not JSON')
const MAX_DEPTH = 200
// What is too deep once is too deep again one bracket later: a few such attempts are enough.
const TOO_DEEP_COST = 10_000
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /[A-Za-z]+/y
const WORDS = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['True', true],
  ['False', false],
  ['None', null],
])
const ESCAPES = new Map(Object.entries({ n: '\n', t: '\t', r: '\r', b: '\b', f: '\f', '/': '/', '\\': '\\' }))

class Reader {
  position: number
  repeated = false
  readonly #text: string
  readonly #budget: ReadBudget

  constructor(text: string, position: number, budget: ReadBudget) {
    this.#text = text
    this.position = position
    this.#budget = budget
  }

  value(depth: number): unknown {
    if (depth > MAX_DEPTH) {
      this.#budget.left -= TOO_DEEP_COST
      throw UNREADABLE
    }
    this.skipBlank()
    const character = this.#text[this.position]
    if (character === '{') return this.#object(depth)
    if (character === '[') return this.#list(depth)
    if (character === '"' || character === "'") return this.#string(character)
    return this.#number() ?? this.#word()
  }

  skipBlank(): void {
    for (;;) {
      const code = this.#text.charCodeAt(this.position)
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09 || code === 0xfeff) this.#advance(1)
      else if (code === 0x2f && this.#text[this.position + 1] === '/') this.#skipTo('\n', this.#text.length)
      else if (code === 0x2f && this.#text[this.position + 1] === '*') this.#skipTo('*/', undefined)
      else return
    }
  }

  #object(depth: number): Record<string, unknown> {
    const result: Record<string, unknown> = {}
    this.#advance(1)
    for (;;) {
      this.skipBlank()
      const quote = this.#text[this.position]
      if (quote === '}') break
      if (quote !== '"' && quote !== "'") throw UNREADABLE
      const key = this.#string(quote)
      this.skipBlank()
      this.#expect(':')
      if (Object.hasOwn(result, key)) this.repeated = true
      // A key called __proto__ must stay a key, as in JSON.parse.
      Object.defineProperty(result, key, {
        value: this.value(depth + 1),
        writable: true,
        enumerable: true,
        configurable: true,
      })
      this.skipBlank()
      if (this.#text[this.position] !== ',') break
      this.#advance(1)
    }
    this.#expect('}')
    return result
  }

  #list(depth: number): unknown[] {
    const result: unknown[] = []
    this.#advance(1)
    for (;;) {
      this.skipBlank()
      if (this.#text[this.position] === ']') break
      result.push(this.value(depth + 1))
      this.skipBlank()
      if (this.#text[this.position] !== ',') break
      this.#advance(1)
    }
    this.#expect(']')
    return result
  }

  #string(quote: string): string {
    let result = ''
    this.#advance(1)
    for (;;) {
      const start = this.position
      const end = endOfRun(this.#text, start, quote)
      this.#advance(end - start + 1)
      if (end >= this.#text.length) throw UNREADABLE
      result += this.#text.slice(start, end)
      if (this.#text[end] === quote) return result
      result += this.#escape()
    }
  }

  #escape(): string {
    const character = this.#text[this.position] ?? ''
    this.#advance(1)
    if (character === '"' || character === "'") return character
    if (character !== 'u') {
      const plain = ESCAPES.get(character)
      if (plain === undefined) throw UNREADABLE
      return plain
    }
    const digits = this.#text.slice(this.position, this.position + 4)
    if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw UNREADABLE
    this.#advance(4)
    return String.fromCharCode(Number.parseInt(digits, 16))
  }

  #number(): number | undefined {
    NUMBER.lastIndex = this.position
    const token = NUMBER.exec(this.#text)?.[0]
    if (token === undefined) return undefined
    this.#advance(token.length)
    return Number(token)
  }

  #word(): unknown {
    WORD.lastIndex = this.position
    const word = WORD.exec(this.#text)?.[0] ?? ''
    if (!WORDS.has(word)) throw UNREADABLE
    this.#advance(word.length)
    return WORDS.get(word)
  }

  #expect(character: string): void {
    if (this.#text[this.position] !== character) throw UNREADABLE
    this.#advance(1)
  }

  #skipTo(end: string, otherwise: number | undefined): void {
    const found = this.#text.indexOf(end, this.position + 2)
    if (found < 0 && otherwise === undefined) {
      this.#budget.left -= this.#text.length - this.position
      throw UNREADABLE
    }
    this.#advance((found < 0 ? this.#text.length : found + end.length) - this.position)
  }

  #advance(count: number): void {
    this.position += count
    this.#budget.left -= count
    if (this.#budget.left < 0) throw UNREADABLE
  }
}

/** Where a string's run of plain characters ends: at its quote, a backslash or the end of the text. */
function endOfRun(text: string, start: number, quote: string): number {
  const close = quote.charCodeAt(0)
  let position = start
  for (; position < text.length; position++) {
    const code = text.charCodeAt(position)
    if (code === close || code === 0x5c) break
  }
  return position
}
