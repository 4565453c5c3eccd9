// What OpenAI's chat completions endpoint refuses, after the types of the `openai` package and its documentation.
import * as v from 'valibot'
import { isRecord } from '../../../../src/base/record.js'
import type { ScriptedAnswer } from '../behaviour.js'
import { maybe, named, object, text, wrongShape } from './shape.js'
import { wrongStrictSchema } from './strict-tool.js'

const textPart = v.strictObject({ type: v.literal('text'), text: v.string() })
const refusalPart = v.strictObject({ type: v.literal('refusal'), refusal: v.string() })
const userPart = v.variant('type', [
  textPart,
  v.strictObject({
    type: v.literal('image_url'),
    image_url: v.strictObject({ url: text, detail: v.optional(v.picklist(['auto', 'low', 'high', 'original'])) }),
  }),
  v.strictObject({
    type: v.literal('input_audio'),
    input_audio: v.strictObject({ data: text, format: v.picklist(['wav', 'mp3']) }),
  }),
  v.strictObject({
    type: v.literal('file'),
    file: v.strictObject({
      file_data: v.optional(v.string()),
      file_id: v.optional(v.string()),
      filename: v.optional(v.string()),
    }),
  }),
])
const content = <Part extends v.GenericSchema>(part: Part) =>
  v.union([v.string(), v.pipe(v.array(part), v.minLength(1))])

/** The ids are ours, or another vendor's: at most 40 characters, as the endpoint has it. */
const callId = v.pipe(v.string(), v.minLength(1), v.maxLength(40))
const functionName = named(/^[a-zA-Z0-9_-]{1,64}$/)
const call = v.strictObject({
  id: callId,
  type: v.literal('function'),
  function: v.strictObject({ name: functionName, arguments: v.string() }),
})

const message = v.variant('role', [
  v.strictObject({ role: v.literal('system'), content: content(textPart), name: v.optional(text) }),
  v.strictObject({ role: v.literal('developer'), content: content(textPart), name: v.optional(text) }),
  v.strictObject({ role: v.literal('user'), content: content(userPart), name: v.optional(text) }),
  v.strictObject({
    role: v.literal('assistant'),
    content: maybe(content(v.variant('type', [textPart, refusalPart]))),
    name: v.optional(text),
    refusal: maybe(v.string()),
    audio: maybe(object),
    // DeepSeek's: only where it has sent one.
    reasoning_content: v.optional(v.string()),
    tool_calls: v.optional(v.pipe(v.array(call), v.minLength(1))),
  }),
  v.strictObject({
    role: v.literal('tool'),
    content: content(textPart),
    tool_call_id: callId,
    // Beyond the documentation, but not refused.
    name: v.optional(text),
  }),
])

const request = v.strictObject({
  model: text,
  messages: v.pipe(v.array(message), v.minLength(1)),
  tools: v.optional(
    v.pipe(
      v.array(
        v.strictObject({
          type: v.literal('function'),
          function: v.strictObject({
            name: functionName,
            description: v.optional(v.string()),
            parameters: v.optional(object),
            strict: maybe(v.boolean()),
          }),
        }),
      ),
      v.minLength(1),
    ),
  ),
  tool_choice: v.optional(
    v.union([
      v.picklist(['none', 'auto', 'required']),
      v.strictObject({ type: v.literal('function'), function: v.strictObject({ name: functionName }) }),
    ]),
  ),
  parallel_tool_calls: v.optional(v.boolean()),
  response_format: v.optional(
    v.variant('type', [
      v.strictObject({ type: v.literal('text') }),
      v.strictObject({ type: v.literal('json_object') }),
      v.strictObject({
        type: v.literal('json_schema'),
        json_schema: v.strictObject({
          name: functionName,
          description: v.optional(v.string()),
          schema: v.optional(object),
          strict: maybe(v.boolean()),
        }),
      }),
    ]),
  ),
  temperature: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(2))),
  top_p: maybe(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  n: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  max_tokens: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  max_completion_tokens: maybe(v.pipe(v.number(), v.integer(), v.minValue(1))),
  presence_penalty: maybe(v.number()),
  frequency_penalty: maybe(v.number()),
  seed: maybe(v.pipe(v.number(), v.integer())),
  stop: maybe(v.union([v.string(), v.pipe(v.array(v.string()), v.maxLength(4))])),
  stream: maybe(v.boolean()),
  stream_options: maybe(
    v.strictObject({ include_usage: v.optional(v.boolean()), include_obfuscation: v.optional(v.boolean()) }),
  ),
  user: v.optional(v.string()),
  store: maybe(v.boolean()),
  metadata: maybe(v.record(v.string(), v.string())),
  logprobs: maybe(v.boolean()),
  top_logprobs: maybe(v.number()),
  logit_bias: maybe(v.record(v.string(), v.number())),
  reasoning_effort: maybe(v.picklist(['none', 'minimal', 'low', 'medium', 'high', 'xhigh'])),
  verbosity: maybe(v.picklist(['low', 'medium', 'high'])),
  service_tier: maybe(v.string()),
  modalities: maybe(v.array(v.picklist(['text', 'audio']))),
  prediction: maybe(object),
  prompt_cache_key: maybe(v.string()),
  safety_identifier: maybe(v.string()),
  web_search_options: v.optional(object),
})

