// The processes of one module agent: which conversation runs in which, and what happens when one of them is lost.
import { availableParallelism } from 'node:os'
import { AgentError } from '../../errors.js'
import { defined } from '../../base/defined.js'
import type { AgentReply } from '../../model/agent.js'
import type { Processes } from '../../process/processes.js'
import { offAbort, onAbort } from '../../time/abort.js'
import type { Clock } from '../../time/clock.js'
import { orAborted } from '../../time/deadline.js'
import { compileModule, type ModuleSource } from '../targets/load-module.js'
import { findModuleEntry } from './child-entry.js'
import { crashed, lostCall } from './ends.js'
import { ModuleProcess, type ModuleEvents } from './module-process.js'
import type { ModuleExport, ModuleRequest } from './protocol.js'

export interface PoolSpec {
  file: string
  programs: Processes
  /** Processes that conversations share. */
  processes: number
  loadMs: number
  clock: Clock
  events: ModuleEvents
  /** Variables for those that conversations share. */
  env?: Record<string, string> | undefined
  /** The number of the next process of the run. */
  nextNumber(): number
}

interface Conversation {
  process: ModuleProcess
  /** It has the process to itself. */
  alone: boolean
  /** Its next turn must find the same process. */
  keeps: boolean
}

/** Conversations that are never declared over are eventually forgotten. */
const MAX_CONVERSATIONS = 10_000
/** Processes for conversations that run alone: each loads the agent and all its packages again. */
const MAX_ALONE = 4

export class ModulePool {
  readonly #spec: PoolSpec
  readonly #alive = new Set<ModuleProcess>()
  /** Those that conversations share. */
  readonly #shared = new Set<ModuleProcess>()
  readonly #conversations = new Map<string, Conversation>()
  readonly #waiting = new Set<() => void>()
  #places: number
  #entry = ''
  #source: Promise<ModuleSource> | undefined
  #closed = false

  constructor(spec: PoolSpec) {
    this.#spec = spec
    this.#places = Math.max(spec.processes, Math.min(MAX_ALONE, availableParallelism()))
  }

  /** Starts the first process. Returns what the module exports. */
  async exports(): Promise<ModuleExport[]> {
    this.#entry = await findModuleEntry()
    return this.#choose().ready
  }

  send(name: string, request: ModuleRequest): Promise<AgentReply> {
    if (request.env && !this.#conversations.has(request.context.chat_id)) return this.#again(name, request)
    try {
      const answer = this.#processFor(request).call(name, request)
      return request.rerun === undefined ? this.#orAgain(answer, name, request) : answer
    } catch (error) {
      return Promise.reject(error)
    }
  }

  async #orAgain(answer: Promise<AgentReply>, name: string, request: ModuleRequest): Promise<AgentReply> {
    try {
      return await answer
    } catch (error) {
      if (!isLost(error) || request.signal.aborted) throw error
      return this.#again(name, request)
    }
  }

  reserve(
    chatId: string,
    alone: boolean,
    signal: () => AbortSignal,
    env?: Record<string, string>,
  ): Promise<void> | undefined {
    if (alone) return this.#reserveAlone(chatId, signal(), env)
    const process = this.#choose()
    this.#assign(chatId, { process, alone: false, keeps: true })
    return process.isLoaded ? undefined : this.#whenReady(chatId, process, signal())
  }

