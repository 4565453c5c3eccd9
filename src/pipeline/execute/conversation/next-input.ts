// Where the next user message comes from when the script has none: simulator → person → `on_missing_input`.
import { AgentError, UserError } from '../../../errors.js'
import type { CaseInput } from '../../../model/case.js'
import type { TurnResult } from '../../../model/event.js'
import { NO_FIRST_INPUT, NO_NEXT_TURN, turnWithoutInput } from '../../../model/missing-input.js'
import { parseDuration } from '../../../base/duration.js'
import { isGuess, questionAsked } from './awaiting-input.js'
import { isPending, missingIds } from './checkpoints.js'
import type { CompiledCase } from './contract.js'
import type { Conversation } from './conversation.js'
import { type Failure, simulatorFailure } from './failure.js'
import { mayAskPerson, type StaticTurn } from './script.js'
import { askSimulator } from './simulator.js'

export type NextInput = UserInput | Ending

export interface UserInput {
  kind: 'input'
  input: CaseInput
  source: TurnResult['input_source']
  /** The turn as written, if there is one. */
  planned?: StaticTurn
  reasoning?: string
  /** The simulator's last message: with it the goal is achieved. */
  goal_achieved?: true
}

export type Ending =
  | { kind: 'complete' }
  /** `turn`: what is known about the turn that did not happen. */
  | { kind: 'failed'; failure: Failure; turn?: Partial<TurnResult> }
  | {
      kind: 'skipped'
      skip_reason: string
      skipped_by?: 'not_shown'
      failure?: Failure
      turn?: Partial<TurnResult>
    }

const MISSING_INPUT_HINT = 'Add more turns, use --interactive, or configure simulator'

const DEFAULT_PERSON_TIMEOUT = '5m'
const COMPLETE: Ending = { kind: 'complete' }

export async function nextInput(conversation: Conversation): Promise<NextInput> {
  const { script, answered } = conversation
  const planned = script.turns[answered]
  if (!planned && isOver(conversation)) return COMPLETE
  if (!planned && conversation.turns.at(-1)?.goal_achieved) return goalEnding(conversation)
  if (planned?.input !== undefined) return tooManyTurns(conversation)
  if (script.simulator) {
    const simulated = await fromSimulator(conversation, planned)
    if (simulated) return simulated
  }
  if (mayAskPerson(conversation.setup)) {
    if (answered >= script.maxTurns) return tooManyTurns(conversation)
    return fromPerson(conversation, planned)
  }
  return missingInput(conversation, planned, reasonForNone(conversation, planned))
}

function isOver({ script, checkpoints, last }: Conversation): boolean {
  if (!last) return false
  switch (script.mode) {
    case 'single':
      return true
    case 'dynamic':
      return missingIds(checkpoints).length === 0
    case 'simulated':
      return false
    case 'turns':
      return !last.awaiting.awaiting
  }
}

/** Undefined: it has nothing to say and the script expects more. */
async function fromSimulator(
  conversation: Conversation,
  planned: StaticTurn | undefined,
): Promise<NextInput | undefined> {
  const { script, answered, setup } = conversation
  const over = answered >= script.maxTurns
  // With checkpoints missing the verdict is clear; without any, only the simulator knows whether the goal is achieved.
  if (over && script.mode !== 'simulated') return tooManyTurns(conversation)
  const { clock } = setup.run
  const started = clock.now()
  try {
    const answer = await askSimulator(conversation, script.simulator ?? {})
    if (setup.signal.aborted) throw setup.signal.reason
    if (answer.goal_achieved && (over || answer.input === undefined))
      return goalAchieved(conversation, planned, answer.reasoning)
    if (over) return tooManyTurns(conversation)
    return {
      kind: 'input',
      input: answer.input ?? '',
      source: 'simulator',
      ...(planned ? { planned } : {}),
      ...(answer.reasoning === undefined ? {} : { reasoning: answer.reasoning }),
      ...(answer.goal_achieved ? { goal_achieved: true } : {}),
    }
  } catch (thrown) {
    return simulatorFailed(conversation, simulatorFailure(thrown, setup.signal), clock.now() - started)
  }
}

function goalAchieved(
  conversation: Conversation,
  planned: StaticTurn | undefined,
  reasoning?: string,
): NextInput | undefined {
  const turn = conversation.turns.at(-1)
  // Nothing was tested yet: calling that a success would be a pass without an answer.
  if (!turn) throw new Error('it says the goal is achieved before the first message')
  turn.goal_achieved = true
  if (reasoning !== undefined) turn.goal_reasoning = reasoning
  return planned ? undefined : goalEnding(conversation)
}

function goalEnding({ checkpoints }: Conversation): Ending {
  const missing = missingIds(checkpoints)
  return missing.length > 0 ? failed(`missing checkpoints: ${missing.join(', ')}`) : COMPLETE
}

