// `equals`: the answer is the given value.
import * as v from 'valibot'
import { defineAssertion, SpecError } from '../define-assertion.js'
import { matcherField } from '../matchers/schema.js'
import { findsSeveral, onAnswer } from '../on-answer.js'
import { compileValue } from '../value-match.js'

export const equals = defineAssertion({
  type: 'equals',
  summary:
    'The answer equals a value; key order does not matter, and text may be JSON for the value; matchers anywhere inside',
  example: { type: 'equals', value: { need_search: false } },
  on: 'answer',
  schema: v.object({ value: matcherField }),

  compile(spec, context) {
    const field = `${context.field}.value`
    const wanted = compileValue(spec.value, field, context, true)
    if (spec.path === undefined && wanted.holdsAlways)
      throw new SpecError(field, `${JSON.stringify(spec.value)} holds for every answer: it cannot fail`)
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
