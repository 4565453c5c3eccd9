// What all schemas are written with.
import * as v from 'valibot'

export const optional = v.exactOptional

/** With a line for whoever reads the JSON Schema. */
export const about = <T extends v.GenericSchema>(schema: T, description: string) =>
  v.pipe(schema, v.description(description))

/** A key that must not be there. Types can be asked for it all the same. */
export const absent = () => optional(v.never())

export const anyMap = () => v.record(v.string(), v.unknown())
