// Makes a value smaller without changing its shape: long strings, lists and maps lose their ends. Numbers and verdicts stay.
import { isRecord } from '../base/record.js'

interface Limits {
  text: number
  items: number
}

const STEPS: Limits[] = [
  { text: 4_000, items: 100 },
  { text: 1_500, items: 50 },
  { text: 600, items: 25 },
  { text: 250, items: 10 },
  { text: 100, items: 4 },
  { text: 40, items: 1 },
]
/** Objects with a fixed set of keys have fewer. */
const FIXED_KEYS = 40
/** The lists that `next_offset` is about. */
const PAGED = ['records', 'timeline']

/** The largest cut that fits; the smallest possible one if none does. */
export function shorten(
  value: Record<string, unknown>,
  fits: (shorter: Record<string, unknown>) => boolean,
): Record<string, unknown> {
  let shorter = value
  for (const limits of STEPS) {
    shorter = continued(value, cut(value, limits) as Record<string, unknown>)
    if (fits(shorter)) return shorter
  }
  return shorter
}

/** A page that lost its end continues after what is left of it, not after what was there. */
function continued(whole: Record<string, unknown>, shorter: Record<string, unknown>): Record<string, unknown> {
  const { total_matched, next_offset: end = total_matched } = whole
  const lost = PAGED.reduce((sum, key) => sum + lengthOf(whole[key]) - lengthOf(shorter[key]), 0)
  if (typeof end !== 'number' || lost === 0) return shorter
  return { ...shorter, truncated: true, next_offset: end - lost }
}

function lengthOf(value: unknown): number {
  return Array.isArray(value) ? value.length : 0
}

function cut(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string') return cutText(value, limits.text)
  if (Array.isArray(value)) return value.slice(0, limits.items).map((item) => cut(item, limits))
  if (!isRecord(value)) return value
  const entries = Object.entries(value)
  const kept = entries.length > FIXED_KEYS ? entries.slice(0, Math.max(limits.items, 4)) : entries
  return Object.fromEntries(kept.map(([key, item]) => [key, cut(item, limits)]))
}

function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  // Not between the halves of a character.
  const end = /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? most - 1 : most
  return `${text.slice(0, end)}… (${text.length - end} more characters)`
}
