// What judges said about a run, against what people said about some of it. Memory grows with the labels, not with the run.
import { defined } from '../../base/defined.js'
import type { JudgeEntry } from '../../model/judge.js'
import type { JudgedCount, LabelCounts } from '../../pipeline/fold/statistics/judged-rate.js'
import type { JudgedAnswer } from '../../pipeline/fold/judged/judged-answers.js'
import { answerLabelKey, opinionsOf, type Label, type LabelFile, type Opinion } from './labels.js'

/** One judge with one criterion, on one variant. */
export interface JudgeTally {
  judge: JudgeEntry
  criterion: unknown
  variant?: string
  /** Every verdict of the judge. */
  judged: JudgedCount
  /** Those among them that people passed or failed. */
  labels: LabelCounts
  cannot_tell: number
}

export interface Tallied {
  tallies: JudgeTally[]
  /** Labels of answers that are not in the run, or that have changed since. */
  stale: Label[]
}

const NO_LABELS: LabelFile = { draws: [], labels: [] }

export async function tallyJudges(
  answers: AsyncIterable<JudgedAnswer>,
  file: LabelFile = NO_LABELS,
  { byVariant = true }: { byVariant?: boolean } = {},
): Promise<Tallied> {
  const opinions = opinionsOf(file.labels)
  const tallies = new Map<string, JudgeTally>()
  for await (const answer of answers) {
    const variant = byVariant ? answer.variant : undefined
    const key = `${answer.judge.hash}\n${variant ?? ''}`
    const tally = tallies.get(key) ?? newTally(answer, variant)
    tallies.set(key, tally)
    tally.judged.count++
    if (answer.passed) tally.judged.passed++
    const opinion = opinions.get(answerLabelKey(answer))
    if (opinion === undefined || !isAbout(opinion, answer)) continue
    opinions.delete(answerLabelKey(answer))
    if (opinion.verdict === 'cannot_tell') tally.cannot_tell++
    else tally.labels[cellOf(answer.passed, opinion.verdict === 'pass')]++
  }
  return { tallies: [...tallies.values()], stale: [...opinions.values()].map(({ label }) => label) }
}

/** A label speaks of the question that was asked about the answer. */
function isAbout({ label }: Opinion, { judge }: JudgedAnswer): boolean {
  return label.criterion === judge.criterion
}

function newTally({ judge, criterion }: JudgedAnswer, variant: string | undefined): JudgeTally {
  return {
    judge,
    criterion,
    ...defined({ variant }),
    judged: { passed: 0, count: 0 },
    labels: { both_pass: 0, judge_pass_only: 0, people_pass_only: 0, both_fail: 0 },
    cannot_tell: 0,
  }
}

function cellOf(judge: boolean, people: boolean): keyof LabelCounts {
  if (judge) return people ? 'both_pass' : 'judge_pass_only'
  return people ? 'people_pass_only' : 'both_fail'
}
