// A judge's answer → a verdict. Read only in the expected structure; anything else is the judge's error.
import { isEqual } from '../../../base/equal.js'
import { isRecord } from '../../../base/record.js'
import { findAllJson, findJson, wholeJson } from '../../../base/json/find-json.js'
import { preview } from '../../../base/text.js'
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
}

/** The answer cannot be used: never a pass, and never a failure of what was judged. */
export class UnusableAnswer extends Error {
  constructor(problem: string, answer: unknown) {
    super(`${problem}: ${preview(answer ?? null, 200)}`)
    this.name = 'UnusableAnswer'
  }
}

/** `{passed, score?, reason?, suggestions?}`; throws UnusableAnswer. `examined` is what the judge was shown. */
export function parseVerdict(answer: unknown, examined: readonly unknown[] = []): JudgeVerdict {
  const { passed, score, reason, suggestions } = readObject(answer, 'passed', examined)
  if (typeof passed !== 'boolean') throw new UnusableAnswer("validator response missing 'passed' field", answer)
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

/** `{reasoning or reason, score}` with a whole score from 1 to 5; throws UnusableAnswer. */
export function parseRating(answer: unknown, examined: readonly unknown[] = []): JudgeRating {
  const rating = readObject(answer, 'score', examined)
  const score = rating['score']
  const reasoning = rating['reasoning'] ?? rating['reason']
  if (typeof score !== 'number' || !Number.isInteger(score) || score < 1 || score > 5) {
    throw new UnusableAnswer('the judge gave no whole score from 1 to 5', answer)
  }
  if (typeof reasoning !== 'string' || reasoning.trim() === '') {
    throw new UnusableAnswer('the judge gave a score without "reasoning"', answer)
  }
  return { score, reasoning }
}

function readObject(answer: unknown, key: 'passed' | 'score', examined: readonly unknown[]): Record<string, unknown> {
  const found = findJson(answer)
  if (!found || !isRecord(found.value)) {
    throw new UnusableAnswer('validator agent returned invalid response format', answer)
  }
  if (typeof answer === 'string') {
    requireOneVerdict(answer, found.value, key)
    requireOwnVerdict(answer, found.value, key, examined)
  }
  return found.value
}

/** A judge that quotes what it examined may quote a verdict in it. Which one is meant is not for us to guess. */
function requireOneVerdict(answer: string, found: Record<string, unknown>, key: string): void {
  const others = findAllJson(answer).filter((value) => isRecord(value) && Object.hasOwn(value, key))
  if (others.some((value) => !isEqual((value as Record<string, unknown>)[key], found[key]))) {
    throw new UnusableAnswer('the judge gave more than one verdict', answer)
  }
}

/** A verdict among other words that stands in what was examined, too, may be a quotation of it. */
function requireOwnVerdict(
  answer: string,
  found: Record<string, unknown>,
  key: string,
  examined: readonly unknown[],
): void {
  if (!Object.hasOwn(found, key) || wholeJson(answer)) return
  if (standsIn(examined, found)) {
    throw new UnusableAnswer('the verdict in the answer may be quoted from what was examined', answer)
  }
}
