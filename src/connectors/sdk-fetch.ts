// The `fetch` given to provider packages: our own transport underneath, so that limits, deadlines and errors are the same.
import { AgentError } from '../errors.js'
import type { Places } from '../http/places.js'
import { requireIdentity } from '../http/read-body.js'
import { errorInBody } from '../http/reported-error.js'
import { responseError } from '../http/response-error.js'
import type { HttpClient } from '../http/types.js'

export interface SdkFetchOptions {
  http: HttpClient
  model?: string
  places?: Places
  secrets: string[]
  /** Whether a 200 may hold an error. Not so in protocols that have errors of their own there. */
  errorsInBody?: boolean
}

export function createSdkFetch({ http, errorsInBody = true, ...options }: SdkFetchOptions): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const response = await http.send({
      url,
      method: init.method ?? 'GET',
      headers: plainHeaders(init.headers),
      signal: init.signal ?? new AbortController().signal,
      ...(typeof init.body === 'string' && { body: init.body }),
      ...(options.places?.url !== undefined && { place: options.places.url }),
    })
    const { status, headers } = response
    if (status < 200 || status >= 300) {
      const { text, encoding } = await response.text()
      throw responseError({ url, status, headers, body: encoding ? '' : text, ...options })
    }
    const refused = requireIdentity(url, response)
    if (refused) await refused
    if (headers['content-type']?.startsWith('text/event-stream')) {
      return new Response(streamOf(response.chunks()), { status, headers })
    }
    const { text, encoding } = await response.text()
    if (encoding) throw notUtf8(url)
    const reported = errorsInBody ? errorInBody(parsed(text), url, options.secrets) : undefined
    if (reported) throw reported
    return new Response(text, { status, headers })
  }
}

/** Packages give theirs as a plain object, and copying that through `Headers` costs more than sending it. */
function plainHeaders(headers: RequestInit['headers'] = {}): Record<string, string> {
  if (headers instanceof Headers || Array.isArray(headers)) return Object.fromEntries(new Headers(headers))
  const plain: Record<string, string> = {}
  for (const name in headers) plain[name.toLowerCase()] = String(headers[name])
  return plain
}

function streamOf(chunks: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
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
    // Nothing is fetched before it is asked for: our own connection has a queue already.
    { highWaterMark: 0 },
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function notUtf8(url: URL): AgentError {
  return new AgentError({ code: 'bad_response', message: `the answer of ${url.host} is not valid UTF-8` })
}
