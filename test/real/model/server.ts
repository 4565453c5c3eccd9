// A model on the loopback interface that does what it is told, badly where asked, and remembers every request.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { isRecord } from '../../../src/base/record.js'
import { nonceIn } from '../../support/nonce.js'
import type { Behaviour, ScriptedAnswer } from './behaviour.js'
import { readRequest, type ModelRequest } from './read-request.js'
import { wireFor } from './wires/index.js'
import type { Wire } from './wires/wire.js'

export interface RecordedRequest {
  method: string
  path: string
  headers: Record<string, string | string[] | undefined>
  // Tests look into it freely.
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any
  /** `performance.now()` when it arrived. */
  at: number
  /** The client closed the connection before the answer was complete. */
  aborted: boolean
}

export interface ModelServer {
  url: string
  requests: RecordedRequest[]
  /** What the vendor would have said to the requests that it does not take. */
  refusals: string[]
  /** Most requests that were open at one moment. */
  peak: number
  /** One per request; the last one stays. */
  behave(...behaviours: Behaviour[]): void
  /** Decides by what is asked: agents of others ask more than one can script. */
  decide(answer: (request: ModelRequest, recorded: RecordedRequest) => Behaviour): void
  /** Answers 429 with `retry-after-ms` beyond this many requests a second. */
  limit(perSecond: number | undefined): void
  /** Resolves when a request satisfies the condition. */
  until(condition: () => boolean): Promise<void>
  close(): Promise<void>
}

