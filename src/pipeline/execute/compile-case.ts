// A case's assertions, compiled once for all its runs.
import type { TestCase } from '../../model/case.js'
import { compileAssertions, expectedAssertion } from '../assert/compile.js'
import type { CompiledCase } from './conversation/contract.js'

const compiled = new WeakMap<TestCase, CompiledCase>()

export function compileCase(testCase: TestCase): CompiledCase {
  const known = compiled.get(testCase)
  if (known) return known
  const useExpected = testCase.assertions.length === 0 && testCase.expected !== undefined
  const result: CompiledCase = {
    assertions: compileAssertions(useExpected ? [expectedAssertion(testCase.expected)] : testCase.assertions),
    turns: (testCase.turns ?? []).map((turn) => compileAssertions(turn.assertions)),
    final: compileAssertions(testCase.final_assertions ?? []),
    checkpoints: compileAssertions((testCase.checkpoints ?? []).map((checkpoint) => checkpoint.assertion)),
  }
  compiled.set(testCase, result)
  return result
}
