// The tools of several attempts on one port of loopback: the address says whose they are, and is of no use afterwards.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { messageOf } from '../base/message-of.js'
import { closeServer, listenOn } from '../http/listen.js'
import { refusal } from '../http/loopback-access.js'
import { toWebRequest, writeWebResponse } from '../http/web-http.js'
import { createToolServer, type ServedTools } from './mcp-server.js'

export interface MockToolServer {
  open(tools: ServedTools): { url: string; close(): void }
  close(): Promise<void>
}

export interface ServeOptions {
  /** 0: a free one. */
  port: number
  warn(text: string): void
}

const METHODS = new Set(['GET', 'POST', 'DELETE'])
const MOST_SOCKETS = 1024
const MOST_BODY_BYTES = 10 * 1024 * 1024

type Handler = ReturnType<typeof createMcpHandler>

export async function serveMockTools({ port: wanted, warn }: ServeOptions): Promise<MockToolServer> {
  const handlers = new Map<string, Handler>()
  let port = 0
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    response.on('error', () => {})
    answer(request, response).catch((error: unknown) => {
      if (!response.destroyed) warn(`mock-mcp: ${messageOf(error)}`)
      if (!response.headersSent) refuse(response, 500, 'failed')
      else response.destroy()
    })
  })
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const foreign = refusal(request, port)
    if (foreign !== undefined) return refuse(response, 403, foreign)
    if (!METHODS.has(request.method ?? '')) return refuse(response, 405, 'unknown method')
    const [, key = ''] = /^\/([\w-]+)\/mcp\/?(?:\?.*)?$/.exec(request.url ?? '') ?? []
    const handler = handlers.get(key)
    if (!handler) return refuse(response, 404, 'this address is not in use: its case is over, or never was')
    const { web, release } = toWebRequest(request, response, `http://127.0.0.1:${port}`)
    try {
      await writeWebResponse(response, await handler.fetch(web))
    } finally {
      release()
    }
  }
  server.maxConnections = MOST_SOCKETS
  server.on('upgrade', (_request, socket) => socket.destroy())
  port = await listenOn(server, { port: wanted, code: 'MOCK_MCP_PORT' })
  return {
    open(tools) {
      const key = randomBytes(18).toString('base64url')
      const handler = createMcpHandler(() => createToolServer(tools), {
        legacy: 'stateless',
        maxRequestBodySize: MOST_BODY_BYTES,
        onerror: () => {},
      })
      handlers.set(key, handler)
      return {
        url: `http://127.0.0.1:${port}/${key}/mcp`,
        close() {
          handlers.delete(key)
          void handler.close()
        },
      }
    },
    close: () => closeServer(server),
  }
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  response.writeHead(status, { 'content-type': 'text/plain', connection: 'close' })
  response.end(`${reason}\n`)
}
