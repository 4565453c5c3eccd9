// Patterns in assertions: compiled at load, with the mistake's place in the error.
import { compileJsPattern } from './js-pattern.js'
import { compilePattern, PatternError, type Pattern } from '../../base/regex.js'
import { SpecError } from './define-assertion.js'

export function requirePattern(source: string, field: string): Pattern {
  return orSpecError(field, () => compilePattern(source))
}

export function requireJsPattern(source: string, field: string): RegExp {
  return orSpecError(field, () => compileJsPattern(source))
}

function orSpecError<T>(field: string, compile: () => T): T {
  try {
    return compile()
  } catch (error) {
    if (error instanceof PatternError) throw new SpecError(field, `invalid regex pattern: ${error.message}`)
    throw error
  }
}
