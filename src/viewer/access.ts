// Who may call: checked on every request before anything else. A page on another site, another port or behind a
// rebound name gets nothing, and the data needs the key as well.
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

export interface AccessRules {
  port: number
  token: string
  /** Reachable from other machines: any address may be named, but no name. */
  exposed: boolean
}

export interface Refusal {
  status: number
  reason: string
}

/** Undefined if the request may be answered; else the status and why. */
export function refuse(request: IncomingMessage, rules: AccessRules): Refusal | undefined {
  const foreign = refuseForeign(request, rules)
  if (foreign) return foreign
  return request.method === 'GET' || request.method === 'HEAD' ? undefined : { status: 405, reason: 'only GET' }
}

/** A name that was made to point here, or someone else's page. */
export function refuseForeign(request: IncomingMessage, rules: AccessRules): Refusal | undefined {
  const host = request.headers.host ?? ''
  if (!isOwnHost(host, rules)) return { status: 403, reason: 'unknown Host' }
  const origin = request.headers.origin
  if (origin !== undefined && origin !== `http://${host}`) return { status: 403, reason: 'foreign Origin' }
  return undefined
}

/** For data, on top of `refuse`: a browser must say that our own page asks, and everyone needs the key. */
export function refuseData(request: IncomingMessage, rules: AccessRules): Refusal | undefined {
  const site = request.headers['sec-fetch-site']
  if (site !== undefined && site !== 'same-origin') return { status: 403, reason: 'foreign page' }
  return hasToken(request, rules.token) ? undefined : { status: 401, reason: 'no key' }
}

/** For what does more than read, on top of `refuseForeign`: never from other machines, and only from our own page. */
export function refuseAction(request: IncomingMessage, rules: AccessRules): Refusal | undefined {
  if (rules.exposed) return { status: 403, reason: 'only on this machine' }
  // Browsers always send it with a POST; that it is ours was checked.
  if (request.headers.origin === undefined) return { status: 403, reason: 'no Origin' }
  const closed = refuseData(request, rules)
  if (closed) return closed
  const isJson = /^application\/json(?:;|$)/.test(request.headers['content-type'] ?? '')
  return isJson ? undefined : { status: 415, reason: 'expected JSON' }
}

function isOwnHost(host: string, { port, exposed }: AccessRules): boolean {
  if (host === `127.0.0.1:${port}` || host === `localhost:${port}`) return true
  if (!exposed || !host.endsWith(`:${port}`)) return false
  // The owner of a name can make it point here; an address cannot be.
  return isIP(host.slice(0, -`:${port}`.length).replace(/^\[|\]$/g, '')) !== 0
}

export function hasToken(request: IncomingMessage, token: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${token}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}
