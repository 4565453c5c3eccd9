// What JSON would silently drop or change: functions, NaN, maps, cycles; and what may be different when it is read again.
import { types } from 'node:util'

export interface Lost {
  /** `[0].assert.value` */
  path: string
  what: string
}

const MAX_LEVELS = 200

/** The first such thing. Keys that are undefined are as good as absent: nothing is lost. */
export function lostInJson(value: unknown, path = '', levels = MAX_LEVELS): Lost | undefined {
  const what = lostItself(value)
  if (what !== undefined) return { path, what }
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return undefined
  if (types.isProxy(value)) return { path, what: 'a proxy, which may change when it is read again' }
  if (levels === 0) return { path, what: `more than ${MAX_LEVELS} levels, or a circle` }
  for (const key of Object.keys(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    const property = Object.getOwnPropertyDescriptor(value, key)
    if (property?.get) return { path: at, what: 'a getter, which may change when it is read again' }
    const inner: unknown = property?.value
    if (inner === undefined && !Array.isArray(value)) continue
    const lost = lostInJson(inner, at, levels - 1)
    if (lost) return lost
  }
  return undefined
}

function lostItself(value: unknown): string | undefined {
  switch (typeof value) {
    case 'function':
      return value.name === '' ? 'a function' : `the function ${value.name}`
    case 'undefined':
      return 'undefined'
    case 'symbol':
    case 'bigint':
      return `a ${typeof value}`
    case 'number':
      return Number.isFinite(value) ? undefined : String(value)
    case 'object':
      if (value === null || isPlain(value)) return undefined
      if (ArrayBuffer.isView(value)) return `bytes (${value.constructor.name}): decode them, as with toString()`
      return 'toJSON' in value ? undefined : `an instance of ${nameOf(value)}`
    default:
      return undefined
  }
}

function isPlain(value: object): boolean {
  const kind: unknown = Object.getPrototypeOf(value)
  // Objects of another realm have another Object.prototype, which has no prototype either.
  return Array.isArray(value) || kind === null || Object.getPrototypeOf(kind) === null
}

function nameOf(value: object): string {
  return value instanceof Promise ? 'Promise: is an "await" missing?' : value.constructor.name
}
