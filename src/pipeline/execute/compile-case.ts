// A case's assertions, ready to be checked.
import type { AssertionSpec, CompiledAssertion } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { compileAssertions, expectedAssertion } from '../assert/compile.js'
import type { CompiledCase } from './conversation/contract.js'

const NONE: never[] = []

/** `ready`: what was compiled when the case was loaded. */
export function compileCase(testCase: TestCase, ready?: readonly CompiledAssertion[]): CompiledCase {
  const compile = (specs: AssertionSpec[]): CompiledAssertion[] => compileAssertions(specs, 'assert', ready)
  const { assertions, expected, turns, final_assertions: final, checkpoints } = testCase
  const useExpected = assertions.length === 0 && expected !== undefined
  return {
    assertions: compile(useExpected ? [expectedAssertion(expected)] : assertions),
    turns: turns?.map((turn) => compile(turn.assertions)) ?? NONE,
    final: final ? compile(final) : NONE,
    checkpoints: checkpoints ? compile(checkpoints.map(({ assertion }) => assertion)) : NONE,
  }
}
