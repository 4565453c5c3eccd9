// Deep equality as `t.assert.Equal` means it: any key order, `null` is not `undefined`, an undefined key counts as absent.
import {
  append,
  byteCount,
  bytesIn,
  bytesOf,
  define,
  flagsOf,
  getOwnPropertySymbols,
  getPrototypeOf,
  hasOwn,
  hrefOf,
  is,
  isArray,
  isEnumerable,
  isError,
  isPrototypeOf,
  isView,
  keys,
  mapEach,
  mapGet,
  mapHas,
  mapSize,
  queryOf,
  setEach,
  setHas,
  setSize,
  sourceOf,
  timeOf,
  types,
  unboxed,
  viewTag,
} from './primordials.js'

export const HOLDS_PROMISE = 'it holds a promise: forgot await?'

/** A string: they cannot be compared, and why. */
export type Comparison = boolean | string

export function compare(left: unknown, right: unknown): Comparison {
  return compareValues(left, right, undefined)
}

/** What is being compared further up. */
interface Open {
  left: object
  right: object
  above: Open | undefined
}

function compareValues(left: unknown, right: unknown, above: Open | undefined): Comparison {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) {
    return left !== left && right !== right
  }
  // Two values that contain themselves are equal if nothing tells them apart.
  for (let pair = above; pair; pair = pair.above) if (pair.left === left && pair.right === right) return true
  if (types.isPromise(left) || types.isPromise(right)) return HOLDS_PROMISE
  const kind = kindOf(left)
  if (kind !== kindOf(right)) return false
  return COMPARE[kind](left as never, right as never, { left, right, above })
}

type Kind =
  | 'list'
  | 'date'
  | 'pattern'
  | 'error'
  | 'map'
  | 'set'
  | 'view'
  | 'memory'
  | 'box'
  | 'url'
  | 'query'
  | 'record'

function kindOf(value: object): Kind {
  if (isArray(value)) return 'list'
  if (types.isDate(value)) return 'date'
  if (types.isRegExp(value)) return 'pattern'
  if (isError(value)) return 'error'
  if (types.isMap(value)) return 'map'
  if (types.isSet(value)) return 'set'
  if (isView(value)) return 'view'
  if (types.isAnyArrayBuffer(value)) return 'memory'
  if (types.isBoxedPrimitive(value)) return 'box'
  if (isPrototypeOf(URLS, value)) return 'url'
  if (isPrototypeOf(QUERIES, value)) return 'query'
  return 'record'
}

const URLS = URL.prototype
const QUERIES = URLSearchParams.prototype

const COMPARE: Record<Kind, (left: never, right: never, open: Open) => Comparison> = {
  list: compareLists,
  date: (left: Date, right: Date) => is(timeOf(left), timeOf(right)),
  pattern: (left: RegExp, right: RegExp) => sourceOf(left) === sourceOf(right) && flagsOf(left) === flagsOf(right),
  error: compareErrors,
  map: compareMaps,
  set: compareSets,
  view: (left: ArrayBufferView, right: ArrayBufferView) =>
    viewTag(left) === viewTag(right) && sameBytes(bytesOf(left), bytesOf(right)),
  memory: (left: ArrayBuffer, right: ArrayBuffer) => sameBytes(bytesIn(left), bytesIn(right)),
  box: (left: object, right: object) => is(unboxed(left), unboxed(right)),
  url: (left: URL, right: URL) => hrefOf(left) === hrefOf(right),
  query: (left: URLSearchParams, right: URLSearchParams) => queryOf(left) === queryOf(right),
  record: compareRecords,
}

/** A hole is not a value. */
function compareLists(left: unknown[], right: unknown[], open: Open): Comparison {
  if (left.length !== right.length) return false
  let result: Comparison = true
  for (let at = 0; at < left.length; at++) {
    if (hasOwn(left, at) !== hasOwn(right, at)) return false
    const same = compareValues(left[at], right[at], open)
    if (same === false) return false
    if (same !== true) result = same
  }
  return result
}

