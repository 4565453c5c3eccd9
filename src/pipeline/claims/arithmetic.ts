// Numbers that were calculated. They count only if operands and operation are named beside them, or come from one result
// or list: among the numbers of a whole conversation some two always add up to anything.
import { isRecord } from '../../base/record.js'
import type { ToolCall } from '../../model/message.js'
import { outcomeOf } from './calls.js'
import type { Ground } from './ground.js'
import type { Source } from './known.js'
import type { Language } from './languages/language.js'
import { anyOf, firstFrom, once } from './text.js'
import type { Amount, Place } from './value.js'

type PlacedAmount = Amount & Place
type Operation = 'sum' | 'difference' | 'product' | 'average'

interface Sum {
  text: string
  ground: Ground
  /** The amounts of the answer, in order. */
  amounts: readonly PlacedAmount[]
  isBacked(amount: PlacedAmount): boolean
  /** The ids that the answer names. */
  ids: ReadonlySet<string>
}

/** How an amount of the answer was calculated, in words; undefined: nothing shows it. */
export function calculationsIn(sum: Sum): (target: PlacedAmount) => string | undefined {
  const { text, ground, amounts } = sum
  const places = new Map(amounts.map((amount, index) => [amount, index]))
  const operationsAt = operationsIn(text, ground.language)
  const results = ground.sources.filter(({ data }) => data !== undefined)
  const counts = callCounts(ground)
  const listed = once((source: Source) => new ListIndex(listsOf(source, sum.ids)))
  return (target) => {
    const at = places.get(target) ?? -1
    return (
      writtenOut(target, at, sum) ??
      namedBeside(target, at, sum, operationsAt) ??
      countedCalls(target, text, counts) ??
      fromOneResult(target, text, results, listed, operationsAt)
    )
  }
}

