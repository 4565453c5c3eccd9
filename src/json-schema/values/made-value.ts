// A value that was made for a purpose, and a value with a part of it replaced.
import { isRecord } from '../../base/record.js'

export interface MadeValue {
  value: unknown
  /** What is particular about it: `"path" is missing`. */
  why: string
}

export function replaced(value: unknown, [step, ...rest]: ReadonlyArray<string | number>, by: unknown): unknown {
  if (step === undefined) return by
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === step ? replaced(item, rest, by) : item))
  const entries = Object.entries(isRecord(value) ? value : {})
  return Object.fromEntries(entries.map(([key, item]) => [key, key === step ? replaced(item, rest, by) : item]))
}

export function named(steps: ReadonlyArray<string | number>): string {
  return steps.length === 0 ? 'the value' : `"${steps.join('.')}"`
}
