// What the proxy says for itself, so that the SDKs of all providers show it and none of them tries again.
import type { ServerResponse } from 'node:http'

export function refuse(response: ServerResponse, status: number, message: string): void {
  if (response.destroyed) return
  const body = JSON.stringify({ type: 'error', error: { type: 'viva_proxy_error', message } })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'x-should-retry': 'false',
  })
  response.end(body)
}
