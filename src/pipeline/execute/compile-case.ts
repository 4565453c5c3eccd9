// A case's assertions, ready to be checked.
import type { AssertionSpec, CompiledAssertion } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { expectedAssertion } from '../../model/expected-assertion.js'
import { compileAssertions } from '../assert/compile.js'
import type { CompiledCase } from './conversation/contract.js'

const NONE: never[] = []

/** `ready`: what was compiled when the case was loaded; `skill`: the one under test, which assertions need not name. */
export function compileCase(testCase: TestCase, ready?: readonly CompiledAssertion[], skill?: string): CompiledCase {
  const {
    assertions,
    expected,
    turns,
    final_assertions: final,
    checkpoints,
  } = skill === undefined ? testCase : naming(skill, testCase)
  const useExpected = assertions.length === 0 && expected !== undefined
  return {
    assertions: compile(useExpected ? [expectedAssertion(expected)] : assertions, ready),
    turns: turns ? turns.map((turn) => compile(turn.assertions, ready)) : NONE,
    final: final ? compile(final, ready) : NONE,
    checkpoints: checkpoints
      ? compile(
          checkpoints.map(({ assertion }) => assertion),
          ready,
        )
      : NONE,
  }
}

function compile(specs: AssertionSpec[], ready?: readonly CompiledAssertion[]): CompiledAssertion[] {
  return compileAssertions(specs, 'assert', ready)
}

function naming(skill: string, testCase: TestCase): TestCase {
  const name = (spec: AssertionSpec): AssertionSpec =>
    spec.type === 'skill_invoked' && spec['skill'] === undefined ? { ...spec, skill } : spec
  const { assertions, turns, final_assertions: final } = testCase
  return {
    ...testCase,
    assertions: assertions.map(name),
    ...(turns && { turns: turns.map((turn) => ({ ...turn, assertions: turn.assertions.map(name) })) }),
    ...(final && { final_assertions: final.map(name) }),
  }
}
