// Checks an answer against the checkpoints, and at the end settles those about what must not happen.
import type { AssertionResult } from '../../../model/assertion.js'
import type { Evidence } from '../../../model/evidence.js'
import { isAboutEachTurn } from '../../assert/negative.js'
import { check } from './check.js'
import { checkpointEvidence } from './checkpoint-evidence.js'
import { isCheap, isInOrder, isPending, recordVerdict, type CheckpointProgress } from './checkpoints.js'
import type { Conversation } from './conversation.js'
import type { Failure } from './failure.js'

/** The failure that ends the conversation, if any: a checkpoint that could not be checked. */
export async function checkCheckpoints(
  conversation: Conversation,
  turn: number,
  evidence: Evidence,
): Promise<Failure | undefined> {
  const { checkpoints } = conversation
  for (const progress of checkpoints.filter(isPending)) {
    const { assertion } = progress.checkpoint
    const inOrder = isInOrder(progress, checkpoints)
    if (progress.atEnd) {
      if (!inOrder || progress.brokenAt !== undefined || !isAboutEachTurn(assertion)) continue
      progress.calls = [...(progress.calls ?? []), ...evidence.tool_calls]
    } else if (!inOrder && (progress.earlyAt !== undefined || !isCheap(assertion))) continue
    const seen = checkpointEvidence(assertion, evidence)
    const verdict = await verdictOn(
      conversation,
      progress,
      progress.calls ? { ...seen, tool_calls: progress.calls } : seen,
    )
    if (verdict?.error !== undefined && inOrder) return couldNotCheck(progress, verdict)
    if (verdict) recordVerdict(progress, checkpoints, verdict, turn)
  }
  return undefined
}

/** What must not happen has not happened, now that the conversation is over. */
export async function settleCheckpoints(conversation: Conversation, whole: Evidence): Promise<Failure | undefined> {
  const { checkpoints, answered } = conversation
  for (const progress of checkpoints) {
    if (!progress.atEnd || progress.brokenAt !== undefined || !isInOrder(progress, checkpoints)) continue
    if (!isAboutEachTurn(progress.checkpoint.assertion)) {
      const verdict = await verdictOn(conversation, progress, whole)
      if (verdict?.error !== undefined) return couldNotCheck(progress, verdict)
      if (verdict) recordVerdict(progress, checkpoints, verdict, answered)
    }
    if (progress.brokenAt === undefined) progress.reachedAt = answered
  }
  return undefined
}

async function verdictOn(
  { setup, checkpoints }: Conversation,
  progress: CheckpointProgress,
  evidence: Evidence,
): Promise<AssertionResult | undefined> {
  const compiled = setup.compiled.checkpoints[checkpoints.indexOf(progress)]
  return compiled && (await check(setup, [compiled], evidence))[0]
}

function couldNotCheck(progress: CheckpointProgress, verdict: AssertionResult): Failure {
  progress.verdict = verdict
  const error = `checkpoint ${progress.checkpoint.id} failed: ${verdict.error}`
  return { error, error_kind: verdict.error_kind ?? 'validator', cause: undefined }
}
