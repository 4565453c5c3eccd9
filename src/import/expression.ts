// The expressions inside template tags: values, paths, operators, filters. Reads own properties of plain data only.

export type Scope = Record<string, unknown>

export class TemplateError extends Error {}

const TOKEN =
  /\s*(?:(\d+(?:\.\d+)?)|("(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|([A-Za-z_]\w*)|(===|!==|==|!=|<=|>=|\/\/|\*\*|[-+*/%~<>()[\].,:|{}]))/y

const WORDS = new Set(['and', 'or', 'not', 'in', 'if', 'else', 'is'])

/** As nunjucks prints a value. An object would be `[object Object]`, which is never intended. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.map(textOf).join(',')
  if (typeof value === 'object') throw new TemplateError('an object is printed as text: use the filter dump')
  // oxlint-disable-next-line typescript/no-base-to-string -- no object
  return String(value)
}

export function truthy(value: unknown): boolean {
  return Boolean(value)
}

export class Expressions {
  readonly #tokens: string[] = []
  readonly #scope: Scope
  readonly #code: string
  #at = 0
  #depth = 0

  constructor(code: string, scope: Scope) {
    this.#code = code
    this.#scope = scope
    TOKEN.lastIndex = 0
    const text = code.trim()
    while (TOKEN.lastIndex < text.length) {
      const from = TOKEN.lastIndex
      const match = TOKEN.exec(text)
      if (!match) throw new TemplateError(`cannot read "${text.slice(from, from + 20)}" in {{ ${shortened(code)} }}`)
      this.#tokens.push(match[0].trim())
    }
  }

  whole(): unknown {
    if (this.#tokens.length === 0) throw new TemplateError('an empty tag')
    const value = this.#inlineIf()
    if (this.#at < this.#tokens.length) throw this.#odd()
    return value
  }

  #inlineIf(): unknown {
    const value = this.#or()
    if (!this.#take('if')) return value
    const condition = this.#or()
    const other = this.#take('else') ? this.#inlineIf() : ''
    return truthy(condition) ? value : other
  }

  #or(): unknown {
    let value = this.#and()
    while (this.#take('or')) {
      const right = this.#and()
      value = truthy(value) ? value : right
    }
    return value
  }

  #and(): unknown {
    let value = this.#not()
    while (this.#take('and')) {
      const right = this.#not()
      value = truthy(value) ? right : value
    }
    return value
  }

  #not(): unknown {
    return this.#take('not') ? !truthy(this.#not()) : this.#comparison()
  }

  #comparison(): unknown {
    const left = this.#sum()
    if (this.#take('not')) {
      if (!this.#take('in')) throw this.#odd()
      return !isIn(left, this.#sum())
    }
    if (this.#take('in')) return isIn(left, this.#sum())
    if (this.#take('is')) return this.#is(left)
    const operator = this.#peek()
    if (operator === undefined || !/^(?:[=!]=?=?|[<>]=?|[=!]==)$/.test(operator)) return left
    this.#at += 1
    return compare(left, operator, this.#sum())
  }

  #is(left: unknown): boolean {
    const negated = this.#take('not')
    const test = this.#next()
    const result =
      test === 'defined'
        ? left !== undefined
        : test === 'undefined'
          ? left === undefined
          : test === 'none' || test === 'null'
            ? left === null
            : undefined
    if (result === undefined) throw new TemplateError(`the test "is ${test}" is not carried over`)
    return negated ? !result : result
  }

  #sum(): unknown {
    let value = this.#product()
    for (;;) {
      if (this.#take('~')) value = textOf(value) + textOf(this.#product())
      else if (this.#take('+')) value = plus(value, this.#product())
      else if (this.#take('-')) value = numberOf(value) - numberOf(this.#product())
      else return value
    }
  }

  #product(): unknown {
    let value = this.#filtered()
    for (;;) {
      if (this.#take('*')) value = numberOf(value) * numberOf(this.#filtered())
      else if (this.#take('/')) value = numberOf(value) / numberOf(this.#filtered())
      else if (this.#take('//')) value = Math.floor(numberOf(value) / numberOf(this.#filtered()))
      else if (this.#take('%')) value = numberOf(value) % numberOf(this.#filtered())
      else return value
    }
  }

  #filtered(): unknown {
    let value = this.#path()
    while (this.#take('|')) {
      const name = this.#next()
      value = applyFilter(name, value, this.#take('(') ? this.#list(')') : [])
    }
    return value
  }

  #path(): unknown {
    let value = this.#atom()
    for (;;) {
      if (this.#take('.')) value = property(value, this.#next())
      else if (this.#take('[')) {
        const key = this.#inlineIf()
        this.#expect(']')
        value = property(value, typeof key === 'number' ? key : textOf(key))
      } else if (this.#peek() === '(') throw new TemplateError('calling a function is not carried over')
      else return value
    }
  }

  #atom(): unknown {
    if ((this.#depth += 1) > 200) throw new TemplateError('an expression nested too deeply')
    const token = this.#next()
    if (/^\d/.test(token)) return Number(token)
    if (/^["']/.test(token)) return token.slice(1, -1).replaceAll(/\\(.)/g, (_, char: string) => ESCAPES[char] ?? char)
    if (token === '(') {
      const value = this.#inlineIf()
      this.#expect(')')
      return value
    }
    if (token === '[') return this.#list(']')
    if (token === '-') return -numberOf(this.#path())
    if (token === 'true' || token === 'false') return token === 'true'
    if (token === 'none' || token === 'null') return null
    if (!/^[A-Za-z_]/.test(token) || WORDS.has(token)) throw this.#odd()
    if (Object.hasOwn(this.#scope, token)) return this.#scope[token]
    if (token === 'env') throw new TemplateError('variables of the environment are not known here')
    return undefined
  }

  #list(end: string): unknown[] {
    const values: unknown[] = []
    while (!this.#take(end)) {
      if (values.length > 0) this.#expect(',')
      values.push(this.#inlineIf())
    }
    return values
  }

  #peek(): string | undefined {
    return this.#tokens[this.#at]
  }

  #take(token: string): boolean {
    if (this.#peek() !== token) return false
    this.#at += 1
    return true
  }

  #next(): string {
    const token = this.#tokens[this.#at]
    if (token === undefined) throw this.#odd()
    this.#at += 1
    return token
  }

  #expect(token: string): void {
    if (!this.#take(token)) throw this.#odd()
  }

  #odd(): TemplateError {
    return new TemplateError(`cannot read {{ ${shortened(this.#code)} }}`)
  }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' }

function shortened(code: string): string {
  return code.length > 60 ? `${code.slice(0, 60)}…` : code
}

function property(value: unknown, key: string | number): unknown {
  if (value === undefined || value === null) return undefined
  if (key === 'length' && (typeof value === 'string' || Array.isArray(value))) return value.length
  if (typeof value === 'string' && typeof key === 'number') return value[key]
  if (typeof value !== 'object') return undefined
  return Object.hasOwn(value, key) ? (value as Record<string | number, unknown>)[key] : undefined
}

function isIn(item: unknown, where: unknown): boolean {
  if (typeof where === 'string') return where.includes(textOf(item))
  if (Array.isArray(where)) return where.includes(item)
  return typeof where === 'object' && where !== null && Object.hasOwn(where, textOf(item))
}

function compare(left: unknown, operator: string, right: unknown): boolean {
  switch (operator) {
    case '==':
      return looselyEqual(left, right)
    case '!=':
      return !looselyEqual(left, right)
    case '===':
      return left === right
    case '!==':
      return left !== right
    default: {
      const [a, b] =
        typeof left === 'string' && typeof right === 'string' ? [left, right] : [numberOf(left), numberOf(right)]
      if (operator === '<') return a < b
      if (operator === '>') return a > b
      return operator === '<=' ? a <= b : a >= b
    }
  }
}

/** As JavaScript's `==` on plain values. */
function looselyEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (left === null || left === undefined) return right === null || right === undefined
  if (right === null || right === undefined) return false
  if (typeof left === 'object' || typeof right === 'object') return false
  return typeof left !== typeof right && Number(left) === Number(right)
}

function plus(left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return left + right
  return textOf(left) + textOf(right)
}

function numberOf(value: unknown): number {
  const number = typeof value === 'number' ? value : typeof value === 'string' ? Number(value) : Number.NaN
  if (Number.isNaN(number)) throw new TemplateError('arithmetic with something that is not a number')
  return number
}

type Filter = (value: unknown, args: unknown[]) => unknown

const listOf = (value: unknown): unknown[] => {
  if (Array.isArray(value)) return value as unknown[]
  if (typeof value === 'string') return Array.from(value)
  if (value === undefined || value === null) return []
  throw new TemplateError('a filter for lists on something else')
}

const FILTERS: Record<string, Filter> = {
  upper: (value) => textOf(value).toUpperCase(),
  lower: (value) => textOf(value).toLowerCase(),
  trim: (value) => textOf(value).trim(),
  capitalize: (value) => {
    const text = textOf(value).toLowerCase()
    return text.charAt(0).toUpperCase() + text.slice(1)
  },
  title: (value) =>
    textOf(value)
      .split(' ')
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase())
      .join(' '),
  safe: (value) => value,
  string: (value) => textOf(value),
  default: (value, [other, falsy]) => (truthy(falsy) ? (truthy(value) ? value : other) : (value ?? other)),
  join: (value, [separator]) => listOf(value).map(textOf).join(textOf(separator)),
  length: (value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.keys(value).length
      : listOf(value).length,
  first: (value) => listOf(value)[0],
  last: (value) => listOf(value).at(-1),
  reverse: (value) => (typeof value === 'string' ? listOf(value).toReversed().join('') : listOf(value).toReversed()),
  list: (value) => listOf(value),
  sort: (value) => listOf(value).toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)),
  replace: (value, [from, to]) => textOf(value).replaceAll(textOf(from), () => textOf(to)),
  dump: (value, [indent]) => JSON.stringify(value, undefined, typeof indent === 'number' ? indent : undefined) ?? '',
  tojson: (value) => JSON.stringify(value) ?? '',
  int: (value, [other]) => {
    const number = Number.parseInt(textOf(value), 10)
    return Number.isNaN(number) ? (other ?? 0) : number
  },
  float: (value, [other]) => {
    const number = Number.parseFloat(textOf(value))
    return Number.isNaN(number) ? (other ?? 0) : number
  },
  round: (value, [places]) => {
    const factor = 10 ** (typeof places === 'number' ? places : 0)
    return Math.round(numberOf(value) * factor) / factor
  },
  abs: (value) => Math.abs(numberOf(value)),
  nl2br: (value) => textOf(value).replaceAll(/\r?\n/g, '<br />\n'),
  wordcount: (value) => (textOf(value).match(/\w+/g) ?? []).length,
}
FILTERS['d'] = FILTERS['default'] as Filter

function applyFilter(name: string, value: unknown, args: unknown[]): unknown {
  const filter = Object.hasOwn(FILTERS, name) ? FILTERS[name] : undefined
  if (!filter) throw new TemplateError(`the filter "${name}" is not carried over`)
  return filter(value, args)
}
