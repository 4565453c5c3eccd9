// `latency`, `duration`, `cost`, `tokens`: what the answer took.
import * as v from 'valibot'
import { defineAssertion, notAvailable, SpecError, type AssertionDefinition } from '../define-assertion.js'

const positive = v.pipe(v.number(), v.finite(), v.gtValue(0))
const notNegative = v.pipe(v.number(), v.finite(), v.minValue(0))

export const latency = timeLimit('latency', 'The answer came within a time', { type: 'latency', max_ms: 2000 })
export const duration = timeLimit('duration', 'The run was over within a time', { type: 'duration', max_secs: 60 })

export const cost = costLimit('cost', 'The answer cost no more than this, in dollars; an unknown price is an error')
export const costWithin = costLimit('cost_within', 'The same as cost, under the name that test tools use')

export const tokens = defineAssertion({
  type: 'tokens',
  summary: 'The answer used no more than this many tokens, input and output together',
  example: { type: 'tokens', max: 2000 },
  on: 'run',
  schema: v.object({ max: notNegative }),

  compile({ max }) {
    return ({ usage }) => {
      if (usage === undefined) return notAvailable('the agent does not report how many tokens it used')
      const actual = usage.total_tokens
      if (actual <= max) return { passed: true, actual }
      return { passed: false, message: `used ${actual} tokens, at most ${max} allowed`, expected: max, actual }
    }
  },
})

function costLimit(type: string, summary: string): AssertionDefinition {
  return defineAssertion({
    type,
    summary,
    example: { type, max_dollars: 0.05 },
    on: 'run',
    schema: v.object({ max_dollars: notNegative }),

    compile({ max_dollars: max }) {
      return ({ cost_dollars: actual, cost_estimated }) => {
        if (actual === undefined) {
          return notAvailable(
            'the cost is not known: give the model a price (`price` of the connector, or `prices` in the configuration; with `cache_write` if it writes to a cache)',
          )
        }
        if (actual <= max) return { passed: true, expected: max, actual }
        const spent = `$${actual}${cost_estimated ? ' (estimated)' : ''}`
        return { passed: false, message: `cost ${spent}, at most $${max} allowed`, expected: max, actual }
      }
    },
  })
}

function timeLimit(type: string, summary: string, example: AssertionDefinition['example']): AssertionDefinition {
  return defineAssertion({
    type,
    summary: `${summary}: max_ms or max_secs`,
    example,
    on: 'run',
    schema: v.object({ max_ms: v.optional(positive), max_secs: v.optional(positive) }),

    compile({ max_ms: ms, max_secs: secs }, { field }) {
      if ((ms === undefined) === (secs === undefined)) throw new SpecError(`${field}.max_ms`, 'give max_ms or max_secs')
      const max = ms ?? (secs ?? 0) * 1000
      return ({ duration_ms: actual }) =>
        actual <= max
          ? { passed: true, expected: max, actual }
          : {
              passed: false,
              message: `took ${Math.round(actual)} ms, at most ${max} ms allowed`,
              expected: max,
              actual,
            }
    },
  })
}
