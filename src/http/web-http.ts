// Node's requests and responses in the form of the web platform, which the protocol's library speaks.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'

export interface WebRequest {
  web: Request
  release(): void
}

/** Aborted when the client goes away. */
export function toWebRequest(request: IncomingMessage, response: ServerResponse, base: string): WebRequest {
  const controller = new AbortController()
  const onClose = (): void => controller.abort()
  response.once('close', onClose)
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const hasBody = request.method !== 'GET' && request.method !== 'HEAD'
  const init = {
    method: request.method ?? 'GET',
    headers,
    signal: controller.signal,
    ...(hasBody && { body: Readable.toWeb(request) as ReadableStream, duplex: 'half' as const }),
  }
  return { web: new Request(new URL(request.url ?? '/', base), init), release: () => response.off('close', onClose) }
}

/** Piece by piece: a stream of events lasts as long as the call. */
export async function writeWebResponse(target: ServerResponse, { status, headers, body }: Response): Promise<void> {
  target.writeHead(status, Object.fromEntries(headers))
  if (!body) {
    target.end()
    return
  }
  target.flushHeaders()
  const reader = body.getReader()
  const stop = (): void => void reader.cancel().catch(() => {})
  target.once('close', stop)
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
      if (target.destroyed) break
      if (!target.write(piece.value)) await new Promise<void>((resolve) => onceEither(target, resolve))
    }
  } finally {
    target.off('close', stop)
    target.end()
  }
}

function onceEither(target: ServerResponse, resolve: () => void): void {
  const done = (): void => {
    target.off('drain', done)
    target.off('close', done)
    resolve()
  }
  target.once('drain', done)
  target.once('close', done)
}
