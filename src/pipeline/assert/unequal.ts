// Where an answer and what was expected diverge: by path for structured values, by diff for long texts.
import { firstDifference, type Difference } from '../../base/equal.js'
import { findJson } from '../../base/json/find-json.js'
import { abridged, show } from '../../base/text.js'
import type { Verdict } from './define-assertion.js'
import { longDiff } from './text-diff.js'

export function unequal(expected: unknown, actual: unknown, subject = 'output'): Verdict {
  // What differs is looked for when someone reads it.
  const verdict = {
    passed: false,
    get message() {
      return explain(expected, comparable(expected, actual), subject)
    },
    expected: abridged(expected),
    actual: abridged(actual ?? null),
    get diff() {
      return longDiff(expected, comparable(expected, actual))
    },
  }
  return verdict as Verdict
}

function comparable(expected: unknown, actual: unknown): unknown {
  return isStructured(expected) && typeof actual === 'string' ? (findJson(actual)?.value ?? actual) : actual
}

function describeDifference(difference: Difference): string {
  const { path, missing } = difference
  if (missing === 'actual') return `${path} is missing (expected ${show(difference.expected)})`
  if (missing === 'expected') return `${path} is not expected (found ${show(difference.actual)})`
  return `${path}: expected ${show(difference.expected)}, got ${show(difference.actual)}`
}

function explain(expected: unknown, actual: unknown, subject: string): string {
  const difference = firstDifference(expected, actual)
  if (difference && difference.path !== '$') return `${subject} differs at ${describeDifference(difference)}`
  if (typeof expected === 'string' && typeof actual === 'string') {
    if (expected.trim() === actual.trim())
      return `${subject} differs in surrounding whitespace: ${versus(expected, actual)}`
    if (expected.toLowerCase() === actual.toLowerCase())
      return `${subject} differs in case: ${versus(expected, actual)}`
  }
  return `${subject} is not equal: ${versus(expected, actual)}`
}

function versus(expected: unknown, actual: unknown): string {
  return `expected ${show(expected)}, got ${show(actual ?? null)}`
}

function isStructured(value: unknown): boolean {
  return typeof value === 'object' && value !== null
}
