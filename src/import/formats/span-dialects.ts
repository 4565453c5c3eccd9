// How tracers say who was called, with what, and what came of it: a dialect a row.
import { isRecord } from '../../base/record.js'
import { unpacked } from '../messages.js'
import { numbered, type Span } from './spans.js'

export interface Call {
  kind: 'model' | 'tool' | 'agent'
  /** Messages as the dialect has them. */
  input: unknown[]
  output: unknown[]
  /** Of a tool. */
  tool?: { name: unknown; args: unknown }
}

/** Attributes of these dialects that are read, or decide nothing about what was said and done. */
const KNOWN =
  /^(?:ai\.(?:operationId|telemetry|model|settings|request|usage|toolCall\.(?:name|args|id|result)|prompt(?:\.(?:messages|tools|toolChoice|format))?|schema|response\.(?:text|object|toolCalls|finishReason|id|model|timestamp|providerMetadata|reasoning|ms\w*|avg\w*|msToFirstChunk))(?:\.|$)|ai\.stream|gen_ai\.(?:system|provider|operation|request|response|usage|tool|conversation|agent|input\.messages|output\.messages|prompt|completion|system_instructions|output\.type|token|data_source|choice)(?:\.|_|$)|llm\.(?:model_name|input_messages|output_messages|invocation_parameters|tools|token_count|system|provider|finish_reason|cost|prompt_template|request|usage|is_streaming|headers|response)(?:\.|$)|traceloop\.(?:entity|workflow|span|association)\.|(?:input|output)\.(?:value|mime_type)$|tool\.|openinference\.span\.kind$)/

/** Names in one of the dialects that nothing reads. */
export function strangeAttributes({ attributes }: Span): string[] {
  return [...attributes.keys()].filter(
    (key) => /^(?:ai|gen_ai|llm|traceloop|openinference|input|output)\./.test(key) && !KNOWN.test(key),
  )
}

type Dialect = (span: Span) => Call | undefined

/** The first that knows a span is asked. */
const DIALECTS: readonly Dialect[] = [aiSdk, openInference, genAi, traceloop]

export function callOf(span: Span): Call | undefined {
  for (const dialect of DIALECTS) {
    const call = dialect(span)
    if (call) return call
  }
  return undefined
}

/** The AI SDK: a span for the whole, one for each step, one for each tool. */
function aiSdk({ attributes }: Span): Call | undefined {
  const operation = attributes.get('ai.operationId')
  if (typeof operation !== 'string') return undefined
  if (operation === 'ai.toolCall') {
    const tool = { name: attributes.get('ai.toolCall.name'), args: unpacked(attributes.get('ai.toolCall.args')) }
    return { kind: 'tool', input: [], output: [], tool }
  }
  if (!/^ai\.(?:generate|stream)(?:Text|Object)/.test(operation)) return undefined
  const text = attributes.get('ai.response.text') ?? attributes.get('ai.response.object')
  const calls = unpacked(attributes.get('ai.response.toolCalls'))
  return {
    kind: operation.includes('.do') ? 'model' : 'agent',
    input: [...promptOf(unpacked(attributes.get('ai.prompt'))), ...asList(attributes.get('ai.prompt.messages'))],
    output: [
      ...(Array.isArray(calls) ? [{ role: 'assistant', content: '', tool_calls: calls.map(renamed) }] : []),
      ...(typeof text === 'string' && text !== '' ? [{ role: 'assistant', content: text }] : []),
    ],
  }
}

function promptOf(prompt: unknown): unknown[] {
  if (!isRecord(prompt)) return []
  const { system, prompt: text, messages } = prompt
  return [
    ...(typeof system === 'string' ? [{ role: 'system', content: system }] : []),
    ...(Array.isArray(text) ? text : typeof text === 'string' ? [{ role: 'user', content: text }] : []),
    ...(Array.isArray(messages) ? messages : []),
  ]
}

function renamed(call: unknown): unknown {
  if (!isRecord(call)) return call
  return { name: call['toolName'], arguments: unpacked(call['input'] ?? call['args']) }
}

/** OpenInference: a kind, numbered messages, and input and output as values. */
function openInference({ attributes, name }: Span): Call | undefined {
  const kind = attributes.get('openinference.span.kind')
  if (typeof kind !== 'string') return undefined
  if (kind === 'TOOL') {
    const args = attributes.get('tool.parameters') ?? attributes.get('input.value')
    return {
      kind: 'tool',
      input: [],
      output: [],
      tool: { name: attributes.get('tool.name') ?? name, args: unpacked(args) },
    }
  }
  const input = numbered(attributes, 'llm.input_messages').map(ofOpenInference)
  const output = numbered(attributes, 'llm.output_messages').map(ofOpenInference)
  if (kind === 'LLM') return { kind: 'model', input, output }
  if (kind !== 'AGENT' && kind !== 'CHAIN') return undefined
  return {
    kind: 'agent',
    input: valueOf(attributes, 'input', 'user'),
    output: valueOf(attributes, 'output', 'assistant'),
  }
}

