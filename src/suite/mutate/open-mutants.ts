// Mutants that only a judge could kill, kept until the judges have been asked.
import { parseSpec } from '../../pipeline/assert/compile.js'
import type { AssertionSpec } from '../../model/assertion.js'
import type { TestCase } from '../../model/case.js'
import { asksOthers } from '../checks.js'
import type { Conduct } from '../conduct.js'

/** A mutant that nothing killed. */
export interface Survivor {
  operator: string
  about: string
  meaning: string
  what: string
  /** Of the proposals. */
  killed_by?: number
}

export interface OpenMutant {
  testCase: TestCase
  conduct: Conduct
  survivor: Survivor
}

/** One answer, with everything that is left open decided by judges: scripts and snapshots are not run for mutants. */
export function isForJudges({ testCase, conduct }: Pick<OpenMutant, 'testCase' | 'conduct'>): boolean {
  const { turns, simulator, checkpoints, final_assertions, workspace, assertions } = testCase
  if (turns || simulator || checkpoints || final_assertions || workspace !== undefined || conduct.state) return false
  return conduct.replies.length === 1 && assertions.filter(asksOthers).every(isByJudge)
}

function isByJudge(spec: AssertionSpec): boolean {
  const { type, assertions } = spec
  if (JUDGED.has(type)) return true
  return (
    Array.isArray(assertions) &&
    assertions
      .map((each) => parseSpec(each))
      .filter(asksOthers)
      .every(isByJudge)
  )
}

const JUDGED = new Set(['agent', 'rubric'])
