// The `fetch` given to provider packages: our own transport underneath, so that limits, deadlines and errors are the same.
import { AgentError } from '../errors.js'
import type { Places } from '../http/places.js'
import { fetchResponse, requestOf, streamOf } from '../http/fetch.js'
import { MAX_BODY_BYTES, requireIdentity } from '../http/read-body.js'
import { errorInBody } from '../http/reported-error.js'
import { responseError } from '../http/response-error.js'
import { parseSse } from '../http/sse.js'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/types.js'
import { isRecord } from '../base/record.js'
import { parseJson } from '../base/json/parse-json.js'

export interface SdkFetchOptions {
  http: HttpClient
  model?: string
  places?: Places
  secrets: string[]
  /** Added to the body of every request. */
  extraBody?: Record<string, unknown>
  /** Whether a 200 may hold an error. Not in protocols that have their own errors there. */
  errorsInBody?: boolean
  /** What the package receives for a body, or for an event of a stream; the same value leaves it as it came. For one answer. */
  amend?: () => Amend
}

export type Amend = (value: unknown) => unknown

export function createSdkFetch({
  http,
  errorsInBody = true,
  extraBody = {},
  amend,
  ...options
}: SdkFetchOptions): typeof globalThis.fetch {
  return async (input, init) => {
    const request = requestOf(input, init)
    const { url } = request
    if (Object.keys(extraBody).length > 0) request.body = withFields(request.body, extraBody)
    if (options.places?.url !== undefined) request.place = options.places.url
    const response = await http.send(request)
    const { status, headers } = response
    if (status < 200 || status >= 300) {
      const { text, encoding } = await response.text()
      throw responseError({ url, status, headers, body: encoding ? '' : text, ...options })
    }
    const refused = requireIdentity(url, response)
    if (refused) await refused
    if (headers['content-type']?.startsWith('text/event-stream')) {
      return fetchResponse(response, amend ? amendedStream(response, amend()) : streamOf(response, MAX_BODY_BYTES))
    }
    const { text, encoding } = await response.text()
    if (encoding) throw notUtf8(url)
    const reported = errorsInBody ? errorInBody(parseJson(text)?.value, url, options.secrets) : undefined
    if (reported) throw reported
    return fetchResponse(response, amend ? amended(text, amend()) : text)
  }
}

function amended(text: string, amend: Amend): string {
  const json = parseJson(text)
  const value = json && amend(json.value)
  return value === json?.value ? text : JSON.stringify(value)
}

function amendedStream(response: HttpResponse, amend: Amend): ReadableStream<Uint8Array> {
  return ReadableStream.from(amendedEvents(response, amend))
}

async function* amendedEvents(response: HttpResponse, amend: Amend): AsyncGenerator<Uint8Array> {
  for await (const { event, data } of parseSse(response.chunks(MAX_BODY_BYTES))) {
    const lines = amended(data, amend).split('\n')
    yield Buffer.from(`event: ${event}\n${lines.map((line) => `data: ${line}\n`).join('')}\n`)
  }
}

function withFields(body: HttpRequest['body'], fields: Record<string, unknown>): string {
  const given = typeof body === 'string' ? parseJson(body)?.value : undefined
  return JSON.stringify({ ...(isRecord(given) ? given : {}), ...fields })
}

function notUtf8(url: URL): AgentError {
  return new AgentError({ code: 'bad_response', message: `the answer of ${url.host} is not valid UTF-8` })
}
