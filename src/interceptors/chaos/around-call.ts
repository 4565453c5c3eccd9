// Faults around a model or an agent. All but a slow answer are errors, as a client would report them: an answer made up
// here could satisfy an assertion, and a fault must never be the reason for a pass.
import { asText } from '../../base/text.js'
import { AgentError } from '../../errors.js'
import type { Fault } from '../../model/fault.js'
import { linger } from './faults.js'

interface Call<Answer> {
  fault: Fault | undefined
  delayMs: number
  signal: AbortSignal
  /** `quiet`: what it says along the way is not passed on. */
  make(quiet: boolean): Promise<Answer>
}

export async function callWithFault<Answer extends { content: unknown }>(call: Call<Answer>): Promise<Answer> {
  const { fault, delayMs, signal, make } = call
  switch (fault) {
    case undefined:
      return make(false)
    case 'slow':
      await linger(delayMs, signal)
      return make(false)
    case 'timeout':
      await linger(delayMs, signal)
      throw new AgentError({ code: 'timeout', message: `chaos: no answer after ${delayMs}ms` })
    case 'error':
      throw new AgentError({ code: 'server', message: 'chaos: the call failed', status: 500 })
    case 'malformed':
      await make(true)
      throw new AgentError({ code: 'bad_response', message: 'chaos: the answer could not be read' })
    case 'dropped': {
      const answer = await make(true)
      throw new AgentError({ code: 'cut_off', message: 'chaos: the stream broke off', partial: halfOf(answer) })
    }
  }
}

function halfOf<Answer extends { content: unknown }>(answer: Answer): Answer {
  const text = asText(answer.content)
  return { ...answer, content: text.slice(0, Math.floor(text.length / 2)), tool_calls: [] }
}
