// Characters that look the same: curly apostrophes, non-breaking spaces, letters of other alphabets, decomposed accents.
import type { Random } from '../../../pipeline/fold/statistics/random.js'
import type { Edit } from '../edit.js'
import { pick, sample, type FreeText } from '../free-text.js'
import { onOneText, type Operator } from '../operator.js'
import { isLongEnough } from './added.js'

type Swap = Omit<Edit, 'slot'>

export const unicode: Operator = {
  name: 'unicode',
  summary: 'characters are replaced by others that look the same',
  change: onOneText((said, random) => {
    const { free } = said
    // A word alone is all that the agent has to go by.
    if (!isLongEnough(said)) return []
    const possible = STYLES.map((style) => style(free, random)).filter((swaps) => swaps.length > 0)
    return pick(possible, random) ?? []
  }),
}

const STYLES: Array<(free: FreeText, random: Random) => Swap[]> = [
  (free) => inWords(free, /'/g, () => '’'),
  (free) => inWords(free, /’/g, () => "'"),
  (free) => inWords(free, /[^\0-\x7f]/gu, (character) => character.normalize('NFD')),
  (free) => inWords(free, /[^\0-\x7f]\p{M}*/gu, (character) => character.normalize('NFC')),
  ({ gaps }, random) => sample(gaps, 3, random).map((gap) => ({ ...gap, text: '\u00a0' })),
  (free, random) =>
    sample(
      inWords(free, /[aeopcxyij]/g, (letter) => LOOKALIKES[letter] ?? letter),
      3,
      random,
    ),
]

/** Cyrillic letters that most typefaces draw like the Latin ones. */
const LOOKALIKES: Readonly<Record<string, string>> = {
  a: 'а',
  e: 'е',
  o: 'о',
  p: 'р',
  c: 'с',
  x: 'х',
  y: 'у',
  i: 'і',
  j: 'ј',
}

function inWords({ text, words }: FreeText, pattern: RegExp, swap: (found: string) => string): Swap[] {
  return words.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(pattern)].flatMap(({ index, 0: found }) => {
      const swapped = swap(found)
      const at = start + index
      return swapped === found ? [] : [{ start: at, end: at + found.length, text: swapped }]
    }),
  )
}
