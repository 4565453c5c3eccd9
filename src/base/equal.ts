// Deep equality of JSON-like values, and where two of them first differ.
import { isRecord } from './record.js'

export interface Difference {
  /** `$.a[0].b` */
  path: string
  expected: unknown
  actual: unknown
  /** One side has no such key or element. */
  missing?: 'expected' | 'actual'
}

/** Key order does not matter, list order does; a key whose value is undefined counts as absent. */
export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return Number.isNaN(left) && Number.isNaN(right)
  }
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => isEqual(item, right[index]))
  }
  const leftKeys = keysOf(left)
  if (leftKeys.length !== keysOf(right).length) return false
  return leftKeys.every((key) => hasKey(right, key) && isEqual(valueAt(left, key), valueAt(right, key)))
}

/** `isEqual`, or exactly one side is a string that is JSON for the other. */
export function isSameAnswer(left: unknown, right: unknown): boolean {
  if (isEqual(left, right)) return true
  if (typeof left === 'string' && typeof right !== 'string') return isJsonFor(left, right)
  if (typeof right === 'string' && typeof left !== 'string') return isJsonFor(right, left)
  return false
}

/** The first place, in the order of the expected value, where the two differ. */
export function firstDifference(expected: unknown, actual: unknown, path = '$'): Difference | undefined {
  if (isEqual(expected, actual)) return undefined
  if (Array.isArray(expected) && Array.isArray(actual)) {
    for (let index = 0; index < Math.max(expected.length, actual.length); index++) {
      const here = `${path}[${index}]`
      if (index >= actual.length) return { path: here, expected: expected[index], actual: undefined, missing: 'actual' }
      if (index >= expected.length) {
        return { path: here, expected: undefined, actual: actual[index], missing: 'expected' }
      }
      const difference = firstDifference(expected[index], actual[index], here)
      if (difference) return difference
    }
  }
  if (isRecord(expected) && isRecord(actual)) {
    for (const key of keysOf(expected)) {
      const here = joinPath(path, key)
      if (!hasKey(actual, key)) return { path: here, expected: expected[key], actual: undefined, missing: 'actual' }
      const difference = firstDifference(expected[key], actual[key], here)
      if (difference) return difference
    }
    const extra = keysOf(actual).find((key) => !hasKey(expected, key))
    if (extra !== undefined) {
      return { path: joinPath(path, extra), expected: undefined, actual: actual[extra], missing: 'expected' }
    }
  }
  return { path, expected, actual }
}

/** `$.a` + `b` → `$.a.b`; names that a dotted path cannot hold are quoted. */
export function joinPath(path: string, key: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`
}

function keysOf(value: object): string[] {
  return Object.keys(value).filter((key) => valueAt(value, key) !== undefined)
}

function hasKey(value: object, key: string): boolean {
  return Object.hasOwn(value, key) && valueAt(value, key) !== undefined
}

function valueAt(value: object, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}

function isJsonFor(text: string, value: unknown): boolean {
  try {
    return isEqual(JSON.parse(text), value)
  } catch {
    return false
  }
}
