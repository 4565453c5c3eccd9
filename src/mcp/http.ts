// The server on loopback, for several clients. Everyone needs the token; pages of other sites get nothing.
import { randomBytes, randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createMcpHandler,
  isLegacyRequest,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { closeServer, listenOn } from '../http/listen.js'
import { hasToken, refuseForeign, type AccessRules } from '../viewer/access.js'
import type { McpHost } from './host.js'
import { createServer } from './server.js'
import { toWebRequest, writeWebResponse } from '../http/web-http.js'

export interface HttpOptions {
  /** 0: a free one. */
  port: number
  /** Default: a new one. */
  token?: string | undefined
  warn(text: string): void
}

export interface McpHttpServer {
  url: string
  token: string
  close(): Promise<void>
}

const PATH = '/mcp'
/** Those of the protocol; others cannot even be represented as a request. */
const METHODS = new Set(['GET', 'POST', 'DELETE'])
const MOST_SOCKETS = 256
const MOST_SESSIONS = 100
const MOST_BODY_BYTES = 10 * 1024 * 1024

export async function serveHttp(host: McpHost, { port, token, warn }: HttpOptions): Promise<McpHttpServer> {
  const rules: AccessRules = { port: 0, token: token ?? randomBytes(24).toString('base64url'), exposed: false }
  const sessions = new Sessions(host)
  const onerror = (error: Error): void => warn(error.message)
  const modern = createMcpHandler(() => createServer(host), {
    legacy: 'reject',
    maxRequestBodySize: MOST_BODY_BYTES,
    onerror,
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const refusal = refuse(request, rules)
    if (refusal) return refuseWith(response, refusal)
    const { web, release } = toWebRequest(request, response, `http://127.0.0.1:${rules.port}`)
    try {
      const isLegacy = await isLegacyRequest(web, undefined, { maxRequestBodySize: MOST_BODY_BYTES })
      await writeWebResponse(response, await (isLegacy ? sessions.answer(web) : modern.fetch(web)))
    } finally {
      release()
    }
  }
  const server = createHttpServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      if (!response.destroyed) warn(host.describe(error).trim())
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'text/plain' })
      response.end()
    })
  })
  server.maxConnections = MOST_SOCKETS
  server.on('upgrade', (_request, socket) => socket.destroy())
  rules.port = await listenOn(server, { port, code: 'MCP_PORT' })
  return {
    url: `http://127.0.0.1:${rules.port}${PATH}`,
    token: rules.token,
    async close() {
      await modern.close()
      await sessions.close()
      await closeServer(server)
    },
  }
}

/** Clients from before 2026 keep a session: cancellation and the request for their folders depend on it. */
class Sessions {
  readonly #host: McpHost
  /** The least recently used first. */
  readonly #open = new Map<string, WebStandardStreamableHTTPServerTransport>()

  constructor(host: McpHost) {
    this.#host = host
  }

  async answer(request: Request): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    const known = id === null ? undefined : this.#open.get(id)
    if (id !== null && !known) return Response.json(NO_SESSION, { status: 404 })
    if (id !== null && known) {
      this.#open.delete(id)
      this.#open.set(id, known)
    }
    const transport = known ?? (await this.#create())
    return transport.handleRequest(request)
  }

  async #create(): Promise<WebStandardStreamableHTTPServerTransport> {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      maxRequestBodySize: MOST_BODY_BYTES,
      onsessioninitialized: async (id) => {
        this.#open.set(id, transport)
        await this.#dropOldest()
      },
      onsessionclosed: (id) => void this.#open.delete(id),
    })
    await createServer(this.#host).connect(transport)
    return transport
  }

  async #dropOldest(): Promise<void> {
    const [oldest] = this.#open
    if (!oldest || this.#open.size <= MOST_SESSIONS) return
    this.#open.delete(oldest[0])
    await oldest[1].close()
  }

  async close(): Promise<void> {
    for (const transport of this.#open.values()) await transport.close()
  }
}

const NO_SESSION = { jsonrpc: '2.0', id: null, error: { code: -32_001, message: 'Session not found' } }

function refuse(request: IncomingMessage, rules: AccessRules): { status: number; reason: string } | undefined {
  const foreign = refuseForeign(request, rules)
  if (foreign) return foreign
  if (!hasToken(request, rules.token)) return { status: 401, reason: 'no token, or a wrong one' }
  if (!METHODS.has(request.method ?? '')) return { status: 405, reason: 'unknown method' }
  return request.url?.split('?')[0] === PATH ? undefined : { status: 404, reason: `only ${PATH}` }
}

function refuseWith(response: ServerResponse, { status, reason }: { status: number; reason: string }): void {
  const challenge = status === 401 ? { 'www-authenticate': 'Bearer' } : {}
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close', ...challenge })
  response.end(`${reason}\n`)
}
