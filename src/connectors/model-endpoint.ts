// One call of a model's HTTP endpoint, streaming or not, whatever its wire format.
import { monotonicNow } from '../time/clock.js'
import { AgentError } from '../errors.js'
import type { Waiter } from '../model/agent.js'
import type { Completion, Reasoning, ToolSpec } from '../model/connector.js'
import type { Message } from '../model/message.js'
import { abortedCall } from './aborted-call.js'
import { defined } from '../base/defined.js'
import type { Places } from '../http/places.js'
import { parseBody, requireIdentity } from '../http/read-body.js'
import { errorInBody } from '../http/reported-error.js'
import { responseError } from '../http/response-error.js'
import { withRetries, type RetryBudget } from '../http/retry.js'
import type { HttpClient, HttpResponse } from '../http/types.js'
import { clip } from '../base/text.js'
import { readString } from '../base/record.js'
import type { FinishReasons } from './finish-reason.js'
import type { StreamOptions } from './stream-options.js'

export interface ModelEndpoint {
  http: HttpClient
  url: URL
  headers: Record<string, string>
  budget: RetryBudget
  model?: string
  places?: Places
  secrets?: string[]
  baseMs?: number
  finishReasons?: FinishReasons
}

export interface EndpointCall extends Waiter {
  messages: Message[]
  reasoning?: Reasoning[]
  tools?: ToolSpec[]
  /** Sent as they are, next to the model, the messages and the tools. */
  parameters: Record<string, unknown>
  stream: boolean
  onChunk?: (text: string) => void
}

export interface WireFormat {
  /** As in "a chat completions endpoint". */
  name: string
  body(endpoint: ModelEndpoint, call: EndpointCall): Record<string, unknown>
  /** A string says what the body lacks. */
  readWhole(body: unknown, own: FinishReasons | undefined): Completion | string
  readStream(options: StreamOptions, chunks: AsyncIterable<Uint8Array>): Promise<Completion>
}

export type EndpointRoute = '/chat/completions' | '/responses'

export async function completeAt(endpoint: ModelEndpoint, call: EndpointCall, format: WireFormat): Promise<Completion> {
  const body = JSON.stringify(format.body(endpoint, call))
  const progress: StreamOptions['progress'] = {}
  try {
    const { value, retries } = await withRetries(() => attempt(endpoint, call, { format, body, progress }), {
      signal: call.signal,
      budget: endpoint.budget,
      ...defined({ deadline: call.deadline, onWait: call.onWait, baseMs: endpoint.baseMs }),
    })
    if (retries.length > 0) value.api_retries = retries
    return value
  } catch (error) {
    throw call.signal.aborted ? abortedCall(call.signal, progress.partial?.()) : error
  }
}

/** A host as people write it → the URL that answers: `https://api.example.com` has its API under `/v1`. */
export function endpointUrl(host: string, route: EndpointRoute, api = '/v1'): URL {
  const url = new URL(host)
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith(route)) url.pathname = `${path === '' ? api : path}${route}`
  return url
}

interface Attempt {
  format: WireFormat
  body: string
  progress: StreamOptions['progress']
}

async function attempt(
  endpoint: ModelEndpoint,
  call: EndpointCall,
  { format, body, progress }: Attempt,
): Promise<Completion> {
  const { url, headers } = endpoint
  const start = monotonicNow()
  const response = await endpoint.http.send({
    url,
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    body,
    signal: call.signal,
    ...defined({ place: endpoint.places?.url }),
  })
  if (response.status !== 200) {
    const { text, encoding } = await response.text()
    throw responseError({
      url,
      status: response.status,
      headers: response.headers,
      body: encoding ? '' : text,
      ...defined({
        model: readString(call.parameters['model']) ?? endpoint.model,
        places: endpoint.places,
        secrets: endpoint.secrets,
      }),
    })
  }
  const refused = requireIdentity(url, response)
  if (refused) await refused
  if (response.headers['content-type']?.startsWith('text/event-stream')) {
    const { secrets, finishReasons } = endpoint
    const options = { url, start, progress, ...defined({ secrets, onChunk: call.onChunk, finishReasons }) }
    return format.readStream(options, response.chunks())
  }
  const completion = await readWhole(response, endpoint, format)
  if (completion.content !== '') call.onChunk?.(completion.content)
  return completion
}

async function readWhole(response: HttpResponse, endpoint: ModelEndpoint, format: WireFormat): Promise<Completion> {
  const { text, encoding } = await response.text()
  const bad = (what: string): AgentError => badBody(endpoint.url, response, what, format)
  if (encoding) throw bad('the answer is not valid UTF-8')
  let body: unknown
  try {
    body = parseBody(text)
  } catch {
    throw bad(text.trim() === '' ? 'the answer is empty' : `not JSON: ${clip(text, 200)}`)
  }
  const reported = errorInBody(body, endpoint.url, endpoint.secrets)
  if (reported) throw reported
  const read = format.readWhole(body, endpoint.finishReasons)
  if (typeof read === 'string') throw bad(`${read}: ${clip(text, 200)}`)
  return read
}

function badBody(url: URL, response: HttpResponse, what: string, { name }: WireFormat): AgentError {
  const type = response.headers['content-type'] ?? 'no content type'
  return new AgentError({
    code: 'bad_response',
    message: `${url.host} answered with HTTP ${response.status}, ${type}, but ${what}`,
    hint: `check that ${url.href.split('?')[0]} is a ${name} endpoint`,
    status: response.status,
  })
}
