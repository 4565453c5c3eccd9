// What OpenAI's Responses endpoint refuses, after the types of the `openai` package and its documentation.
import * as v from 'valibot'
import { isRecord } from '../../../../src/base/record.js'
import { asText } from '../../../../src/base/text.js'
import { maybe, named, object, text, wrongShape } from './shape.js'
import { wrongStrictSchema } from './strict-tool.js'

const id = (prefix: string) => v.optional(named(new RegExp(`^${prefix}_?[\\w-]+$`)))
const callId = v.pipe(v.string(), v.minLength(1), v.maxLength(64))
const functionName = named(/^[a-zA-Z0-9_-]{1,64}$/)
const status = maybe(v.picklist(['in_progress', 'completed', 'incomplete']))

const inputPart = v.variant('type', [
  v.strictObject({ type: v.literal('input_text'), text: v.string() }),
  v.strictObject({
    type: v.literal('input_image'),
    image_url: maybe(v.string()),
    file_id: maybe(v.string()),
    detail: v.optional(v.picklist(['auto', 'low', 'high', 'original'])),
  }),
  v.strictObject({
    type: v.literal('input_file'),
    file_data: v.optional(v.string()),
    file_id: maybe(v.string()),
    file_url: v.optional(v.string()),
    filename: v.optional(v.string()),
  }),
])
const outputPart = v.variant('type', [
  v.strictObject({
    type: v.literal('output_text'),
    text: v.string(),
    annotations: v.optional(v.array(v.unknown())),
    logprobs: v.optional(v.array(v.unknown())),
  }),
  v.strictObject({ type: v.literal('refusal'), refusal: v.string() }),
])

const inputMessage = v.strictObject({
  type: v.optional(v.literal('message')),
  role: v.picklist(['user', 'system', 'developer']),
  content: v.union([v.string(), v.array(inputPart)]),
  status,
  id: id('msg'),
})
const outputMessage = v.strictObject({
  type: v.optional(v.literal('message')),
  role: v.literal('assistant'),
  content: v.union([v.string(), v.array(outputPart)]),
  status,
  id: id('msg'),
  phase: maybe(v.picklist(['commentary', 'final_answer'])),
})

const ITEMS: Record<string, v.GenericSchema> = {
  function_call: v.strictObject({
    type: v.literal('function_call'),
    id: id('fc'),
    call_id: callId,
    name: functionName,
    arguments: v.string(),
    namespace: v.optional(v.string()),
    status,
  }),
  function_call_output: v.strictObject({
    type: v.literal('function_call_output'),
    id: maybe(v.string()),
    call_id: callId,
    output: v.union([v.string(), v.array(inputPart)]),
    status,
  }),
  custom_tool_call: v.strictObject({
    type: v.literal('custom_tool_call'),
    id: id('ctc'),
    call_id: callId,
    name: text,
    input: v.string(),
    status,
  }),
  custom_tool_call_output: v.strictObject({
    type: v.literal('custom_tool_call_output'),
    id: maybe(v.string()),
    call_id: callId,
    output: v.union([v.string(), v.array(inputPart)]),
  }),
  reasoning: v.strictObject({
    type: v.literal('reasoning'),
    id: id('rs'),
    summary: v.array(v.strictObject({ type: v.literal('summary_text'), text: v.string() })),
    content: maybe(v.array(v.strictObject({ type: v.literal('reasoning_text'), text: v.string() }))),
    encrypted_content: maybe(v.string()),
    status,
  }),
  item_reference: v.strictObject({ type: v.literal('item_reference'), id: text }),
}
/** Items of tools that OpenAI runs itself. */
const HOSTED =
  /^(?:(?:web_search|file_search|computer|code_interpreter|image_generation|mcp|local_shell|shell|apply_patch|tool_search)_\w+|compaction|additional_tools)$/

const functionTool = v.strictObject({
  type: v.literal('function'),
  name: functionName,
  description: maybe(v.string()),
  parameters: maybe(object),
  strict: maybe(v.boolean()),
  defer_loading: v.optional(v.boolean()),
})

