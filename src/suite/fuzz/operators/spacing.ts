// More white space than needed: between words, around the text, tabs and line breaks.
import type { Random } from '../../../pipeline/fold/statistics/random.js'
import { pick, sample, type FreeText } from '../free-text.js'
import type { Edit } from '../edit.js'
import { onOneText, type Operator } from '../operator.js'

type Space = Omit<Edit, 'slot'>

export const spacing: Operator = {
  name: 'spacing',
  summary: 'white space is added',
  change: onOneText(({ free }, random) => pick(STYLES, random)?.(free, random) ?? []),
}

const MOST = 8

const STYLES: Array<(free: FreeText, random: Random) => Space[]> = [
  (free, random) => between(free, '  ', random),
  (free, random) => between(free, '\t', random),
  ({ text, isOpen }) => around(text, isOpen, '  ', '   '),
  ({ text, isOpen }) => around(text, isOpen, '\n', ' \n\n'),
  (free, random) => betweenSentences(free, random),
]

function between({ gaps }: FreeText, space: string, random: Random): Space[] {
  return sample(gaps, MOST, random).map((gap) => ({ ...gap, text: space }))
}

function around(text: string, isOpen: boolean, before: string, after: string): Space[] {
  const end = text.length
  return [{ start: 0, end: 0, text: before }, ...(isOpen ? [{ start: end, end, text: after }] : [])]
}

/** A text of one sentence is broken somewhere in the middle, as a mail program does. */
function betweenSentences({ gaps, sentences }: FreeText, random: Random): Space[] {
  const ends = new Set(sentences.map(({ end }) => end))
  const breaks = gaps.filter(({ start }) => ends.has(start))
  const chosen = breaks.length > 0 ? breaks : sample(gaps, 1, random)
  return chosen.map((gap) => ({ ...gap, text: '\n' }))
}
