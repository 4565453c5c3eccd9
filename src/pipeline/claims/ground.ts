// Everything that an answer may rest on: what was given, what calls were made with and returned, files; with its values.
import { isRecord } from '../../base/record.js'
import { asText, preview } from '../../base/text.js'
import type { ToolCall } from '../../model/message.js'
import { unitOf } from './amounts.js'
import { errorOf, isThought, outcomeOf, resultOf } from './calls.js'
import type { Language } from './languages/language.js'
import { nameWords } from './text.js'
import { valuesIn, type Amount, type Value } from './values.js'

export interface Source {
  /** "the result of search": in words. */
  name: string
  /** In lower case, to look for names in. */
  text: string
  /** The parsed value, if it is data. */
  data?: unknown
  call?: ToolCall
  given?: true
}

export interface Known {
  value: Value
  source: Source
  /** Words of the keys under which it stands, the nearest first. */
  labels: readonly string[]
  /** As it stands there. */
  shown: string
}

export class Ground {
  readonly sources: Source[] = []
  readonly known: Known[] = []
  readonly calls: ToolCall[] = []
  readonly language: Language

  constructor(language: Language) {
    this.language = language
  }

  give(from: string, value: unknown): void {
    this.add({ name: from, text: '', given: true }, value)
  }

  call(call: ToolCall): void {
    this.calls.push(call)
    const outcome = outcomeOf(call)
    if (outcome === 'not made' || isThought(call, this.language)) return
    if (outcome === 'error') {
      this.add({ name: `the error of ${call.name}`, text: '' }, errorOf(call) ?? call.result)
      return
    }
    this.add({ name: `the arguments of ${call.name}`, text: '', call }, call.args)
    this.add({ name: `the result of ${call.name}`, text: '', call }, resultOf(call.result), nameWords(call.name))
  }

  private add(source: Source, value: unknown, labels: readonly string[] = []): void {
    if (value === undefined || value === null) return
    source.text = asText(value).toLowerCase()
    if (typeof value === 'object') source.data = value
    this.sources.push(source)
    this.walk(source, value, labels)
  }

  private walk(source: Source, value: unknown, labels: readonly string[]): void {
    if (typeof value === 'number') {
      const unit = unitOfKey(labels, this.language)
      this.known.push({ value: { ...amountOf(value), ...unit }, source, labels, shown: shownAs(labels, value) })
    } else if (typeof value === 'string') {
      for (const each of [...valuesIn(value, this.language), ...wordNumbers(value, this.language)])
        this.known.push({
          value: each,
          source,
          labels,
          shown: shownAs(labels, value.length < 60 ? value : around(value, each)),
        })
    } else if (Array.isArray(value)) {
      for (const item of value) this.walk(source, item, labels)
    } else if (isRecord(value)) {
      for (const [key, item] of Object.entries(value)) {
        const words = nameWords(key)
        if (/\d/.test(key)) this.walk(source, key, labels)
        this.walk(source, item, [...words.toReversed(), ...labels].slice(0, 8))
      }
    }
  }
}

function amountOf(value: number): Amount {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0
  return { kind: 'number', amount: value, step: 10 ** -decimals }
}

/** `duration_minutes`, `size_mb`, `price_usd`, `amount_cents`. */
function unitOfKey([last = '']: readonly string[], language: Language): Partial<Amount> {
  const currency = Object.hasOwn(language.currencies, last) ? language.currencies[last] : undefined
  if (currency !== undefined) return { kind: 'money', currency }
  // One letter says too little.
  const unit = last.length > 1 ? unitOf(last, language) : undefined
  return unit ? { unit } : {}
}

/** Numbers in words count as what they are, but only here: what is claimed in words is rarely a figure. */
function wordNumbers(text: string, { numberWords }: Language): Amount[] {
  const found = text.toLowerCase().match(/[a-z]+/g) ?? []
  return [...new Set(found)].flatMap((word) =>
    Object.hasOwn(numberWords, word) ? [{ kind: 'number', amount: numberWords[word] ?? 0, step: 1 }] : [],
  )
}

function shownAs([key]: readonly string[], value: unknown): string {
  const text = preview(value, 80)
  return key === undefined ? text : `${key} ${text}`
}

function around(text: string, value: object): string {
  if (!('start' in value && 'end' in value) || typeof value.start !== 'number' || typeof value.end !== 'number')
    return text.slice(0, 60)
  return `…${text.slice(Math.max(0, value.start - 25), value.end + 25).trim()}…`
}