const request = v.strictObject({
  model: text,
  input: v.optional(v.union([v.string(), v.array(object)])),
  instructions: maybe(v.string()),
  tools: v.optional(v.array(object)),
  tool_choice: v.optional(v.union([v.picklist(['none', 'auto', 'required']), object])),
  parallel_tool_calls: maybe(v.boolean()),
  max_output_tokens: maybe(v.pipe(v.number(), v.integer(), v.minValue(16))),
  max_tool_calls: maybe(v.number()),
  temperature: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  top_p: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  top_logprobs: maybe(v.number()),
  reasoning: maybe(
    v.strictObject({
      effort: maybe(v.picklist(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
      summary: maybe(v.picklist(['auto', 'concise', 'detailed'])),
      context: maybe(v.string()),
    }),
  ),
  text: v.optional(
    v.strictObject({
      format: v.optional(
        v.variant('type', [
          v.strictObject({ type: v.literal('text') }),
          v.strictObject({ type: v.literal('json_object') }),
          v.strictObject({
            type: v.literal('json_schema'),
            name: functionName,
            description: v.optional(v.string()),
            schema: object,
            strict: maybe(v.boolean()),
          }),
        ]),
      ),
      verbosity: maybe(v.picklist(['low', 'medium', 'high'])),
    }),
  ),
  include: maybe(v.array(v.string())),
  store: maybe(v.boolean()),
  stream: maybe(v.boolean()),
  stream_options: maybe(v.strictObject({ include_obfuscation: v.optional(v.boolean()) })),
  previous_response_id: maybe(named(/^resp_/)),
  conversation: maybe(v.union([v.string(), object])),
  prompt: maybe(object),
  prompt_cache_key: maybe(v.string()),
  prompt_cache_retention: maybe(v.string()),
  prompt_cache_options: v.optional(object),
  safety_identifier: maybe(v.string()),
  service_tier: maybe(v.string()),
  truncation: maybe(v.picklist(['auto', 'disabled'])),
  user: v.optional(v.string()),
  metadata: maybe(v.record(v.string(), v.string())),
  background: maybe(v.boolean()),
  context_management: maybe(v.array(v.unknown())),
  client_metadata: v.optional(object),
})

type Item = Record<string, unknown>

/**
 * Undefined if the request is fine. `issued`: the reasoning item that came with a call, by the item id of the call;
 * `stored`: what it answered before, which a request may refer to.
 */
export function refusalOf(
  body: unknown,
  issued: ReadonlyMap<string, string> = new Map(),
  stored: ReadonlyMap<string, Item> = new Map(),
): string | undefined {
  const wrong = wrongShape(request, body)
  if (wrong !== undefined) return wrong
  const { input, previous_response_id, tools = [], text: wanted, store } = body as v.InferOutput<typeof request>
  if (input === undefined && previous_response_id == null) return "missing required parameter: 'input'"
  for (const [index, tool] of tools.entries()) {
    const problem = wrongTool(tool)
    if (problem !== undefined) return `tools[${index}]: ${problem}`
  }
  if (wanted?.format?.type === 'json_schema' && wanted.format.strict === true) {
    const problem = wrongStrictSchema(wanted.format.schema)
    if (problem !== undefined) return `invalid schema for response_format '${wanted.format.name}': ${problem}`
  }
  if (!Array.isArray(input)) return undefined
  for (const [index, item] of input.entries()) {
    const problem = wrongItem(item)
    if (problem !== undefined) return `input[${index}]: ${problem}`
  }
  const lost = store === false && input.find((item) => item['type'] === 'reasoning' && !item['encrypted_content'])
  if (lost)
    return `Item with id '${asText(lost['id'])}' not found. Items are not persisted when \`store\` is set to false.`
  const isReference = (item: Item): boolean => item['type'] === 'item_reference'
  const unknown = input.find((item) => isReference(item) && !stored.has(String(item['id'])))
  if (unknown) return `Item with id '${String(unknown['id'])}' not found.`
  const whole = input.map((item) => (isReference(item) ? (stored.get(String(item['id'])) ?? item) : item))
  return unpaired(whole, previous_response_id != null, issued)
}

function wrongTool(tool: Item): string | undefined {
  if (tool['type'] !== 'function') return undefined
  const wrong = wrongShape(functionTool, tool)
  if (wrong !== undefined) return wrong
  const problem = tool['strict'] === true ? wrongStrictSchema(tool['parameters'] ?? {}) : undefined
  return problem && `invalid schema for function '${String(tool['name'])}': ${problem}`
}

function wrongItem(item: Item): string | undefined {
  const { type = 'message', role } = item
  if (type === 'message') return wrongShape(role === 'assistant' ? outputMessage : inputMessage, item)
  const schema = Object.hasOwn(ITEMS, String(type)) ? ITEMS[String(type)] : undefined
  if (schema) return wrongShape(schema, item)
  return HOSTED.test(String(type)) ? undefined : `invalid value: '${String(type)}'`
}

const CALLS = new Set<unknown>(['function_call', 'custom_tool_call'])
const OUTPUTS = new Set<unknown>(['function_call_output', 'custom_tool_call_output'])

/** Whole, or stored there. */
const REASONING = new Set<unknown>(['reasoning', 'item_reference'])

function unpaired(input: Item[], isContinued: boolean, issued: ReadonlyMap<string, string>): string | undefined {
  const idsOf = (types: ReadonlySet<unknown>): unknown[] =>
    input.filter(({ type }) => types.has(type)).map((item) => item['call_id'])
  const called = idsOf(CALLS)
  const answered = idsOf(OUTPUTS)
  const stray = isContinued ? undefined : answered.find((id) => !called.includes(id))
  if (stray !== undefined) return `No tool call found for function call output with call_id ${asText(stray)}.`
  const open = called.find((id) => !answered.includes(id))
  if (open !== undefined) return `No tool output found for function call ${asText(open)}.`
  const reasoning = new Set(input.filter(({ type }) => REASONING.has(type)).map((item) => item['id']))
  for (const [index, item] of input.entries()) {
    const name = `Item '${String(item['id'])}' of type '${String(item['type'])}' was provided without its required`
    if (item['type'] === 'reasoning' && !isFollowed(input[index + 1])) return `${name} following item.`
    const needed = issued.get(String(item['id']))
    if (needed !== undefined && !reasoning.has(needed)) return `${name} 'reasoning' item: '${needed}'.`
  }
  return undefined
}

/** By a message of the assistant, a call, or another item of its turn. */
function isFollowed(next: unknown): boolean {
  if (!isRecord(next)) return false
  return next['role'] === 'assistant' || (next['type'] !== undefined && next['type'] !== 'message')
}
