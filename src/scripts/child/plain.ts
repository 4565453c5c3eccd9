// Values on their way out of the script: data that can be serialised, whatever the script put into it.
import { inspect } from 'node:util'
import {
  cut,
  define,
  fromJson,
  hrefOf,
  isArray,
  isError,
  isFinite,
  isPrototypeOf,
  isView,
  keys,
  mapEach,
  mapGet,
  mapSet,
  OriginalMap,
  OriginalSet,
  queryOf,
  setAdd,
  setEach,
  text as toText,
  toJson,
  types,
  unboxed,
} from './primordials.js'

const MAX_DEPTH = 200
const URLS = URL.prototype
const QUERIES = URLSearchParams.prototype
const symbolText = Function.prototype.call.bind(Symbol.prototype.toString) as (symbol: symbol) => string

/**
 * A copy that v8 can serialise: functions and symbols become text, URLs their address, instances their own data, cycles
 * stay cycles. A promise is refused, because its value would be lost.
 */
export function plain(value: unknown): unknown {
  return copy(value, new OriginalMap(), 0, false)
}

/** For text that a person reads: a promise becomes text too. */
export function plainForPeople(value: unknown): unknown {
  return copy(value, new OriginalMap(), 0, true)
}

function plainScalar(value: unknown): unknown {
  if (typeof value === 'function') return `[Function: ${value.name || 'anonymous'}]`
  if (typeof value === 'symbol') return symbolText(value)
  return value
}

type Seen = Map<unknown, unknown>

function copy(value: unknown, seen: Seen, depth: number, lenient: boolean): unknown {
  if (typeof value !== 'object' || value === null) return plainScalar(value)
  const known = mapGet(seen, value)
  if (known !== undefined) return known
  if (depth > MAX_DEPTH) return '[too deep]'
  if (isArray(value)) return copyArray(value, seen, depth, lenient)
  if (types.isDate(value) || types.isRegExp(value) || isView(value) || types.isAnyArrayBuffer(value)) return value
  if (types.isMap(value)) return copyMap(value, seen, depth, lenient)
  if (types.isSet(value)) return copySet(value, seen, depth, lenient)
  if (types.isPromise(value)) {
    if (lenient) return '[Promise]'
    throw new TypeError('found a promise where data was expected: forgot await?')
  }
  if (types.isBoxedPrimitive(value)) return plainScalar(unboxed(value))
  if (isPrototypeOf(URLS, value) && value !== URLS) return hrefOf(value as URL)
  if (isPrototypeOf(QUERIES, value) && value !== QUERIES) return queryOf(value as URLSearchParams)
  return copyRecord(value, seen, depth, lenient)
}

function copyArray(list: unknown[], seen: Seen, depth: number, lenient: boolean): unknown[] {
  const result: unknown[] = []
  mapSet(seen, list, result)
  for (let index = 0; index < list.length; index++) define(result, index, copy(list[index], seen, depth + 1, lenient))
  return result
}

function copyMap(map: Map<unknown, unknown>, seen: Seen, depth: number, lenient: boolean): Map<unknown, unknown> {
  const result = new OriginalMap<unknown, unknown>()
  mapSet(seen, map, result)
  mapEach(map, (item, key) => mapSet(result, copy(key, seen, depth + 1, lenient), copy(item, seen, depth + 1, lenient)))
  return result
}

function copySet(set: Set<unknown>, seen: Seen, depth: number, lenient: boolean): Set<unknown> {
  const result = new OriginalSet<unknown>()
  mapSet(seen, set, result)
  setEach(set, (item) => setAdd(result, copy(item, seen, depth + 1, lenient)))
  return result
}

function copyRecord(value: object, seen: Seen, depth: number, lenient: boolean): unknown {
  const result: Record<string, unknown> = {}
  mapSet(seen, value, result)
  if (isError(value)) {
    define(result, 'name', value.name)
    define(result, 'message', value.message)
  }
  const names = keys(value)
  for (let at = 0; at < names.length; at++) {
    const key = names[at] as string
    define(result, key, copy(read(value, key), seen, depth + 1, lenient))
  }
  return result
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (error) {
    return `[getter threw: ${isError(error) ? error.message : toText(error)}]`
  }
}

const MAX_SHOWN = 10_000

/** For reports: what JSON can hold, cut where it is long. */
export function reported(value: unknown): unknown {
  if (typeof value === 'string') return cut(value, MAX_SHOWN)
  if (typeof value === 'number') return isFinite(value) ? value : toText(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return plainScalar(value)
  try {
    const text = toJson(value)
    if (text !== undefined && text.length <= MAX_SHOWN && !isOpaque(value)) return fromJson(text) as unknown
  } catch {
    // A cycle, a bigint, a throwing getter: shown as text below.
  }
  const text = inspect(value, { depth: 4, maxArrayLength: 50, maxStringLength: MAX_SHOWN, breakLength: 120 })
  return cut(text, MAX_SHOWN)
}

/** JSON would say `{}`, which says nothing. */
function isOpaque(value: object): boolean {
  const { isRegExp, isMap, isSet, isPromise } = types
  return isError(value) || isRegExp(value) || isMap(value) || isSet(value) || isPromise(value)
}

/** One value in a message: text in quotes, so that `"1"` and `1` differ. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string'
      ? toJson(value)
      : typeof value === 'object' && value !== null
        ? inspect(value, {
            depth: 3,
            breakLength: Infinity,
            compact: true,
            maxArrayLength: 20,
            maxStringLength: MAX_SHOWN,
          })
        : typeof value === 'bigint'
          ? `${value}n`
          : toText(plainScalar(value))
  return cut(text, 300)
}
