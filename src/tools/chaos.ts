// Faults put around a backend, the same ones each time for the same seed.
import { setTimeout as delay } from 'node:timers/promises'
import type { Backend, BackendAnswer, BackendCall } from '../orchestrator/backends/backend.js'

export const FAULTS = ['timeout', 'error', 'malformed', 'slow', 'dropped'] as const

export type Fault = (typeof FAULTS)[number]

export interface ChaosInit {
  faults: readonly Fault[]
  /** Of calls that get one, 0 to 1. */
  rate: number
  seed: number
  /** How long a slow answer takes, and how long a lost one is waited for. */
  delay_ms: number
}

export interface Injected {
  /** From 1. */
  call: number
  hat: string
  fault: Fault
}

export interface Chaos {
  wrap(backend: Backend): Backend
  injected: Injected[]
  /** Calls there were. */
  calls(): number
}

export function createChaos({ faults, rate, seed, delay_ms }: ChaosInit): Chaos {
  const random = randomFrom(seed)
  const injected: Injected[] = []
  let calls = 0
  /** Two numbers for each call, whatever is done with them: one fault more does not move the others. */
  const draw = (): Fault | undefined => {
    const [isHit, which] = [random() < rate, random()]
    return isHit ? faults[Math.floor(which * faults.length)] : undefined
  }
  return {
    injected,
    calls: () => calls,
    wrap: (backend) => ({
      ...backend,
      call: async (call) => {
        calls += 1
        const fault = draw()
        if (fault === undefined) return backend.call(call)
        injected.push({ call: calls, hat: call.hat, fault })
        return ANSWERS[fault](backend, call, delay_ms)
      },
    }),
  }
}

type Answer = (backend: Backend, call: BackendCall, delayMs: number) => Promise<BackendAnswer>

const ANSWERS: Record<Fault, Answer> = {
  timeout: async (_backend, { onStart, signal }, delayMs) => {
    onStart()
    await delay(delayMs, undefined, { signal })
    return nothing('chaos: the backend did not answer', null)
  },
  error: async (_backend, { onStart }) => {
    onStart()
    return nothing('chaos: the backend failed', 1)
  },
  slow: async (backend, call, delayMs) => {
    await delay(delayMs, undefined, { signal: call.signal })
    return backend.call(call)
  },
  // An answer that came, and whose events cannot be read.
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
  return { output: '', stderr: error, exit_code, error, cost_dollars: 0 }
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
