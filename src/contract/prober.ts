// Calls to a server that may do anything: each has its own limit, is followed by a ping, and the server is started again if it is gone.
import { setTimeout as delay } from 'node:timers/promises'
import { isRecord } from '../base/record.js'
import type { Probe } from '../model/contract.js'
import { isOpen, type McpSession } from '../mcp-client/session.js'
import { describeEnd, type Exchange } from '../mcp-client/exchange.js'
import { probeOf, type ProbeFacts } from './probe.js'

export interface ProberOptions {
  open(): Promise<McpSession>
  signal: AbortSignal
  /** For one call. */
  limitMs: number
  /** Milliseconds that are left for the case. */
  left(): number
}

/** More of either, and the server is only waited for. */
const MOST_TIMEOUTS = 2
const MOST_STARTS = 5

export class Prober {
  readonly probes: Probe[] = []
  readonly faults: string[] = []
  readonly leftOut: string[] = []
  readonly #options: ProberOptions
  #session: McpSession | undefined
  /** What was sent, whole. */
  readonly #sent = new WeakMap<Probe, Record<string, unknown>>()
  /** For progress. */
  readonly #tokens = new Set<unknown>()
  #seen = 0
  #fresh = false
  #starts = 0
  #generation = 0
  #timeouts = 0

  constructor(options: ProberOptions) {
    this.#options = options
  }

  get limitMs(): number {
    return this.#options.limitMs
  }

  /** Which start of the server it is: what was read from another one cannot be compared. */
  get generation(): number {
    return this.#generation
  }

  /** The session, or why there is none. */
  async session(): Promise<McpSession | string> {
    if (this.#session && !this.#session.isClosed) return this.#session
    await this.#leave()
    if (this.#starts >= MOST_STARTS) return `the server has ended ${MOST_STARTS} times`
    this.#starts++
    this.#generation++
    this.#tokens.clear()
    this.#seen = 0
    this.#fresh = true
    const session = await this.#options.open()
    this.#session = session
    return isOpen(session) ? session : describeEnd(session.initialized)
  }

  /** Undefined if it was not sent: there is no time left, or no server. */
  async send(
    method: string,
    params: Record<string, unknown> | undefined,
    facts: ProbeFacts,
  ): Promise<Probe | undefined> {
    const { limitMs, left } = this.#options
    if (this.#timeouts >= MOST_TIMEOUTS) return this.#leaveOut(facts, `${MOST_TIMEOUTS} calls had no answer in time`)
    // The call, the ping after it and the end of a server that answers neither: else the case would end without a verdict.
    if (left() < limitMs + Math.min(limitMs, PING_MS) + END_MS)
      return this.#leaveOut(facts, 'the time of the case was nearly over')
    const session = await this.session()
    if (typeof session === 'string') return this.#leaveOut(facts, session)
    const isFresh = this.#fresh
    const ask = (on: McpSession): Promise<Probe> => this.#request(on, method, params, facts)
    const first = await ask(session)
    const probe = first.ended === 'closed' && !isFresh ? await this.#again(first, ask) : first
    this.probes.push(probe)
    return probe
  }

  async #request(
    session: McpSession,
    method: string,
    params: Record<string, unknown> | undefined,
    facts: ProbeFacts,
  ): Promise<Probe> {
    const { signal, limitMs } = this.#options
    this.#fresh = false
    const exchange = await session.request(method, params, { signal, timeoutMs: limitMs, onProgress: () => {} })
    signal.throwIfAborted()
    this.#tokens.add(exchange.request.id)
    const probe = probeOf(exchange, facts)
    if (params) this.#sent.set(probe, params)
    const stray = this.#strayProgress(session)
    if (stray.length > 0) probe.progress = [...(probe.progress ?? []), ...stray]
    if (exchange.ended === 'timeout') this.#timeouts++
    const down = await this.#down(session)
    if (down !== undefined) probe.down = down
    // It may go on with what it did not answer, and be too busy for the next call.
    else if (exchange.ended === 'timeout' && !probe.works) await this.#leave()
    return probe
  }

  /** A server may end a moment after an answer: the call that finds it gone is made once more, of another one. */
  async #again(probe: Probe, ask: (session: McpSession) => Promise<Probe>): Promise<Probe> {
    const session = await this.session()
    if (typeof session === 'string') return probe
    const second = await ask(session)
    if (second.ended === 'closed') return probe
    const before = this.probes.at(-1)
    // With none before, it was this call, though only once.
    if (before) before.down ??= `${probe.reason ?? 'it ended'}, a moment after its answer`
    else this.probes.push(probe)
    return second
  }

  /** Ends the server: what it was asked last must not be held against what it is asked next. */
  async startAfresh(): Promise<void> {
    await this.#leave()
    this.#starts = 0
  }

  paramsOf(probe: Probe): Record<string, unknown> | undefined {
    return this.#sent.get(probe)
  }

  /** For comparing what a server says: not evidence by itself, and no reason to start it again. */
  async read(method: string, params?: Record<string, unknown>): Promise<Exchange | undefined> {
    const { signal, limitMs, left } = this.#options
    if (!this.#session || left() < limitMs + 1000) return undefined
    this.#fresh = false
    const exchange = await this.#session.request(method, params, { signal, timeoutMs: Math.min(limitMs, READ_MS) })
    signal.throwIfAborted()
    return exchange
  }

  /** Whether the server, asked again, still answers: some end a moment after their last answer. */
  async lastPing(): Promise<void> {
    const last = this.probes.at(-1)
    if (!last || last.down !== undefined || !this.#session) return
    await pause(AFTERWARDS_MS)
    const down = await this.#down(this.#session)
    if (down !== undefined) last.down = down
  }

  async close(): Promise<void> {
    await this.#leave()
  }

  async #leave(): Promise<void> {
    const session = this.#session
    this.#session = undefined
    if (!session) return
    for (const fault of session.faults) if (this.faults.length < MOST_FAULTS) this.faults.push(fault)
    await session.close().catch(() => {})
  }

  /** A server that answers is fine, whatever it says about pings. */
  async #down(session: McpSession): Promise<string | undefined> {
    const { signal, limitMs } = this.#options
    const { ended, why } = await session.request('ping', undefined, { signal, timeoutMs: Math.min(limitMs, PING_MS) })
    signal.throwIfAborted()
    if (ended === 'answered') return undefined
    // Whatever is wrong with it: the next call gets a new one.
    await this.#leave()
    return why ?? ended
  }

  /** Progress of something that nobody asked about. */
  #strayProgress({ notifications }: McpSession): string[] {
    const fresh = notifications.slice(this.#seen)
    this.#seen = notifications.length
    return fresh.flatMap(({ method, params }) => {
      if (method !== 'notifications/progress') return []
      const token = isRecord(params) ? params['progressToken'] : undefined
      return this.#tokens.has(token) ? [] : [`progress for the token ${JSON.stringify(token)}, which was not given`]
    })
  }

  #leaveOut({ purpose, why }: ProbeFacts, reason: string): undefined {
    this.leftOut.push(`${purpose}${why === undefined ? '' : ` (${why})`}: ${reason}`)
    return undefined
  }
}

const MOST_FAULTS = 20
const PING_MS = 10_000
const END_MS = 3000
const READ_MS = 5000
const AFTERWARDS_MS = 200

export async function pause(ms: number): Promise<void> {
  await delay(ms)
}
