// How an agent's process can end before it has answered, as errors for the person who has to fix it.
import { AgentError } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import type { ProcessEnd } from '../../process/start-process.js'
import { isOutOfMemory, lastWords } from '../../process/last-words.js'

export type KilledFor = 'stalled' | 'forged' | 'closed' | 'load timeout'

export interface End extends Pick<ProcessEnd, 'exitCode' | 'signal'> {
  /** Set when Viva ended it. */
  why?: KilledFor
  /** The end of its error output. */
  stderr: string
  /** Calls it had answered by then. */
  answered: number
}

/** The call ran alone, or its conversation did: nothing else can have ended the process. */
export function crashed(end: End, partial?: Partial<AgentReply>): AgentError {
  return new AgentError({ code: 'crashed', message: `the agent's process ${describeEnd(end)}`, partial })
}

/** Several calls shared the process: running each alone shows which of them ended it. */
export function lostCall(end: End, inFlight: number): AgentError {
  const others = inFlight > 1 ? ` with ${inFlight} calls in flight` : ' in another case, between two turns of this one'
  return new AgentError({ code: 'lost', message: `the agent's process ${describeEnd(end)}${others}` })
}

export function neverLoaded(end: End): Error {
  return new Error(end.why === 'load timeout' ? 'it did not finish loading in time' : `its process ${describeEnd(end)}`)
}

function describeEnd(end: End): string {
  if (end.why === 'forged') return "wrote to Viva's private channel, so nothing it says can be trusted"
  if (end.why === 'stalled') return 'stopped responding and was killed'
  if (end.why !== undefined) return 'was ended'
  if (isOutOfMemory(end.stderr)) return `ran out of memory${after(end.answered)}${lastWords(end.stderr)}`
  if (end.signal) return `was killed by ${end.signal}${lastWords(end.stderr)}`
  return `exited with code ${end.exitCode ?? 'unknown'}${lastWords(end.stderr)}`
}

/** What this call is missing may be memory that earlier calls leaked. */
function after(answered: number): string {
  return answered === 0 ? '' : ` after ${answered} answered ${answered === 1 ? 'call' : 'calls'}`
}
