// The OpenAI-compatible chat completions protocol: one call, streaming or not. Used by the `openai` connector and by
// agents behind a URL.
import { AgentError } from '../errors.js'
import type { Completion } from '../model/connector.js'
import type { ContentPart, Message } from '../model/message.js'
import { defined } from '../base/defined.js'
import { show } from '../base/text.js'
import { isRecord } from '../base/record.js'
import { readReasoning, sentReasoning } from './chat-reasoning.js'
import { ChatStream, endChat } from './chat-stream.js'
import type { FinishReasons } from './finish-reason.js'
import { contentText, refusalIn } from './message-text.js'
import { completeAt, endpointUrl, type EndpointCall, type ModelEndpoint, type WireFormat } from './model-endpoint.js'
import { pairCalls } from './pair-calls.js'
import { attachReasoning } from './reasoning.js'
import { argsText, toolCallsOf } from './tool-calls.js'
import { normalizeUsage } from './usage.js'

export type ChatEndpoint = ModelEndpoint

export function completeChat(endpoint: ChatEndpoint, call: EndpointCall): Promise<Completion> {
  return completeAt(endpoint, call, CHAT)
}

export function chatUrl(host: string, api?: string): URL {
  return endpointUrl(host, '/chat/completions', api)
}

const CHAT: WireFormat = {
  name: 'chat completions',
  body: chatBody,
  readWhole,
  readStream: (options, chunks) => new ChatStream(options).read(chunks),
}

function chatBody(endpoint: ModelEndpoint, call: EndpointCall): Record<string, unknown> {
  const tools = call.tools?.map(({ name, description, input_schema }) => ({
    type: 'function',
    function: { name, ...defined({ description }), parameters: input_schema },
  }))
  const messages = pairCalls(attachReasoning(call.messages, call.reasoning))
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  return {
    ...defined({ model: endpoint.model }),
    ...call.parameters,
    messages: messages.map((message, index) => wireMessage(message, index < asked)),
    ...(tools && tools.length > 0 && { tools }),
    ...(call.stream && { stream: true, stream_options: { include_usage: true } }),
  }
}

/** `isAnswered`: the user has spoken since. */
function wireMessage(message: Message, isAnswered: boolean): Record<string, unknown> {
  const { role, content, name, tool_calls, tool_call_id } = message
  const { fields, beside } = sentReasoning(message, isAnswered)
  const calls = tool_calls?.map((item, index) => ({
    id: item.id ?? `call_${index + 1}`,
    type: 'function',
    function: { name: item.name, arguments: argsText(item) },
    ...(isRecord(beside[index]) && { extra_content: beside[index] }),
  }))
  return {
    role,
    content: Array.isArray(content) ? content.map(wirePart) : (content ?? (calls ? null : '')),
    ...fields,
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

function readWhole(body: unknown, own: FinishReasons | undefined): Completion | string {
  const choice: unknown = isRecord(body) && Array.isArray(body['choices']) ? body['choices'][0] : undefined
  const message = isRecord(choice) ? choice['message'] : undefined
  if (!isRecord(body) || !isRecord(choice) || !isRecord(message)) return 'no choices[0].message in it'
  const said = contentText(message['content'])
  const refusal = refusalIn(message)
  const completion: Completion = {
    content: refusal && said === '' ? refusal : said,
    tool_calls: toolCallsOf(message),
    ...defined({ usage: normalizeUsage(body['usage']), reasoning: readReasoning(message) }),
  }
  return endChat(completion, refusal ? 'refusal' : choice['finish_reason'], own)
}
