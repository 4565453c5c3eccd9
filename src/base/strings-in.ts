// Every text inside a value, keys included.
import { isRecord } from './record.js'

export function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (Array.isArray(value)) for (const item of value) yield* stringsIn(item)
  else if (isRecord(value))
    for (const [key, item] of Object.entries(value)) {
      yield key
      yield* stringsIn(item)
    }
}
