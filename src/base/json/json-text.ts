// Facts about JSON text that JSON.parse does not report: nesting, repeated keys, numbers that change. No library.
import { show } from '../text.js'

export const MAX_DEPTH = 100

export interface JsonScan {
  /** Brackets left open at the end, counted from the depth given. */
  depth: number
  deepest: number
  /** Colons outside strings: the number of keys in valid JSON. */
  colons: number
  /** The text ends inside a string. */
  openString: boolean
  badNumbers?: BadNumber[]
}

export interface BadNumber {
  offset: number
  message: string
}

/** One pass over the text, strings skipped at native speed. Tolerates any text. */
export function scanJson(text: string, depth = 0): JsonScan {
  const scan: JsonScan = { depth, deepest: depth, colons: 0, openString: false }
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 0x22) {
      i = closingQuote(text, i)
      if (i < 0) {
        scan.openString = true
        return scan
      }
    } else if (code === 0x3a) scan.colons++
    else if (code === 0x7b || code === 0x5b) {
      scan.depth++
      if (scan.depth > scan.deepest) scan.deepest = scan.depth
    } else if (code === 0x7d || code === 0x5d) scan.depth--
    else if (code >= 0x30 && code <= 0x39) i = scanNumber(text, i, scan)
  }
  return scan
}

function closingQuote(text: string, open: number): number {
  for (let close = text.indexOf('"', open + 1); close >= 0; close = text.indexOf('"', close + 1)) {
    if (text.charCodeAt(close - 1) !== 0x5c || !isEscaped(text, close)) return close
  }
  return -1
}

function isEscaped(text: string, at: number): boolean {
  let slashes = 0
  while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++
  return slashes % 2 === 1
}

function scanNumber(text: string, from: number, scan: JsonScan): number {
  let end = from + 1
  let hasExponent = false
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === 0x65 || code === 0x45) hasExponent = true
    else if (!((code >= 0x30 && code <= 0x39) || code === 0x2e || (hasExponent && (code === 0x2b || code === 0x2d))))
      break
  }
  if (hasExponent || end - from > 15) {
    const message = numberProblem(text.slice(from, end))
    if (message !== undefined) (scan.badNumbers ??= []).push({ offset: from, message })
  }
  return end - 1
}

/** Why the number would not survive: out of range, or not the integer that was written. */
export function numberProblem(literal: string): string | undefined {
  const value = Number(literal)
  const shown = literal.length > 40 ? `${literal.slice(0, 40)}…` : literal
  if (!Number.isFinite(value) || (value === 0 && /[1-9].*(?:e|$)/i.test(literal.split(/e/i)[0] ?? ''))) {
    return `number out of range: ${shown}`
  }
  if (/^[+-]?\d+$/.test(literal) && BigInt(literal) !== BigInt(value)) {
    return `${shown} loses precision as a number (it would become ${BigInt(value)}): write it as a string`
  }
  return undefined
}

/** Does the value hold everything the text says: no repeated key, no changed number, no more levels than allowed? */
export function isFaithful(value: unknown, text: string): boolean {
  // A text this short cannot be too deep, and one that serialises back to the same text has lost nothing.
  if (text.length <= 2 * MAX_DEPTH && JSON.stringify(value) === text) return true
  const scan = scanJson(text)
  return scan.deepest <= MAX_DEPTH && !scan.badNumbers && countKeys(value) === scan.colons
}

/** Keys in the whole value: fewer than the colons of its text means that a key was repeated. */
export function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item)
    return count
  }
  for (const key of Object.keys(value)) count += 1 + countKeys((value as Record<string, unknown>)[key])
  return count
}

/** Removes own keys called `__proto__` in place: a later copy by assignment would change a prototype. */
export function dropProtoKeys(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  let found = false
  if (!Array.isArray(value) && Object.hasOwn(value, '__proto__')) {
    delete (value as Record<string, unknown>)['__proto__']
    found = true
  }
  for (const item of Object.values(value)) if (dropProtoKeys(item)) found = true
  return found
}

/** Could the text hold a key `__proto__`, perhaps spelled with escapes? */
export function mayHaveProtoKey(text: string): boolean {
  return text.includes('proto__') || text.includes('\\u00')
}

/** `string "abc"`, `number 30`, `list`, `object`, `null`: what was found, for error texts. */
export function describeFound(value: unknown): string {
  if (value === null) return 'null'
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return `${typeof value} ${show(value, 80)}`
}
