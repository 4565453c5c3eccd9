// The OpenAI-compatible chat completions protocol: one call, streaming or not. Used by the `openai` connector and by
// agents behind a URL.
import { monotonicNow } from '../time/clock.js'
import { AgentError } from '../errors.js'
import type { Waiter } from '../model/agent.js'
import type { Completion, ToolSpec } from '../model/connector.js'
import type { ContentPart, Message } from '../model/message.js'
import { abortedCall } from './aborted-call.js'
import { defined } from '../base/defined.js'
import type { Places } from '../http/places.js'
import { parseBody, requireIdentity } from '../http/read-body.js'
import { errorInBody } from '../http/reported-error.js'
import { responseError } from '../http/response-error.js'
import { withRetries, type RetryBudget } from '../http/retry.js'
import type { HttpClient, HttpResponse } from '../http/types.js'
import { clip, show } from '../base/text.js'
import { isRecord, readString } from '../base/record.js'
import { ChatStream, endChat } from './chat-stream.js'
import type { FinishReasons } from './finish-reason.js'
import { contentText, refusalIn } from './message-text.js'
import { pairCalls } from './pair-calls.js'
import { toolCallsOf } from './tool-calls.js'
import { normalizeUsage } from './usage.js'

export interface ChatEndpoint {
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

export interface ChatCall extends Waiter {
  messages: Message[]
  tools?: ToolSpec[]
  /** Sent as they are, next to `model`, `messages` and `tools`. */
  parameters: Record<string, unknown>
  stream: boolean
  onChunk?: (text: string) => void
}

export async function completeChat(endpoint: ChatEndpoint, call: ChatCall): Promise<Completion> {
  const body = JSON.stringify(chatBody(endpoint, call))
  const progress = { partial: undefined as unknown }
  try {
    const { value, retries } = await withRetries(() => attemptChat(endpoint, call, body, progress), {
      signal: call.signal,
      budget: endpoint.budget,
      ...defined({ deadline: call.deadline, onWait: call.onWait, baseMs: endpoint.baseMs }),
    })
    if (retries.length > 0) value.api_retries = retries
    return value
  } catch (error) {
    throw call.signal.aborted ? abortedCall(call.signal, progress.partial) : error
  }
}

/** A host as people write it → the URL that answers: `https://api.example.com` has its API under `/v1`. */
export function chatUrl(host: string, api = '/v1'): URL {
  const url = new URL(host)
  const path = url.pathname.replace(/\/+$/, '')
  if (!path.endsWith('/chat/completions')) url.pathname = `${path === '' ? api : path}/chat/completions`
  return url
}

function chatBody(endpoint: ChatEndpoint, call: ChatCall): Record<string, unknown> {
  const tools = call.tools?.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, ...defined({ description }), parameters: input_schema },
  }))
  return {
    ...defined({ model: endpoint.model }),
    ...call.parameters,
    messages: pairCalls(call.messages).map(wireMessage),
    ...(tools && tools.length > 0 && { tools }),
    ...(call.stream && { stream: true, stream_options: { include_usage: true } }),
  }
}

function wireMessage({ role, content, name, tool_calls, tool_call_id }: Message): Record<string, unknown> {
  const calls = tool_calls?.map((item, index) => ({
    id: item.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: item.name, arguments: typeof item.args === 'string' ? item.args : JSON.stringify(item.args) },
  }))
  return {
    role,
    content: Array.isArray(content) ? content.map(wirePart) : (content ?? (calls ? null : '')),
    ...defined({ name, tool_calls: calls && calls.length > 0 ? calls : undefined, tool_call_id }),
  }
}

/** A file is sent as data or by id: this API does not accept a file's address. */
function wirePart(part: ContentPart): ContentPart {
  if (part.type !== 'file') return part
  const { file_id, file_data, url, filename } = { ...part, ...(isRecord(part['file']) ? part['file'] : {}) }
  if (file_id !== undefined) return { type: 'file', file: { file_id } }
  const data = file_data ?? (typeof url === 'string' && url.startsWith('data:') ? url : undefined)
  if (data !== undefined) return { type: 'file', file: { file_data: data, filename: filename ?? 'attachment' } }
  throw new AgentError({
    code: 'bad_request',
    message: `the file ${show(url)} cannot be sent: a chat completions endpoint does not accept a file's address`,
    hint: 'attach it as file://… or data:…, or give the file_id under which the endpoint has it',
    retry: false,
  })
}

interface Progress {
  partial: unknown
}

async function attemptChat(
  endpoint: ChatEndpoint,
  call: ChatCall,
  body: string,
  progress: Progress,
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
    return new ChatStream({
      url,
      start,
      progress,
      ...defined({ secrets: endpoint.secrets, onChunk: call.onChunk, finishReasons: endpoint.finishReasons }),
    }).read(response.chunks())
  }
  const completion = await readWhole(response, endpoint)
  if (completion.content !== '') call.onChunk?.(completion.content)
  return completion
}

async function readWhole(response: HttpResponse, endpoint: ChatEndpoint): Promise<Completion> {
  const { text, encoding } = await response.text()
  if (encoding) throw badBody(endpoint.url, response, 'the answer is not valid UTF-8')
  let body: unknown
  try {
    body = parseBody(text)
  } catch {
    throw badBody(endpoint.url, response, text.trim() === '' ? 'the answer is empty' : `not JSON: ${clip(text, 200)}`)
  }
  const reported = errorInBody(body, endpoint.url, endpoint.secrets)
  if (reported) throw reported
  const choice: unknown = isRecord(body) && Array.isArray(body['choices']) ? body['choices'][0] : undefined
  const message = isRecord(choice) ? choice['message'] : undefined
  if (!isRecord(body) || !isRecord(choice) || !isRecord(message)) {
    throw badBody(endpoint.url, response, `no choices[0].message in it: ${clip(text, 200)}`)
  }
  const said = contentText(message['content'])
  const refusal = refusalIn(message)
  const completion: Completion = {
    content: refusal && said === '' ? refusal : said,
    tool_calls: toolCallsOf(message),
    ...defined({ usage: normalizeUsage(body['usage']) }),
  }
  return endChat(completion, refusal ? 'refusal' : choice['finish_reason'], endpoint.finishReasons)
}

function badBody(url: URL, response: HttpResponse, what: string): AgentError {
  const type = response.headers['content-type'] ?? 'no content type'
  return new AgentError({
    code: 'bad_response',
    message: `${url.host} answered with HTTP ${response.status}, ${type}, but ${what}`,
    hint: `check that ${url.href.split('?')[0]} is a chat completions endpoint`,
    status: response.status,
  })
}
