// Which checkpoints are reached, in which order, and which are missing. Pure: the assertions are evaluated elsewhere.
import type { AssertionResult, AssertionSpec } from '../../../model/assertion.js'
import type { Checkpoint } from '../../../model/case.js'
import type { CheckpointResult } from '../../../model/event.js'
import type { ToolCall } from '../../../model/message.js'
import { defined } from '../../../base/defined.js'
import { isNegative } from '../../assert/negative.js'

export interface CheckpointProgress {
  checkpoint: Checkpoint
  /** About what must not happen: it is reached when the conversation is over, and holds until then. */
  atEnd: boolean
  /** The first turn in which it happened although it must not. */
  brokenAt?: number
  /** All calls since those it waits for were reached. */
  calls?: ToolCall[]
  reachedAt?: number
  /** The first turn in which it matched although its `after` ids were not reached. */
  earlyAt?: number
  /** The latest verdict. */
  verdict?: AssertionResult
}

// Shared: V8 gives lists from `map` several shapes, and the code that reads one per case is optimised for a single shape.
const NONE: never[] = []

export function startCheckpoints(checkpoints: Checkpoint[] = NONE): CheckpointProgress[] {
  if (checkpoints.length === 0) return NONE
  return checkpoints.map((checkpoint) => ({ checkpoint, atEnd: isNegative(checkpoint.assertion) }))
}

export function isPending(progress: CheckpointProgress): boolean {
  return progress.reachedAt === undefined
}

/** Its `after` ids are all reached, including those of this turn. */
export function isInOrder(progress: CheckpointProgress, all: CheckpointProgress[]): boolean {
  return unmet(progress, all).length === 0
}

export function recordVerdict(
  progress: CheckpointProgress,
  all: CheckpointProgress[],
  verdict: AssertionResult,
  turn: number,
): void {
  const inOrder = isInOrder(progress, all)
  if (inOrder || verdict.passed) progress.verdict = verdict
  if (progress.atEnd) {
    if (!verdict.passed) progress.brokenAt = turn
    return
  }
  if (!verdict.passed) return
  if (inOrder) progress.reachedAt = turn
  else progress.earlyAt ??= turn
}

export function reachedIds(all: CheckpointProgress[]): string[] {
  return all.filter((progress) => !isPending(progress)).map((progress) => progress.checkpoint.id)
}

/** Those that the agent can still be led to. */
export function pendingIds(all: CheckpointProgress[]): string[] {
  return all.filter((progress) => isPending(progress) && !progress.atEnd).map((progress) => progress.checkpoint.id)
}

/** The required ones that the conversation still has to reach. */
export function missingIds(all: CheckpointProgress[]): string[] {
  return missing(all)
    .filter((progress) => !progress.atEnd)
    .map(({ checkpoint }) => checkpoint.id)
}

/** The required ones about what must not happen: those violated and, once all is settled, those not reached. */
export function notHeld(all: CheckpointProgress[], settled: boolean): string[] {
  return missing(all)
    .filter((progress) => progress.atEnd && (settled || progress.brokenAt !== undefined))
    .map((progress) => `${progress.checkpoint.id} (${whyNot(progress, all)})`)
}

function missing(all: CheckpointProgress[]): CheckpointProgress[] {
  return all.filter((progress) => isRequired(progress) && isPending(progress))
}

/** A judge that only advises cannot hold a conversation up. */
function isRequired({ checkpoint, verdict }: CheckpointProgress): boolean {
  return checkpoint.required && !verdict?.advice
}

export function checkpointResults(all: CheckpointProgress[]): CheckpointResult[] {
  return all.map((progress) => {
    const { checkpoint, reachedAt, earlyAt, verdict } = progress
    const reached = reachedAt !== undefined
    return defined({
      id: checkpoint.id,
      description: checkpoint.description,
      reached,
      reached_at_turn: reachedAt,
      passed: reached,
      required: isRequired(progress),
      message: reached ? undefined : whyNot(progress, all),
      out_of_order: !reached && earlyAt !== undefined ? true : undefined,
      assertion: verdict,
    })
  })
}

// Asking a model or a script only to say "too early" would cost money and time.
const ASKS_OTHERS = new Set(['agent', 'rubric', 'script'])

/** Can be evaluated before its turn, just to report that it came out of order. */
export function isCheap(spec: AssertionSpec): boolean {
  const parts: unknown = spec.assertions
  return !ASKS_OTHERS.has(spec.type) && (!Array.isArray(parts) || (parts as AssertionSpec[]).every(isCheap))
}

/** What must not happen counts as met while it holds: otherwise nothing could ever come after it. */
function unmet(progress: CheckpointProgress, all: CheckpointProgress[]): string[] {
  const isMet = (id: string): boolean =>
    all.some((other) => other.checkpoint.id === id && (!isPending(other) || (holds(other) && isInOrder(other, all))))
  return progress.checkpoint.after.filter((id) => !isMet(id))
}

function holds(progress: CheckpointProgress): boolean {
  return progress.atEnd && progress.brokenAt === undefined
}

function whyNot(progress: CheckpointProgress, all: CheckpointProgress[]): string {
  const waiting = unmet(progress, all)
  const { earlyAt, brokenAt, verdict } = progress
  if (brokenAt !== undefined) return `turn ${brokenAt}: ${verdict?.message ?? 'it does not hold'}`
  if (earlyAt !== undefined)
    return `matched out of order at turn ${earlyAt}, before ${progress.checkpoint.after.join(', ')}`
  if (waiting.length > 0) return `not reached: waits for ${waiting.join(', ')}`
  if (progress.atEnd) return verdict?.error ?? 'not evaluated: the conversation did not come to its end'
  return verdict?.error ?? verdict?.message ?? 'not reached'
}
