// Finds what is known without looking at all of it: results may have hundreds of thousands of values.
import type { Known } from './known.js'
import { firstFrom } from './text.js'
import type { Amount, Day } from './value.js'

interface Sized {
  size: number
  known: Known
}

export class KnownIndex {
  private readonly byAmount: Sized[] = []
  /** In base units, by what they measure. */
  private readonly measured = new Map<string, Sized[]>()
  private readonly days = new Map<string, Known[]>()
  private readonly labels = new Map<string, Map<string, Known>>()
  private isSorted = true

  add(known: Known): void {
    const { value, labels, source } = known
    if (value.kind === 'date') {
      for (const key of [...keysOf(value), ...partsOf(value)]) push(this.days, key, known)
    } else if (value.kind === 'number' || value.kind === 'money') {
      this.byAmount.push({ size: Math.abs(value.amount), known })
      this.isSorted = false
      if (value.unit)
        push(this.measured, value.unit.dimension, { size: Math.abs(value.amount) * value.unit.factor, known })
      const [label] = labels
      if (label !== undefined && source.call) this.label(label, value, known)
    }
  }

  /** Those that may be the same amount, whatever their unit. */
  amountsLike({ amount, step, unit }: Amount): Known[] {
    this.sort()
    const found = between(this.byAmount, amount - step, amount + step)
    if (!unit) return found
    const shares =
      unit.dimension === 'percent' ? between(this.byAmount, (amount - step) / 100, (amount + step) / 100) : []
    const measured = this.measured.get(unit.dimension) ?? []
    return [...found, ...shares, ...between(measured, (amount - step) * unit.factor, (amount + step) * unit.factor)]
  }

  ofYear(year: number): readonly Known[] {
    return this.days.get(`y${year}`) ?? []
  }

  /** Those that have this month and day, or time. */
  daysLike(day: Day): Known[] {
    return keysOf(day).flatMap((key) => this.days.get(key) ?? [])
  }

  /** Amounts that calls returned under this key, each once. */
  labelled(label: string): Iterable<Known> {
    return this.labels.get(label)?.values() ?? []
  }

  private label(label: string, { amount, unit }: Amount, known: Known): void {
    const entry = this.labels.get(label) ?? new Map<string, Known>()
    const key = `${amount} ${unit?.dimension ?? ''}`
    if (!entry.has(key)) entry.set(key, known)
    this.labels.set(label, entry)
  }

  private sort(): void {
    if (this.isSorted) return
    for (const list of [this.byAmount, ...this.measured.values()]) list.sort((a, b) => a.size - b.size)
    this.isSorted = true
  }
}

function between(sorted: readonly Sized[], low: number, high: number): Known[] {
  const found: Known[] = []
  // What is converted may miss its bound by a hair.
  for (let at = firstFrom(sorted, low * (1 - 1e-9), ({ size }) => size); at < sorted.length; at += 1) {
    const entry = sorted[at]
    if (!entry || entry.size > high * (1 + 1e-9)) break
    found.push(entry.known)
  }
  return found
}

/** A date is found by its day, by its month and by its year; a time of day by its minutes. */
function keysOf({ year, month, day, minutes, either }: Day): string[] {
  if (minutes !== undefined) return [`t${minutes}`]
  if (day === undefined) return [month === undefined ? `y${year}` : `m${month}`]
  const turned = either ? [`${day}-${month}`] : []
  return [`${month}-${day}`, ...turned]
}

function partsOf({ year, month, day, minutes }: Day): string[] {
  if (minutes !== undefined) return []
  return [
    ...(year === undefined ? [] : [`y${year}`]),
    ...(day === undefined || month === undefined ? [] : [`m${month}`]),
  ]
}

function push<Item>(map: Map<string, Item[]>, key: string, item: Item): void {
  const list = map.get(key)
  if (list) list.push(item)
  else map.set(key, [item])
}
