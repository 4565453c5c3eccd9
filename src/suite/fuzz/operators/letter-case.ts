// The same words in capitals, in small letters, or with capitals at the start of each.
import { capitalised } from '../../../base/text.js'
import { pick } from '../free-text.js'
import { onOneText, type Operator } from '../operator.js'

export const letterCase: Operator = {
  name: 'case',
  summary: 'letters are upper or lower case',
  change: onOneText(({ free: { text, words } }, random) => {
    const write = pick(STYLES, random)
    return words.flatMap(({ start, end }) => {
      const word = text.slice(start, end)
      const written = write?.(word) ?? word
      return written === word || OTHER_WORDS.has(word.toLowerCase()) ? [] : [{ start, end, text: written }]
    })
  }),
}

const STYLES: Array<(word: string) => string> = [
  (word) => word.toUpperCase(),
  (word) => (word === 'I' || word.startsWith("I'") ? word : word.toLowerCase()),
  (word) => capitalised(word.toLowerCase()),
]

/** They mean something else with a capital: "us", "it", "polish". */
const OTHER_WORDS = new Set('us it who polish turkey china apple aids am pm ill id in'.split(' '))
