// Script processes, warm and waiting. One that ran a test file is never reused; one that answered calls is, for calls
// of the same role.
import type { ScriptRole } from '../../model/script.js'
import type { Processes } from '../../process/processes.js'
import { findScriptEntry } from './child-entry.js'
import { startScriptProcess, type ScriptProcess } from './script-process.js'

/** Variables that scripts of the agent see, and the name they go by. */
export interface ScriptSetting {
  name: string
  env: Record<string, string>
}

export interface PoolOptions {
  appRoot: string
  processes: Processes
  env: Record<string, string>
  size: number
  memoryMb: number
  coverage: boolean
  verbose: boolean
}

/** After this many calls a process is replaced by a new one: what scripts leave behind does not add up. */
const MAX_USES = 1000
/** Processes that wait for work leave room for processes started elsewhere. */
const IDLE_SHARE = 0.25

type Tree = ReturnType<Processes['openTree']>

export class Pool {
  readonly #options: PoolOptions
  readonly #idle: number
  readonly #alive = new Set<ScriptProcess>()
  #tree: Tree | undefined
  #fresh: Promise<ScriptProcess>[] = []
  /** By what they may be reused for. */
  readonly #used = new Map<string, ScriptProcess[]>()
  readonly #usedFor = new WeakMap<ScriptProcess, string>()
  #entry: Promise<string> | undefined
  #expected = 0
  #closed = false

  constructor(options: PoolOptions) {
    this.#options = options
    this.#idle = Math.max(1, Math.min(options.size, Math.floor(options.processes.capacity() * IDLE_SHARE)))
  }

  /** This many files are about to run: processes for the first of them start now. */
  expect(count: number): void {
    this.#expected += count
    this.#warm()
  }

  /** A process in which no script has run yet, for a test file. */
  async takeFresh(signal: AbortSignal): Promise<ScriptProcess> {
    this.#expected = Math.max(0, this.#expected - 1)
    const ready = (await this.#takeWarm()) ?? (await this.#start(signal))
    this.#warm()
    return ready
  }

  /** For a call: one that has answered calls of this role before, with the same variables, if there is one. */
  async takeFor(role: ScriptRole, signal: AbortSignal, setting?: ScriptSetting): Promise<ScriptProcess> {
    const use = setting ? `${role}\0${setting.name}` : role
    const mayBeWarm = setting === undefined && this.#expected === 0
    const known = this.#used.get(use)?.pop() ?? (mayBeWarm ? await this.#takeWarm() : undefined)
    const child = known ?? (await this.#start(signal, setting?.env))
    this.#usedFor.set(child, use)
    return child
  }

  /** One with its own variables, which answers one call. */
  startWith(env: Record<string, string>, signal: AbortSignal): Promise<ScriptProcess> {
    return this.#start(signal, env)
  }

  giveBack(child: ScriptProcess, dirty: boolean): void {
    child.detach()
    child.uses++
    const use = this.#usedFor.get(child)
    const worn = dirty || use === undefined || child.uses >= MAX_USES || child.end !== undefined
    const waiting = this.#used.get(use ?? '') ?? []
    if (worn || this.#closed || waiting.length >= this.#idle) child.kill()
    else this.#used.set(use, [...waiting, child])
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const child of this.#alive) child.kill()
    await Promise.all(Array.from(this.#alive, (child) => child.done))
    if (this.#tree) await this.#options.processes.closeTree(this.#tree)
  }

  #warm(): void {
    const wanted = Math.min(this.#idle, this.#expected)
    while (!this.#closed && this.#fresh.length < wanted) {
      const child = this.#start()
      // One that cannot be started ahead of time is started, or refused, when it is needed.
      child.catch(() => {})
      this.#fresh.push(child)
    }
  }

  async #takeWarm(): Promise<ScriptProcess | undefined> {
    for (let next = this.#fresh.shift(); next; next = this.#fresh.shift()) {
      const child = await next.catch(() => undefined)
      if (child && child.end === undefined) return child
    }
    return undefined
  }

  async #start(signal?: AbortSignal, own?: Record<string, string>): Promise<ScriptProcess> {
    const { appRoot, processes, memoryMb, coverage, verbose } = this.#options
    const entry = await (this.#entry ??= findScriptEntry())
    if (this.#closed) throw new Error('the script runtime is closed')
    const env = { ...this.#options.env, ...own }
    const tree = (this.#tree ??= processes.openTree())
    const child = await startScriptProcess(
      { entry, appRoot, env, memoryMb, coverage, verbose, tree, ...(signal && { patience: signal }) },
      processes,
    )
    this.#alive.add(child)
    void child.done.then(() => this.#alive.delete(child))
    void child.exited.then(() => {
      for (const [use, waiting] of this.#used)
        if (waiting.includes(child))
          this.#used.set(
            use,
            waiting.filter((item) => item !== child),
          )
    })
    if (this.#closed) child.kill()
    return child
  }
}