const OPERATORS = /^[\s)\]*]*(?:\p{L}+\s+){0,3}([+\-−–×x*/÷])[\s([*]*$/u

/** "120 + 30 = 150": read from left to right, products first. */
function writtenOut(target: PlacedAmount, at: number, { text, amounts }: Sum): string | undefined {
  const before = amounts[at - 1]
  if (!before || !/=\s*[*(~]*\s*$/.test(text.slice(before.end, target.start))) return undefined
  const operands = [before]
  const signs: string[] = []
  for (let index = at - 1; index > Math.max(0, at - MOST_OPERANDS); index--) {
    const [left, right] = [amounts[index - 1], amounts[index]]
    const sign = left && right && OPERATORS.exec(text.slice(left.end, right.start))?.[1]
    if (!left || sign === undefined) break
    operands.unshift(left)
    signs.unshift(sign)
  }
  if (signs.length === 0) return undefined
  const value = evaluate(
    operands.map(({ amount }) => amount),
    signs,
  )
  return fits(target, value) ? `calculated beside it: ${text.slice(operands[0]?.start, target.end)}` : undefined
}

function evaluate(numbers: readonly number[], signs: readonly string[]): number {
  const terms = [numbers[0] ?? 0]
  for (const [index, sign] of signs.entries()) {
    const next = numbers[index + 1] ?? 0
    const last = terms.pop() ?? 0
    if ('×x*'.includes(sign)) terms.push(last * next)
    else if ('/÷'.includes(sign)) terms.push(last / next)
    else terms.push(last, sign === '+' ? next : -next)
  }
  return terms.reduce((sum, term) => sum + term, 0)
}

/** The operands are named in the same paragraph, each backed by itself, and a word says what was done with them. */
function namedBeside(
  target: PlacedAmount,
  at: number,
  { text, amounts, isBacked }: Sum,
  operationsAt: OperationsAt,
): string | undefined {
  const { start, end } = paragraphOf(text, target)
  const operations = operationsAt({ start, end })
  if (operations.size === 0) return undefined
  const others = amounts
    .slice(Math.max(0, at - NEAR), at + NEAR)
    .filter((each) => each !== target && each.start >= start && each.end <= end && isBacked(each))
  const same = others.filter((each) => isSameKind(each, target))
  const say = (how: string, used: readonly PlacedAmount[]) =>
    `${how} of ${used.map((each) => text.slice(each.start, each.end)).join(' and ')} beside it`
  if (operations.has('sum')) {
    const added = runOf(same, (total) => fits(target, total))
    if (added) return say('the sum', added)
  }
  if (operations.has('sum') || operations.has('product')) {
    const counted = pairs(others).find((pair) => isProduct(target, pair))
    if (counted) return say('the product', counted)
  }
  if (operations.has('difference')) {
    const two = pairs(same).find(([a, b]) => fits(target, a.amount - b.amount))
    if (two) return say('the difference', two)
  }
  if (operations.has('average')) {
    const averaged = runOf(same, (total, count) => fits(target, total / count))
    if (averaged) return say('the average', averaged)
  }
  return undefined
}

/** What is further away is not beside it. */
const NEAR = 20
const MOST_OPERANDS = 200

/** A number of things times what each of them is. */
function isProduct(target: PlacedAmount, [a, b]: readonly [PlacedAmount, PlacedAmount]): boolean {
  const [count, each] = isSameKind(a, target) ? [b, a] : [a, b]
  return (
    Number.isInteger(count.amount) &&
    count.kind === 'number' &&
    isSameKind(each, target) &&
    fits(target, count.amount * each.amount)
  )
}

/** "I deleted 2 of 3 files": as many calls. */
function countedCalls(target: PlacedAmount, text: string, counts: CallCounts): string | undefined {
  const nouns = nounsAfter(target, text)
  const name = counts.get(target.amount)?.find((each) => nouns.some((noun) => each.toLowerCase().includes(noun)))
  return name === undefined ? undefined : `${name} was called so often`
}

type CallCounts = ReadonlyMap<number, readonly string[]>

/** How often each tool was called, and with success → its name. */
function callCounts({ calls }: Ground): CallCounts {
  const found = new Map<number, string[]>()
  const tally = (list: readonly ToolCall[]): void => {
    const byName = new Map<string, number>()
    for (const { name } of list) byName.set(name, (byName.get(name) ?? 0) + 1)
    for (const [name, count] of byName) found.set(count, [...(found.get(count) ?? []), name])
  }
  tally(calls.filter((call) => outcomeOf(call) === 'ok'))
  tally(calls.filter((call) => outcomeOf(call) !== 'not made'))
  return found
}

/** Lists and records of one result: their sums, differences, averages, as the words beside the number say. */
function fromOneResult(
  target: PlacedAmount,
  text: string,
  results: readonly Source[],
  listed: (source: Source) => ListIndex,
  operationsAt: OperationsAt,
): string | undefined {
  const operations = operationsAt(sentenceOf(text, target))
  const nouns = nounsAfter(target, text)
  for (const source of results) {
    if (nouns.length > 0 && isCountOf(target.amount, source, nouns)) return `counted in ${source.name}`
    for (const operation of operations)
      if (listed(source).has(operation, target)) return `${IN_WORDS[operation]} in ${source.name}`
  }
  return undefined
}

const IN_WORDS: Record<Operation, string> = {
  sum: 'a sum',
  average: 'an average',
  difference: 'a difference',
  product: 'a product',
}

/** What the lists of a result come to, sorted, so that a number is found without calculating again. */
class ListIndex {
  private readonly lists: readonly number[][]
  private readonly values = new Map<Operation, number[]>()

  constructor(lists: number[][]) {
    this.lists = lists.filter(({ length }) => length > 1)
  }

  has(operation: Operation, target: Amount): boolean {
    const values = this.values.get(operation) ?? this.calculate(operation)
    this.values.set(operation, values)
    const gap = tolerance(target)
    const at = firstFrom(values, target.amount - gap, (value) => value)
    return (values[at] ?? Infinity) <= target.amount + gap
  }

  private calculate(operation: Operation): number[] {
    const found: number[] = []
    for (const list of this.lists) {
      if (operation === 'sum') found.push(Math.abs(total(list)))
      else if (operation === 'average') found.push(Math.abs(total(list) / list.length))
      else if (list.length <= MOST_PAIRED)
        for (const [a, b] of pairs(list)) found.push(Math.abs(operation === 'product' ? a * b : a - b))
    }
    return found.toSorted((a, b) => a - b)
  }
}

const MOST_PAIRED = 12

/** "5 flights": what is counted. */
function nounsAfter({ kind, unit, amount, end }: PlacedAmount, text: string): string[] {
  if (kind !== 'number' || unit || !Number.isInteger(amount)) return []
  const phrase = /^[\s*]*(?:of\s+\d+\s+)?(?:\p{L}+[\s-]+){0,3}\p{L}+/u.exec(text.slice(end, end + 40))?.[0] ?? ''
  return (phrase.toLowerCase().match(/\p{L}{3,}/gu) ?? []).map((noun) => noun.replace(/(?:es|s)$/, ''))
}

/** The length of a list under that name, or of the whole result. */
function isCountOf(count: number, source: Source, nouns: readonly string[]): boolean {
  const names = [...(countsOf(source).get(count) ?? [])]
  return names.some((name) => nouns.some((noun) => (name || (source.call?.name ?? '')).toLowerCase().includes(noun)))
}

/** The lengths of the lists of a source, with the keys they stand under; none for the whole. */
const countsOf = once(({ data }: Source) => {
  const found = new Map<number, Set<string>>()
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      found.set(value.length, (found.get(value.length) ?? new Set()).add(name))
      for (const item of value) visit(item, '-')
    } else if (isRecord(value)) for (const [key, item] of Object.entries(value)) visit(item, key)
  }
  visit(data, '')
  return found
})

/**
 * The numbers under one key of a list, of those of its items that the answer names if it names some; the numbers of one
 * record; a list of numbers.
 */
function listsOf({ data }: Source, ids: ReadonlySet<string>): number[][] {
  const found: number[][] = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      const numbers = value.filter((item) => typeof item === 'number')
      if (numbers.length > 1) found.push(numbers)
      const records = value.filter(isRecord)
      const named = records.filter((record) => Object.values(record).some((item) => isNamedIn(item, ids)))
      for (const rows of new Set([records, named.length > 1 ? named : records])) {
        const columns = new Map<string, number[]>()
        for (const row of rows)
          for (const [key, item] of leaves(row)) {
            const column = columns.get(key)
            if (column) column.push(item)
            else columns.set(key, [item])
          }
        for (const column of columns.values()) if (column.length > 1) found.push(column)
      }
      for (const item of value) visit(item)
    } else if (isRecord(value)) {
      const own = Object.values(value).filter((item) => typeof item === 'number')
      if (own.length > 1) found.push(own)
      for (const item of Object.values(value)) visit(item)
    }
  }
  visit(data)
  return found
}

