// `refusal`: whether the agent refused, as its vendor's protocol reports it.
import * as v from 'valibot'
import { defineAssertion, notAvailable } from '../define-assertion.js'

export const refusal = defineAssertion({
  type: 'refusal',
  summary:
    "The agent refused, by its vendor's refusal field or ending, never by its words (value false: it did not). With it in a case a refusal no longer fails the assertions on the answer",
  example: { type: 'refusal' },
  on: 'actions',
  schema: v.object({ value: v.optional(v.boolean()) }),

  compile({ value: expected = true }) {
    return ({ refusal: actual, output }) => {
      if (actual === undefined)
        return notAvailable(
          'whether the agent refused is not known: its protocol does not report refusals. Assert on its words, or let its reply say "refusal": true or false',
        )
      if (actual === expected) return { passed: true }
      const message = actual ? 'the agent refused, expected an answer' : 'the agent did not refuse'
      return { passed: false, message, expected, actual: output ?? null }
    }
  },
})
