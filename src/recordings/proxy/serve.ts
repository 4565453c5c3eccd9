// The recording proxy: a server on loopback that speaks to an agent as its model would, and to the model as the agent
// would. The address of a call says whose it is.
import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { messageOf } from '../../base/message-of.js'
import { decodeUri } from '../../base/text.js'
import { closeServer, listenOn } from '../../http/listen.js'
import { refusal } from '../../http/loopback-access.js'
import { answer } from './answer.js'
import { refuse } from './refuse.js'
import type { ProxyInit, Talk } from './types.js'
import { FACTS, isProvider, PROVIDERS } from './upstream.js'
import type { WireRequest } from './wire-request.js'

export interface RecordingProxy {
  /** An address for one conversation: `http://127.0.0.1:port/key`. */
  open(talk: Talk): { url: string; close(): void }
  close(): Promise<void>
}

const MAX_BODY_BYTES = 64 * 1024 * 1024

export async function serveProxy(init: ProxyInit): Promise<RecordingProxy> {
  const talks = new Map<string, Talk>()
  const context = { ...init, talks, port: 0 }
  const server = createProxyServer(context)
  context.port = await listenOn(server, { port: init.port ?? 0, code: 'PROXY_PORT' })
  return {
    open(talk) {
      const key = randomBytes(18).toString('base64url')
      talks.set(key, talk)
      return { url: `http://127.0.0.1:${context.port}/${key}`, close: () => void talks.delete(key) }
    },
    close: () => closeServer(server),
  }
}

/** Variables that make the providers' SDKs call our address. */
export function proxyEnv(url: string, env: Record<string, string | undefined>): Record<string, string> {
  const addresses = PROVIDERS.map((name) => [FACTS[name].variable, `${url}/${name}${FACTS[name].suffix}`])
  const direct = [env['NO_PROXY'] ?? env['no_proxy'], '127.0.0.1'].filter((part) => part).join(',')
  return { ...(Object.fromEntries(addresses) as Record<string, string>), NO_PROXY: direct, no_proxy: direct }
}

interface Context extends ProxyInit {
  talks: Map<string, Talk>
  port: number
}

function createProxyServer(context: Context): Server {
  // Agents keep their connections for as long as they like.
  const server = createServer({ keepAliveTimeout: 0, requestTimeout: 0 }, (request, response) => {
    response.on('error', () => {})
    handle(request, response, context).catch((error: unknown) => {
      context.onRefused(messageOf(error))
      if (response.headersSent) response.destroy()
      else refuse(response, 500, messageOf(error))
    })
  })
  server.on('upgrade', (_request, socket) => {
    socket.end('HTTP/1.1 501 Not Implemented\r\nconnection: close\r\ncontent-length: 0\r\n\r\n')
  })
  return server
}

async function handle(request: IncomingMessage, response: ServerResponse, context: Context): Promise<void> {
  const reason = refusal(request, context.port)
  if (reason !== undefined) return refuse(response, 403, reason)
  const place = placeOf(request.url ?? '')
  const talk = context.talks.get(place.key)
  if (!talk) return refuse(response, 404, 'this address is not in use: its conversation is over, or never was')
  const { provider, caseId, path } = place
  const refuseCall = (status: number, message: string): void => {
    context.onRefused(message)
    refuse(response, status, message)
  }
  if (!isProvider(provider))
    return refuseCall(404, `expected an address below ${PROVIDERS.map((name) => `/${name}`).join(' or ')}`)
  if (hasDotSegment(path))
    return refuseCall(400, `the path ${JSON.stringify(path)} would leave the address of ${provider}`)
  const body = await bodyOf(request)
  if (!body) return refuseCall(413, `a request may have ${MAX_BODY_BYTES / 1024 / 1024} MB at most`)
  const { method = 'GET' } = request
  const asked: WireRequest = { provider, method, path, headers: plainHeaders(request), body }
  await answer(asked, response, { ...context, talk, caseId })
}

/** `/key/openai/v1/chat/completions`, or `/key/case/T001/openai/v1/…`. */
function placeOf(url: string): { key: string; caseId: string | undefined; provider: string | undefined; path: string } {
  const [, key = '', caseId, provider, path = ''] =
    /^\/([\w-]+)(?:\/case\/([^/?]+))?(?:\/([^/?]+)([/?].*)?)?$/.exec(url) ?? []
  return { key, caseId: caseId === undefined ? undefined : decodeUri(caseId), provider, path }
}

/** `..`, plain or encoded, however often: whoever resolves it would call something that is not the model. */
function hasDotSegment(path: string): boolean {
  let text = path.replace(/[?#].*$/s, '')
  for (let before = ''; before !== text;) {
    if (text.split(/[/\\]/).some((segment) => /^\.{1,2}(?:;.*)?$/.test(segment))) return true
    before = text
    text = text.replaceAll(/%(?:25|2e|2f|5c)/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
  }
  return false
}

/** Undefined if it is too large. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk)
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks)
}

function plainHeaders({ headers }: IncomingMessage): Record<string, string> {
  const plain: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined) plain[name] = Array.isArray(value) ? value.join(', ') : value
  return plain
}