export async function startModelServer(...behaviours: Behaviour[]): Promise<ModelServer> {
  let script = behaviours
  let decide: ((request: ModelRequest, recorded: RecordedRequest) => Behaviour) | undefined
  let perSecond: number | undefined
  let recent: number[] = []
  let open = 0
  let waiting: Array<() => void> = []
  const issued: ScriptedAnswer[] = []
  const notify = (): void => {
    for (const wake of waiting) wake()
  }

  const server = createServer((incoming, response) => {
    void answer(incoming, response)
  })

  async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = []
    open++
    model.peak = Math.max(model.peak, open)
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const path = incoming.url ?? ''
    const text = Buffer.concat(chunks).toString()
    const recorded: RecordedRequest = {
      method: incoming.method ?? '',
      path,
      headers: incoming.headers,
      body: text === '' ? undefined : JSON.parse(text),
      at: performance.now(),
      aborted: false,
    }
    response.once('close', () => {
      open--
      recorded.aborted = !response.writableFinished
      notify()
    })
    model.requests.push(recorded)
    notify()
    const wire = wireFor(path)
    if (isOverLimit()) {
      const error = { kind: 'error', status: 429, type: 'rate_limit_error', message: 'slow down' } as const
      return perform({ ...error, headers: { 'retry-after-ms': '50' } }, response, wire, false)
    }
    const refusal = refusalOf(path, wire, recorded, issued)
    if (refusal !== undefined) {
      model.refusals.push(refusal)
      const error = { kind: 'error', status: 400, type: 'invalid_request_error', message: refusal } as const
      return perform(error, response, wire, false)
    }
    const scripted = (): Behaviour | undefined => (script.length > 1 ? script.shift() : script[0])
    const behaviour = decide ? decide(readRequest(recorded.body), recorded) : scripted()
    if (!behaviour) throw new Error('the model server was given no behaviour')
    const streaming = path.includes(':stream') || recorded.body?.stream === true
    if (behaviour.kind === 'answer') issued.push(behaviour)
    await perform(signed(behaviour, text), response, wire, streaming)
  }

  function isOverLimit(): boolean {
    if (perSecond === undefined) return false
    const now = performance.now()
    recent = recent.filter((at) => now - at < 1000)
    if (recent.length >= perSecond) return true
    recent.push(now)
    return false
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const model: ModelServer = {
    url: `http://127.0.0.1:${port}`,
    requests: [],
    refusals: [],
    peak: 0,
    behave(...next) {
      script = next
      decide = undefined
    },
    decide(answer) {
      decide = answer
    },
    limit(next) {
      perSecond = next
    },
    async until(condition) {
      while (!condition()) await new Promise<void>((resolve) => waiting.push(resolve))
      waiting = []
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return model
}

/** Only what is addressed to a vendor's endpoint. A server of one model needs none to be named. */
function refusalOf(
  path: string,
  wire: Wire,
  { body, headers }: RecordedRequest,
  issued: ScriptedAnswer[],
): string | undefined {
  if (!/\/(?:chat\/completions|responses|messages)$|:\w*[gG]enerateContent$/.test(path.split('?')[0] ?? ''))
    return undefined
  const named = path.endsWith('/chat/completions') && isRecord(body) ? { model: 'm', ...body } : body
  return wire.refusalOf(named, headers, issued)
}

/** `$NONCE` is what the request asks judges to repeat. */
function signed(behaviour: Behaviour, request: string): Behaviour {
  if (behaviour.kind !== 'answer' || !behaviour.pieces) return behaviour
  const nonce = nonceIn(request)
  return { ...behaviour, pieces: behaviour.pieces.map((piece) => piece.replaceAll('$NONCE', nonce)) }
}

async function perform(behaviour: Behaviour, response: ServerResponse, wire: Wire, streaming: boolean): Promise<void> {
  switch (behaviour.kind) {
    case 'answer':
      if (!streaming) return sendJson(response, 200, wire.whole(behaviour))
      startStream(response)
      for (const event of wire.events(behaviour)) {
        response.write(event)
        await nextTick()
      }
      response.end()
      return
    case 'error':
      return sendJson(
        response,
        behaviour.status,
        wire.error(behaviour.type, behaviour.message, behaviour.status),
        behaviour.headers,
      )
    case 'raw':
      response.writeHead(behaviour.status, behaviour.headers)
      response.end(behaviour.body)
      return
    case 'hang':
      return
    case 'drip':
      return drip(response, streaming)
    case 'reset':
      response.socket?.resetAndDestroy()
      return
    case 'cut':
      startStream(response)
      response.write(half(wire))
      await nextTick()
      response.socket?.destroy()
      return
    case 'unfinished':
      startStream(response)
      response.end(half(wire))
      return
    case 'malformed': {
      startStream(response)
      const events = wire.events({ kind: 'answer', pieces: ['a'] })
      response.end(`${events[0]}data: {oops\n\n${events.slice(1).join('')}`)
      return
    }
    case 'error_midway':
      startStream(response)
      response.end(wire.events({ kind: 'answer', pieces: ['a', 'b'] })[0] + wire.errorEvent())
      return
    case 'split':
      startStream(response)
      for (const byte of Buffer.from(wire.events({ kind: 'answer', pieces: [behaviour.text] }).join(''))) {
        response.write(Uint8Array.of(byte))
        await nextTick()
      }
      response.end()
      return
    case 'huge':
      return huge(response, behaviour.megabytes)
  }
}

/** The events of an answer up to the middle of what it says. */
function half(wire: Wire): string {
  const events = wire.events({ kind: 'answer', pieces: ['half', ' an answer'] })
  const middle = events.findIndex((event) => event.includes(' an answer'))
  return events.slice(0, middle).join('')
}

function startStream(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
}

function sendJson(response: ServerResponse, status: number, body: unknown, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

function drip(response: ServerResponse, streaming: boolean): void {
  response.writeHead(200, { 'content-type': streaming ? 'text/event-stream' : 'application/json' })
  const timer = setInterval(() => response.write(' '), 20)
  response.once('close', () => clearInterval(timer))
}

async function huge(response: ServerResponse, megabytes: number): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' })
  const chunk = Buffer.alloc(1024 * 1024, 'x')
  const closed = once(response, 'close')
  for (let sent = 0; sent < megabytes && !response.destroyed; sent++) {
    if (response.write(chunk)) continue
    await Promise.race([once(response, 'drain'), closed])
  }
  response.end()
}

function nextTick(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
