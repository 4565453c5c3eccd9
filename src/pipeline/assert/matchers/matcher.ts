// What matchers are made of. See "Matching values" in the guide for the language.

export interface Mismatch {
  path: string
  expected: unknown
  actual: unknown
  /** There is nothing at the path. */
  missing: boolean
  /** There is something, but nothing was expected. */
  extra?: boolean
  /** A value that cannot be compared, say a text where a number was expected: neither a match nor shown to be none. */
  incomparable?: boolean
}

export interface Matcher {
  /** Every place where `actual` is not as expected; empty = it matches. */
  mismatches(actual: unknown): Mismatch[]
  /** It holds for whatever is there. */
  holdsAlways: boolean
}

export type Match = (actual: unknown, path: string, found: Mismatch[]) => void

/** One part of a matcher, compiled. */
export interface Node {
  match: Match
  holdsAlways?: boolean
  /** Of an object's member: it may, or must, be left out. */
  member?: 'optional' | 'absent'
}

export interface Scope {
  path: string
  /** Whether an object may have keys that are not expected. */
  objects: 'subset' | 'exact'
  /** A string that begins with `regex:` is a pattern. */
  regexStrings: boolean
  /** `$name` that is no operator, nor nearly one, is a key like any other. */
  amongData: boolean
  /** It is the value of an object's key. */
  isMember: boolean
}

export type CompileNode = (expected: unknown, scope: Scope) => Node

/** A matcher that cannot be built: an unknown operator, a bad pattern, something that can never hold. */
export class MatcherError extends Error {
  readonly path: string

  constructor(path: string, message: string) {
    super(message)
    this.name = 'MatcherError'
    this.path = path
  }
}

export type Outcome = 'yes' | 'no' | 'unknown'

export function outcomeOf({ match }: Node, actual: unknown): Outcome {
  const found: Mismatch[] = []
  match(actual, '$', found)
  return toOutcome(found)
}

/** One difference that was seen decides, however many others could not be. */
export function toOutcome(found: readonly Mismatch[]): Outcome {
  if (found.length === 0) return 'yes'
  return found.every(({ incomparable }) => incomparable) ? 'unknown' : 'no'
}

/** A test of the value as a whole. */
export function leaf(expected: unknown, test: (actual: unknown) => Outcome): Match {
  return (actual, path, found) => {
    const outcome = test(actual)
    if (outcome === 'yes') return
    found.push({ path, expected, actual, missing: false, ...(outcome === 'unknown' && { incomparable: true }) })
  }
}