/** Their stacks always differ; everything else they carry is compared. */
function compareErrors(left: Error, right: Error, open: Open): Comparison {
  if (left.name !== right.name || left.message !== right.message) return false
  const cause = compareValues(left.cause, right.cause, open)
  if (cause !== true) return cause
  const errors = compareValues((left as AggregateError).errors, (right as AggregateError).errors, open)
  return errors === true ? compareKeys(left, right, open) : errors
}

function compareMaps(left: Map<unknown, unknown>, right: Map<unknown, unknown>, open: Open): Comparison {
  if (mapSize(left) !== mapSize(right)) return false
  const others: unknown[][] = []
  mapEach(right, (value, key) => void (mapHas(left, key) || append(others, [key, value])))
  const own: unknown[][] = []
  let result: Comparison = true
  mapEach(left, (value, key) => {
    if (result === false) return
    if (!mapHas(right, key)) return append(own, [key, value])
    const same = compareValues(value, mapGet(right, key), open)
    if (same !== true) result = same
  })
  return result === true ? comparePairwise(own, others, open) : result
}

function compareSets(left: Set<unknown>, right: Set<unknown>, open: Open): Comparison {
  if (setSize(left) !== setSize(right)) return false
  const own: unknown[] = []
  const others: unknown[] = []
  setEach(left, (item) => void (setHas(right, item) || append(own, item)))
  setEach(right, (item) => void (setHas(left, item) || append(others, item)))
  return comparePairwise(own, others, open)
}

/** In any order: each has its own partner. Both have the same number of elements. */
function comparePairwise(own: unknown[], others: unknown[], open: Open): Comparison {
  const taken: boolean[] = []
  let refused: Comparison = false
  for (let at = 0; at < own.length; at++) {
    let found = false
    for (let other = 0; other < others.length && !found; other++) {
      if (hasOwn(taken, other)) continue
      const same = compareValues(own[at], others[other], open)
      if (typeof same === 'string') refused = same
      if (same !== true) continue
      found = true
      define(taken, other, true)
    }
    if (!found) return refused
  }
  return true
}

function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  const size = byteCount(left)
  if (size !== byteCount(right)) return false
  for (let at = 0; at < size; at++) if (left[at] !== right[at]) return false
  return true
}

function compareRecords(left: object, right: object, open: Open): Comparison {
  const result = compareKeys(left, right, open)
  // Two objects with no visible properties have something inside: a WeakMap, a stream, private fields.
  if (result !== true || ownKeys(left).length + ownKeys(right).length > 0) return result
  if (isPlain(left) && isPlain(right)) return true
  return 'they have no properties of their own to compare: compare what their methods return'
}

function compareKeys(left: object, right: object, open: Open): Comparison {
  const own = definedKeys(left)
  if (own.length !== definedKeys(right).length) return false
  let result: Comparison = true
  for (let at = 0; at < own.length; at++) {
    const key = own[at] as PropertyKey
    if (!hasOwn(right, key)) return false
    const same = compareValues(read(left, key), read(right, key), open)
    if (same === false) return false
    if (same !== true) result = same
  }
  return result
}

function ownKeys(value: object): PropertyKey[] {
  const found: PropertyKey[] = keys(value)
  const symbols = getOwnPropertySymbols(value)
  for (let at = 0; at < symbols.length; at++) {
    const symbol = symbols[at] as symbol
    if (isEnumerable(value, symbol)) append(found, symbol)
  }
  return found
}

function definedKeys(value: object): PropertyKey[] {
  const all = ownKeys(value)
  const found: PropertyKey[] = []
  for (let at = 0; at < all.length; at++) {
    const key = all[at] as PropertyKey
    if (read(value, key) !== undefined) append(found, key)
  }
  return found
}

function read(value: object, key: PropertyKey): unknown {
  return (value as Record<PropertyKey, unknown>)[key]
}

function isPlain(value: object): boolean {
  const prototype = getPrototypeOf(value) as object | null
  return prototype === null || getPrototypeOf(prototype) === null
}
