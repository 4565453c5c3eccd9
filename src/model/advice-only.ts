// A result that passed although nothing about it was checked: all its checks are advice of judges without a licence.
import type { ResultEvent } from './event.js'

export function isAdviceOnly({ status, assertions = [], final_assertions = [], turns = [] }: ResultEvent): boolean {
  if (status !== 'passed') return false
  const checks = [...assertions, ...final_assertions, ...turns.flatMap((turn) => turn.assertions ?? [])]
  return checks.length > 0 && checks.every(({ advice }) => advice)
}
