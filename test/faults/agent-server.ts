// An agent behind a URL that misbehaves as the message says, and remembers who asked for what and when.
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

export interface Asked {
  text: string
  at: number
  /** The other side closed the connection before the answer was complete. */
  closed: boolean
  headers: IncomingMessage['headers']
}

export interface AgentServer {
  url: string
  asked: Asked[]
  /** Requests with this message, in order. */
  of(text: string): Asked[]
}

type Perform = (response: ServerResponse, time: number, argument: string) => void | Promise<void>

const BEHAVIOURS: Record<string, Perform> = {
  hang: () => {},
  drip: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const timer = setInterval(() => response.write(' '), 20)
    response.once('close', () => clearInterval(timer))
  },
  /** `429:1`: twice, with this Retry-After, then an answer. */
  '429': (response, time, after) =>
    time <= 2 ? refuse(response, 429, { 'retry-after': after }) : answer(response, 'at last'),
  '429-once': (response, time, after) =>
    time === 1 ? refuse(response, 429, { 'retry-after': after }) : answer(response, 'at last'),
  '500': (response, time) => (time <= 2 ? refuse(response, 500) : answer(response, 'at last')),
  quota: (response) => json(response, 429, { error: { type: 'insufficient_quota', message: 'no credit' } }),
  status: (response, _time, status) => refuse(response, Number.parseInt(status, 10)),
  reset: (response) => void response.socket?.resetAndDestroy(),
  cut: (response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' })
    response.write('{"content": "half')
    setImmediate(() => response.socket?.destroy())
  },
  html: (response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html><body>Sign in</body></html>')
  },
  empty: (response) => void response.writeHead(200, { 'content-type': 'application/json' }).end(),
  garbage: (response) =>
    void response
      .writeHead(200, { 'content-type': 'text/plain' })
      .end(Buffer.from([0xff, 0xfe, 0x00, 0x20, 0xc0, 0xaf])),
  split: async (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    const events = ['hello ', 'é', '👍'].map((text) => `data: ${JSON.stringify(text)}\n\n`).join('')
    for (const byte of Buffer.from(`${events}data: [DONE]\n\n`)) {
      response.write(Uint8Array.of(byte))
      await new Promise((resolve) => setImmediate(resolve))
    }
    response.end()
  },
  huge: async (response, _time, megabytes) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    const chunk = Buffer.alloc(1024 * 1024, 'x')
    const closed = once(response, 'close')
    for (let sent = 0; sent < Number(megabytes) && !response.destroyed; sent += 1)
      if (!response.write(chunk)) await Promise.race([once(response, 'drain'), closed])
    response.end()
  },
  /** What it was asked, and the secret it was sent, in body and header. */
  echo: (response, _time, text) => answer(response, text),
}

export async function startAgentServer(): Promise<AgentServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => void handle(request, response))
  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let body = ''
    for await (const chunk of request) body += String(chunk)
    const { messages } = JSON.parse(body) as { messages: Array<{ content: string }> }
    const text = messages.at(-1)?.content ?? ''
    const entry: Asked = { text, at: performance.now(), closed: false, headers: request.headers }
    asked.push(entry)
    response.once('close', () => {
      entry.closed = !response.writableFinished
    })
    const [name = '', argument = ''] = text.split(/:(.*)/s)
    const perform: Perform = BEHAVIOURS[name] ?? (() => answer(response, text))
    await perform(response, asked.filter((other) => other.text === text).length, argument)
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/agent`,
    asked,
    of: (text) => asked.filter((entry) => entry.text === text),
  }
}

function answer(response: ServerResponse, content: string): void {
  json(response, 200, { content })
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  json(response, status, { error: { message: `refused with ${status}` } }, headers)
}

function json(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}
