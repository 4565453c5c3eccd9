// The names that events are made of: what a reader looks for, whatever a run has to hide.
import { eventSchema } from './event-schema.js'

/** As valibot builds them; only what event schemas are made of. */
interface Schema {
  entries?: Record<string, Schema>
  options?: unknown[]
  item?: Schema
  value?: Schema
  wrapped?: Schema
}

export function eventKeys(): Set<string> {
  const keys = new Set<string>()
  collect(eventSchema as unknown as Schema, keys)
  return keys
}

function collect(schema: Schema, keys: Set<string>): void {
  for (const [key, inner] of Object.entries(schema.entries ?? {})) {
    keys.add(key)
    collect(inner, keys)
  }
  for (const option of schema.options ?? []) if (typeof option === 'object' && option !== null) collect(option, keys)
  for (const inner of [schema.item, schema.value, schema.wrapped]) if (inner) collect(inner, keys)
}
