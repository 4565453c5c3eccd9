// Values on their way out of the script: data that can be serialised, whatever the script put into it.
import { inspect } from 'node:util'

const MAX_DEPTH = 200

/** A copy that v8 can serialise: functions and symbols become text, instances their own data, cycles stay cycles. */
export function plain(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return plainScalar(value)
  return copy(value, new Map(), 0)
}

function plainScalar(value: unknown): unknown {
  if (typeof value === 'function') return `[Function: ${value.name || 'anonymous'}]`
  if (typeof value === 'symbol') return value.toString()
  return value
}

function copy(value: unknown, seen: Map<object, unknown>, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return plainScalar(value)
  const known = seen.get(value)
  if (known !== undefined) return known
  if (depth > MAX_DEPTH) return '[too deep]'
  if (Array.isArray(value)) return copyArray(value, seen, depth)
  if (value instanceof Date || value instanceof RegExp || ArrayBuffer.isView(value) || value instanceof ArrayBuffer) {
    return value
  }
  if (value instanceof Map) return copyMap(value, seen, depth)
  if (value instanceof Set) return new Set([...value].map((item) => copy(item, seen, depth + 1)))
  if (value instanceof Promise) return '[Promise]'
  return copyRecord(value, seen, depth)
}

function copyArray(list: unknown[], seen: Map<object, unknown>, depth: number): unknown[] {
  const result: unknown[] = []
  seen.set(list, result)
  for (let index = 0; index < list.length; index++) result[index] = copy(list[index], seen, depth + 1)
  return result
}

function copyMap(map: Map<unknown, unknown>, seen: Map<object, unknown>, depth: number): Map<unknown, unknown> {
  const result = new Map<unknown, unknown>()
  seen.set(map, result)
  for (const [key, item] of map) result.set(copy(key, seen, depth + 1), copy(item, seen, depth + 1))
  return result
}

function copyRecord(value: object, seen: Map<object, unknown>, depth: number): unknown {
  const result: Record<string, unknown> = {}
  seen.set(value, result)
  if (value instanceof Error) Object.assign(result, { name: value.name, message: value.message })
  for (const key of Object.keys(value)) {
    const item = copy(read(value, key), seen, depth + 1)
    if (key === '__proto__') Object.defineProperty(result, key, { value: item, enumerable: true })
    else result[key] = item
  }
  return result
}

function read(value: object, key: string): unknown {
  try {
    return (value as Record<string, unknown>)[key]
  } catch (error) {
    return `[getter threw: ${error instanceof Error ? error.message : String(error)}]`
  }
}

const MAX_SHOWN = 10_000

/** For reports: what JSON can hold, cut where it is long. */
export function reported(value: unknown): unknown {
  if (typeof value === 'string') return value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : String(value)
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value !== 'object' || value === null) return plainScalar(value)
  try {
    const text = JSON.stringify(value)
    if (text !== undefined && text.length <= MAX_SHOWN && !isOpaque(value)) return JSON.parse(text) as unknown
  } catch {
    // A cycle, a bigint, a throwing getter: shown as text below.
  }
  const text = inspect(value, { depth: 4, maxArrayLength: 50, maxStringLength: 1000, breakLength: 120 })
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text
}

/** JSON would say `{}`, which helps nobody. */
function isOpaque(value: object): boolean {
  return value instanceof Error || value instanceof RegExp || value instanceof Map || value instanceof Set
}

/** One value in a message: text in quotes, so that `"1"` and `1` differ. */
export function shown(value: unknown): string {
  const text =
    typeof value === 'string'
      ? JSON.stringify(value)
      : typeof value === 'object' && value !== null
        ? inspect(value, { depth: 3, breakLength: Infinity, compact: true, maxArrayLength: 20, maxStringLength: 200 })
        : typeof value === 'bigint'
          ? `${value}n`
          : String(plainScalar(value))
  return text.length > 300 ? `${text.slice(0, 300)}…` : text
}
