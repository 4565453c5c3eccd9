// A case's assertions without those that someone else must decide: judges, scripts, accepted snapshots. What these would
// say is assumed, one way or the other; everything else is checked as in a run.
import type { AssertionSpec, CompiledAssertion } from '../model/assertion.js'
import { checkAssertion, compileAssertions, parseSpec } from '../pipeline/assert/compile.js'
import { assertionsByType } from '../pipeline/assert/registry.js'
import type { CompiledCase } from '../pipeline/execute/conversation/contract.js'

export interface Checks {
  /** With what others decide taken as passed. */
  atBest: CompiledCase
  /** And as failed; absent if all of it is decided here. */
  atWorst?: CompiledCase
}

export function checksOf(compiled: CompiledCase): Checks {
  const lists = [compiled.assertions, compiled.final, compiled.checkpoints, ...compiled.turns]
  if (!lists.some((list) => list.some(({ spec }) => asksOthers(spec)))) return { atBest: compiled }
  return { atBest: assuming(compiled, true), atWorst: assuming(compiled, false) }
}

/** It needs a judge, a script or a person's earlier decision, itself or in one of its members. */
export function asksOthers(spec: AssertionSpec): boolean {
  const { type, assertions } = spec
  if (isElsewhere(type)) return true
  return Array.isArray(assertions) && assertions.some((member) => asksOthers(parseSpec(member)))
}

function isElsewhere(type: string): boolean {
  return type === 'snapshot' || type === 'snapshot_matches' || assertionsByType.get(type)?.on === 'helper'
}

function assuming(compiled: CompiledCase, passed: boolean): CompiledCase {
  const each = (list: CompiledAssertion[]): CompiledAssertion[] => list.map((check) => assumed(check, passed))
  return {
    assertions: each(compiled.assertions),
    turns: compiled.turns.map(each),
    final: each(compiled.final),
    checkpoints: each(compiled.checkpoints),
  }
}

function assumed(check: CompiledAssertion, passed: boolean): CompiledAssertion {
  if (!asksOthers(check.spec)) return check
  const rest = folded(check.spec, passed)
  if (typeof rest === 'boolean') return { spec: plainSpec(check.spec), check: () => ({ passed: rest }) }
  const [compiled] = compileAssertions([rest])
  return compiled ?? check
}

/** What is echoed of it in a result: `negate` has been taken into account. */
function plainSpec({ negate: _negate, ...spec }: AssertionSpec): AssertionSpec {
  return spec
}

/** The spec without the parts that others decide, or what it comes to if nothing is left. */
function folded(spec: AssertionSpec, passes: boolean): AssertionSpec | boolean {
  const isNegated = spec.negate === true
  const inside = isNegated ? !passes : passes
  const found = foldedInside(spec, inside)
  return typeof found === 'boolean' ? found !== isNegated : found
}

function foldedInside(spec: AssertionSpec, passes: boolean): AssertionSpec | boolean {
  const { type, assertions } = spec
  if (isElsewhere(type)) return passes
  if (!Array.isArray(assertions)) return spec
  const isNone = type === 'none'
  const members = assertions.map((member) => folded(parseSpec(member), isNone ? !passes : passes))
  const decides = type !== 'all'
  if (members.includes(decides)) return isNone ? false : decides
  const left = members.filter((member) => typeof member !== 'boolean')
  if (left.length === 0) return isNone ? true : !decides
  return { ...spec, assertions: left }
}

/** An assertion that was proposed, ready to be checked; undefined if it is not a usable one. */
export function compileProposed(spec: AssertionSpec): CompiledAssertion | undefined {
  const compiled = checkAssertion(spec, 'assert')
  return Array.isArray(compiled) ? undefined : compiled
}
