// What a description says beyond the name it belongs to.
import { contentStems, stem } from './words.js'

export type Weakness =
  | { kind: 'short'; words: number }
  | { kind: 'repeats' }
  | { kind: 'vague' }
  | { kind: 'placeholder' }

/** The first that applies; undefined if it says something. `fewest`: words besides those that every sentence has. */
export function weaknessOf(description: string, name: string, fewest: number): Weakness | undefined {
  if (PLACEHOLDER.test(description)) return { kind: 'placeholder' }
  const words = [...new Set(contentStems(description))]
  const own = new Set(contentStems(name))
  const beyond = words.filter((word) => !own.has(word) && !FILLERS.has(word))
  if (beyond.length === 0 && words.length > 0 && own.size > 0 && words.some((word) => own.has(word)))
    return { kind: 'repeats' }
  if (words.every((word) => GENERIC.has(word))) return { kind: 'vague' }
  return words.length < fewest ? { kind: 'short', words: words.length } : undefined
}

const PLACEHOLDER =
  /^\s*(?:\[?TODO\b|TBD\b|FIXME\b|lorem ipsum|(?:add|insert|replace|write|your|a)\b[^.]{0,40}\bdescription\b[^.]{0,20}\b(?:here|goes)|description (?:goes )?here|replace with (?:a )?description|\.\.\.$|…$)/i

/** Words that say that it is a tool, or that it does what it does. */
const FILLERS = new Set(
  'tool function method command action endpoint skill prompt resource call perform'.split(' ').map(stem),
)

const GENERIC = new Set([
  ...FILLERS,
  ...(
    'help helper assist utility useful handy handle process manage work thing stuff something anything various different general ' +
    'generic misc miscellaneous task job operation purpose way data information info user good great nice powerful simple easy ' +
    'support provide allow enable make do related based need want feature functionality service'
  )
    .split(' ')
    .map(stem),
])
