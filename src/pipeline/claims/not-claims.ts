// Numbers that say nothing: they number the points of a list, or count what the answer itself lists.
import type { Language } from './languages/language.js'
import { anyOf, once } from './text.js'
import type { PlacedValue } from './value.js'

export function isCounting(value: PlacedValue, text: string, language: Language): boolean {
  if (value.kind !== 'number' || value.unit || !Number.isInteger(value.amount) || value.amount > 30) return false
  const from = text.lastIndexOf('\n', value.start - 1) + 1
  const before = text.slice(Math.max(from, value.start - 60), value.start)
  const after = text.slice(value.end, value.end + 3)
  // "1.", "2)", "**3.**", "(4)".
  if (/^[\s*_#>|(-]*$/.test(before) && /^[.)\]:]/.test(after)) return true
  // "Step 1", "Option 2"; "Passenger 2:" at the beginning of a line.
  if (patternOf(language).test(before)) return true
  if (/^[\s*_#>|\-•\d.)]*\p{L}+(?:\s\p{L}+)?\s#?$/u.test(before) && /^\*{0,2}\s?(?::|\*|$|\n)/.test(after)) return true
  return isOwnCount(value.amount, text.slice(value.end, value.end + 4000))
}

const patternOf = once(
  ({ numberedWords }: Language) => new RegExp(`(?<!\\p{L})(?:${anyOf(numberedWords)})s?\\s+#?$`, 'iu'),
)

/** "Here are 3 options:", and three follow. */
function isOwnCount(count: number, after: string): boolean {
  const items = after.match(/^[ \t]*(?:[-•*+]|\d{1,2}[.)])\s/gm)?.length ?? 0
  const top = after.match(/^(?:[-•*+]|\*{0,2}\d{1,2}[.)])\s/gm)?.length ?? 0
  return count > 1 && (items === count || top === count)
}
