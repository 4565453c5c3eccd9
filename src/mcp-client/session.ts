// A session with an MCP server in which every request and every answer is seen as it was. Nothing that a server does
// wrong is repaired or thrown: an exchange says how it ended, and the session what came outside of any exchange.
import { LATEST_PROTOCOL_VERSION, SdkHttpError } from '@modelcontextprotocol/client'
import { defined } from '../base/defined.js'
import { isDeeper, MAX_LEVELS } from '../base/json/levels.js'
import { parseJson } from '../base/json/parse-json.js'
import { messageOf } from '../base/message-of.js'
import { isRecord, readString } from '../base/record.js'
import { agentErrorIn, UserError } from '../errors.js'
import type { ProcessEnd } from '../process/start-process.js'
import { LONGEST_TIMER_MS, monotonicNow } from '../time/clock.js'
import {
  type Exchange,
  type ExchangeEnd,
  type JsonRpcRequest,
  type RequestOptions,
  resultOf,
  type SendRequest,
} from './exchange.js'
import { LISTS, type ListKind, type Listing, listAll } from './list-all.js'
import type { RemoteServer } from './server.js'
import { openWire, stderrWords, type McpEnvironment, type Wire, type WireOptions } from './wire.js'
import { within } from './within.js'

export interface Received {
  method: string
  params?: unknown
}

export interface McpSession {
  /** The exchange of `initialize`. Unless it was answered with a result, the session is of no further use. */
  readonly initialized: Exchange
  /** `capabilities` of that result; empty if it has none. */
  readonly capabilities: Record<string, unknown>
  readonly protocolVersion: string | undefined
  request: SendRequest
  notify(method: string, params?: Record<string, unknown>): Promise<void>
  /** All pages of a list. Nothing is asked of a server that does not announce the kind. */
  listAll(kind: ListKind, options?: RequestOptions): Promise<Listing>
  /** What it sent without being asked, the first `KEPT` of each method. */
  readonly notifications: readonly Received[]
  /** Requests of the server. `ping` is answered, everything else refused: no capability is announced. */
  readonly requests: readonly Received[]
  /** What broke the protocol outside of an exchange: stray output, answers to nothing. */
  readonly faults: readonly string[]
  readonly isClosed: boolean
  /** How a program ended, once it has. */
  end(): ProcessEnd | undefined
  stderrTail(): string
  /** Ends the session and everything it started. */
  close(): Promise<void>
}

export interface SessionOptions extends WireOptions {
  /** Gives up on a server that does not start. */
  signal?: AbortSignal | undefined
  /** For `initialize`. */
  timeoutMs?: number | undefined
  protocolVersion?: string | undefined
}

const START_MS = 30_000
const PATIENCE_MS = 1000
const GRACE_MS = 2000
const KEPT = 1000
const MOST_METHODS = 50
const METHOD_NOT_FOUND = -32601
/** What servers of the older transport answer to a POST at their address. */
const OLDER = new Set([400, 404, 405])

/** Throws a UserError if the program cannot be started; whatever else goes wrong is in `initialized`. */
export async function openSession(
  server: RemoteServer,
  environment: McpEnvironment,
  options: SessionOptions = {},
): Promise<McpSession> {
  const session = await connect(server, environment, options)
  const { status } = session.initialized
  if (server.transport !== 'http' || status === undefined || !OLDER.has(status)) return session
  const older = await connect({ ...server, transport: 'sse' }, environment, options)
  if (isOpen(older)) {
    await session.close()
    return older
  }
  // What the address itself said is the better explanation.
  await older.close()
  return session
}

/** Whether it was initialized and can be used. */
export function isOpen({ initialized }: McpSession): boolean {
  return resultOf(initialized) !== undefined
}

async function connect(
  server: RemoteServer,
  environment: McpEnvironment,
  options: SessionOptions,
): Promise<McpSession> {
  const { protocolVersion = LATEST_PROTOCOL_VERSION, signal, timeoutMs = START_MS } = options
  const faults: string[] = []
  const wire = openWire(server, environment, {
    patienceMs: PATIENCE_MS,
    graceMs: GRACE_MS,
    onStray: (line) => keep(faults, `wrote something other than a message to standard output: ${line.slice(0, 200)}`),
    ...options,
  })
  const session = attach(wire, faults)
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'viva', version: '1' } }
  const started = await start(wire, { signal, timeoutMs })
  const initialized =
    started === undefined
      ? await session.request('initialize', params, { signal, timeoutMs })
      : {
          request: { jsonrpc: '2.0' as const, id: 0, method: 'initialize', params },
          ms: 0,
          bytes: 0,
          progress: [],
          ...started,
        }
  const result = resultOf(initialized)
  const version = readString(result?.['protocolVersion'])
  if (result) {
    if (version !== undefined) wire.transport.setProtocolVersion?.(version)
    await session.notify('notifications/initialized').catch(() => {})
  }
  const announced = result?.['capabilities']
  const capabilities = isRecord(announced) ? announced : {}
  return {
    ...session,
    get isClosed() {
      return session.isClosed()
    },
    initialized,
    capabilities,
    protocolVersion: version,
    listAll: (kind, listOptions) => listAll(session.request, kind, LISTS[kind].capability in capabilities, listOptions),
  }
}

