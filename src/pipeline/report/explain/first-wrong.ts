// The first thing that went wrong in a case: an error, or the check that did not hold.
import { assertionLabel } from '../../../model/assertion-label.js'
import type { AssertionResult } from '../../../model/assertion.js'
import type { CheckpointResult, ResultEvent, TurnResult } from '../../../model/event.js'
import { notShownText } from '../../../model/not-shown.js'
import { isNotShown, type ErrorKind } from '../../../model/status.js'

export interface Wrong {
  kind: ErrorKind | 'not_shown'
  /** `turn 2`, `checkpoint "paid"`, `contains "bye"`. */
  place?: string
  /** What the record says. */
  message: string
  assertion?: AssertionResult
  checkpoint?: CheckpointResult
  turn?: TurnResult
}

export function firstWrong(result: ResultEvent): Wrong {
  if (isNotShown(result)) return { kind: 'not_shown', message: notShownText(result) }
  const kind = result.error_kind ?? 'assertion'
  const message = result.error ?? result.assertion_errors?.[0] ?? 'failed'
  if (kind === 'assertion') return failedCheck(result, message)
  const turn = result.turns?.find((each) => each.status === 'failed')
  const broken = brokenCheck(result, turn)
  if (broken) return { kind, message: broken.error ?? message, assertion: broken, ...placed(turn, broken) }
  return { kind, message, ...placed(turn) }
}

/** The check that could not be carried out. */
function brokenCheck(result: ResultEvent, turn: TurnResult | undefined): AssertionResult | undefined {
  const all = [...(turn?.assertions ?? []), ...(result.assertions ?? []), ...(result.final_assertions ?? [])]
  return all.map(innermost).find(({ error }) => error !== undefined)
}

function failedCheck(result: ResultEvent, message: string): Wrong {
  const turn = result.turns?.find(({ status, assertions = [] }) => status === 'failed' && assertions.some(isBad))
  const inTurn = turn?.assertions?.find(isBad)
  if (turn && inTurn) return checkWrong(innermost(inTurn), message, turn)
  const checkpoint = result.checkpoints?.find(({ required, reached }) => required && !reached)
  if (checkpoint && /checkpoint/.test(message)) return checkpointWrong(checkpoint, result)
  const closing = [...(result.assertions ?? []), ...(result.final_assertions ?? [])].find(isBad)
  if (closing) return checkWrong(innermost(closing), message)
  if (result.assertion)
    return { kind: 'assertion', message: ownMessage(message), assertion: { ...result.assertion, passed: false } }
  if (checkpoint) return checkpointWrong(checkpoint, result)
  return { kind: 'assertion', message: ownMessage(message) }
}

function checkWrong(assertion: AssertionResult, message: string, turn?: TurnResult): Wrong {
  const own = assertion.error ?? assertion.message ?? ownMessage(message)
  return { kind: 'assertion', message: own, assertion, ...placed(turn, assertion) }
}

function checkpointWrong(checkpoint: CheckpointResult, result: ResultEvent): Wrong {
  const turn = result.turns?.findLast(({ status }) => status === 'passed' || status === 'failed')
  const { assertion } = checkpoint
  return {
    kind: 'assertion',
    message: checkpoint.message ?? 'not reached',
    place: `checkpoint "${checkpoint.id}"`,
    checkpoint,
    ...(assertion && { assertion: innermost(assertion) }),
    ...(turn && { turn }),
  }
}

function placed(turn: TurnResult | undefined, assertion?: AssertionResult): Pick<Wrong, 'place' | 'turn'> {
  const parts = [...(turn ? [`turn ${turn.turn}`] : []), ...(assertion ? [assertionLabel(assertion)] : [])]
  return { ...(parts.length > 0 && { place: parts.join(', ') }), ...(turn && { turn }) }
}

/** The member of a group that did not hold. */
function innermost(assertion: AssertionResult): AssertionResult {
  if (assertion.type !== 'all' || assertion.negate === true) return assertion
  const part = assertion.parts?.find(isBad)
  return part ? innermost(part) : assertion
}

function isBad({ passed, error, not_evaluated }: AssertionResult): boolean {
  return (!passed || error !== undefined) && not_evaluated !== true
}

/** Without what only says where it was. */
export function ownMessage(message: string): string {
  return message.replace(/^(?:turn \d+: )?(?:assertion failed: )?/, '')
}
