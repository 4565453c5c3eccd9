// Numbers that say nothing: they number the points of a list, or count what the answer itself lists.
import type { Language } from './languages/language.js'
import { anyOf, firstFrom, once } from './text.js'
import type { PlacedValue } from './value.js'

/** For the values of one text. */
export function countingIn(text: string, language: Language): (value: PlacedValue) => boolean {
  const starts = (pattern: RegExp) => [...text.matchAll(pattern)].map(({ index }) => index)
  const lists = [starts(/^[ \t]{0,40}(?:[-•*+]|\d{1,2}[.)])\s/gm), starts(/^(?:[-•*+]|\*{0,2}\d{1,2}[.)])\s/gm)]
  return (value) => {
    if (value.kind !== 'number' || value.unit || !Number.isInteger(value.amount) || value.amount > 30) return false
    return isNumbering(value, text, language) || lists.some((items) => isOwnCount(value.amount, items, value.end))
  }
}

function isNumbering({ start, end }: PlacedValue, text: string, language: Language): boolean {
  const line = text.slice(Math.max(0, start - 60), start)
  const before = line.slice(line.lastIndexOf('\n') + 1)
  const after = text.slice(end, end + 3)
  // "1.", "2)", "**3.**", "(4)".
  if (/^[\s*_#>|(-]*$/.test(before) && /^[.)\]:]/.test(after)) return true
  // "Step 1", "Option 2"; "Passenger 2:" at the beginning of a line.
  if (patternOf(language).test(before)) return true
  return /^[\s*_#>|\-•\d.)]*\p{L}+(?:\s\p{L}+)?\s#?$/u.test(before) && /^\*{0,2}\s?(?::|\*|$|\n)/.test(after)
}

const patternOf = once(
  ({ numberedWords }: Language) => new RegExp(`(?<!\\p{L})(?:${anyOf(numberedWords)})s?\\s+#?$`, 'iu'),
)

/** "Here are 3 options:", and three follow. */
function isOwnCount(count: number, items: readonly number[], end: number): boolean {
  const from = firstFrom(items, end, (at) => at)
  return count > 1 && firstFrom(items, end + 4000, (at) => at) - from === count
}
