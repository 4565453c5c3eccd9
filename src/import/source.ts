// A value of another tool's file that keeps track of what was read: what nothing has read is listed, so that no key is lost without a word.
import { isPresent, isRecord } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { isFreeKey } from '../model/free-key.js'
import type { Origin } from './imported.js'
import type { Steps } from './read-source.js'

/** Where a value stands. */
export interface Whereabouts {
  file: string
  lineOf(steps: Steps): number
}

export interface Unread extends Origin {
  reason: string
}

export class Source {
  readonly value: unknown
  readonly #where: Whereabouts
  readonly #steps: Steps
  /** Read as a whole, or by way of these. */
  readonly #read = new Map<string, Source[]>()
  readonly #asked = new Set<string>()
  readonly #wrong = new Map<string, string>()
  readonly #lost: string[] = []
  #taken = false

  constructor(value: unknown, where: Whereabouts, steps: Steps = []) {
    this.value = value
    this.#where = where
    this.#steps = steps
  }

  get origin(): Origin {
    return { file: this.#where.file, line: this.#where.lineOf(this.#steps) }
  }

  /** The value itself: everything in it counts as read. */
  take(): unknown {
    this.#taken = true
    this.#read.clear()
    return this.value
  }

  has(...names: string[]): boolean {
    return this.#find(names) !== undefined
  }

  /** The first of these that is there, spelled in snake_case or camelCase; null is absent. */
  data(...names: string[]): unknown {
    const key = this.#find(names)
    if (key === undefined) return undefined
    this.#read.set(key, [])
    return this.#record[key]
  }

  text(...names: string[]): string | undefined {
    return this.#typed(names, 'text', (value) => (typeof value === 'string' ? value : undefined))
  }

  number(...names: string[]): number | undefined {
    return this.#typed(names, 'a number', (value) => (typeof value === 'number' ? value : undefined))
  }

  /** A list, each of whose elements has to be read in turn. */
  list(...names: string[]): Source[] | undefined {
    return this.#typed(names, 'a list', (value, key) => {
      if (!Array.isArray(value)) return undefined
      const found = value.map((item, index) => new Source(item, this.#where, [...this.#steps, key, index]))
      this.#read.set(key, found)
      return found
    })
  }

  /** The elements, where the value itself is a list. */
  elements(): Source[] {
    this.#taken = true
    if (!Array.isArray(this.value)) return []
    const found = this.value.map((item, index) => new Source(item, this.#where, [...this.#steps, index]))
    this.#read.set('', found)
    return found
  }

  object(...names: string[]): Source | undefined {
    return this.#typed(names, 'an object', (value, key) => {
      if (!isRecord(value)) return undefined
      const found = new Source(value, this.#where, [...this.#steps, key])
      this.#read.set(key, [found])
      return found
    })
  }

  /** It was understood, and cannot be carried over. */
  lose(reason: string): void {
    this.#lost.push(reason)
  }

  /** Keys that decide nothing about a case. */
  idle(...names: string[]): this {
    for (const name of names) this.data(name)
    return this
  }

  /** Keys of the author's own, as metadata; not those that nearly are a known one, or say what is expected. */
  rest(): Record<string, unknown> {
    const own = this.#unread().filter((key) => this.#meant(key) === undefined && !EXPECTATION.test(key))
    return Object.fromEntries(own.map((key) => [key, this.data(key)]))
  }

  /** What nothing has read, in it and below it. */
  unread(): Unread[] {
    const inner = [...this.#read.values()].flat().flatMap((source) => source.unread())
    const below = [...this.#lost.map((reason) => ({ ...this.origin, reason })), ...inner]
    if (!isRecord(this.value)) {
      const isSaid = this.#taken || !saysSomething(this.value)
      return isSaid
        ? below
        : [{ ...this.origin, reason: `${nameOf(this.#steps)}: nothing reads ${kindOf(this.value)}` }]
    }
    if (this.#taken) return below
    return [...this.#unread().map((key) => this.#problem(key)), ...below]
  }

  get #record(): Record<string, unknown> {
    return isRecord(this.value) ? this.value : {}
  }

  #find(names: string[]): string | undefined {
    for (const name of names) {
      this.#asked.add(name)
      const key = [name, camel(name)].find((one) => Object.hasOwn(this.#record, one) && isPresent(this.#record[one]))
      if (key !== undefined) return key
    }
    return undefined
  }

  #typed<T>(names: string[], expected: string, convert: (value: unknown, key: string) => T | undefined): T | undefined {
    const key = this.#find(names)
    if (key === undefined) return undefined
    const found = convert(this.#record[key], key)
    if (found === undefined) this.#wrong.set(key, `expected ${expected}, found ${kindOf(this.#record[key])}`)
    else {
      if (!this.#read.has(key)) this.#read.set(key, [])
      this.#wrong.delete(key)
    }
    return found
  }

  #unread(): string[] {
    return Object.keys(this.#record).filter(
      (key) =>
        !this.#read.has(key) &&
        !isFreeKey(key) &&
        (saysSomething(this.#record[key]) || this.#wrong.has(key) || this.#meant(key) !== undefined),
    )
  }

  #meant(key: string): string | undefined {
    return this.#asked.has(key) ? undefined : suggest(key, this.#asked)
  }

  #problem(key: string): Unread {
    const steps = [...this.#steps, key]
    const meant = this.#meant(key)
    const wrong = this.#wrong.get(key)
    const of = nameOf(this.#steps)
    const reason =
      wrong === undefined
        ? `the unknown key "${key}"${of === '' ? '' : ` of ${of}`}${meant === undefined ? '' : `; did you mean "${meant}"?`}`
        : `${nameOf(steps)}: ${wrong}`
    return { file: this.#where.file, line: this.#where.lineOf(steps), reason }
  }
}

/** Names of what is expected, in one tool or another. */
const EXPECTATION = /^(?:assert|expect|ideal|reference|rubric|criteri|threshold|metric|ground_?truth)/i

function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}

/** Indices say nothing to people: the line does. */
function nameOf(steps: Steps): string {
  return steps.filter((step) => typeof step === 'string').join('.')
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'string') return 'a text'
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
}
