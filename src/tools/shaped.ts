// Marks a schema whose values have a reader of their own: JSON Schemas say more about them than the schema that checks here.
import type * as v from 'valibot'

/** What `tools/shape-schemas.ts` describes. */
export type Shape = 'assertion' | 'mock_response' | 'names'

export type Shaped = v.GenericSchema & { shape?: Shape }

export function shaped<T extends v.GenericSchema>(schema: T, shape: Shape): T {
  return { ...schema, shape }
}
