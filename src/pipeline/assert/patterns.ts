// Patterns in assertions: compiled at load, with the position of a mistake in the error.
import { compileJsPattern } from './js-pattern.js'
import { compilePattern, PatternError, type Pattern } from '../../base/regex.js'
import { matchesAnything, matchesAnythingJs } from './cannot-fail.js'
import { SpecError } from './define-assertion.js'

/** `refutable`: something else can make the assertion fail, so a pattern that matches every text is accepted. */
export function requirePattern(source: string, field: string, refutable: boolean): Pattern {
  const pattern = orSpecError(field, () => compilePattern(source))
  if (!refutable && matchesAnything(source, (text) => pattern.test(text))) throw cannotFail(source, field)
  return pattern
}

export function requireJsPattern(source: string, field: string, refutable: boolean): RegExp {
  const pattern = orSpecError(field, () => compileJsPattern(source))
  if (!refutable && matchesAnythingJs(pattern)) throw cannotFail(source, field)
  return pattern
}

function cannotFail(source: string, field: string): SpecError {
  return new SpecError(field, `every text matches ${source}, even the empty one: it cannot fail`)
}

function orSpecError<T>(field: string, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (error instanceof PatternError) throw new SpecError(field, `invalid regex pattern: ${error.message}`)
    throw error
  }
}