function ofOpenInference(entry: unknown): unknown {
  const message = isRecord(entry) && isRecord(entry['message']) ? entry['message'] : {}
  const { role, content, contents, tool_calls: calls } = message
  const parts = Array.isArray(contents)
    ? contents.map((part: unknown) => (isRecord(part) ? part['message_content'] : part))
    : undefined
  return {
    role,
    content: parts ?? content ?? '',
    ...(Array.isArray(calls) && {
      tool_calls: calls.map((call: unknown) => (isRecord(call) ? call['tool_call'] : call)),
    }),
  }
}

/** A plain text is what was said; data is whatever the program passed around. */
function valueOf(attributes: ReadonlyMap<string, unknown>, side: string, role: string): unknown[] {
  const value = attributes.get(`${side}.value`)
  const isText = attributes.get(`${side}.mime_type`) !== 'application/json'
  return typeof value === 'string' && value !== '' && isText ? [{ role, content: value }] : []
}

/** The GenAI conventions: messages as data or JSON; older ones as numbered attributes or as events. */
function genAi(span: Span): Call | undefined {
  const { attributes, events, name } = span
  const operation = attributes.get('gen_ai.operation.name')
  if (operation === 'execute_tool' || attributes.has('gen_ai.tool.name')) {
    const tool = attributes.get('gen_ai.tool.name') ?? /^execute_tool (.+)$/.exec(name)?.[1]
    return {
      kind: 'tool',
      input: [],
      output: [],
      tool: { name: tool, args: unpacked(attributes.get('gen_ai.tool.call.arguments')) },
    }
  }
  const says = [...attributes.keys()].some((key) => /^gen_ai\.(?:operation|input|output|prompt|completion)\b/.test(key))
  if (!says && !events.some((event) => /^gen_ai\.(?:\w+\.message|choice|content\.\w+)$/.test(event.name)))
    return undefined
  const given = (now: string, older: string): unknown[] => {
    const found = asList(attributes.get(now) ?? attributes.get(older))
    return found.length > 0 ? found : numbered(attributes, older).map(ofNumbers)
  }
  const [input, output] = [
    given('gen_ai.input.messages', 'gen_ai.prompt'),
    given('gen_ai.output.messages', 'gen_ai.completion'),
  ]
  return {
    kind: operation === 'invoke_agent' ? 'agent' : 'model',
    input: input.length > 0 ? input : events.flatMap(askedIn),
    output: (output.length > 0 ? output : events.flatMap(saidIn)).map(asAssistant),
  }
}

/** Traceloop's own spans around the calls of models: workflows, agents, tools. */
function traceloop({ attributes, name }: Span): Call | undefined {
  const kind = attributes.get('traceloop.span.kind')
  if (kind === 'tool') {
    const input = unpacked(attributes.get('traceloop.entity.input'))
    return {
      kind: 'tool',
      input: [],
      output: [],
      tool: { name: attributes.get('traceloop.entity.name') ?? name, args: givenTo(input) },
    }
  }
  return undefined
}

/** Arguments by position, or by name. */
function givenTo(input: unknown): unknown {
  if (!isRecord(input)) return input
  const { args, kwargs } = input
  return Array.isArray(args) && args.length > 0 ? args[0] : (kwargs ?? input)
}

function ofNumbers(message: unknown): unknown {
  if (!isRecord(message)) return message
  const { finish_reason: _, ...rest } = message
  return rest
}

function asAssistant(message: unknown): unknown {
  return isRecord(message) ? { ...message, role: 'assistant' } : { role: 'assistant', content: message }
}

function asList(value: unknown): unknown[] {
  const found = unpacked(value)
  if (Array.isArray(found)) return found as unknown[]
  return typeof found === 'string' && found !== '' ? [{ role: 'user', content: found }] : isRecord(found) ? [found] : []
}

function askedIn({ name, attributes }: Span['events'][number]): unknown[] {
  const [, role] = /^gen_ai\.(system|user|assistant|tool)\.message$/.exec(name) ?? []
  if (name === 'gen_ai.content.prompt') return asList(attributes.get('gen_ai.prompt'))
  const content = attributes.get('content') ?? attributes.get('gen_ai.prompt')
  return role === undefined || typeof content !== 'string' ? [] : [{ role, content }]
}

function saidIn({ name, attributes }: Span['events'][number]): unknown[] {
  if (name === 'gen_ai.content.completion') return asList(attributes.get('gen_ai.completion'))
  if (name !== 'gen_ai.choice') return []
  const message = unpacked(attributes.get('message') ?? attributes.get('content'))
  const calls = unpacked(attributes.get('tool_calls'))
  const beside = Array.isArray(calls) ? { tool_calls: calls as unknown[] } : {}
  return isRecord(message)
    ? [{ ...message, ...beside }]
    : [{ content: typeof message === 'string' ? message : '', ...beside }]
}
