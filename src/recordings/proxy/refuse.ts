// What the proxy itself answers, in a form that the SDKs of all providers show.
import type { ServerResponse } from 'node:http'

const NEVER = { 'x-should-retry': 'false' }
/** The model could not be reached: clients retry as they would without us. */
export const MAYBE = {}
export const AT_ONCE = { 'retry-after-ms': '1' }

export function refuse(
  response: ServerResponse,
  status: number,
  message: string,
  again: Record<string, string> = NEVER,
): void {
  if (response.destroyed) return
  const body = JSON.stringify({ type: 'error', error: { type: 'viva_proxy_error', message } })
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    ...again,
  })
  response.end(body)
}
