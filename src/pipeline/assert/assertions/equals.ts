// `equals`: the answer is the given value.
import * as v from 'valibot'
import { defineAssertion } from '../define-assertion.js'
import { findsSeveral, onAnswer } from '../on-answer.js'
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
    const readings = findsSeveral(spec, context) ? asListOrOnly : (answer: unknown) => [answer]
    return onAnswer(
      spec,
      context,
      (answer, { output }) => {
        const [first, ...others] = readings(answer)
        if ([first, ...others].some((value) => wanted.matches(value, output))) return { passed: true }
        return wanted.explain(Array.isArray(spec.value) ? answer : first, output)
      },
      { missing: wanted.needsValue ? 'fails' : 'null', several: 'list' },
    )
  },
})

/** What a query for several finds: the list, or the only value in it; nothing is the empty list, or null. */
function asListOrOnly(found: unknown): unknown[] {
  if (!Array.isArray(found)) return [found, []]
  return found.length === 1 ? [found[0], found] : [found]
}
