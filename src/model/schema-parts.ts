// What all schemas are built from.
import * as v from 'valibot'

export const optional = v.exactOptional

/** With a line for readers of the JSON Schema. */
export const about = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description))

/** A key that must be absent; its type can still be read. */
export const absent = () => optional(v.never())

export const anyMap = () => v.record(v.string(), v.unknown())
