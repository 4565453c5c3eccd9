// Redirects of `http.*`: followed as browsers do, but another host is never sent anything that may be a credential.
import type { HttpClient, HttpRequest, HttpResponse } from '../../http/types.js'

const MAX_REDIRECTS = 10
const MAX_DISCARDED_BYTES = 64 * 1024
/** What another host may know. */
const HARMLESS = new Set(['accept', 'accept-language', 'content-type', 'user-agent'])

/** The answer of the last hop; after too many, the redirect itself. */
export async function sendFollowing(first: HttpRequest, http: HttpClient): Promise<HttpResponse> {
  let request = first
  for (let hop = 0; ; hop++) {
    const response = await http.send(request)
    const next = redirected(request, response)
    if (!next || hop === MAX_REDIRECTS) return response
    await discard(response)
    request = next
  }
}

function redirected(request: HttpRequest, { status, headers: { location } }: HttpResponse): HttpRequest | undefined {
  const { url, method = 'GET', headers } = request
  if (location === undefined || ![301, 302, 303, 307, 308].includes(status)) return undefined
  if (!URL.canParse(location, url.href)) return undefined
  const to = new URL(location, url)
  if (to.protocol !== 'http:' && to.protocol !== 'https:') return undefined
  const kept = to.origin === url.origin ? headers : harmless(headers)
  const becomesGet = status === 303 ? method !== 'HEAD' : status < 303 && method === 'POST'
  if (!becomesGet) return { ...request, url: to, headers: kept }
  const { 'content-type': _, ...rest } = kept
  return { url: to, method: 'GET', headers: rest, signal: request.signal }
}

function harmless(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => HARMLESS.has(name)))
}

/** Read, so that the connection can be reused; a long body ends it. */
async function discard(response: HttpResponse): Promise<void> {
  try {
    await response.text(MAX_DISCARDED_BYTES)
  } catch {
    // Only the next hop counts.
  }
}
