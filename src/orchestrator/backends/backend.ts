// What plays a hat: one prompt in, one answer out, whatever stands behind it.
import { UserError } from '../../errors.js'
import type { Fault } from '../../model/fault.js'
import type { Usage } from '../../model/message.js'
import type { BusEvent } from '../bus.js'

export interface BackendCall {
  hat: string
  prompt: string
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
  /** Events that were emitted then, of a recorded answer. */
  events?: BusEvent[]
  /** The names of the tools it called, in order; absent: nobody knows. */
  tool_calls?: string[]
  /** The names of those it has, where it says. */
  tools?: string[]
  /** What was done to it on purpose. */
  fault?: Fault
}

export interface Backend {
  name: string
  /** Whether its answers say what they cost. */
  reportsCost: boolean
  call(call: BackendCall): Promise<BackendAnswer>
}

/** Scripted or recorded answers are used up: the run is over, one way or the other. */
export class Exhausted extends UserError {
  constructor(code: 'MOCK_EXHAUSTED' | 'REPLAY_MISMATCH', message: string) {
    super({
      code,
      message,
      hint: 'add a response, or set on_exhausted to "stop" where the run is meant to end there',
      exitCode: 3,
    })
  }
}

export function hasFailed({ exit_code, error }: BackendAnswer): boolean {
  return exit_code !== 0 || error !== undefined
}
