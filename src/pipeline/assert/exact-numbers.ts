// Integers in an answer's text that a JavaScript number cannot hold: they equal no number in a case.
import { isRecord } from '../../base/record.js'

const LONG = /(?<![\d.])\d{16,}(?:\.\d+)?/g

/** What those numbers become when the text is parsed, with how they were written; undefined if there are none. */
export function inexactNumbers(output: unknown): ReadonlyMap<number, string> | undefined {
  if (typeof output !== 'string') return undefined
  let inexact: Map<number, string> | undefined
  for (const [literal] of output.matchAll(LONG)) {
    const value = Number(literal)
    const [whole = ''] = literal.split('.')
    if (literal.length > 400 || BigInt(whole) === BigInt(Math.trunc(value))) continue
    inexact ??= new Map()
    const others = inexact.get(value)
    const written = others === undefined ? literal : `${others} ${literal}`
    inexact.set(value, written).set(-value, `-${written}`)
  }
  return inexact
}

export function holdsNumberOf(value: unknown, numbers: ReadonlyMap<number, string> | undefined): boolean {
  if (numbers === undefined) return false
  if (typeof value === 'number') return numbers.has(value)
  return (
    typeof value === 'object' && value !== null && Object.values(value).some((item) => holdsNumberOf(item, numbers))
  )
}

/** The value with those numbers as the strings they were in the answer. */
export function withLongNumbers(value: unknown, output: unknown): unknown {
  const numbers = inexactNumbers(output)
  return numbers === undefined ? value : replaced(value, numbers)
}

function replaced(value: unknown, numbers: ReadonlyMap<number, string>): unknown {
  if (typeof value === 'number') return numbers.get(value) ?? value
  if (Array.isArray(value)) return value.map((item) => replaced(item, numbers))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, replaced(item, numbers)]))
}
