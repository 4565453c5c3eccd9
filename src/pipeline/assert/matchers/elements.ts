// Matchers in `contains` and `not_contains`: which elements of a list match.
import { show } from '../../../base/text.js'
import type { Verdict } from '../define-assertion.js'
import { requireMatcher } from './compile.js'
import { toOutcome } from './matcher.js'
import { inWords } from './words.js'

/** `wanted`: whether an element must match, or none may. */
export function elementsCheck(value: unknown, field: string, wanted: boolean): (answer: unknown) => Verdict {
  const matchers = (Array.isArray(value) ? value : [value]).map((each, index) => ({
    words: inWords(each),
    matcher: requireMatcher(each, Array.isArray(value) ? `${field}[${index}]` : field, {
      objects: 'exact',
      amongData: true,
    }),
  }))
  return (answer) => {
    if (!Array.isArray(answer)) return undecided('matchers look at the elements of a list, and it is none', answer)
    for (const { matcher, words } of matchers) {
      const outcomes = answer.map((item) => toOutcome(matcher.mismatches(item)))
      const found = outcomes.indexOf('yes')
      if (wanted ? found >= 0 : !outcomes.includes('yes') && !outcomes.includes('unknown')) continue
      if (found >= 0)
        return { passed: false, message: `output contains ${words}: element ${found} is ${show(answer[found])}` }
      const open = outcomes.indexOf('unknown')
      const message = `output does not contain ${words}`
      if (open < 0) return { passed: false, message, actual: answer }
      return undecided(`element ${open}, ${show(answer[open])}, cannot be compared with ${words}`, answer)
    }
    return { passed: true }
  }
}

function undecided(message: string, actual: unknown): Verdict {
  return { passed: false, message, absent: message, actual: actual ?? null }
}
