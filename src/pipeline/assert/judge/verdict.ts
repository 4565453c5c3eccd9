// A judge's answer → a verdict. Read only in the expected structure; anything else is the judge's error.
import { isRecord } from '../../../base/record.js'
import { preview } from '../../../base/text.js'
import { contradicts, hasTwice, lastWord, NO_OBJECT, NoLastWord, TWICE, type LastWord } from './last-word.js'
import { standsIn } from './quoted.js'

export interface JudgeVerdict {
  passed: boolean
  score?: number
  reason?: string
  suggestions?: unknown
}

export interface JudgeRating {
  score: number
  reasoning: string
  /** By the id it was asked under. */
  parts?: Record<string, PartRating>
}

export interface PartRating {
  score: number
  reasoning?: string
}

/** What the judge was asked about. */
export interface Examined {
  shown: readonly unknown[]
  /** Absent: the answer need not be signed. */
  signature?: Signature
}

export interface Signature {
  nonce: string
  /** Otherwise it is checked where it is repeated. */
  isRequired: boolean
}

/** The answer cannot be used: never a pass, and never a failure of what was judged. */
export class UnusableAnswer extends Error {
  /** The problem without the answer's words: safe to tell the judge. */
  readonly problem: string

  constructor(problem: string, answer: unknown, why?: string) {
    super(`${problem}: ${preview(answer ?? null, 200)}${why === undefined || why === NO_OBJECT ? '' : ` (${why})`}`)
    this.name = 'UnusableAnswer'
    this.problem = why ?? problem
  }
}

/** `{passed, score?, reason?, suggestions?}`; throws UnusableAnswer. */
export function parseVerdict(answer: unknown, examined: Examined = NOTHING): JudgeVerdict {
  const verdict = readObject(answer, 'passed', examined)
  const { passed, score, reason, suggestions, error } = verdict
  if (typeof passed !== 'boolean') throw new UnusableAnswer("validator response missing 'passed' field", answer)
  if (passed && contradicts(Object.values(verdict), verdict, 'passed')) {
    throw new UnusableAnswer('the validator says it passes, and that a part of it does not', answer)
  }
  if (passed && Boolean(error)) throw new UnusableAnswer('the validator says it passes, and reports an error', answer)
  if (score !== undefined && score !== null && !Number.isFinite(score)) {
    throw new UnusableAnswer("validator response has a 'score' that is not a number", answer)
  }
  return {
    passed,
    ...(typeof score === 'number' && { score }),
    ...(typeof reason === 'string' && { reason }),
    ...(suggestions !== undefined && suggestions !== null && { suggestions }),
  }
}

/** `{reasoning or reason, score}` with a whole score from 1 to 5; `passed`, if it is there, must agree. Throws UnusableAnswer. */
export function parseRating(answer: unknown, threshold: number, examined: Examined = NOTHING): JudgeRating {
  const { reasoning, ...rating } = parseScore(answer, threshold, examined)
  if (reasoning === undefined) throw new UnusableAnswer('the judge gave a score without "reasoning"', answer)
  return { ...rating, reasoning }
}

/** The same if reasons are not asked for. */
export function parseScore(
  answer: unknown,
  threshold: number,
  examined: Examined = NOTHING,
): Pick<JudgeRating, 'score'> & Partial<JudgeRating> {
  const rating = readObject(answer, 'score', examined)
  const score = rating['score']
  const reasoning = rating['reasoning'] ?? rating['reason']
  if (!isLevel(score)) throw new UnusableAnswer('the judge gave no whole score from 1 to 5', answer)
  const { passed } = rating
  if (passed !== undefined && passed !== null && typeof passed !== 'boolean')
    throw new UnusableAnswer("the judge's 'passed' is neither true nor false", answer)
  if (typeof passed === 'boolean' && passed !== score >= threshold)
    throw new UnusableAnswer(
      `the judge says it ${passed ? 'passes' : 'does not pass'}, and scored it ${score} of ${threshold} needed`,
      answer,
    )
  const parts = partsOf(rating['parts'], answer)
  const scores = Object.values(parts ?? {}).map((part) => part.score)
  // If the whole is better, or worse, than each of its parts, there is no telling what to believe.
  if (scores.length > 0 && (score > Math.max(...scores) || score < Math.min(...scores)))
    throw new UnusableAnswer(`the judge scored the whole ${score} and its parts ${scores.join(', ')}`, answer)
  return {
    score,
    ...(typeof reasoning === 'string' && reasoning.trim() !== '' && { reasoning }),
    ...(parts && { parts }),
  }
}

/** `{id: {score, reasoning}}`, or the score alone. */
function partsOf(given: unknown, answer: unknown): Record<string, PartRating> | undefined {
  if (!isRecord(given) || Object.keys(given).length === 0) return undefined
  const parts = Object.entries(given).map(([id, part]): [string, PartRating] => {
    const { score, reasoning } = isRecord(part) ? part : { score: part, reasoning: undefined }
    if (!isLevel(score))
      throw new UnusableAnswer(`the judge gave part ${preview(id, 20)} no whole score from 1 to 5`, answer)
    return [id, { score, ...(typeof reasoning === 'string' && reasoning.trim() !== '' && { reasoning }) }]
  })
  return Object.fromEntries(parts)
}

function isLevel(score: unknown): score is number {
  return typeof score === 'number' && Number.isInteger(score) && score >= 1 && score <= 5
}

/** Of text, the last word counts, and it must be the judge's own. */
function readObject(answer: unknown, key: 'passed' | 'score', examined: Examined): Record<string, unknown> {
  const verdict = isRecord(answer) ? answer : lastObject(answer, key, examined)
  if (hasTwice(verdict, key)) throw new UnusableAnswer(INVALID, answer, TWICE)
  if (examined.signature) requireSigned(verdict, key, examined.signature, answer)
  return verdict
}

/** An answer that is no verdict at all has a better reason than a missing nonce. */
function requireSigned(
  verdict: Record<string, unknown>,
  key: string,
  { nonce, isRequired }: Signature,
  answer: unknown,
): void {
  const given = verdict['nonce']
  if (given === nonce || !Object.hasOwn(verdict, key)) return
  if (given !== undefined) throw new UnusableAnswer('the verdict has a nonce of another question', answer)
  if (isRequired) throw new UnusableAnswer('the verdict does not repeat the nonce of the question', answer)
}

function lastObject(answer: unknown, key: 'passed' | 'score', { shown }: Examined): Record<string, unknown> {
  if (typeof answer !== 'string') throw new UnusableAnswer(INVALID, answer)
  const { value, alone } = lastWordOf(answer, key)
  if (!alone && Object.hasOwn(value, key) && standsIn(shown, value)) {
    throw new UnusableAnswer('the verdict in the answer may be quoted from what was examined', answer)
  }
  return value
}

function lastWordOf(answer: string, key: 'passed' | 'score'): LastWord {
  try {
    return lastWord(answer, key)
  } catch (error) {
    if (!(error instanceof NoLastWord)) throw error
    throw new UnusableAnswer(INVALID, answer, error.message)
  }
}

const NOTHING: Examined = { shown: [] }
const INVALID = 'validator agent returned invalid response format'
