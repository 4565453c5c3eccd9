// One piece of work in a script's process: what it may ask of the host, and the chain of work it is part of.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { ModelCall } from '../../model/model-call.js'
import type { ScriptCall, ScriptCheck, ScriptHandlers, ScriptJudge, ScriptRole } from '../../model/script.js'
import { defined } from '../../base/defined.js'
import { compilePath } from '../../base/json/json-path.js'
import { compilePattern } from '../../base/regex.js'
import type { HttpClient } from '../../http/types.js'
import { performHttp } from './http-request.js'
import { KeyValueStore } from './key-value.js'
import type { ChildMessage, RequestMessage, WireError } from '../protocol.js'
import { ScriptError, wireError } from './script-error.js'
import type { ScriptProcess } from './script-process.js'

export interface SessionServices {
  root: string
  handlers: ScriptHandlers
  /** Only tests have one. */
  judge?: ScriptJudge
  check?: ScriptCheck
  http: HttpClient
  memory: KeyValueStore
  stores: KeyValueStore
  /** An agent's messages in a language, for `$L`. */
  messages(agent: string, locale: string): Promise<Record<string, unknown> | undefined>
  /** Undefined: the name is not a script function. */
  callScript(
    name: string,
    call: Pick<ScriptCall, 'role' | 'args' | 'context_args' | 'origin' | 'signal' | 'onLog' | 'onSpent'>,
  ): Promise<{ value: unknown } | undefined>
}

/** Which session caused what the host is doing now: nested calls find their way back to the test that began it all. */
const currentSession = new AsyncLocalStorage<Session>()

export class Session {
  readonly child: ScriptProcess
  readonly parent: Session | undefined
  readonly signal: AbortSignal
  /** On whose behalf it is working now. */
  origin: ModelCall | undefined
  readonly #services: SessionServices
  /** For the functions that it calls. */
  readonly #role: ScriptRole
  readonly #invocations = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  #mocks = new Set<string>()
  #lastInvocation = 0
  /** Runs around every wait, so that a waiting script does not count as a working one. */
  around: <T>(work: () => Promise<T>) => Promise<T> = (work) => work()

  /** Output of the functions it calls belongs to it. */
  onLog: ((line: string) => void) | undefined

  /** So does what the agents that it calls have used. */
  onSpent: ScriptCall['onSpent']

  constructor(
    child: ScriptProcess,
    services: SessionServices,
    signal: AbortSignal,
    role: ScriptRole,
    origin?: ModelCall,
  ) {
    this.child = child
    this.#services = services
    this.#role = role
    this.signal = signal
    this.origin = origin
    this.parent = currentSession.getStore()
  }

