// Which verdicts of a run rest on a judge: those that would have been different if the judge had said the opposite.
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent } from '../../../model/event.js'
import type { JudgeEntry } from '../../../model/judge.js'
import { seenOutput } from './seen-output.js'

/** The check of a judge that alone decides a result. */
export interface DecidingCheck {
  judge: JudgeEntry
  criterion: unknown
  /** The result passes if the judge says no. */
  negated: boolean
  /** Which check, and what it judged: `assertions[0]`. */
  at: string
  output: unknown
}

/** `several`: it depends on more than one judge, or on a judge in a way that is not simply pass or fail. */
export type Resting = DecidingCheck | 'several' | undefined

/** Undefined: no judge could have changed it. The result must have a verdict. */
export function restsOn(result: ResultEvent): Resting {
  const placed = checksOf(result)
  const judges = placed.filter(({ check }) => check.advice === undefined && hasJudge(check))
  if (judges.length === 0) return undefined
  const others = placed.filter(({ check }) => check.advice === undefined && !hasJudge(check))
  // A graded case can pass although checks failed.
  const isGraded = result.score !== undefined || placed.some(({ check }) => check.weight !== undefined)
  if (isGraded) return 'several'
  if (others.some(({ check }) => !check.passed && !check.not_evaluated)) return undefined
  // What a judge stopped might have failed later, too.
  if (others.some(({ check }) => check.not_evaluated) || hasOpenCheckpoint(result)) return 'several'
  const [only, ...more] = judges
  if (!only?.check.judge || more.length > 0) return 'several'
  const { check, at, output } = only
  // Something else decided it, for example a limit of the case.
  if (check.passed !== (result.status === 'passed')) return check.passed ? undefined : 'several'
  return {
    judge: only.check.judge,
    criterion: check.criterion ?? check.value,
    negated: check.negate === true,
    at,
    output: seenOutput(check, result, output),
  }
}

interface PlacedCheck {
  check: AssertionResult
  at: string
  output: unknown
}

function checksOf(result: ResultEvent): PlacedCheck[] {
  const { assertions = [], final_assertions = [], turns = [] } = result
  const output = 'output' in result ? result.output : undefined
  return [
    ...assertions.map((check, index) => ({ check, at: `assertions[${index}]`, output })),
    ...final_assertions.map((check, index) => ({ check, at: `final_assertions[${index}]`, output })),
    ...turns.flatMap((turn, at) =>
      (turn.assertions ?? []).map((check, index) => ({
        check,
        at: `turns[${at}].assertions[${index}]`,
        output: turn.output,
      })),
    ),
  ]
}

function hasJudge({ judge, parts = [] }: AssertionResult): boolean {
  return judge !== undefined || parts.some(hasJudge)
}

function hasOpenCheckpoint({ checkpoints = [] }: ResultEvent): boolean {
  return checkpoints.some(({ required, reached }) => required && !reached)
}
