// The schema of a tool, as its server wrote it: 2020-12 unless it names another draft, and draft 7 where only that makes sense of it.
import { isRecord } from '../base/record.js'
import { compileSchema, type ValidateSchema } from './compile-schema.js'

const DRAFT_7 = 'http://json-schema.org/draft-07/schema#'

/** Throws if it is not a schema in either, an UnusableSchema if that cannot be told. */
export function compileForeign(schema: unknown): ValidateSchema {
  try {
    return compileSchema(schema, { foreign: true })
  } catch (error) {
    if (!isRecord(schema) || schema['$schema'] !== undefined) throw error
    try {
      return compileSchema({ ...schema, $schema: DRAFT_7 }, { foreign: true })
    } catch {
      throw error
    }
  }
}