/** What went wrong, if anything did. */
async function start(
  { transport }: Wire,
  limits: { signal: AbortSignal | undefined; timeoutMs: number },
): Promise<Pick<Exchange, 'ended' | 'why'> | undefined> {
  try {
    const ended = await within(transport.start(), limits)
    if (ended === 'done') return undefined
    await transport.close()
    return {
      ended,
      why: ended === 'timeout' ? `it did not connect within ${Math.round(limits.timeoutMs)} ms` : 'stopped',
    }
  } catch (error) {
    if (error instanceof UserError) throw error
    return { ended: 'failed', why: agentErrorIn(error)?.message ?? messageOf(error) }
  }
}

interface Attached extends Pick<
  McpSession,
  'request' | 'notify' | 'notifications' | 'requests' | 'faults' | 'end' | 'stderrTail' | 'close'
> {
  isClosed(): boolean
}

interface Waiting {
  progress(params: unknown): void
  settle(end: Partial<Exchange> & { ended: ExchangeEnd }): void
}

function attach(wire: Wire, faults: string[]): Attached {
  const { transport } = wire
  const notifications: Received[] = []
  const requests: Received[] = []
  const perMethod = new Map<string, number>()
  const waiting = new Map<number, Waiting>()
  /** Requests that are no longer waited for: an answer may still come. */
  const givenUp = new Set<unknown>()
  let lastId = 0
  let isClosed = false
  let isClosing = false

  const notify: Attached['notify'] = (method, params) =>
    transport.send({ jsonrpc: '2.0', method, ...(params && { params }) })

  const reply = (id: string | number, method: string): void => {
    const answer =
      method === 'ping' ? { result: {} } : { error: { code: METHOD_NOT_FOUND, message: `${method} is not supported` } }
    transport.send({ jsonrpc: '2.0', id, ...answer }).catch(() => {})
  }

  const refuse = (id: unknown): void => {
    const why = `it sent a message of more than ${MAX_LEVELS} levels`
    const waits = typeof id === 'number' ? waiting.get(id) : undefined
    if (waits) waits.settle({ ended: 'too_large', why })
    else if (!givenUp.delete(id)) keep(faults, why)
  }

  const take = (message: Record<string, unknown>): void => {
    const { id, method, params } = message
    if (isDeeper(message, MAX_LEVELS)) return refuse(id)
    if (typeof method === 'string') {
      const kept = perMethod.get(method) ?? 0
      // Per method: after a flood of log messages, a changed list is still announced.
      if (kept < KEPT && (kept > 0 || perMethod.size < MOST_METHODS)) {
        perMethod.set(method, kept + 1)
        const list = id === undefined ? notifications : requests
        list.push({ method, ...defined({ params }) })
      }
      if (typeof id === 'string' || typeof id === 'number') return reply(id, method)
      const token = isRecord(params) ? params['progressToken'] : undefined
      if (method === 'notifications/progress' && typeof token === 'number') waiting.get(token)?.progress(params)
      return
    }
    if (givenUp.delete(id)) return
    const waits = typeof id === 'number' ? waiting.get(id) : undefined
    if (!waits || !('result' in message || 'error' in message)) {
      return keep(faults, `sent a message that answers nothing: ${shown(message)}`)
    }
    if (message['jsonrpc'] !== '2.0') keep(faults, `sent an answer without "jsonrpc": "2.0": ${shown(message)}`)
    if ('error' in message && 'result' in message)
      keep(faults, `sent an answer with both a result and an error: ${shown(message)}`)
    const answer = 'error' in message ? { error: message['error'] } : { result: message['result'] }
    waits.settle({ ended: 'answered', answer, bytes: Buffer.byteLength(JSON.stringify(message)) })
  }

  const noMore = (): Partial<Exchange> & { ended: ExchangeEnd } => {
    const fault = wire.fault()
    return fault === undefined
      ? { ended: 'closed', why: `${howEnded(wire.end())}${stderrWords(wire)}` }
      : { ended: 'too_large', why: fault }
  }

  // oxlint-disable unicorn/prefer-add-event-listener -- not an EventTarget
  transport.onmessage = (message) => take(message)
  transport.onerror = (error) => {
    if (!isClosing) keep(faults, messageOf(error))
  }
  transport.onclose = () => {
    isClosed = true
    for (const waits of waiting.values()) waits.settle(noMore())
  }
  // oxlint-enable unicorn/prefer-add-event-listener

  const request: Attached['request'] = (method, params, { signal, timeoutMs, onProgress } = {}) => {
    const id = ++lastId
    const sent = onProgress ? { ...params, _meta: { ...metaOf(params), progressToken: id } } : params
    const message: JsonRpcRequest = { jsonrpc: '2.0', id, method, ...(sent && { params: sent }) }
    const began = monotonicNow()
    const progress: unknown[] = []
    const stream = new AbortController()
    return new Promise<Exchange>((resolve) => {
      const timer =
        timeoutMs === undefined
          ? undefined
          : setTimeout(
              () => giveUp('timeout', `no answer within ${Math.round(timeoutMs)} ms`),
              Math.min(timeoutMs, LONGEST_TIMER_MS),
            )
      const onAbort = (): void => giveUp('aborted', 'stopped')
      const settle: Waiting['settle'] = (end) => {
        if (!waiting.delete(id)) return
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
        resolve({ request: message, ms: monotonicNow() - began, bytes: 0, progress, ...end })
      }
      // The protocol asks for the notification; `initialize` must not be cancelled.
      const giveUp = (ended: ExchangeEnd, why: string): void => {
        givenUp.add(id)
        settle({ ended, why })
        const told =
          method === 'initialize' ? undefined : notify('notifications/cancelled', { requestId: id, reason: why })
        Promise.resolve(told)
          .catch(() => {})
          .finally(() => stream.abort())
      }
      waiting.set(id, {
        settle,
        progress(value) {
          keep(progress, value)
          onProgress?.(value)
        },
      })
      if (isClosed) return settle(noMore())
      if (signal?.aborted) return settle({ ended: 'aborted', why: 'stopped' })
      signal?.addEventListener('abort', onAbort, { once: true })
      transport
        .send(message, {
          requestSignal: stream.signal,
          onRequestStreamEnd: () =>
            settle(
              wire.fault() === undefined ? { ended: 'closed', why: 'the stream ended without the answer' } : noMore(),
            ),
        })
        .catch((error: unknown) => {
          // Transports report it twice; the exchange says it.
          const reported = faults.lastIndexOf(messageOf(error))
          if (reported !== -1) faults.splice(reported, 1)
          const settleNow = (): void => settle(notSent(error, wire, isClosed ? noMore : undefined))
          // A server that has just ended: `onclose` says how.
          if (isBrokenPipe(error) && !isClosed) setTimeout(settleNow, PATIENCE_MS)
          else settleNow()
        })
    })
  }

  return {
    request,
    notify,
    notifications,
    requests,
    faults,
    isClosed: () => isClosed,
    end: wire.end,
    stderrTail: wire.stderrTail,
    async close() {
      isClosing = true
      await wire.close(PATIENCE_MS)
      isClosed = true
    },
  }
}

