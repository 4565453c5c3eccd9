// Structured answers whose keys are not as they were: missing, of another type, doubled.
import { isRecord } from '../../../base/record.js'
import { eachJson, spread } from '../change.js'
import { pathOf, withAt } from '../json-leaves.js'
import type { Operator } from '../operator.js'

const MOST = 12

export const keyMissing: Operator = {
  name: 'JSON key missing',
  about: 'answer',
  meaning: 'programs that read the answer miss a field',
  mutants: (original) =>
    eachJson(original, function* (value) {
      for (const { parent, key } of spread(keysOf(value), MOST))
        yield {
          what: `${pathOf([...parent, key])} is missing`,
          value: withAt(value, parent, (old) => without(old, key)),
        }
    }),
}

export const keyType: Operator = {
  name: 'JSON type',
  about: 'answer',
  meaning: 'programs that read the answer get a field of another type',
  mutants: (original) =>
    eachJson(original, function* (value) {
      for (const { parent, key } of spread(keysOf(value), MOST)) {
        const steps = [...parent, key]
        yield { what: `${pathOf(steps)} has another type`, value: withAt(value, steps, otherType) }
      }
    }),
}

/** Only text can say a key twice: the last one counts. */
export const keyDoubled: Operator = {
  name: 'JSON key doubled',
  about: 'answer',
  meaning: 'programs that read the answer find a field twice, with different values',
  mutants: (original) =>
    eachJson(original, function* (value) {
      if (!isRecord(value)) return
      const [key] = Object.keys(value)
      if (key === undefined) return
      const text = JSON.stringify(value)
      yield {
        what: `$.${key} is there twice`,
        value: `${text.slice(0, -1)},${JSON.stringify(key)}:${JSON.stringify(otherType(value[key]))}}`,
      }
    }),
}

interface Key {
  parent: Array<string | number>
  key: string
}

function keysOf(value: unknown, parent: Array<string | number> = []): Key[] {
  if (parent.length > 6) return []
  if (Array.isArray(value)) return value.slice(0, 3).flatMap((item: unknown, index) => keysOf(item, [...parent, index]))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, item]) => [{ parent, key }, ...keysOf(item, [...parent, key])])
}

function without(value: unknown, key: string): unknown {
  if (!isRecord(value)) return value
  const { [key]: _gone, ...rest } = value
  return rest
}

function otherType(value: unknown): unknown {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (typeof value === 'string') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : [value]
  return value === null ? '' : null
}
