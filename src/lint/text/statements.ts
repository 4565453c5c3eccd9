// Instructions that leave no choice: "always X", "never X", "you must X", "do not X". Whole clauses, conditions included, so
// that only what is said about the very same thing can contradict.
import { readMarkdown } from './markdown.js'
import { stem, wordsOf } from './words.js'

export interface Statement {
  line: number
  column: number
  /** Whether it is demanded or forbidden. */
  isDemand: boolean
  /** What is demanded or forbidden, as compared. */
  object: string
  /** As written. */
  text: string
}

export function statementsIn(text: string): Statement[] {
  const found: Statement[] = []
  for (const { kind, text: line, number } of readMarkdown(text).lines) {
    if (kind !== 'prose' || line.length > LONGEST_LINE || EXAMPLE.test(line)) continue
    for (const match of line.matchAll(STATEMENT)) {
      const [written, lead = '', forbids, , clause = ''] = match
      const object = objectOf(clause)
      if (object === undefined) continue
      const column = match.index + lead.length + 1
      found.push({
        line: number,
        column,
        isDemand: forbids === undefined,
        object,
        text: written.slice(lead.length).trim(),
      })
    }
  }
  return found
}

const LONGEST_LINE = 2000
const LONGEST_CLAUSE = 300

/** Good and bad examples say the opposite of each other on purpose. */
const EXAMPLE = /[❌✅✗✓👍👎]|["“”]|\b(?:bad|good|wrong|right|incorrect|correct|instead|example)\b\W{0,4}:/iu

const FORBIDS = String.raw`never|must\s+(?:never|not)|(?:do|should|shall)\s+not(?:\s+ever)?|don['’]t(?:\s+ever)?|mustn['’]t`
const DEMANDS = String.raw`always|must(?:\s+always)?(?!\s+(?:not|never)\b)`

/** At the start of a sentence or a list item, maybe after "you": elsewhere it describes rather than demands. */
const STATEMENT = new RegExp(
  String.raw`((?:^\s*(?:[-*+]\s+|\d{1,9}[.)]\s+)?|[.!?;]\s+)[*_]{0,3}(?:you\s+|please\s+)?)(?:(${FORBIDS})|(${DEMANDS}))[*_]{0,3}\s+([^.!?;:,()\n—–]{3,${LONGEST_CLAUSE}})`,
  'giu',
)

/** Undefined: too little to be the same thing. Small words count: "commit to main" is not "commit main". */
function objectOf(clause: string): string | undefined {
  const words = wordsOf(clause).map(stem)
  return words.length >= FEWEST_WORDS ? words.join(' ') : undefined
}

const FEWEST_WORDS = 2
