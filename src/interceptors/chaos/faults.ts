// Which calls get which fault: the seed and the call decide, never the order in which calls are made side by side.
import { setTimeout as delay } from 'node:timers/promises'
import type { ChaosSpec } from '../../config/read-chaos.js'
import type { Fault, InjectedFault } from '../../model/fault.js'

/** The calls of one case, or of one orchestrator run. */
export class FaultLog {
  readonly injected: InjectedFault[] = []
  calls = 0
  readonly #spec: ChaosSpec
  readonly #scope: string
  /** By attempt and role. */
  readonly #positions = new Map<string, number>()

  constructor(spec: ChaosSpec, scope: string) {
    this.#spec = spec
    this.#scope = scope
  }

  /** The fault of the next call of this role. */
  next(role: string, attempt = 1): Fault | undefined {
    const who = `${attempt}\0${role}`
    const position = (this.#positions.get(who) ?? 0) + 1
    this.#positions.set(who, position)
    this.calls += 1
    const fault = draw(this.#spec, `${this.#scope}\0${who}\0${position}`)
    if (fault !== undefined) this.injected.push({ call: this.calls, role, fault, ...(attempt > 1 && { attempt }) })
    return fault
  }
}

/** Ends early, and quietly, when the call is over. */
export async function linger(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}

/** Another fault in the list does not change which calls are hit. */
function draw({ faults, rate, seed }: ChaosSpec, call: string): Fault | undefined {
  const random = randomFrom(hashOf(`${seed}\0${call}`))
  const [isHit, which] = [random() < rate, random()]
  return isHit ? faults[Math.floor(which * faults.length)] : undefined
}

/** FNV-1a. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash >>> 0
}

/** Mulberry32. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
