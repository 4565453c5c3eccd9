// A case's assertions, compiled once for all its runs.
import type { TestCase } from '../../model/case.js'
import { compileAssertions, expectedAssertion } from '../assert/compile.js'
import type { CompiledCase } from './conversation/contract.js'

const COMPILED = Symbol('compiled')

/** Kept on the case itself, so that it is gone with it. */
export function compileCase(testCase: TestCase & { [COMPILED]?: CompiledCase }): CompiledCase {
  const known = testCase[COMPILED]
  if (known) return known
  const useExpected = testCase.assertions.length === 0 && testCase.expected !== undefined
  const result: CompiledCase = {
    assertions: compileAssertions(useExpected ? [expectedAssertion(testCase.expected)] : testCase.assertions),
    turns: (testCase.turns ?? []).map((turn) => compileAssertions(turn.assertions)),
    final: compileAssertions(testCase.final_assertions ?? []),
    checkpoints: compileAssertions((testCase.checkpoints ?? []).map((checkpoint) => checkpoint.assertion)),
  }
  testCase[COMPILED] = result
  return result
}
