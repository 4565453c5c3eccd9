// Everything that an answer may rest on: what was given, what calls were made with and returned, files; with its values.
import { isRecord } from '../../base/record.js'
import { asText, preview } from '../../base/text.js'
import type { ToolCall } from '../../model/message.js'
import { numberWordsIn, unitOf } from './amounts.js'
import { errorOf, isReading, isThought, outcomeOf, resultOf } from './calls.js'
import { INSTRUCTIONS } from './claim.js'
import { KnownIndex } from './known-index.js'
import type { Known, Source } from './known.js'
import type { Language } from './languages/language.js'
import { nameWords, once } from './text.js'
import { verbsOf } from './verbs.js'
import type { Amount, Place } from './value.js'
import { valuesIn } from './values.js'

interface Keyed {
  keys: Set<string>
  records: Array<Record<string, unknown>>
  /** Those of results that were only read. */
  read: Array<Record<string, unknown>>
}

export class Ground {
  readonly sources: Source[] = []
  readonly index = new KnownIndex()
  readonly calls: ToolCall[] = []
  /** The ids that earlier answers listed, two and more in each. */
  readonly listed: string[][] = []
  /** Texts of records, in lower case → the keys under which they stand, and the records. */
  readonly keyed = new Map<string, Keyed>()
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

  /** Whether somebody has asked for this to be done, in other words, too. */
  isAsked(verb: string): boolean {
    const verbs = verbsOf(this.language).groupOf(verb)
    return this.sources.some(
      (source) => source.given && source.name !== INSTRUCTIONS && [...verbs].some((each) => wordsOf(source).has(each)),
    )
  }

  private add(source: Source, value: unknown, labels: readonly string[] = []): void {
    if (value === undefined || value === null) return
    source.text = asText(value).toLowerCase()
    if (typeof value === 'object') source.data = value
    this.sources.push(source)
    this.walk(value, { source, labels, records: [] })
  }

  private walk(value: unknown, place: Omit<Known, 'value' | 'shown'>): void {
    const { labels, records } = place
    if (typeof value === 'number') {
      const unit = unitOfKey(labels, this.language)
      this.index.add({ ...place, value: { ...amountOf(value), ...unit }, shown: shownAs(labels, value) })
    } else if (typeof value === 'string') {
      for (const each of [...valuesIn(value, this.language), ...numberWordsIn(value, this.language)])
        this.index.add({
          ...place,
          value: each,
          shown: shownAs(labels, value.length < 60 ? value : around(value, each)),
        })
    } else if (Array.isArray(value)) {
      for (const item of value) this.walk(item, place)
    } else if (isRecord(value)) {
      const inner = { ...place, records: [...records, value] }
      for (const [key, item] of Object.entries(value)) {
        if (typeof item === 'string' && item.length < 60) this.keep(item.toLowerCase(), key, value, place.source)
        if (/\d/.test(key)) this.walk(key, inner)
        this.walk(item, { ...inner, labels: [...nameWords(key).toReversed(), ...labels].slice(0, 8) })
      }
    }
  }

  private keep(id: string, key: string, record: Record<string, unknown>, { call }: Source): void {
    const entry = this.keyed.get(id) ?? { keys: new Set(), records: [], read: [] }
    entry.keys.add(key)
    entry.records.push(record)
    if (call && isReading(call, this.language)) entry.read.push(record)
    this.keyed.set(id, entry)
  }
}

const wordsOf = once(({ text }: Source) => new Set(text.match(/\p{L}+/gu)))

function amountOf(value: number): Amount {
  const decimals = /\.(\d+)$/.exec(String(value))?.[1]?.length ?? 0
  return { kind: 'number', amount: value, step: 10 ** -decimals }
}

/** `duration_minutes`, `size_mb`, `price_usd`. */
function unitOfKey([last = '']: readonly string[], language: Language): Partial<Amount> {
  const currency = Object.hasOwn(language.currencies, last) ? language.currencies[last] : undefined
  if (currency !== undefined) return { kind: 'money', currency }
  // One letter says too little.
  const unit = last.length > 1 && !language.ambiguousKeys.includes(last) ? unitOf(last, language) : undefined
  return unit ? { unit } : {}
}

function shownAs([key]: readonly string[], value: unknown): string {
  const text = preview(value, 80)
  return key === undefined ? text : `${key} ${text}`
}

function around(text: string, { start, end }: Place): string {
  return `…${text.slice(Math.max(0, start - 25), end + 25).trim()}…`
}
