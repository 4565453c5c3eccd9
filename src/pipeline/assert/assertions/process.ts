// `exit_code`, `stdout_contains`, `stderr_contains`: what an agent that is a program left behind.
import * as v from 'valibot'
import { isTail } from '../../../base/output-buffer.js'
import { defineAssertion, notAvailable, SpecError, type Verdict } from '../define-assertion.js'
import { requirePattern } from '../patterns.js'
import { verdictOf } from './regex.js'

const code = v.optional(v.pipe(v.number(), v.integer()))
const pattern = v.pipe(v.string(), v.nonEmpty())

export const exitCode = defineAssertion({
  type: 'exit_code',
  summary: 'The program ended with this exit code',
  example: { type: 'exit_code', expected: 0 },
  on: 'run',
  schema: v.object({ expected: code, value: code }),

  compile(spec, { field }) {
    const expected = spec.expected ?? spec.value
    if (expected === undefined) throw new SpecError(`${field}.expected`, 'is missing: the exit code')
    return ({ exit_code: actual }) => {
      if (actual === undefined) return notAvailable('there is no exit code: the agent is not a program')
      if (actual === expected) return { passed: true, expected, actual }
      return { passed: false, message: `exit code ${actual}, expected ${expected}`, expected, actual }
    }
  },
})

export const stdoutContains = defineAssertion({
  type: 'stdout_contains',
  summary: "The program's output matches a pattern",
  example: { type: 'stdout_contains', pattern: 'done' },
  on: 'run',
  schema: v.object({ pattern }),

  compile(spec, { field }) {
    const re2 = requirePattern(spec.pattern, `${field}.pattern`, spec.negate === true)
    return ({ stdout, exit_code }) => {
      if (stdout === undefined && exit_code !== undefined) return notAvailable('the standard output is not text')
      if (stdout === undefined) return notAvailable('there is no standard output: the agent is not a program')
      return withGap(verdictOf(re2.test(stdout), spec.pattern, stdout, 'stdout'), stdout, 'output')
    }
  },
})

export const stderrContains = defineAssertion({
  type: 'stderr_contains',
  summary: "The program's error output matches a pattern",
  example: { type: 'stderr_contains', pattern: 'warning' },
  on: 'run',
  schema: v.object({ pattern }),

  compile(spec, { field }) {
    const re2 = requirePattern(spec.pattern, `${field}.pattern`, spec.negate === true)
    return ({ stderr }) => {
      if (stderr === undefined) return notAvailable('there is no error output: the agent is not a program')
      return withGap(verdictOf(re2.test(stderr), spec.pattern, stderr, 'stderr'), stderr, 'error output')
    }
  },
})

/** What is not in the end of a text may have been before it. */
function withGap(verdict: Verdict, text: string, name: string): Verdict {
  return !verdict.passed && isTail(text) ? { ...verdict, incomplete: `only the end of the ${name} was kept` } : verdict
}
