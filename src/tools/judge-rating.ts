// One evaluation: asked as often as it has parts and votes, and made into one score with something to act on.
import { ownValue } from '../base/record.js'
import type { AskHelper } from '../model/helper.js'
import type { Evidence } from '../model/evidence.js'
import { askJudge } from '../pipeline/assert/judge/ask.js'
import { parseRating, parseScore, type JudgeRating, type PartRating } from '../pipeline/assert/judge/verdict.js'

const MAX_SCORE = 5

export interface Evaluation {
  criterion: string
  target: string
  question: string
  rubric?: Record<string, string> | undefined
  threshold: number
  label: string
  /** Judged one by one; the score is their mean. */
  parts?: string[]
  /** Scored in the same answer as the whole. */
  aspects?: string[]
  reference?: string
}

export interface Rated {
  criterion: string
  target: string
  score: number
  max_score: number
  threshold: number
  reasoning?: string
  feedback: string
  passed: boolean
  votes?: number[]
  agreement?: number
  sub_evaluations?: Array<{ criterion: string; score: number; reasoning?: string }>
}

interface Rating {
  score: number
  reasoning?: string
  parts?: Rated['sub_evaluations']
}

export interface RatingContext {
  task: string | null
  votes: number
  needsReasons: boolean
}

/** Throws if no usable score comes, even when asked for once more. */
export async function rate(
  evaluation: Evaluation,
  output: string,
  judge: AskHelper,
  about: RatingContext,
  signal: AbortSignal,
): Promise<Rated> {
  const { criterion, target, threshold, rubric = LEVELS } = evaluation
  const ask = (part?: string): Promise<Rating> => askOnce(evaluation, part, output, judge, about, signal)
  const votes: Rating[] = []
  for (let vote = 0; vote < about.votes; vote += 1)
    votes.push(evaluation.parts ? await byParts(evaluation.parts, ask) : await ask())
  const counted = median(votes)
  const { score } = counted
  const passed = score >= threshold
  const sides = votes.filter((vote) => vote.score >= threshold === passed).length
  return {
    criterion,
    target,
    score,
    max_score: MAX_SCORE,
    threshold,
    ...(counted.reasoning !== undefined && { reasoning: counted.reasoning }),
    feedback: feedbackOf(score, threshold, rubric, counted.parts),
    passed,
    ...(votes.length > 1 && { votes: votes.map((vote) => vote.score), agreement: hundredths(sides / votes.length) }),
    ...(counted.parts && { sub_evaluations: counted.parts }),
  }
}

async function byParts(parts: string[], ask: (part: string) => Promise<Rating>): Promise<Rating> {
  const rated: NonNullable<Rated['sub_evaluations']> = []
  for (const part of parts) rated.push({ criterion: part, ...(await ask(part)) })
  const score = hundredths(rated.reduce((sum, each) => sum + each.score, 0) / rated.length)
  const reasons = rated.flatMap((each) =>
    each.reasoning === undefined ? [] : [`${each.criterion}: ${each.reasoning}`],
  )
  return { score, parts: rated, ...(reasons.length > 0 && { reasoning: reasons.join('\n') }) }
}

async function askOnce(
  { question, rubric = LEVELS, aspects = [], reference, target, threshold }: Evaluation,
  part: string | undefined,
  output: string,
  judge: AskHelper,
  { task, needsReasons }: RatingContext,
  signal: AbortSignal,
): Promise<Rating> {
  const criteria = [
    question,
    ...(part === undefined ? [] : [`Judge this part of it alone: ${part}.`]),
    ...(needsReasons ? [] : ['The score alone is enough: the reasoning may be left empty.']),
  ].join(' ')
  const metadata = { what_is_examined: target, ...(reference !== undefined && { reference }) }
  const evidence: Evidence = { output, input: task, messages: [], tool_calls: [], duration_ms: 0, case_id: target }
  const parts = part === undefined && aspects.length > 0 ? byId(aspects) : undefined
  const { said } = await askJudge<JudgedRating>({
    spec: { options: { metadata } },
    criteria,
    rubric,
    parts,
    evidence,
    services: {
      judge,
      script: () => Promise.reject(new Error('a judge calls no script')),
      search: () => Promise.reject(new Error('a judge searches nothing')),
      signal,
    },
    parse: (answer, examined) => (needsReasons ? parseRating : parseScore)(answer, threshold, examined),
  })
  const { parts: scored, ...rating } = said
  return { ...rating, ...(parts && scored && { parts: named(parts, scored) }) }
}

type JudgedRating = Omit<JudgeRating, 'reasoning'> & Partial<JudgeRating>

/** By letters: a judge may shorten words. */
function byId(aspects: string[]): Record<string, string> {
  return Object.fromEntries(aspects.map((aspect, index) => [String.fromCodePoint(97 + index), aspect]))
}

/** Scores that were not asked for are left out. */
function named(
  asked: Record<string, string>,
  scored: Record<string, PartRating>,
): NonNullable<Rated['sub_evaluations']> {
  return Object.entries(asked).flatMap(([id, criterion]) => {
    const part = ownValue(scored, id)
    return part ? [{ criterion, ...part }] : []
  })
}

const LEVELS = {
  5: 'Excellent',
  4: 'Good, with minor weaknesses',
  3: 'Acceptable, with notable weaknesses',
  2: 'Poor',
  1: 'Unacceptable',
}

/** The middle one; of two middle ones the lower. */
function median<T extends Rating>(votes: readonly T[]): T {
  const sorted = votes.toSorted((a, b) => a.score - b.score)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  if (!middle) throw new Error('a median of nothing')
  return middle
}

/** What to do about it, in the words of the rubric. */
function feedbackOf(
  score: number,
  threshold: number,
  rubric: Record<string, string>,
  parts: Rated['sub_evaluations'] = [],
): string {
  const level = Math.floor(score)
  const weakest = parts.toSorted((a, b) => a.score - b.score)[0]
  const words = [`Level ${level}${textOf(rubric[String(level)])}.`]
  if (level < MAX_SCORE) {
    const next = score < threshold ? threshold : level + 1
    const goal = rubric[String(next)]
    words.push(`${score < threshold ? `It takes level ${next} to pass` : `The next level is ${next}`}${textOf(goal)}.`)
  }
  if (weakest && weakest.score < MAX_SCORE) words.push(`Weakest part: ${weakest.criterion} (${weakest.score}).`)
  return words.join(' ')
}

function textOf(level: string | undefined): string {
  return level === undefined ? '' : `: ${level.replace(/\.$/, '')}`
}

export function hundredths(value: number): number {
  return Math.round(value * 100) / 100
}
