// Which answers people are shown, and how many: a shuffle that is the same each time, cut where the interval is narrow enough.
import { createHash } from 'node:crypto'
import { countOf, residualVariance, weightOf, type LabelCounts } from '../../pipeline/fold/statistics/judged-rate.js'
import { zOf } from '../../pipeline/fold/statistics/normal.js'
import { answerKey, type JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'

/** The answers in the order in which they are labelled: any first part of it is a uniform sample. */
export function shuffled<T extends JudgedAnswer>(answers: readonly T[], seed: number): T[] {
  const rank = (answer: JudgedAnswer): string =>
    createHash('sha256')
      .update(`${seed}\n${answerKey(answer)}`)
      .digest('hex')
  return answers
    .map((answer) => ({ answer, at: rank(answer) }))
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .map(({ answer }) => answer)
}

/** How many labels a first look needs before anything is known about the judge. */
export const PILOT = 20

/**
 * The number of labels for an interval of this half-width. Without a pilot the worst case is assumed: a judge that says nothing, and
 * half of the answers passing.
 */
export function sampleSize(width: number, answers: number, pilot?: LabelCounts): number {
  const isKnown = pilot !== undefined && countOf(pilot) >= PILOT
  const weight = isKnown ? weightOf(pilot, countOf(pilot) / Math.max(1, answers - countOf(pilot))) : 0
  // A pilot without a single disagreement still leaves some room.
  const variance = isKnown ? Math.max(residualVariance(pilot, weight), 1 / (countOf(pilot) + 2)) : 0.25
  const plain = Math.ceil((zOf(0.95) / width) ** 2 * variance)
  return Math.min(answers, Math.max(PILOT, plain))
}
