// A sentence or two that has nothing to do with the matter, some with a number in it.
import type { Random } from '../../../pipeline/fold/statistics/random.js'
import { sample } from '../free-text.js'
import { onOneText, type Operator } from '../operator.js'
import { addedAfter, isLongEnough } from './added.js'

export const additions: Operator = {
  name: 'additions',
  summary: 'something irrelevant is added',
  change: onOneText((said, random, { vocabulary }) => {
    if (!said.isEnglish || !isLongEnough(said)) return []
    const harmless = SENTENCES.filter(({ about }) => !about.test(vocabulary))
      .map(({ sentence }) => numbered(sentence, vocabulary, random))
      .filter((sentence) => !collides(sentence, vocabulary))
    const [first, second] = sample(harmless, 2, random)
    if (first === undefined) return []
    const where = Math.floor(random() * 3)
    const before = where === 0 ? [] : [{ start: 0, end: 0, text: `${second ?? first} ` }]
    return [...before, ...(where === 1 ? [] : addedAfter(said, first))]
  }),
}

/** Small talk that is never an order or a wish; not for a case that is `about` the same matter. */
const SENTENCES = [
  {
    sentence: 'By the way, the radio is playing a song from #Y.',
    about: /music|radio|song|band|artist|album|play|year/,
  },
  {
    sentence: 'By the way, the clock on the wall here is # minutes fast.',
    about: /clock|time|minute|hour|schedul|alarm/,
  },
  { sentence: 'Somebody is watering the plants while I am typing this.', about: /plant|garden|flower|water/ },
  { sentence: 'My neighbour once read # pages in a row, what a story!', about: /book|page|read|story|library|novel/ },
  { sentence: 'The birds outside are rather loud at the moment.', about: /bird|noise|loud|animal|pet/ },
  {
    sentence: 'It has been raining here for # hours now.',
    about: /weather|rain|forecast|temperature|umbrella|hour|sun/,
  },
  { sentence: 'A colleague just told a joke about a penguin.', about: /joke|penguin|animal|colleague|funny/ },
]

function numbered(sentence: string, vocabulary: string, random: Random): string {
  return sentence.replace(/#(Y?)/, (_found, year) => {
    for (;;) {
      const number = year === 'Y' ? 1950 + Math.floor(random() * 50) : 13 + Math.floor(random() * 80)
      if (!vocabulary.includes(String(number))) return String(number)
    }
  })
}

/** A word in common, and it may be relevant after all. */
function collides(sentence: string, vocabulary: string): boolean {
  const words = sentence.toLowerCase().match(/\p{L}{5,}/gu) ?? []
  return words.some((word) => vocabulary.includes(word))
}
