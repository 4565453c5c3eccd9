// The answers of a run that judges gave a verdict on, in the order of the event stream.
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../../base/json/canonical-json.js'
import { defined } from '../../../base/defined.js'
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent, RunEvent } from '../../../model/event.js'
import type { JudgeEntry } from '../../../model/judge.js'
import { seenOutput } from './seen-output.js'

export interface JudgedAnswer {
  case: string
  run: number
  variant?: string
  /** Which check of the result, e.g. `assertions[0]`, `turns[1].assertions[0]`. */
  at: string
  judge: JudgeEntry
  /** What it judged by, for people. */
  criterion: unknown
  rubric?: Record<string, unknown>
  input: unknown
  output: unknown
  /** A hash of what was judged: a label of another answer says nothing about this one. */
  output_hash: string
  passed: boolean
  reason?: string
}

export async function* judgedAnswers(events: AsyncIterable<RunEvent>): AsyncGenerator<JudgedAnswer> {
  for await (const event of events) if (event.type === 'result') yield* answersOf(event)
}

/** What identifies an answer and the check on it. */
export function answerKey({
  case: id,
  run,
  variant,
  at,
}: {
  case: string
  run: number
  variant?: string | undefined
  at: string
}): string {
  return JSON.stringify([id, run, variant ?? null, at])
}

export function outputHash(output: unknown): string {
  return createHash('sha256')
    .update(canonicalJson(output ?? null))
    .digest('hex')
    .slice(0, 16)
}

function* answersOf(result: ResultEvent): Generator<JudgedAnswer> {
  const { input } = result
  const output = 'output' in result ? result.output : undefined
  yield* inChecks(result, result.assertions, 'assertions', { input, output })
  yield* inChecks(result, result.final_assertions, 'final_assertions', { input, output })
  for (const [index, turn] of (result.turns ?? []).entries())
    yield* inChecks(result, turn.assertions, `turns[${index}].assertions`, { input: turn.input, output: turn.output })
}

function* inChecks(
  result: ResultEvent,
  checks: readonly AssertionResult[] | undefined,
  place: string,
  shown: { input: unknown; output: unknown },
): Generator<JudgedAnswer> {
  for (const [index, check] of (checks ?? []).entries()) {
    const at = `${place}[${index}]`
    if (check.judge === undefined) {
      yield* inChecks(result, check.parts, `${at}.parts`, shown)
      continue
    }
    // A judge that gave no verdict said neither.
    if (check.error !== undefined || check.not_evaluated) continue
    const output = seenOutput(check, result, shown.output)
    yield {
      case: result.id,
      run: result.run,
      at,
      judge: check.judge,
      criterion: check.criterion ?? check.value,
      input: shown.input,
      output,
      output_hash: outputHash(output),
      // What the judge said, not what the assertion made of it.
      passed: check.negate === true ? !check.passed : check.passed,
      ...defined({ variant: result.variant, rubric: check.rubric, reason: check.message }),
    }
  }
}
