// `schema`: the answer's JSON is valid under a JSON Schema.
import * as v from 'valibot'
import { isRecord } from '../../../base/record.js'
import { findJson, wholeJson } from '../../../base/json/find-json.js'
import { parseLenientJson } from '../../../base/json/lenient-json.js'
import { defineAssertion, notAvailable, SpecError, type AssertServices, type Verdict } from '../define-assertion.js'
import { compileSchema, uncheckedFormats, type ValidateSchema } from '../../../json-schema/compile-schema.js'
import { requireSchema } from '../json-schema.js'
import { notJson, onAnswer } from '../on-answer.js'

export const schema = defineAssertion({
  type: 'schema',
  summary:
    'The JSON of the answer is valid under a JSON Schema (2020-12, or the draft that its `$schema` names), its formats included, inline or in a file',
  example: { type: 'schema', value: { type: 'object', required: ['keywords'] } },
  on: 'answer',
  schema: v.object({
    value: v.optional(v.union([v.record(v.string(), v.unknown()), v.boolean()])),
    file: v.optional(v.pipe(v.string(), v.nonEmpty())),
  }),

  compile(spec, context) {
    const { value, file } = spec
    if ((value === undefined) === (file === undefined)) {
      throw new SpecError(`${context.field}.value`, 'give the schema as value, or its file as file')
    }
    if (file === undefined) {
      const validate = requireSchema(value, `${context.field}.value`)
      for (const text of formatDoubts(value)) context.doubt(`${context.field}.value`, text)
      return onAnswer(spec, context, (answer) => check(answer, value, validate), { several: 'each' })
    }
    let loaded: Promise<LoadedSchema> | undefined
    return onAnswer(
      spec,
      context,
      async (answer, _evidence, services) => {
        if (!services.readFile) return notAvailable(`${file} cannot be read here: give the schema as value`)
        loaded ??= loadSchema(file, services)
        const { document, validate } = await loaded
        return check(answer, document, validate)
      },
      { several: 'each' },
    )
  },
})

interface LoadedSchema {
  document: unknown
  validate: ValidateSchema
}

async function loadSchema(file: string, services: AssertServices): Promise<LoadedSchema> {
  const text = await services.readFile?.(file)
  const parsed = parseLenientJson(text ?? '')
  if (!parsed) throw new Error(`${file} is not JSON`)
  const validate = compileSchema(parsed.value)
  for (const doubt of formatDoubts(parsed.value)) services.warn?.(`${file}: ${doubt}`)
  return { document: parsed.value, validate }
}

function formatDoubts(document: unknown): string[] {
  return uncheckedFormats(document).map(
    (name) => `the format "${name}" is unknown, so it is not checked: use a pattern`,
  )
}

function check(answer: unknown, document: unknown, validate: ValidateSchema): Verdict {
  const json = typeof answer === 'string' && wantsText(document, answer) ? { value: answer } : findJson(answer)
  if (!json && answer !== null) return notJson(answer)
  const errors = validate(json ? json.value : null)
  return errors.length === 0
    ? { passed: true }
    : { passed: false, message: `output does not match the schema: ${errors.join('; ')}` }
}

/** Text is taken as text only by a schema that asks for it; otherwise `{"required": …}` would accept any sentence. */
function wantsText(document: unknown, answer: string): boolean {
  if (!isRecord(document)) return false
  const { type, enum: values, const: value } = document
  if (type === 'string' || (Array.isArray(type) && type.includes('string'))) return true
  const texts = Array.isArray(values) ? values : [value]
  // `"yes"` in quotes is JSON for one of them.
  return texts.every((text) => typeof text === 'string') && !wholeJson(answer)
}
