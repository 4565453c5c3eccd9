// Keys that a schema does not know, at every level it describes.
import type { GenericSchema } from 'valibot'
import type { UnknownKeys } from '../../model/case-schema-base.js'
import { isFreeKey } from '../../model/free-key.js'
import { isRecord, ownValue } from '../../base/record.js'

export interface UnknownKey {
  path: Array<string | number>
  name: string
  known: string[]
  /** What the schema says about keys that it does not know. */
  unknownKeys: UnknownKeys
}

/** The schema library's schemas as seen from outside, as far as needed here. */
export interface SchemaShape {
  type: string
  pipe?: [GenericSchema, ...Array<{ kind: string; type: string; requirement?: (value: unknown) => boolean }>]
  entries?: Record<string, GenericSchema>
  wrapped?: GenericSchema
  item?: GenericSchema
  options?: GenericSchema[]
  /** For a record: the schema of its values. */
  value?: GenericSchema
  unknownKeys?: UnknownKeys
}

export function findUnknownKeys(schema: GenericSchema, value: unknown, path: UnknownKey['path'] = []): UnknownKey[] {
  const shape = schema as unknown as SchemaShape
  if (shape.wrapped) return findUnknownKeys(shape.wrapped, value, path)
  if (shape.options && shape.type === 'union') {
    const fits = shape.options.find((option) => fitsOutside(option as unknown as SchemaShape, value))
    return fits ? findUnknownKeys(fits, value, path) : []
  }
  if (shape.item && Array.isArray(value)) {
    const { item } = shape
    return value.flatMap((element, index) => findUnknownKeys(item, element, [...path, index]))
  }
  if (shape.type === 'record' && shape.value && isRecord(value)) {
    const { value: each } = shape
    return Object.entries(value).flatMap(([name, item]) => findUnknownKeys(each, item, [...path, name]))
  }
  return shape.entries && isRecord(value) ? inObject(shape, shape.entries, value, path) : []
}

function inObject(
  shape: SchemaShape,
  entries: Record<string, GenericSchema>,
  value: Record<string, unknown>,
  path: UnknownKey['path'],
): UnknownKey[] {
  const { unknownKeys = 'refused' } = shape
  const known = Object.keys(entries)
  return Object.keys(value).flatMap((name) => {
    const entry = ownValue(entries, name)
    if (entry) return findUnknownKeys(entry, value[name], [...path, name])
    return isFreeKey(name) || unknownKeys === 'elsewhere' ? [] : [{ path, name, known, unknownKeys }]
  })
}

function fitsOutside(shape: SchemaShape, value: unknown): boolean {
  return Array.isArray(value) ? shape.item !== undefined : isRecord(value) && shape.entries !== undefined
}
