// `equals`: the answer is the given value.
import * as v from 'valibot'
import { defineAssertion } from '../define-assertion.js'
import { onAnswer } from '../on-answer.js'
import { compileValue, refuseAnything } from '../value-match.js'

export const equals = defineAssertion({
  type: 'equals',
  summary:
    'The answer equals a value; key order does not matter, and text may be JSON for the value; leaves may be operators',
  example: { type: 'equals', value: { need_search: false } },
  on: 'answer',
  schema: v.object({ value: v.unknown() }),

  compile(spec, context) {
    const field = `${context.field}.value`
    if (spec.path === undefined) refuseAnything(spec.value, field)
    const wanted = compileValue(spec.value, field, context, true)
    return onAnswer(
      spec,
      context,
      (answer, { output }) => (wanted.matches(answer, output) ? { passed: true } : wanted.explain(answer, output)),
      wanted.needsValue ? 'fails' : 'null',
    )
  },
})
