// What a case says about its conversation, before it starts: mode, static turns, simulator, bounds. Pure.
import type { AgentOptions } from '../../../model/agent.js'
import type { CaseInput, SimulatorSpec, TestCase } from '../../../model/case.js'
import type { Attachment, Message } from '../../../model/message.js'
import type { CompiledAssertion } from '../../assert/define-assertion.js'
import { isNegative } from '../../assert/negative.js'
import type { CompiledCase, ConversationSetup } from './contract.js'

const DEFAULT_MAX_TURNS = 20

/**
 * `single`: one call with the whole history. `turns`: continues while the agent awaits input. `dynamic`: until all
 * required checkpoints are reached. `simulated`: until the simulator's goal is achieved.
 */
export type ConversationMode = 'single' | 'turns' | 'dynamic' | 'simulated'

export interface StaticTurn {
  /** Absent: a simulator or a person must say something here. */
  input?: CaseInput
  assertions: CompiledAssertion[]
  options?: AgentOptions
  attachments?: Attachment[]
}

export interface ConversationScript {
  mode: ConversationMode
  /** What was said before the first turn. */
  history: Message[]
  turns: StaticTurn[]
  simulator?: SimulatorSpec
  maxTurns: number
  /** The case's own assertions, if they are about the end of the conversation. */
  closing: CompiledAssertion[]
}

const NONE: never[] = []

export function scriptOf(setup: ConversationSetup): ConversationScript {
  const { testCase, compiled } = setup
  if (isSingle(setup)) {
    return {
      mode: 'single',
      history: NONE,
      turns: initialTurn(testCase, NONE),
      maxTurns: DEFAULT_MAX_TURNS,
      closing: compiled.assertions,
    }
  }
  const written = testCase.turns ?? []
  const simulator = simulatorOf(testCase, setup.run.options.simulator)
  const mode = modeOf(testCase, simulator)
  const asOneTurn = written.length === 0 && mode === 'turns' && firstInput(testCase) !== undefined
  return {
    mode,
    history: written[0]?.input !== undefined ? (testCase.messages ?? []) : [],
    turns:
      written.length > 0
        ? writtenTurns(testCase, compiled)
        : initialTurn(testCase, asOneTurn ? compiled.assertions : []),
    ...(simulator ? { simulator } : {}),
    maxTurns: maxTurnsOf(testCase, written.length),
    closing: asOneTurn ? [] : compiled.assertions,
  }
}

/** `--interactive` for all cases, `interactive.enabled` for one; never without a terminal. */
export function mayAskPerson({ run, testCase }: ConversationSetup): boolean {
  const { interactive, skip_interactive } = run.options
  if (!run.human || skip_interactive) return false
  return interactive || testCase.interactive?.enabled === true
}

/** The case's `max_turns`, else its simulator's, else 20. A longer script of turns raises the default. */
export function maxTurnsOf(testCase: TestCase, staticTurns = 0): number {
  if (testCase.max_turns) return testCase.max_turns
  const simulators: unknown = testCase.simulator?.options?.metadata?.max_turns
  if (typeof simulators === 'number' && Number.isInteger(simulators) && simulators > 0) return simulators
  return Math.max(DEFAULT_MAX_TURNS, staticTurns)
}

/** The case sends one input and has no simulator. */
function isSingle(setup: ConversationSetup): boolean {
  const { testCase } = setup
  if (testCase.turns !== undefined || testCase.simulator !== undefined || testCase.type === 'multi_turn') return false
  if (testCase.checkpoints !== undefined && testCase.checkpoints.length > 0) return false
  if (testCase.final_assertions !== undefined && testCase.final_assertions.length > 0) return false
  return !mayAskPerson(setup)
}

function modeOf(testCase: TestCase, simulator: SimulatorSpec | undefined): Exclude<ConversationMode, 'single'> {
  const checkpoints = testCase.checkpoints ?? []
  const required = checkpoints.filter((checkpoint) => checkpoint.required)
  // A check on what must not happen gives the conversation no goal: the simulator or the script does.
  const aimless = required.length > 0 && required.every(({ assertion }) => isNegative(assertion))
  if (checkpoints.length > 0 && !aimless) return 'dynamic'
  if (aimless && simulator) return 'simulated'
  const written = testCase.turns !== undefined && testCase.turns.length > 0
  const drives = testCase.simulator !== undefined || testCase.type === 'multi_turn'
  return simulator && drives && !written ? 'simulated' : 'turns'
}

function simulatorOf(testCase: TestCase, defaultSimulator: string | undefined): SimulatorSpec | undefined {
  const spec = testCase.simulator
  if (spec) return spec.use === undefined && defaultSimulator !== undefined ? { ...spec, use: defaultSimulator } : spec
  if (defaultSimulator !== undefined) return { use: defaultSimulator }
  // Checkpoints mean that someone must lead the agent past them: the built-in user, if none is named.
  const led = testCase.checkpoints !== undefined && testCase.checkpoints.length > 0 && !testCase.turns?.length
  return led ? {} : undefined
}

function firstInput(testCase: TestCase): CaseInput | undefined {
  return testCase.messages ?? testCase.input
}

function initialTurn(testCase: TestCase, assertions: CompiledAssertion[]): StaticTurn[] {
  const input = firstInput(testCase)
  if (input === undefined) return []
  const turn: StaticTurn = { input, assertions }
  if (testCase.attachments) turn.attachments = testCase.attachments
  return [turn]
}

function writtenTurns(testCase: TestCase, compiled: CompiledCase): StaticTurn[] {
  return (testCase.turns ?? []).map((turn, index) => {
    const input = turn.input ?? (index === 0 ? firstInput(testCase) : undefined)
    const attachments = [...(index === 0 ? (testCase.attachments ?? []) : []), ...(turn.attachments ?? [])]
    return {
      assertions: compiled.turns[index] ?? [],
      ...(input === undefined ? {} : { input }),
      ...(turn.options ? { options: turn.options } : {}),
      ...(attachments.length > 0 ? { attachments } : {}),
    }
  })
}
