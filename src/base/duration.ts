// Durations as Go writes them (`30s`, `1h15m30.5s`, `500ms`), and how people read them back.
import { ownValue } from './record.js'

const UNITS: Readonly<Record<string, number>> = {
  ns: 1e-6,
  us: 1e-3,
  µs: 1e-3, // U+00B5, the micro sign
  μs: 1e-3, // U+03BC, the Greek letter
  ms: 1,
  s: 1000,
  m: 60_000,
  h: 3_600_000,
}

/** Go's own limit, 2^63 nanoseconds. */
const LONGEST_MS = 2 ** 63 / 1e6

const PART = /(\d+(?:\.\d*)?|\.\d+)([^\d.\s]*)/y
const parsed = new Map<string, number>()

/** Milliseconds. Throws an Error whose message says what is wrong with the text. */
export function parseDuration(text: string): number {
  const known = parsed.get(text)
  if (known !== undefined) return known
  const ms = readDuration(text)
  // Cases repeat a handful of durations; the bound is for a file that does not.
  if (parsed.size < 1000) parsed.set(text, ms)
  return ms
}

/** The same for ages, which may be counted in days (`30d`) and weeks too. */
export function parseAge(text: string): number {
  return parseDuration(
    text.replaceAll(LONG_PART, (_, count: string, unit: string) => `${Number(count) * HOURS[unit as 'd' | 'w']}h`),
  )
}

const LONG_PART = /(\d+(?:\.\d+)?)([dw])(?![a-z])/g
const HOURS = { d: 24, w: 168 }

function readDuration(text: string): number {
  const negative = text.startsWith('-')
  const from = negative || text.startsWith('+') ? 1 : 0
  let total = 0
  PART.lastIndex = from
  while (PART.lastIndex < text.length) {
    const match = PART.exec(text)
    if (!match) throw badDuration(text)
    total += Number(match[1]) * unitMs(text, match[2] ?? '')
  }
  if (text.length === from) throw badDuration(text)
  if (negative || total <= 0) throw new Error(`duration "${text}" must be positive`)
  if (total > LONGEST_MS) throw new Error(`bad duration "${text}": longer than 292 years`)
  return total
}

function unitMs(text: string, unit: string): number {
  const ms = ownValue(UNITS, unit)
  if (ms !== undefined) return ms
  if (unit === '' && Number(text) === 0) return 1
  if (unit === '') throw new Error(`bad duration "${text}": a number needs a unit, as in "30s"`)
  throw new Error(`unknown unit "${unit}" in duration "${text}": use ns, us, ms, s, m or h`)
}

function badDuration(text: string): Error {
  return new Error(`bad duration "${text}": expected something like "30s", "1h30m" or "500ms"`)
}

/** `850ms`, `2.7s`, `1.0m`, `1.5h`: one figure for a person to read. */
export function formatDuration(ms: number): string {
  if (Math.round(ms) < 1000) return `${Math.round(ms)}ms`
  for (const [unit, size, most] of SHOWN) {
    const figure = (ms / size).toFixed(1)
    // After rounding: 59.99s is a minute.
    if (Number(figure) < most) return `${figure}${unit}`
  }
  return `${(ms / 3_600_000).toFixed(1)}h`
}

const SHOWN = [
  ['s', 1000, 60],
  ['m', 60_000, 60],
] as const
