// Finds what is known without looking at all of it: results may have hundreds of thousands of values.
import type { Known } from './known.js'
import type { Amount, Day } from './value.js'

export class KnownIndex {
  private readonly byAmount: Array<{ size: number; known: Known }> = []
  private readonly measured: Known[] = []
  private readonly days = new Map<string, Known[]>()
  private readonly labels = new Map<string, Known[]>()
  private isSorted = true

  add(known: Known): void {
    const { value, labels, source } = known
    if (value.kind === 'date') {
      for (const key of [...keysOf(value), ...partsOf(value)]) push(this.days, key, known)
    } else if (value.kind === 'number' || value.kind === 'money') {
      this.byAmount.push({ size: Math.abs(value.amount), known })
      this.isSorted = false
      if (value.unit) this.measured.push(known)
      const [label] = labels
      if (label !== undefined && source.call) push(this.labels, label, known)
    }
  }

  /** Those that may be the same amount, whatever their unit. */
  amountsLike({ amount, step, unit }: Amount): Known[] {
    if (!this.isSorted) this.byAmount.sort((a, b) => a.size - b.size)
    this.isSorted = true
    const found = this.between(amount - step, amount + step)
    if (unit?.dimension === 'percent') found.push(...this.between((amount - step) / 100, (amount + step) / 100))
    return unit ? [...found, ...this.measured] : found
  }

  ofYear(year: number): readonly Known[] {
    return this.days.get(`y${year}`) ?? []
  }

  /** Those that have this month and day, or time. */
  daysLike(day: Day): Known[] {
    return keysOf(day).flatMap((key) => this.days.get(key) ?? [])
  }

  /** Amounts that calls returned under this key. */
  labelled(label: string): readonly Known[] {
    return this.labels.get(label) ?? []
  }

  private between(low: number, high: number): Known[] {
    let from = 0
    let to = this.byAmount.length
    while (from < to) {
      const middle = (from + to) >> 1
      if ((this.byAmount[middle]?.size ?? 0) < low) from = middle + 1
      else to = middle
    }
    const found: Known[] = []
    for (let at = from; at < this.byAmount.length; at += 1) {
      const entry = this.byAmount[at]
      if (!entry || entry.size > high) break
      found.push(entry.known)
    }
    return found
  }
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

function push<Key>(map: Map<Key, Known[]>, key: Key, known: Known): void {
  const list = map.get(key)
  if (list) list.push(known)
  else map.set(key, [known])
}
