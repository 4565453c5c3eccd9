// Whether things of these names happened in this order; others may stand between them.
import type { Verdict } from './define-assertion.js'

/** `fits`: one test for each name that is expected. `actual`: what happened, as it is shown. */
export function inOrder(
  expected: readonly string[],
  fits: ReadonlyArray<(name: string) => boolean>,
  happened: readonly string[],
  actual: readonly string[],
): Verdict {
  let next = 0
  for (const name of happened) if (fits[next]?.(name)) next += 1
  if (next === expected.length) return { passed: true, expected, actual }
  const where = next === 0 ? '' : ` after ${expected[next - 1]}`
  const message = `expected [${expected.join(', ')}] but got [${actual.join(', ')}]: no ${expected[next]}${where}`
  return { passed: false, message, expected, actual }
}
