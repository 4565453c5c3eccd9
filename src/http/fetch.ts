// `fetch` for packages that want one, on the run's own client: its connections, proxies and error messages. Redirects are
// not followed.
import type { HttpClient, HttpRequest, HttpResponse } from './types.js'

type Fetch = typeof globalThis.fetch

/** Statuses that must not have a body. */
const BODYLESS = new Set([204, 205, 304])

/** `bodyOf`: for a caller that limits or watches what it reads. */
export function createFetch(
  http: HttpClient,
  bodyOf: (response: HttpResponse) => ReadableStream = (response) => streamOf(response),
): Fetch {
  return async (input, init) => {
    const response = await http.send(requestOf(input, init))
    return fetchResponse(response, BODYLESS.has(response.status) ? null : bodyOf(response))
  }
}

export function requestOf(...[input, init = {}]: Parameters<Fetch>): HttpRequest {
  return {
    url: new URL(input instanceof Request ? input.url : input),
    method: init.method ?? 'GET',
    headers: plainHeaders(init.headers),
    signal: init.signal ?? new AbortController().signal,
    ...(typeof init.body === 'string' && { body: init.body }),
  }
}

export function fetchResponse(
  { status, statusText, headers }: HttpResponse,
  body: string | ReadableStream | null,
): Response {
  return new Response(body, { status, statusText, headers })
}

/** `limit`: a stream that stays open for a whole run has none. */
export function streamOf(response: HttpResponse, limit = Number.POSITIVE_INFINITY): ReadableStream<Uint8Array> {
  const iterator = response.chunks(limit)[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await iterator.next()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch (error) {
          controller.error(error)
        }
      },
      async cancel() {
        await iterator.return?.()
      },
    },
    // Nothing is read before it is asked for: the connection already has a queue.
    { highWaterMark: 0 },
  )
}

/** Packages pass theirs as a plain object, and copying that through `Headers` costs more than sending it. */
function plainHeaders(headers: RequestInit['headers'] = {}): Record<string, string> {
  if (headers instanceof Headers || Array.isArray(headers)) return Object.fromEntries(new Headers(headers))
  const plain: Record<string, string> = {}
  for (const name in headers) plain[name.toLowerCase()] = String(headers[name])
  return plain
}