  /** Stores belong to the work that began the chain: a test file, or a single call. */
  get #stores(): KeyValueStore {
    return this.parent ? this.parent.#stores : this.#services.stores
  }

  /** True: it was a message about the session itself. */
  accept(message: ChildMessage): boolean {
    switch (message.k) {
      case 'request':
        void this.#answer(message)
        return true
      case 'mocks':
        this.#mocks = new Set(message.names)
        return true
      case 'invoked': {
        const waiting = this.#invocations.get(message.id)
        this.#invocations.delete(message.id)
        if (message.error) waiting?.reject(mockError(message.error))
        else waiting?.resolve(message.value)
        return true
      }
      default:
        return false
    }
  }

  /** The process is gone: callers that wait for one of its mocks must not wait forever. */
  close(): void {
    for (const waiting of this.#invocations.values()) waiting.reject(new Error('the test with the mock has ended'))
    this.#invocations.clear()
  }

  async #answer(message: RequestMessage): Promise<void> {
    let reply: { value?: unknown; error?: WireError }
    try {
      reply = { value: await this.around(() => currentSession.run(this, () => this.#perform(message))) }
    } catch (error) {
      reply = { error: wireError(error) }
    }
    if (!this.child.end) this.child.send({ k: 'reply', id: message.id, ...reply })
  }

  async #perform({ op, args, context_args: contextArgs = [] }: RequestMessage): Promise<unknown> {
    const { check, http, judge, memory, root } = this.#services
    switch (op) {
      case 'process':
        return this.#process(
          String(args[0]),
          args.slice(1),
          contextArgs.map((index) => index - 1),
        )
      case 'judge':
        if (!judge) throw new Error('only a test can ask a judge')
        return judge(args[0], String(args[1]), args[2], this.signal, String(args[3]))
      case 'check':
        if (!check) throw new Error('only a test can check assertions')
        return check(args[0], args[1], this.signal, String(args[2]))
      case 'http':
        return this.#http(args[0], () => performHttp(args[0], { http, root, signal: this.signal }))
      case 'memory':
        this.#requireOwnStore('ctx.memory')
        return memory.space(`${String(args[0])}\n${String(args[1])}`).run(String(args[2]), args.slice(3))
      case 'store':
        this.#requireOwnStore('Store(name)')
        return this.#stores.space(String(args[0])).run(String(args[1]), args.slice(2))
      case 'match':
        return compilePattern(String(args[0])).test(String(args[1]))
      case 'path':
        return compilePath(String(args[1])).select(args[0])
      case 'messages':
        return (await this.#services.messages(String(args[0]), String(args[1]))) ?? null
    }
  }

  /** Tools of a test have a store for each attempt at a case; these outlive it. */
  #requireOwnStore(found: string): void {
    if (this.#role === 'tools')
      throw new Error(`tools keep their state in the store they are given: cases would share ${found}`)
  }

  #http(request: unknown, live: () => Promise<unknown>): Promise<unknown> {
    const { handlers } = this.#services
    return handlers.http ? handlers.http(request, live, { signal: this.signal, origin: this.origin }) : live()
  }

  async #process(name: string, args: unknown[], contextArgs: number[]): Promise<unknown> {
    const mocked = this.#mockedBy(name)
    if (mocked) return mocked.#invoke(name, args, contextArgs)
    const script = await this.#services.callScript(name, {
      role: this.#role,
      args,
      context_args: contextArgs,
      signal: this.signal,
      ...defined({ origin: this.origin, onLog: this.onLog, onSpent: this.onSpent }),
    })
    if (script) return script.value
    if (!/^(?:agents?|assistants|mcps?|ctx)\./i.test(name)) throw unknownProcess(name)
    return this.#services.handlers.process(name, args, this.signal, this.origin, this.onSpent)
  }

  /** The nearest test up the chain that mocks this process. Its own process has already tried its own mocks. */
  #mockedBy(name: string): Session | undefined {
    for (let session = this.parent; session; session = session.parent) {
      if (session.#mocks.has(name) || [...session.#mocks].some((key) => key.includes('*') && globMatches(key, name))) {
        return session
      }
    }
    return undefined
  }

  #invoke(name: string, args: unknown[], contextArgs: number[]): Promise<unknown> {
    const id = ++this.#lastInvocation
    return new Promise((resolve, reject) => {
      if (this.child.end) return reject(new Error('the test with the mock has ended'))
      this.#invocations.set(id, { resolve, reject })
      this.child.send({ k: 'invoke', id, name, args, context_args: contextArgs })
    })
  }
}

function unknownProcess(name: string): Error {
  return new Error(
    `process "${name}" is not part of Viva (agents.*, agent.Call and scripts.* are); give it an answer in the test: t.mock("${name}", (...args) => …)`,
  )
}

function mockError({ message, code, stack }: WireError): ScriptError {
  return new ScriptError({ kind: 'exception', message, where: 'mock', ...defined({ code, stack }) })
}

function globMatches(pattern: string, name: string): boolean {
  const parts = pattern.split('*').map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`))
  return new RegExp(`^${parts.join('.*')}$`).test(name)
}
