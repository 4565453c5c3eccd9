// `awaiting_input`: whether the agent waits for the user to answer.
import * as v from 'valibot'
import { defineAssertion, notAvailable } from '../define-assertion.js'

const REASONS = ['agent_declared', 'tool_requires_confirmation', 'content_is_question', 'completed']

export const awaitingInput = defineAssertion({
  type: 'awaiting_input',
  summary: 'The agent waits for input (value false: it does not), optionally for a given reason',
  example: { type: 'awaiting_input', value: true },
  on: 'actions',
  schema: v.object({ value: v.optional(v.boolean()), reason: v.optional(v.picklist(REASONS)) }),

  compile({ value: expected = true, reason }) {
    return (evidence) => {
      const { awaiting_input: actual, awaiting_reason: actualReason } = evidence
      if (actual === undefined) return notAvailable('whether the agent awaits input is not known for this run')
      const because = actualReason === undefined ? '' : ` (${actualReason})`
      if (actual !== expected) {
        const message = actual
          ? `the agent awaits input${because}, expected that it does not`
          : `the agent does not await input${because}, expected that it does`
        return { passed: false, message, expected, actual }
      }
      if (reason === undefined || reason === actualReason) return { passed: true }
      const message = `expected awaiting reason ${reason}, got ${actualReason ?? 'none'}`
      return { passed: false, message, expected: reason, actual: actualReason ?? null }
    }
  },
})
