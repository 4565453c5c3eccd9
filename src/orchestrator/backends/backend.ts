// What plays a hat: one prompt in, one answer out, whatever is behind it.
import { UserError } from '../../errors.js'
import type { Fault } from '../../model/fault.js'
import type { ToolCall, Usage } from '../../model/message.js'
import type { SignedQuestion } from '../../model/signed-question.js'
import type { BusEvent } from '../bus.js'

export interface BackendCall {
  hat: string
  prompt: string
  /** Of a judge. */
  signed?: SignedQuestion | undefined
  /** Aborts when the run is over. */
  signal: AbortSignal
  /** The call has begun: from here on it is an iteration. */
  onStart(): void
  onOutput(text: string, stdout: boolean): void
}

export interface BackendAnswer {
  /** What events are read from. */
  output: string
  stderr: string
  /** Null: it was killed. */
  exit_code: number | null
  usage?: Usage
  cost_dollars?: number
  /** Why the call failed, beyond its exit code. */
  error?: string
  /** For a recorded answer: the events that were emitted then. */
  events?: BusEvent[]
  /** The tools it called, in order; absent: unknown. */
  tool_calls?: ToolCall[]
  /** It was cut off: there may have been more calls. */
  calls_cut?: true
  /** The names of the tools it has, if it says. */
  tools?: string[]
  /** The names of the skills that its model could choose from, if it says. */
  skills?: string[]
  /** Under which the program keeps what it did. */
  session_id?: string
  /** Of a judge: scripted, or recorded before verdicts were signed. */
  unsigned?: boolean
  /** Faults injected on purpose. */
  fault?: Fault
}

export interface Backend {
  name: string
  /** What its answers say of their cost: limits need it. */
  reports: ReadonlyArray<'tokens' | 'cost'>
  call(call: BackendCall): Promise<BackendAnswer>
}

/** Scripted or recorded answers are used up: the run is over, one way or the other. */
export class Exhausted extends UserError {
  constructor(code: 'MOCK_EXHAUSTED' | 'REPLAY_MISMATCH', message: string) {
    super({
      code,
      message,
      hint: 'add a response, or set on_exhausted to "stop" if the run is meant to end there',
      exitCode: 3,
    })
  }
}

export function hasFailed({ exit_code, error }: BackendAnswer): boolean {
  return exit_code !== 0 || error !== undefined
}
