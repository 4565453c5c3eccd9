// `expected` of a case, if it has no assertions.
import type { AssertionSpec } from './assertion.js'
import { asLiteral } from './matcher-keys.js'

/** It is never read as a matcher. */
export function expectedAssertion(expected: unknown): AssertionSpec {
  return { type: 'equals', value: asLiteral(expected) }
}
