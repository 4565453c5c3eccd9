// Which checkpoints are reached, in which order, and which are missing. Pure: the assertions are evaluated elsewhere.
import type { AssertionResult, AssertionSpec } from '../../../model/assertion.js'
import type { Checkpoint } from '../../../model/case.js'
import type { CheckpointResult } from '../../../model/event.js'
import { defined } from '../../../base/defined.js'

export interface CheckpointProgress {
  checkpoint: Checkpoint
  reachedAt?: number
  /** The first turn at which it matched although its `after` ids were not reached. */
  earlyAt?: number
  /** The latest verdict. */
  verdict?: AssertionResult
}

export function startCheckpoints(checkpoints: Checkpoint[]): CheckpointProgress[] {
  return checkpoints.map((checkpoint) => ({ checkpoint }))
}

export function isPending(progress: CheckpointProgress): boolean {
  return progress.reachedAt === undefined
}

/** Its `after` ids are all reached, those of this turn included. */
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
  if (!verdict.passed) return
  if (inOrder) progress.reachedAt = turn
  else progress.earlyAt ??= turn
}

export function reachedIds(all: CheckpointProgress[]): string[] {
  return all.filter((progress) => !isPending(progress)).map((progress) => progress.checkpoint.id)
}

export function pendingIds(all: CheckpointProgress[]): string[] {
  return all.filter(isPending).map((progress) => progress.checkpoint.id)
}

export function missingIds(all: CheckpointProgress[]): string[] {
  return all
    .filter((progress) => progress.checkpoint.required && isPending(progress))
    .map(({ checkpoint }) => checkpoint.id)
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
      required: checkpoint.required,
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

function unmet(progress: CheckpointProgress, all: CheckpointProgress[]): string[] {
  const reached = new Set(reachedIds(all))
  return progress.checkpoint.after.filter((id) => !reached.has(id))
}

function whyNot(progress: CheckpointProgress, all: CheckpointProgress[]): string {
  const waiting = unmet(progress, all)
  const { earlyAt, verdict } = progress
  if (earlyAt !== undefined)
    return `matched out of order at turn ${earlyAt}, before ${progress.checkpoint.after.join(', ')}`
  if (waiting.length > 0) return `not reached: waits for ${waiting.join(', ')}`
  return verdict?.error ?? verdict?.message ?? 'not reached'
}
