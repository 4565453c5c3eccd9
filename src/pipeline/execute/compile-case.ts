// A case's assertions, ready to be checked. Those that were checked at loading are compiled already.
import type { TestCase } from '../../model/case.js'
import { compileAssertions, expectedAssertion } from '../assert/compile.js'
import type { CompiledCase } from './conversation/contract.js'

const NONE: never[] = []

export function compileCase(testCase: TestCase): CompiledCase {
  const { assertions, expected, turns, final_assertions: final, checkpoints } = testCase
  const useExpected = assertions.length === 0 && expected !== undefined
  return {
    assertions: compileAssertions(useExpected ? [expectedAssertion(expected)] : assertions),
    turns: turns?.map((turn) => compileAssertions(turn.assertions)) ?? NONE,
    final: final ? compileAssertions(final) : NONE,
    checkpoints: checkpoints ? compileAssertions(checkpoints.map(({ assertion }) => assertion)) : NONE,
  }
}
