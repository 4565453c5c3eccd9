// Messages, tools and options → what a provider package's language model takes.
import { AgentError } from '../errors.js'
import type { CompletionRequest } from '../model/connector.js'
import type { ContentPart, Message, ToolCall } from '../model/message.js'
import { defined } from '../base/defined.js'
import { textOf } from '../model/last-user-text.js'
import { isRecord, readString } from '../base/record.js'
import { show } from '../base/text.js'
import { modelParameters } from './model-parameters.js'
import { pairCalls } from './pair-calls.js'
import { attachReasoning, reasoningOf } from './reasoning.js'
import { sentParts } from './sdk-reasoning.js'
import type { SdkCallOptions, SdkPrompt } from './sdk-types.js'
import { argsText } from './tool-calls.js'

export interface SdkDialect {
  /** Under which the package looks for its own parameters. */
  provider: string
  /** The package makes schemas strict unless it is told otherwise. */
  mayBeStrict: boolean
  /** Of the provider interface: `v2` and `v3` have the data of a file as it is, later ones say what it is. */
  version: string
}

export function sdkCallOptions(
  request: CompletionRequest,
  defaults: Record<string, unknown>,
  { provider, mayBeStrict, version }: SdkDialect,
): SdkCallOptions {
  const given: Record<string, unknown> = { ...defaults, ...modelParameters(request.options) }
  const take = (name: string): unknown => {
    const value = given[name]
    delete given[name]
    return value
  }
  const number = (...names: string[]): number | undefined => {
    const values = names.flatMap((name) => numberIn(name, take(name)) ?? [])
    return values[0]
  }
  const stop = take('stop')
  const format = take('response_format')
  const choice = take('tool_choice')
  const known = {
    temperature: number('temperature'),
    maxOutputTokens: number('max_tokens', 'max_completion_tokens', 'max_output_tokens'),
    topP: number('top_p'),
    topK: number('top_k'),
    seed: number('seed'),
    presencePenalty: number('presence_penalty'),
    frequencyPenalty: number('frequency_penalty'),
    stopSequences: typeof stop === 'string' ? [stop] : Array.isArray(stop) ? stop.map(String) : undefined,
    responseFormat: responseFormat(format),
    toolChoice: toolChoice(choice),
    tools: request.tools?.map(({ name, description, input_schema }) => ({
      type: 'function' as const,
      name,
      inputSchema: input_schema,
      ...defined({ description }),
    })),
  }
  const own = take('provider_options')
  requireKnown(given, provider)
  const rest: Record<string, unknown> = { ...given, ...(isRecord(own) ? own : {}) }
  if (isRecord(rest['thinking'])) rest['thinking'] = thinking(rest['thinking'])
  const strict = mayBeStrict && version !== 'v2' ? strictness(format) : undefined
  if (strict !== undefined) rest['strictJsonSchema'] ??= strict
  return {
    prompt: sdkPrompt(pairCalls(attachReasoning(request.messages, request.reasoning)), version),
    abortSignal: request.signal,
    ...defined(known),
    ...(Object.keys(rest).length > 0 && { providerOptions: { [provider]: rest } }),
  } as SdkCallOptions
}

function numberIn(name: string, value: unknown): number | undefined {
  if (value === undefined || typeof value === 'number') return value
  throw new AgentError({ code: 'config', message: `the parameter ${name} must be a number, found ${show(value)}` })
}

/** These packages drop what they do not know; what they do know beyond the common parameters is spelled like this. */
const OWN_WORDS: Partial<Record<string, RegExp>> = {
  anthropic: /[A-Z]|^(?:thinking|container|effort|speed)$/,
  google: /[A-Z]|^(?:threshold|labels)$/,
}

function requireKnown(given: Record<string, unknown>, provider: string): void {
  const words = OWN_WORDS[provider]
  const unknown = words && Object.keys(given).find((name) => !words.test(name))
  if (unknown === undefined) return
  throw new AgentError({
    code: 'config',
    message: `the parameter ${unknown} cannot be sent to ${provider}`,
    hint: 'remove it, or put it into extra_body of the connector if its API takes it',
  })
}

/** As the API spells it, and as the packages do. */
function thinking({ budget_tokens, ...given }: Record<string, unknown>): Record<string, unknown> {
  return { ...defined({ budgetTokens: budget_tokens }), ...given }
}

function responseFormat(format: unknown): unknown {
  const type = isRecord(format) ? format['type'] : format
  if (type === 'json_object' || type === 'json') return { type: 'json' }
  if (type !== 'json_schema' || !isRecord(format)) return undefined
  const spec = isRecord(format['json_schema']) ? format['json_schema'] : format
  return { type: 'json', ...defined({ schema: spec['schema'], name: readString(spec['name']) }) }
}

