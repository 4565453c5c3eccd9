// Messages, tools and options → a request of the Responses API. Options may be spelled as in chat completions.
import { AgentError } from '../errors.js'
import type { ContentPart, Message, ToolCall } from '../model/message.js'
import { defined } from '../base/defined.js'
import { textOf } from '../model/last-user-text.js'
import { isPresent, isRecord, readList, readString, readStrings } from '../base/record.js'
import type { EndpointCall } from './model-endpoint.js'
import { pairCalls } from './pair-calls.js'
import { attachReasoning, reasoningOf } from './reasoning.js'
import { isMade, readItems } from './responses-answer.js'
import { argsText } from './tool-calls.js'

type Item = Record<string, unknown>

export function responsesBody(model: string | undefined, call: EndpointCall, wanted: string[]): Item {
  const { tools, include, ...given } = call.parameters
  const functions = (call.tools ?? []).map(({ name, description, input_schema }) => ({
    type: 'function',
    name,
    ...defined({ description }),
    parameters: input_schema,
    // Without it the endpoint makes a schema strict, and changes it.
    strict: false,
  }))
  const offered = [...readList(tools), ...functions]
  const included = [...new Set([...wanted, ...readStrings(include)])]
  return {
    ...defined({ model }),
    store: false,
    ...ownParameters(given),
    input: pairCalls(attachReasoning(call.messages, call.reasoning)).flatMap(inputItems),
    ...(included.length > 0 && { include: included }),
    ...(offered.length > 0 && { tools: offered }),
    ...(call.stream && { stream: true }),
  }
}

function ownParameters(given: Item): Item {
  const { max_tokens, max_completion_tokens, response_format, reasoning_effort, verbosity, tool_choice, ...rest } =
    given
  const limit = max_tokens ?? max_completion_tokens
  const format = formatOf(response_format)
  return {
    ...defined({ max_output_tokens: limit, tool_choice: choiceOf(tool_choice) }),
    ...rest,
    ...nested('reasoning', rest, { effort: reasoning_effort }),
    ...nested('text', rest, { format, verbosity }),
  }
}

/** What chat completions has at the top; what is already where it belongs wins. */
function nested(name: string, { [name]: own }: Item, values: Item): Item {
  const known = defined(values)
  return Object.keys(known).length === 0 ? {} : { [name]: { ...known, ...(isRecord(own) ? own : {}) } }
}

function formatOf(format: unknown): unknown {
  if (!isRecord(format)) return format === 'json' || format === 'json_object' ? { type: 'json_object' } : undefined
  const { json_schema, ...rest } = format
  return isRecord(json_schema) ? { name: 'answer', ...json_schema, ...rest } : rest
}

function choiceOf(choice: unknown): unknown {
  if (!isRecord(choice) || !isRecord(choice['function'])) return choice ?? undefined
  return { type: 'function', name: choice['function']['name'] }
}

function inputItems(message: Message): Item[] {
  const { role, content, tool_calls: calls = [], tool_call_id } = message
  if (role === 'tool')
    return [{ type: 'function_call_output', call_id: tool_call_id, output: contentOf(content, 'input_text') }]
  if (role !== 'assistant') return [{ role, content: contentOf(content, 'input_text') }]
  const kept = reasoningOf(message)
  const items = kept?.filter(isRecord).filter(isMade)
  if (items && isSame(items, message)) return withCallIds(items, calls)
  const isSaid = isPresent(content) && content !== ''
  return [
    ...(isSaid || calls.length === 0 ? [{ role, content: contentOf(content, 'output_text') }] : []),
    ...calls.map((call) => ({
      type: 'function_call',
      call_id: call.id,
      name: call.name,
      arguments: argsText(call),
    })),
  ]
}

/** Whether the items say and call the same: a recorded answer may have been edited. */
function isSame(items: Item[], { content, tool_calls: calls = [] }: Message): boolean {
  return readItems(items).content === textOf(content) && items.filter(isCall).length === calls.length
}

function isCall({ type }: Item): boolean {
  return type === 'function_call'
}

/** The items as they came. Ids of calls are made unique within a history, and their results have those. */
function withCallIds(items: Item[], calls: ToolCall[]): Item[] {
  let made = 0
  return items.map((item) => (isCall(item) ? { ...item, call_id: calls[made++]?.id } : item))
}

function contentOf(content: Message['content'], text: 'input_text' | 'output_text'): unknown {
  return Array.isArray(content) ? content.map((part) => wirePart(part, text)) : (content ?? '')
}

/** The parts of chat completions: text, image_url, file. Those of this API stay as they are. */
function wirePart(part: ContentPart, text: 'input_text' | 'output_text'): Item {
  if (/^(?:input|output)_(?:text|image|file)$/.test(part.type)) return part
  if (typeof part['text'] === 'string') return { type: text, text: part['text'] }
  const image = part['image_url']
  if (image !== undefined) {
    const { url, detail } = isRecord(image) ? image : { url: image }
    return { type: 'input_image', image_url: url, detail: detail ?? 'auto' }
  }
  if (part.type === 'file') return filePart({ ...part, ...(isRecord(part['file']) ? part['file'] : {}) })
  throw new AgentError({
    code: 'bad_request',
    message: `a content part of type "${part.type}" cannot be sent to a Responses endpoint`,
    hint: 'use text, image_url or file parts',
    retry: false,
  })
}

function filePart({ file_id, file_data, url, filename }: Item): Item {
  if (file_id !== undefined) return { type: 'input_file', file_id }
  const address = readString(url)
  const data = file_data ?? (address?.startsWith('data:') ? address : undefined)
  if (data !== undefined) return { type: 'input_file', file_data: data, filename: filename ?? 'attachment' }
  return { type: 'input_file', file_url: address }
}
