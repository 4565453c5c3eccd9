// `termination_reason`, `iterations`: how an orchestrator run ended, and after how many iterations.
import * as v from 'valibot'
import { plural } from '../../../base/format.js'
import { suggest } from '../../../base/suggest.js'
import { findReason, REASONS } from '../../../model/termination.js'
import { boundEntries, describeBounds, isWithin, requireBounds } from '../bounds.js'
import { defineAssertion, notAvailable, SpecError } from '../define-assertion.js'
import { inSession, isIdle, nothingHappened } from './events.js'

const reason = v.optional(v.pipe(v.string(), v.nonEmpty()))

export const terminationReason = defineAssertion({
  type: 'termination_reason',
  summary: 'Why the orchestrator run ended, as `MaxIterations` or `max_iterations`',
  example: { type: 'termination_reason', expected: 'CompletionPromise' },
  on: 'session',
  schema: v.object({ expected: reason, value: reason }),

  compile(spec, context) {
    const { field } = context
    const expected = spec.expected ?? spec.value
    if (expected === undefined) throw new SpecError(`${field}.expected`, 'is missing: the reason')
    const known = findReason(expected)
    if (known === undefined) {
      const near = suggest(expected, REASONS)
      context.doubt(
        `${field}.expected`,
        `"${expected}" is not a known reason${near === undefined ? '' : `: did you mean ${near}?`}`,
      )
    }
    return inSession(({ termination_reason: actual }) => {
      if (actual === undefined) return notAvailable('the session does not say why the run ended: it was cut short')
      if (plain(actual) === plain(expected)) return { passed: true, expected, actual }
      return { passed: false, message: `the run ended with ${actual}, expected ${expected}`, expected, actual }
    })
  },
})

export const iterations = defineAssertion({
  type: 'iterations',
  summary: 'The orchestrator run had this many iterations: min, max or exact',
  example: { type: 'iterations', min: 1, max: 5 },
  on: 'session',
  schema: v.object(boundEntries),

  compile(spec, { field }) {
    const bounds = requireBounds(spec, field)
    return inSession((session) => {
      const actual = session.iterations.length
      const expected = describeBounds(bounds)
      // None is a count that an author may ask for, once something was started.
      const isMeant = (bounds.exact === 0 || bounds.max === 0) && session.events.length > 0
      const isEmpty = isIdle(session) && !isMeant
      if (isWithin(actual, bounds)) return isEmpty ? nothingHappened() : { passed: true, expected, actual }
      const message = `${plural(actual, 'iteration')}, expected ${expected}`
      return { passed: false, message, expected, actual, ...(isEmpty && { absent: message }) }
    })
  },
})

function plain(text: string): string {
  return text.replaceAll('_', '').toLowerCase()
}
