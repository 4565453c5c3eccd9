// Script processes, warm and waiting. One that ran a test file is never used again; one that answered calls is.
import { setTimeout as delay } from 'node:timers/promises'
import { findMarked } from '../../process/marked-processes.js'
import { sendSignal } from '../../process/registry.js'
import { childEnv, createMarker } from '../../process/child-env.js'
import { findChildEntry } from './child-entry.js'
import { GUARD_NAME, startGuard, type Guard } from './guard.js'
import { ScriptProcess } from './script-process.js'

export interface PoolOptions {
  appRoot: string
  env: Record<string, string>
  size: number
  memoryMb: number
  coverage: boolean
  verbose: boolean
}

/** After so many calls a process makes room for a new one: what scripts leave behind does not add up. */
const MAX_USES = 1000
const SWEEP_ROUNDS = 50

export class Pool {
  readonly #options: PoolOptions
  readonly #marker = createMarker()
  readonly #env: Record<string, string>
  readonly #alive = new Set<ScriptProcess>()
  #fresh: ScriptProcess[] = []
  #used: ScriptProcess[] = []
  #entry: Promise<string> | undefined
  #guard: Guard | undefined
  #expected = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#env = childEnv({ cwd: options.appRoot, env: options.env, marker: this.#marker })
  }

  /** So many files are about to be run: processes for the first of them start now. */
  expect(count: number): void {
    this.#expected += count
    void this.#warm().catch(() => {})
  }

  /** A process in which no script has run yet, for a test file. */
  async takeFresh(): Promise<ScriptProcess> {
    this.#expected = Math.max(0, this.#expected - 1)
    const entry = await this.#start()
    const ready = this.#fresh.shift() ?? this.#spawn(entry)
    void this.#warm().catch(() => {})
    return ready
  }

  /** For a call: one that has answered calls before, if there is one. */
  async takeAny(): Promise<ScriptProcess> {
    const entry = await this.#start()
    return this.#used.pop() ?? (this.#expected === 0 ? this.#fresh.shift() : undefined) ?? this.#spawn(entry)
  }

  giveBack(child: ScriptProcess, dirty: boolean): void {
    child.detach()
    child.uses++
    const worn = dirty || child.uses >= MAX_USES || child.end !== undefined
    if (worn || this.#closed || this.#used.length >= Math.max(1, this.#options.size)) child.kill()
    else this.#used.push(child)
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const child of this.#alive) child.kill()
    await Promise.all([...this.#alive].map((child) => child.exited))
    if (this.#entry) await this.#sweep()
    await this.#guard?.close()
  }

  /** Programs that scripts started and that left their group carry the mark. Dying takes a moment. */
  async #sweep(): Promise<void> {
    for (let round = 0; round < SWEEP_ROUNDS; round++) {
      const found = findMarked(new Set([this.#marker])).get(this.#marker) ?? []
      const left = found.filter(({ command }) => !command.includes(GUARD_NAME))
      if (left.length === 0) return
      for (const { pid } of left) sendSignal(pid, 'SIGKILL')
      await delay(2)
    }
  }

  async #warm(): Promise<void> {
    const entry = await this.#start()
    const wanted = Math.min(this.#options.size, this.#expected)
    while (!this.#closed && this.#fresh.length < wanted) this.#fresh.push(this.#spawn(entry))
  }

  async #start(): Promise<string> {
    this.#guard ??= startGuard(this.#env)
    this.#entry ??= findChildEntry()
    return this.#entry
  }

  #spawn(entry: string): ScriptProcess {
    if (this.#closed) throw new Error('the script runtime is closed')
    const { appRoot, memoryMb, coverage, verbose } = this.#options
    const guard = (this.#guard ??= startGuard(this.#env))
    const child = new ScriptProcess({
      entry,
      appRoot,
      env: this.#env,
      marker: this.#marker,
      guard,
      memoryMb,
      coverage,
      verbose,
    })
    this.#alive.add(child)
    void child.exited.then(() => {
      this.#alive.delete(child)
      this.#fresh = this.#fresh.filter((item) => item !== child)
      this.#used = this.#used.filter((item) => item !== child)
    })
    return child
  }
}
