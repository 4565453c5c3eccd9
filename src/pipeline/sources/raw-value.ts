// One value of a case file, before it is known to be a case: where it is, and its text for exact positions.
import type { Problem } from '../../errors.js'
import type { CompiledAssertion } from '../../model/assertion.js'
import type { Fingerprint } from '../../model/fingerprint.js'
import { positionAt } from '../../base/position-at.js'

export interface RawValue {
  /** Undefined if `problem` says why there is none. */
  value: unknown
  /** 1-based line of the first character of `text`. */
  line: number
  /** 1-based column of it. */
  column: number
  /** The source text; empty if a format has its own way to find fields. */
  text: string
  problem?: Problem
  /** Mistakes that did not keep the value from being read. */
  problems?: Problem[]
  locate?: (field: string) => Position
  /** What its assertions were compiled to when it was checked. */
  checks?: CompiledAssertion[]
  print?: Fingerprint
}

export interface Position {
  line: number
  column: number
}

/** Something in the place of a value. */
export function brokenValue(problem: Problem): RawValue {
  return { value: undefined, line: problem.line ?? 1, column: problem.column ?? 1, text: '', problem }
}

/** From an offset in a value's text to the place in its file. */
export function positionOf(raw: Pick<RawValue, 'text' | 'line' | 'column'>, offset: number): Position {
  const { line, column } = positionAt(raw.text, offset)
  return { line: raw.line + line - 1, column: line === 1 ? raw.column + column - 1 : column }
}