function isNamedIn(item: unknown, ids: ReadonlySet<string>): boolean {
  return typeof item === 'string' && ids.has(item.toLowerCase())
}

function leaves(row: Record<string, unknown>, prefix = ''): Array<[string, number]> {
  return Object.entries(row).flatMap(([key, item]): Array<[string, number]> => {
    if (typeof item === 'number') return [[prefix + key, item]]
    return isRecord(item) ? leaves(item, `${prefix}${key}.`) : []
  })
}

const operationPatterns = once(({ arithmetic }: Language) =>
  (Object.keys(arithmetic) as Operation[]).map((operation) => {
    const [words, signs] = [arithmetic[operation].filter(isWord), arithmetic[operation].filter((word) => !isWord(word))]
    const pattern = `(?<!\\p{L})(?:${anyOf(words)})(?!\\p{L})${signs.length > 0 ? `|(?<=[\\s)])(?:${anyOf(signs)})(?=[\\s(])` : ''}`
    return [operation, new RegExp(pattern, 'giu')] as const
  }),
)

function isWord(text: string): boolean {
  return /\p{L}/u.test(text)
}

type OperationsAt = (place: Place) => ReadonlySet<Operation>

/** Which operations a part of the text names. The text is read once. */
function operationsIn(text: string, language: Language): OperationsAt {
  const named = operationPatterns(language).map(
    ([operation, pattern]) =>
      [
        operation,
        [...text.matchAll(pattern)].map(({ 0: word, index }) => ({ start: index, end: index + word.length })),
      ] as const,
  )
  return (place) => new Set(named.flatMap(([operation, words]) => (hasOne(words, place) ? [operation] : [])))
}

function hasOne(words: readonly Place[], { start, end }: Place): boolean {
  const next = words[firstFrom(words, start, (word) => word.start)]
  return next !== undefined && next.end <= end
}

/** Lines that belong together: up to an empty line on either side, and the list before it. */
function paragraphOf(text: string, place: Place): Place {
  const { before, after, from } = nearby(text, place)
  const own = before.lastIndexOf('\n\n')
  const above = own < 0 ? -1 : before.lastIndexOf('\n\n', own - 1)
  const end = after.indexOf('\n\n')
  return { start: from + Math.max(0, above), end: place.end + (end < 0 ? after.length : end) }
}

function sentenceOf(text: string, place: Place): Place {
  const { before, after, from } = nearby(text, place)
  const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('. ')) + 1
  const end = /\n|\. /.exec(after)?.index ?? after.length
  return { start: from + start, end: place.end + end }
}

/** What is further away says nothing about it. */
function nearby(text: string, { start, end }: Place): { before: string; after: string; from: number } {
  const from = Math.max(0, start - 3000)
  return { before: text.slice(from, start), after: text.slice(end, end + 1000), from }
}

function isSameKind(a: Amount, b: Amount): boolean {
  return a.kind === b.kind && a.unit?.dimension === b.unit?.dimension
}

/** Neighbours, two and more of them, the longest first, that come to what is wanted. */
function runOf(
  amounts: readonly PlacedAmount[],
  isWanted: (total: number, count: number) => boolean,
): readonly PlacedAmount[] | undefined {
  const sums = [0]
  for (const { amount } of amounts) sums.push((sums.at(-1) ?? 0) + amount)
  for (let length = amounts.length; length >= 2; length--)
    for (let from = 0; from + length <= amounts.length; from++)
      if (isWanted((sums[from + length] ?? 0) - (sums[from] ?? 0), length)) return amounts.slice(from, from + length)
  return undefined
}

function pairs<Item>(items: readonly Item[]): Array<[Item, Item]> {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [Item, Item] => [a, b]))
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, each) => sum + each, 0)
}

function fits(target: Amount, value: number): boolean {
  return Math.abs(Math.abs(value) - target.amount) <= tolerance(target)
}

function tolerance({ amount, step }: Amount): number {
  return Math.min(step / 2, 0.5) + 1e-9 * Math.max(1, amount)
}
