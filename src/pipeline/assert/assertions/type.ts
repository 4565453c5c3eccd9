// `type`: the answer, or the value at a path of it, has a JSON type.
import * as v from 'valibot'
import { suggest } from '../../../base/suggest.js'
import { show } from '../../../base/text.js'
import { defineAssertion, SpecError } from '../define-assertion.js'
import { onAnswer } from '../on-answer.js'

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

export const type = defineAssertion({
  type: 'type',
  summary: `The type of the answer or of the value at a path: ${TYPES.join(', ')}`,
  example: { type: 'type', path: '$.count', value: 'number' },
  on: 'answer',
  schema: v.object({ value: v.string('type assertion value must be a string') }),

  compile(spec, context) {
    const expected = spec.value
    if (!TYPES.includes(expected)) {
      const message = `unknown type "${expected}"; one of ${TYPES.join(', ')}`
      throw new SpecError(`${context.field}.value`, message, suggest(expected, TYPES))
    }
    return onAnswer(
      spec,
      context,
      (answer) => {
        const actual = typeOf(answer)
        const isInteger = expected === 'integer' && Number.isInteger(answer)
        if (actual === expected || isInteger) return { passed: true }
        const at = spec.path === undefined ? 'output' : spec.path
        const message = `expected ${at} to be of type ${expected}, got ${actual}: ${show(answer ?? null)}`
        return { passed: false, message, expected, actual }
      },
      { missing: 'null', several: 'each' },
    )
  },
})

function typeOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value
}