/** Undefined if the request is fine. `issued`: what was answered before. */
export function refusalOf(body: unknown, issued: readonly ScriptedAnswer[] = []): string | undefined {
  const wrong = wrongShape(request, body)
  if (wrong !== undefined) return wrong
  const asked = body as v.InferOutput<typeof request>
  return wrongTogether(asked) ?? unpaired(asked.messages) ?? wrongThoughts(asked.messages, issued)
}

/** As DeepSeek has it: until the user speaks again, the thoughts that led to a call come with it. */
function wrongThoughts(messages: Messages, issued: readonly ScriptedAnswer[]): string | undefined {
  const asked = messages.findLastIndex(({ role }) => role === 'user')
  for (const [index, each] of messages.entries()) {
    if (each.role !== 'assistant') continue
    const ids = (each.tool_calls ?? []).map(({ id }) => id)
    const from = issued.findLast(({ calls = [] }) => calls.length > 0 && calls.every(({ id }) => ids.includes(id)))
    const said = issued.some(({ thought }) => thought === each.reasoning_content)
    if (each.reasoning_content !== undefined && !said)
      return `unknown parameter: 'messages[${index}].reasoning_content'`
    if (from?.thought !== undefined && index > asked && each.reasoning_content === undefined)
      return `Missing \`reasoning_content\` field in the assistant message at message index ${index}.`
  }
  return undefined
}

function wrongTogether(asked: v.InferOutput<typeof request>): string | undefined {
  const { tools, tool_choice, parallel_tool_calls, stream, stream_options, response_format, messages } = asked
  if (tools === undefined && tool_choice !== undefined && tool_choice !== 'none')
    return "invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified"
  if (tools === undefined && parallel_tool_calls !== undefined)
    return "invalid value for 'parallel_tool_calls': 'parallel_tool_calls' is only allowed when 'tools' are specified"
  if (isRecord(tool_choice) && !tools?.some((tool) => tool.function.name === tool_choice.function.name))
    return `invalid value for 'tool_choice': no such tool ${tool_choice.function.name}`
  if (stream_options && stream !== true)
    return "the 'stream_options' parameter is only allowed when 'stream' is enabled"
  for (const { function: tool } of tools ?? []) {
    const wrong = tool.strict === true ? wrongStrictSchema(tool.parameters ?? {}) : undefined
    if (wrong !== undefined) return `invalid schema for function '${tool.name}': ${wrong}`
  }
  if (response_format?.type === 'json_schema' && response_format.json_schema.strict === true) {
    const wrong = wrongStrictSchema(response_format.json_schema.schema ?? {})
    if (wrong !== undefined) return `invalid schema for response_format '${response_format.json_schema.name}': ${wrong}`
  }
  if (response_format?.type === 'json_object' && !/json/i.test(JSON.stringify(messages)))
    return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'"
  return undefined
}

type Messages = v.InferOutput<typeof request>['messages']

/** Every call is answered right after it, and nothing else is. */
function unpaired(messages: Messages): string | undefined {
  let open: string[] = []
  for (const [index, each] of messages.entries()) {
    if (each.role === 'tool') {
      if (!open.includes(each.tool_call_id))
        return `messages[${index}]: 'tool' must follow a message with 'tool_calls' that has its id`
      open = open.filter((id) => id !== each.tool_call_id)
      continue
    }
    if (open.length > 0) return unanswered(open)
    if (each.role !== 'assistant') continue
    if (each.tool_calls === undefined && (each.content ?? undefined) === undefined && !each.refusal)
      return `invalid value for 'content' of messages[${index}]: expected a string, got null`
    open = (each.tool_calls ?? []).map(({ id }) => id)
    if (new Set(open).size < open.length) return `messages[${index}].tool_calls: duplicate ids`
  }
  return open.length > 0 ? unanswered(open) : undefined
}

function unanswered(open: string[]): string {
  return `'tool_calls' must be followed by a tool message for each id; missing: ${open.join(', ')}`
}
