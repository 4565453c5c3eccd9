// A JSON Schema that an author has written into an assertion.
import { messageOf } from '../../base/message-of.js'
import { compileSchema, type ValidateSchema } from '../../json-schema/compile-schema.js'
import { SpecError } from './define-assertion.js'

/** As `compileSchema`, for what an author has written in `field`. */
export function requireSchema(document: unknown, field: string): ValidateSchema {
  try {
    return compileSchema(document)
  } catch (error) {
    throw new SpecError(field, `is not a usable JSON Schema: ${messageOf(error)}`)
  }
}
