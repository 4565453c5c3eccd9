// Faults around a hat's backend: the orchestrator sees them as it would see a failing program.
import type { Fault } from '../../model/fault.js'
import type { Backend, BackendAnswer, BackendCall } from '../../orchestrator/backends/backend.js'
import { linger } from './faults.js'

export function backendWithFaults(
  backend: Backend,
  delayMs: number,
  next: (hat: string) => Fault | undefined,
): Backend {
  return {
    ...backend,
    call: async (call) => {
      const fault = next(call.hat)
      if (fault === undefined) return backend.call(call)
      return { ...(await ANSWERS[fault](backend, call, delayMs)), fault }
    },
  }
}

type Answer = (backend: Backend, call: BackendCall, delayMs: number) => Promise<BackendAnswer>

const ANSWERS: Record<Fault, Answer> = {
  timeout: async (_backend, { onStart, signal }, delayMs) => {
    onStart()
    await linger(delayMs, signal)
    return nothing('chaos: the backend did not answer', null)
  },
  error: async (_backend, { onStart }) => {
    onStart()
    return nothing('chaos: the backend failed', 1)
  },
  slow: async (backend, call, delayMs) => {
    await linger(delayMs, call.signal)
    return backend.call(call)
  },
  // An answer that arrived, but whose events cannot be read.
  malformed: async (backend, call) => {
    const answer = await quietly(backend, call)
    const output = answer.output.includes('</event>')
      ? answer.output.replaceAll('</event>', '')
      : `<event topic=>${answer.output.slice(0, Math.floor(answer.output.length / 2))}`
    call.onOutput(output, true)
    return { ...answer, output }
  },
  dropped: async (backend, call) => {
    const answer = await quietly(backend, call)
    const output = answer.output.slice(0, Math.floor(answer.output.length / 2))
    call.onOutput(output, true)
    return { ...answer, output, exit_code: null, error: 'chaos: the stream broke off' }
  },
}

/** What the backend said is not what arrives. */
function quietly(backend: Backend, call: BackendCall): Promise<BackendAnswer> {
  return backend.call({ ...call, onOutput: () => {} })
}

function nothing(error: string, exit_code: number | null): BackendAnswer {
  const usage = { input_tokens: 0, output_tokens: 0, total_tokens: 0 }
  return { output: '', stderr: error, exit_code, error, cost_dollars: 0, usage, tool_calls: [] }
}