  async #reserveAlone(chatId: string, signal: AbortSignal, env?: Record<string, string>): Promise<void> {
    await this.#takePlace(signal)
    let process: ModuleProcess
    try {
      process = this.#start(env)
    } catch (error) {
      this.#freePlace()
      throw error
    }
    this.#assign(chatId, { process, alone: true, keeps: true })
    await this.#whenReady(chatId, process, signal)
  }

  async #whenReady(chatId: string, process: ModuleProcess, signal: AbortSignal): Promise<void> {
    try {
      await orAborted(process.ready, signal, 0)
    } catch (error) {
      this.release(chatId)
      throw error
    }
  }

  release(chatId: string): void {
    const conversation = this.#conversations.get(chatId)
    if (!conversation) return
    const { process, alone, keeps } = conversation
    this.#conversations.delete(chatId)
    if (keeps) process.held--
    process.forget(chatId)
    if (alone) void process.close().then(() => this.#freePlace())
    else this.#tidy(process)
  }

  async close(): Promise<void> {
    this.#closed = true
    await Promise.all([...this.#alive].map((process) => process.close()))
  }

  #processFor(request: ModuleRequest): ModuleProcess {
    const chatId = request.context.chat_id
    const keeps = request.rerun !== undefined
    const known = this.#conversations.get(chatId)
    const end = known?.process.end
    // What the agent kept for this conversation is gone: continuing elsewhere would test something else.
    if (known && end && keeps) throw known.alone ? crashed(end) : lostCall(end, 0)
    if (known && !end && (keeps || !known.process.retired)) return known.process
    const process = this.#choose()
    this.#assign(chatId, { process, alone: false, keeps })
    return process
  }

  #assign(chatId: string, conversation: Conversation): void {
    this.release(chatId)
    this.#conversations.set(chatId, conversation)
    if (conversation.keeps) conversation.process.held++
    if (this.#conversations.size > MAX_CONVERSATIONS) this.#forgetOldest()
  }

  #forgetOldest(): void {
    for (const [chatId, { alone }] of this.#conversations) if (!alone) return this.release(chatId)
  }

  /** The least busy one, or a new one while the limit allows. */
  #choose(): ModuleProcess {
    let best: ModuleProcess | undefined
    let least = Infinity
    let count = 0
    for (const process of this.#shared) {
      if (process.retired || process.end) continue
      count++
      const busy = process.held + process.load
      if (busy < least) [best, least] = [process, busy]
    }
    if (best && (least === 0 || count >= this.#spec.processes)) return best
    const process = this.#start()
    this.#shared.add(process)
    return process
  }

  /** For a caller that cannot run its whole conversation again: this call, alone. */
  async #again(name: string, request: ModuleRequest): Promise<AgentReply> {
    await this.#takePlace(request.signal)
    let process: ModuleProcess | undefined
    try {
      process = this.#start(request.env)
      return await process.call(name, request)
    } finally {
      await process?.close()
      this.#freePlace()
    }
  }

  #start(env = this.#spec.env): ModuleProcess {
    this.#source ??= compileModule(this.#spec.file)
    this.#source.catch(() => {})
    if (this.#closed) throw new Error('the agent is closed')
    const { file, programs, loadMs, clock, events, nextNumber } = this.#spec
    const process: ModuleProcess = new ModuleProcess({
      file,
      programs,
      source: this.#source,
      entry: this.#entry,
      number: nextNumber(),
      loadMs,
      clock,
      events,
      onIdle: () => this.#tidy(process),
      ...defined({ env }),
    })
    this.#alive.add(process)
    process.ready.catch(() => process.close())
    void process.ended.then(() => {
      this.#alive.delete(process)
      this.#shared.delete(process)
    })
    return process
  }

  /** A retired process ends when nothing needs it any more. */
  #tidy(process: ModuleProcess): void {
    if (process.retired && process.load === 0 && process.held === 0) void process.close()
  }

  async #takePlace(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    if (this.#places > 0) {
      this.#places--
      return
    }
    await new Promise<void>((resolve, reject) => {
      const go = (): void => {
        offAbort(signal, stop)
        resolve()
      }
      const stop = (): void => {
        this.#waiting.delete(go)
        reject(signal.reason)
      }
      this.#waiting.add(go)
      onAbort(signal, stop)
    })
  }

  #freePlace(): void {
    const [next] = this.#waiting
    if (!next) {
      this.#places++
      return
    }
    this.#waiting.delete(next)
    next()
  }
}

function isLost(error: unknown): boolean {
  return error instanceof AgentError && error.code === 'lost'
}
