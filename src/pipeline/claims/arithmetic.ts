// Numbers that were calculated. They count only if operands and operation are named beside them, or come from one result
// or list: among the numbers of a whole conversation some two always add up to anything.
import { isRecord } from '../../base/record.js'
import type { Ground } from './ground.js'
import type { Source } from './known.js'
import type { Language } from './languages/language.js'
import { anyOf, once } from './text.js'
import type { Amount, Place } from './value.js'

type PlacedAmount = Amount & Place
type Operation = 'sum' | 'difference' | 'product' | 'average'

export interface Sum {
  text: string
  ground: Ground
  /** The amounts of the answer, in order. */
  amounts: readonly PlacedAmount[]
  isBacked(amount: PlacedAmount): boolean
  /** The lists of numbers in a source, see `listsOf`. */
  lists(source: Source): number[][]
}

/** How the amount was calculated, in words; undefined: nothing shows it. */
export function calculated(target: PlacedAmount, sum: Sum): string | undefined {
  return writtenOut(target, sum) ?? namedBeside(target, sum) ?? fromOneResult(target, sum)
}

const OPERATORS = /^[\s)\]*]*(?:\p{L}+\s+){0,3}([+\-−–×x*/÷])[\s([*]*$/u

/** "120 + 30 = 150": read from left to right, products first. */
function writtenOut(target: PlacedAmount, { text, amounts }: Sum): string | undefined {
  const at = amounts.indexOf(target)
  const before = amounts[at - 1]
  if (!before || !/=\s*[*(~]*\s*$/.test(text.slice(before.end, target.start))) return undefined
  const operands = [before]
  const signs: string[] = []
  for (let index = at - 1; index > 0; index--) {
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
function namedBeside(target: PlacedAmount, { text, amounts, isBacked, ground }: Sum): string | undefined {
  const { start, end } = paragraphOf(text, target)
  const words = text.slice(start, end)
  const operations = operationsIn(words, ground.language)
  if (operations.size === 0) return undefined
  const at = amounts.indexOf(target)
  const others = amounts
    .slice(Math.max(0, at - NEAR), at + NEAR)
    .filter((each) => each !== target && each.start >= start && each.end <= end && isBacked(each))
  const same = others.filter((each) => isSameKind(each, target))
  const say = (how: string, used: readonly PlacedAmount[]) =>
    `${how} of ${used.map((each) => text.slice(each.start, each.end)).join(' and ')} beside it`
  if (operations.has('sum')) {
    for (const run of runs(same)) if (fits(target, total(run))) return say('the sum', run)
    const counted = pairs(others).find((pair) => isProduct(target, pair))
    if (counted) return say('the product', counted)
  }
  if (operations.has('product')) {
    const counted = pairs(others).find((pair) => isProduct(target, pair))
    if (counted) return say('the product', counted)
  }
  if (operations.has('difference')) {
    const two = pairs(same).find(([a, b]) => fits(target, a.amount - b.amount) || fits(target, b.amount - a.amount))
    if (two) return say('the difference', two)
  }
  if (operations.has('average')) {
    for (const run of runs(same)) if (fits(target, total(run) / run.length)) return say('the average', run)
  }
  return undefined
}

/** What is further away is not beside it. */
const NEAR = 20

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

/** Lists and records of one result: their sums, differences, averages, as the words beside the number say. */
function fromOneResult(target: PlacedAmount, { text, ground, lists }: Sum): string | undefined {
  const { start, end } = sentenceOf(text, target)
  const operations = operationsIn(text.slice(start, end), ground.language)
  for (const source of ground.sources) {
    if (source.data === undefined) continue
    if (isCountOf(target, source, text.slice(target.end, target.end + 40))) return `counted in ${source.name}`
    if (operations.size === 0) continue
    for (const list of lists(source)) {
      if (list.length < 2) continue
      if (
        operations.has('sum') &&
        fits(
          target,
          list.reduce((sum, each) => sum + each, 0),
        )
      )
        return `a sum in ${source.name}`
      if (operations.has('average') && fits(target, list.reduce((sum, each) => sum + each, 0) / list.length))
        return `an average in ${source.name}`
      if (list.length > MOST_PAIRED) continue
      const two = pairs(list)
      if (operations.has('difference') && two.some(([a, b]) => fits(target, Math.abs(a - b))))
        return `a difference in ${source.name}`
      if (operations.has('product') && two.some(([a, b]) => fits(target, a * b))) return `a product in ${source.name}`
    }
  }
  return undefined
}

const MOST_PAIRED = 12

/** "5 flights": the length of a list under that name, or of the whole result. */
function isCountOf(target: PlacedAmount, source: Source, after: string): boolean {
  const { call } = source
  if (target.kind !== 'number' || target.unit || !Number.isInteger(target.amount)) return false
  const nouns = (after.match(/^[\s*]*(?:\p{L}+[\s-]+){0,3}\p{L}+/u)?.[0] ?? '').toLowerCase().match(/\p{L}{3,}/gu) ?? []
  if (nouns.length === 0) return false
  const isNamed = (name: string) => nouns.some((noun) => name.toLowerCase().includes(noun.replace(/(?:es|s)$/, '')))
  return countsOf(source).some(({ length, name }) => length === target.amount && isNamed(name || (call?.name ?? '')))
}

/** The length of each list of a source, and the key it stands under; none for the whole. */
const countsOf = once(({ data }: Source) => {
  const found: Array<{ length: number; name: string }> = []
  const visit = (value: unknown, name: string): void => {
    if (Array.isArray(value)) {
      found.push({ length: value.length, name })
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
export function listsOf({ data }: Source, ids: ReadonlySet<string>): number[][] {
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
          for (const [key, item] of leaves(row)) columns.set(key, [...(columns.get(key) ?? []), item])
        found.push(...[...columns.values()].filter((column) => column.length > 1))
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
    return [operation, new RegExp(pattern, 'iu')] as const
  }),
)

function isWord(text: string): boolean {
  return /\p{L}/u.test(text)
}

function operationsIn(text: string, language: Language): Set<Operation> {
  return new Set(operationPatterns(language).flatMap(([operation, pattern]) => (pattern.test(text) ? [operation] : [])))
}

/** Lines that belong together: up to an empty line on either side, and the list before it. */
function paragraphOf(text: string, { start, end }: Place): Place {
  const from = text.lastIndexOf('\n\n', start)
  const to = text.indexOf('\n\n', end)
  const before = from < 0 ? -1 : text.lastIndexOf('\n\n', from - 1)
  return near({ start: before < 0 ? 0 : before, end: to < 0 ? text.length : to }, start)
}

function sentenceOf(text: string, { start, end }: Place): Place {
  const from = Math.max(text.lastIndexOf('\n', start), text.lastIndexOf('. ', start))
  const to = [text.indexOf('\n', end), text.indexOf('. ', end)].filter((at) => at >= 0)
  return near({ start: from + 1, end: Math.min(text.length, ...to) }, start)
}

function near({ start, end }: Place, at: number): Place {
  return { start: Math.max(start, at - 3000), end: Math.min(end, at + 1000) }
}

function isSameKind(a: Amount, b: Amount): boolean {
  return a.kind === b.kind && a.unit?.dimension === b.unit?.dimension
}

/** Neighbours, two and more of them, the longest first. */
function runs(amounts: readonly PlacedAmount[]): PlacedAmount[][] {
  const found: PlacedAmount[][] = []
  for (let length = amounts.length; length >= 2; length--)
    for (let from = 0; from + length <= amounts.length; from++) found.push(amounts.slice(from, from + length))
  return found
}

function pairs<Item>(items: readonly Item[]): Array<[Item, Item]> {
  return items.flatMap((a, index) => items.slice(index + 1).map((b): [Item, Item] => [a, b]))
}

function total(amounts: readonly Amount[]): number {
  return amounts.reduce((sum, { amount }) => sum + amount, 0)
}

function fits({ amount, step }: Amount, value: number): boolean {
  return Math.abs(Math.abs(value) - amount) <= Math.min(step / 2, 0.5) + 1e-9 * Math.max(1, amount)
}
