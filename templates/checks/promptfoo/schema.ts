// Does a value fit a JSON Schema? With promptfoo's own validator and settings.
import { Ajv } from 'ajv'
import addFormats from 'ajv-formats'

/** Undefined if it fits, else why not. */
export function schemaProblem(value: unknown, schema: unknown): string | undefined {
  const ajv = new Ajv({ strictSchema: true, logger: false })
  addFormats.default(ajv)
  const validate = ajv.compile(schema as object)
  // It would answer with a promise, which is never false.
  if ('$async' in validate) throw new Error('an asynchronous schema cannot be checked')
  return validate(value) ? undefined : ajv.errorsText(validate.errors, { dataVar: '' }).trim()
}