function notSent(
  error: unknown,
  wire: Wire,
  noMore: (() => Partial<Exchange> & { ended: ExchangeEnd }) | undefined,
): Partial<Exchange> & { ended: ExchangeEnd } {
  if (noMore) return noMore()
  const fault = wire.fault()
  if (fault !== undefined) return { ended: 'too_large', why: fault }
  if (!(error instanceof SdkHttpError))
    return { ended: 'failed', why: agentErrorIn(error)?.message ?? messageOf(error) }
  const { status, text } = error.data as { status?: number; text?: string }
  const body = parseError(text)
  return {
    ended: body === undefined ? 'failed' : 'answered',
    why: `HTTP ${status}: ${(text ?? error.message).slice(0, 500)}`,
    ...(body !== undefined && { answer: { error: body }, bytes: Buffer.byteLength(text ?? '') }),
    ...defined({ status }),
  }
}

function isBrokenPipe(error: unknown): boolean {
  return isRecord(error) && error['code'] === 'EPIPE'
}

/** Servers send errors of JSON-RPC with the status of an HTTP error, too. */
function parseError(text = ''): unknown {
  const value = parseJson(text)?.value
  return isRecord(value) && value['jsonrpc'] === '2.0' ? value['error'] : undefined
}

function howEnded(end: ProcessEnd | undefined): string {
  if (!end) return 'the connection was closed'
  return end.signal ? `the server was killed by ${end.signal}` : `the server exited with code ${end.exitCode}`
}

function metaOf(params: Record<string, unknown> | undefined): Record<string, unknown> {
  const meta = params?.['_meta']
  return isRecord(meta) ? meta : {}
}

function shown(message: Record<string, unknown>): string {
  return JSON.stringify(message).slice(0, 200)
}

function keep<T>(list: T[], item: T): void {
  if (list.length < KEPT) list.push(item)
}
