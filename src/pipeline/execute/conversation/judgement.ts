// Assertion results → passed or failed, why, and the score of a graded case.
import type { AssertionResult } from '../../../model/assertion.js'
import type { ErrorKind } from '../../../model/status.js'
import { failureText } from '../../assert/evaluate.js'
import { scoreOf } from '../../assert/score.js'

export interface Judgement {
  passed: boolean
  errors: string[]
  /** Absent when passed. */
  error?: string
  error_kind?: ErrorKind
  score?: number
}

const PASSED: Judgement = { passed: true, errors: [] }

export function judge(all: AssertionResult[], minScore: number | undefined): Judgement {
  const results = counted(all)
  const graded = minScore !== undefined || results.some((result) => result.weight !== undefined)
  if (!graded && results.every((result) => result.passed && result.error === undefined)) return PASSED

  const errors = assertionErrors(results)
  const broken = results.find((result) => result.error !== undefined)
  const reckoned = graded ? scoreOf(results) : undefined
  const score = reckoned && { score: reckoned.score }
  // A check that could not be carried out is not an opinion: no score outweighs it.
  if (!broken && (errors.length === 0 || (minScore !== undefined && reckoned?.reaches(minScore) === true))) {
    return { passed: true, errors, ...score }
  }
  const failed = results.some((result) => !result.passed && result.error === undefined)
  const kind: ErrorKind = broken && !failed ? (broken.error_kind ?? 'validator') : 'assertion'
  return { passed: false, errors, error: summary(errors, kind, broken), error_kind: kind, ...score }
}

/** One message per assertion that did not pass, in order. */
export function assertionErrors(results: AssertionResult[]): string[] {
  return counted(results)
    .filter((result) => !result.passed || result.error !== undefined)
    .map(failureText)
}

function counted(results: AssertionResult[]): AssertionResult[] {
  const isLeftOut = ({ advice, not_evaluated }: AssertionResult) => advice === true || not_evaluated === true
  return results.some(isLeftOut) ? results.filter((result) => !isLeftOut(result)) : results
}

function summary(errors: string[], kind: ErrorKind, broken: AssertionResult | undefined): string {
  if (kind !== 'assertion' && broken?.error !== undefined) {
    const prefix = `${kind} error: `
    return broken.error.startsWith(prefix) ? broken.error : `${prefix}${broken.error}`
  }
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''
  return `assertion failed: ${errors[0] ?? ''}${more}`
}
