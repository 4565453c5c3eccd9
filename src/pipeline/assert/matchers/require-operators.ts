// Operators stand among operators.
import { suggest } from '../../../base/suggest.js'
import { isOperator, JSON_KEYWORDS, OPERATOR_NAMES } from '../../../model/matcher-keys.js'
import { MatcherError, type Scope } from './matcher.js'

export function requireOperators(expected: Record<string, unknown>, { path }: Scope): void {
  for (const key of Object.keys(expected)) {
    if (isOperator(key)) continue
    if (key.startsWith('$') && !JSON_KEYWORDS.has(key)) throw unknownOperator(key, path)
    const operator = Object.keys(expected).find(isOperator)
    if (operator === undefined) continue
    throw new MatcherError(
      path,
      `${operator} and the key "${key}" cannot stand side by side: operators make up an object of their own; if ${operator} is a key of the data, write "$${operator}"`,
    )
  }
}

function unknownOperator(key: string, path: string): MatcherError {
  const near = suggest(key, OPERATOR_NAMES)
  const hint =
    near === undefined
      ? `known: ${OPERATOR_NAMES.join(', ')}`
      : `did you mean ${near}? If it is a key of the data, write "$${key}"`
  return new MatcherError(path, `unknown operator ${key}; ${hint}`)
}