/** Whether the schema must hold to the letter; unless asked for, it need not: most schemas are not written for that. */
function strictness(format: unknown): boolean | undefined {
  if (!isRecord(format) || format['type'] !== 'json_schema') return undefined
  const spec = isRecord(format['json_schema']) ? format['json_schema'] : format
  return spec['strict'] === true
}

function toolChoice(choice: unknown): unknown {
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { type: choice }
  const inner = isRecord(choice) && isRecord(choice['function']) ? choice['function'] : undefined
  return inner ? { type: 'tool', toolName: inner['name'] } : undefined
}

function sdkPrompt(messages: Message[], version: string): SdkPrompt {
  const names = new Map<string, string>()
  const prompt: SdkMessage[] = []
  for (const [index, message] of messages.entries()) {
    const next = sdkMessage(message, index, names)
    if (next.role === 'user' && version !== 'v2' && version !== 'v3') next.content = next.content.map(tagged)
    const last = prompt.at(-1)
    // Results of calls that were made together go back together.
    if (next.role === 'tool' && last?.role === 'tool') last.content.push(...next.content)
    else prompt.push(next)
  }
  return prompt as SdkPrompt
}

type SdkMessage = { role: 'system'; content: string } | { role: 'user' | 'assistant' | 'tool'; content: unknown[] }

function sdkMessage(message: Message, index: number, names: Map<string, string>): SdkMessage {
  switch (message.role) {
    case 'system':
    case 'developer':
      return { role: 'system', content: textOf(message.content) }
    case 'assistant':
      return { role: 'assistant', content: assistantParts(message, index, names) }
    case 'tool': {
      const toolCallId = message.tool_call_id ?? ''
      const output = { type: 'text', value: textOf(message.content) }
      const toolName = names.get(toolCallId) ?? message.name ?? 'tool'
      return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName, output }] }
    }
    default:
      return { role: 'user', content: userParts(message.content) }
  }
}

function tagged(part: unknown): unknown {
  if (!isRecord(part) || part['type'] !== 'file') return part
  const { data } = part
  return { ...part, data: data instanceof URL ? { type: 'url', url: data } : { type: 'data', data } }
}

function assistantParts(message: Message, index: number, names: Map<string, string>): unknown[] {
  const text = textOf(message.content)
  const calls = (message.tool_calls ?? []).map((call, position) => {
    const toolCallId = call.id ?? `call_${index}_${position + 1}`
    names.set(toolCallId, call.name)
    return { type: 'tool-call', toolCallId, toolName: call.name, input: inputOf(call) }
  })
  const kept = reasoningOf(message)
  const parts = kept && sentParts(kept, text, calls)
  return parts ?? [...(text.trim() === '' && calls.length > 0 ? [] : [{ type: 'text', text }]), ...calls]
}

/** Providers take objects alone; what a model wrote badly is quoted as Anthropic's documentation has it. */
function inputOf(call: ToolCall): unknown {
  return isRecord(call.args) ? call.args : { INVALID_JSON: argsText(call) }
}

function userParts(content: Message['content']): unknown[] {
  if (!Array.isArray(content)) return [{ type: 'text', text: content ?? '' }]
  return content.map(userPart)
}

/** The parts of the OpenAI spelling: text, image_url, input_audio, file. */
function userPart(part: ContentPart): unknown {
  if (typeof part['text'] === 'string') return { type: 'text', text: part['text'] }
  const image = part['image_url']
  const imageUrl = isRecord(image) ? readString(image['url']) : readString(image)
  if (imageUrl !== undefined) return filePart(imageUrl, 'image/*')
  const audio = part['input_audio']
  if (isRecord(audio)) {
    return { type: 'file', mediaType: `audio/${readString(audio['format']) ?? 'wav'}`, data: audio['data'] }
  }
  const file = part['file']
  const data = isRecord(file) ? (readString(file['file_data']) ?? readString(file['url'])) : undefined
  if (isRecord(file) && data !== undefined) {
    return {
      ...filePart(data, mediaTypeOf(readString(file['filename']) ?? data)),
      ...defined({ filename: readString(file['filename']) }),
    }
  }
  throw new AgentError({
    code: 'bad_request',
    message: `a content part of type "${part.type}" cannot be sent to this provider`,
    hint: 'use text, image_url, input_audio or file parts',
  })
}

/** Of a file that is only referenced: its bytes are not available. */
function mediaTypeOf(name: string): string {
  return /\.pdf(?:$|[?#])/i.test(name) ? 'application/pdf' : 'application/octet-stream'
}

function filePart(url: string, mediaType: string): { type: 'file'; mediaType: string; data: unknown } {
  const inline = /^data:([^;,]+)?(?:;[^,]*)?;base64,(.*)$/s.exec(url)
  if (inline) return { type: 'file', mediaType: inline[1] ?? mediaType, data: inline[2] }
  return { type: 'file', mediaType, data: new URL(url) }
}
