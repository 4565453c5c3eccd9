// `hat_sequence`, `hat_transition`, `iteration_count`: which hats were worn, in which order, how often.
import * as v from 'valibot'
import { plural } from '../../../base/format.js'
import { boundEntries, describeBounds, isWithin, requireBounds } from '../bounds.js'
import { suggest } from '../../../base/suggest.js'
import { defineAssertion, notAvailable, type Verdict } from '../define-assertion.js'
import { inSession, listed, nothingHappened } from './events.js'

const hat = v.pipe(v.string(), v.nonEmpty())

export const hatSequence = defineAssertion({
  type: 'hat_sequence',
  summary: 'The iterations wore exactly these hats, in this order',
  example: { type: 'hat_sequence', hats: ['planner', 'builder'] },
  on: 'session',
  schema: v.object({ hats: v.pipe(v.array(hat), v.minLength(1)) }),

  compile({ hats: expected }) {
    return inSession(({ iterations }) => {
      if (iterations.length === 0) return nothingHappened()
      const actual = iterations.map((iteration) => iteration.hat)
      const at = actual.findIndex((worn, index) => worn !== expected[index])
      if (at < 0 && actual.length === expected.length) return { passed: true, expected, actual: listed(actual) }
      const first = at < 0 ? actual.length : at
      const message = `the hats were [${listed(actual).join(', ')}], expected [${expected.join(', ')}]: they differ from iteration ${first + 1} on`
      return { passed: false, message, expected, actual: listed(actual) }
    })
  },
})

export const hatTransition = defineAssertion({
  type: 'hat_transition',
  summary: 'An iteration of one hat was followed by one of the other',
  example: { type: 'hat_transition', from: 'planner', to: 'builder' },
  on: 'session',
  schema: v.object({ from: hat, to: hat }),

  compile({ from, to }) {
    return inSession(({ iterations, hats }) => {
      if (iterations.length === 0) return nothingHappened()
      const unknown = noSuchHat([from, to], iterations, hats)
      if (unknown) return unknown
      const seen = [
        ...new Set(iterations.slice(1).map(({ hat: next }, index) => `${iterations[index]?.hat} → ${next}`)),
      ]
      const expected = `${from} → ${to}`
      if (seen.includes(expected)) return { passed: true, expected, actual: seen }
      const list = seen.length === 0 ? `only ${iterations[0]?.hat} ran, once` : `seen were ${seen.join(', ')}`
      return { passed: false, message: `no transition ${expected}: ${list}`, expected, actual: seen }
    })
  },
})

export const iterationCount = defineAssertion({
  type: 'iteration_count',
  summary: 'The hat was worn in this many iterations: min, max or exact',
  example: { type: 'iteration_count', hat: 'planner', min: 1, max: 3 },
  on: 'session',
  schema: v.object({ hat, ...boundEntries }),

  compile(spec, { field }) {
    const bounds = requireBounds(spec, field)
    return inSession(({ iterations, hats }) => {
      if (iterations.length === 0) return nothingHappened()
      const unknown = noSuchHat([spec.hat], iterations, hats)
      if (unknown) return unknown
      const actual = iterations.filter((iteration) => iteration.hat === spec.hat).length
      const expected = describeBounds(bounds)
      if (isWithin(actual, bounds)) return { passed: true, expected, actual }
      const worn = [...new Set(iterations.map((iteration) => iteration.hat))].join(', ')
      const message = `${spec.hat} ran in ${plural(actual, 'iteration')}, expected ${expected}; hats that ran: ${worn}`
      return { passed: false, message, expected, actual }
    })
  },
})

/** A hat that does not exist was never worn, whatever happens. */
function noSuchHat(
  wanted: string[],
  iterations: ReadonlyArray<{ hat: string }>,
  hats: readonly string[] | undefined,
): Verdict | undefined {
  if (!hats) return undefined
  const known = [...new Set([...hats, ...iterations.map((iteration) => iteration.hat)])]
  const unknown = wanted.find((name) => !known.includes(name))
  if (unknown === undefined) return undefined
  const near = suggest(unknown, known)
  const hint = near === undefined ? `there are ${known.join(', ')}` : `did you mean "${near}"?`
  return notAvailable(`there is no hat called "${unknown}"; ${hint}`)
}