function simulatorFailed(conversation: Conversation, failure: Failure, duration: number): Ending {
  // One that does not exist, or is not set up, will never answer: skipping every time would hide that.
  const { cause } = failure
  const isMissing = cause instanceof UserError || (cause instanceof AgentError && cause.code === 'config')
  if (conversation.script.mode !== 'turns' || failure.error_kind !== 'simulator' || isMissing)
    return { kind: 'failed', failure }
  const turn: Partial<TurnResult> = {
    input_source: 'simulator',
    status: 'skipped',
    skip_reason: 'simulator error',
    error: failure.error,
    error_kind: 'simulator',
    duration_ms: Math.round(duration),
  }
  return { kind: 'skipped', skip_reason: 'simulator error', ...leftOpen(conversation), failure, turn }
}

async function fromPerson(conversation: Conversation, planned: StaticTurn | undefined): Promise<NextInput> {
  const { setup } = conversation
  const timeout = setup.testCase.interactive?.timeout ?? DEFAULT_PERSON_TIMEOUT
  const answer = await askPerson(conversation, parseDuration(timeout))
  switch (answer?.kind) {
    case 'input':
      return { kind: 'input', input: answer.text, source: 'human', ...(planned ? { planned } : {}) }
    case 'skip':
      return { kind: 'skipped', skip_reason: 'skipped by a person', turn: { input_source: 'human' } }
    case 'fail':
      return { ...failed('failed by a person'), turn: { input_source: 'human' } }
    case 'end':
      return conversation.last ? COMPLETE : failed(NO_FIRST_INPUT, 'input')
    case 'timeout':
      return missingInput(conversation, planned, `no answer from a person within ${timeout}`)
    default:
      return missingInput(conversation, planned, 'no answer from a person')
  }
}

/** Time that a person needs to think, or to get to this question, is not the agent's. */
async function askPerson({ setup, last, lastText, transcript }: Conversation, timeout_ms: number) {
  const hint = last?.awaiting.hint
  const resume = setup.pauseDeadline?.()
  try {
    return await setup.run.human?.ask({
      case_id: setup.testCase.id,
      question: last ? lastText : '',
      history: transcript.copy(),
      timeout_ms,
      signal: setup.signal,
      ...(hint === undefined ? {} : { hint }),
    })
  } finally {
    resume?.()
  }
}

function reasonForNone(conversation: Conversation, planned: StaticTurn | undefined): string {
  return planned ? turnWithoutInput(conversation.answered + 1) : NO_NEXT_TURN
}

function missingInput(conversation: Conversation, planned: StaticTurn | undefined, reason: string): Ending {
  const { setup, last, checkpoints, script } = conversation
  const chosen = setup.run.options.on_missing_input ?? setup.testCase.on_missing_input
  // Ended before the checks of a turn that is written down, the case would pass without them.
  const wanted = chosen === 'end' && hasChecksAhead(conversation) ? undefined : chosen
  if (!last) return failed(NO_FIRST_INPUT, 'input')
  const missing = missingIds(checkpoints)
  if (script.mode === 'dynamic' && missing.length > 0) return failed(`missing checkpoints: ${missing.join(', ')}`)
  if (wanted === 'end') return COMPLETE
  // A guess must not skip checks. A turn without input is not a guess: its assertions would be silently left out.
  if (wanted === undefined && !planned && isGuess(last.awaiting) && assertsSomething(setup.compiled)) return COMPLETE
  const asked = questionAsked(conversation.lastWords)
  const turn: Partial<TurnResult> = {
    hint: MISSING_INPUT_HINT,
    ...(asked === '' ? {} : { question: asked }),
    ...(planned?.input === undefined ? {} : { input: planned.input }),
    ...(last.awaiting.hint === undefined ? {} : { input_hint: last.awaiting.hint }),
  }
  if (wanted === 'fail') return { ...failed(reason, 'input'), turn }
  const isChosen = wanted !== undefined || setup.run.options.skip_interactive
  return { kind: 'skipped', skip_reason: reason, ...(!isChosen && leftOpen(conversation)), turn }
}

/** What has not been checked was not shown. A case that asserts nothing, or nothing more, loses nothing. */
function leftOpen({ script, setup, answered, checkpoints }: Conversation): { skipped_by?: 'not_shown' } {
  const ahead = [script.closing, setup.compiled.final, ...script.turns.slice(answered).map((turn) => turn.assertions)]
  const isMissed = checkpoints.some((progress) => progress.checkpoint.required && isPending(progress))
  const isOpen = isMissed || ahead.some((list) => list.length > 0)
  return isOpen ? { skipped_by: 'not_shown' } : {}
}

function hasChecksAhead({ script, answered }: Conversation): boolean {
  return script.turns.slice(answered).some(({ assertions }) => assertions.length > 0)
}

function assertsSomething({ assertions, turns, final, checkpoints }: CompiledCase): boolean {
  return [assertions, final, checkpoints, ...turns].some((list) => list.length > 0)
}

function tooManyTurns({ script, checkpoints }: Conversation): Ending {
  const missing = missingIds(checkpoints)
  const which = missing.length > 0 ? `, missing checkpoints: ${missing.join(', ')}` : ''
  return failed(`max turns (${script.maxTurns}) exceeded${which}`)
}

function failed(error: string, kind: Failure['error_kind'] = 'assertion'): Extract<Ending, { kind: 'failed' }> {
  return { kind: 'failed', failure: { error, error_kind: kind, cause: undefined } }
}
