// What Anthropic's messages endpoint refuses, after the types of `@anthropic-ai/sdk` and its documentation.
import * as v from 'valibot'
import { isRecord } from '../../../../src/base/record.js'
import { asText } from '../../../../src/base/text.js'
import { maybe, named, object, text, wrongShape } from './shape.js'

const cache = maybe(v.looseObject({ type: v.literal('ephemeral') }))
const textBlock = v.strictObject({
  type: v.literal('text'),
  text: v.pipe(v.string(), v.regex(/\S/, 'text content blocks must contain non-whitespace text')),
  citations: maybe(v.array(v.unknown())),
  cache_control: cache,
})
const source = v.variant('type', [
  v.strictObject({ type: v.literal('base64'), media_type: text, data: text }),
  v.strictObject({ type: v.literal('url'), url: text }),
  v.strictObject({ type: v.literal('text'), media_type: v.literal('text/plain'), data: v.string() }),
  v.strictObject({ type: v.literal('content'), content: v.unknown() }),
  v.strictObject({ type: v.literal('file'), file_id: text }),
])
const image = v.strictObject({ type: v.literal('image'), source, cache_control: cache })
const document = v.strictObject({
  type: v.literal('document'),
  source,
  title: maybe(v.string()),
  context: maybe(v.string()),
  citations: v.optional(object),
  cache_control: cache,
})
const toolId = named(/^[a-zA-Z0-9_-]+$/)
const toolUse = v.strictObject({
  type: v.literal('tool_use'),
  id: toolId,
  name: named(/^[a-zA-Z0-9_-]{1,200}$/),
  input: object,
  caller: v.optional(object),
  cache_control: cache,
})
const toolResult = v.strictObject({
  type: v.literal('tool_result'),
  tool_use_id: toolId,
  content: v.optional(
    v.union([
      v.string(),
      v.array(
        v.variant('type', [
          textBlock,
          image,
          document,
          v.looseObject({ type: v.literal('search_result') }),
          v.looseObject({ type: v.literal('tool_reference') }),
        ]),
      ),
    ]),
  ),
  is_error: v.optional(v.boolean()),
  cache_control: cache,
})
const thinking = v.strictObject({ type: v.literal('thinking'), thinking: v.string(), signature: text })
const redacted = v.strictObject({ type: v.literal('redacted_thinking'), data: text })
/** Blocks of tools that Anthropic runs itself. */
const hosted = v.looseObject({ type: named(/^(?:server_tool_use|\w+_tool_result|container_upload|search_result)$/) })

const message = v.variant('role', [
  v.strictObject({
    role: v.literal('user'),
    content: v.union([
      v.string(),
      v.array(v.union([v.variant('type', [textBlock, image, document, toolResult]), hosted])),
    ]),
  }),
  v.strictObject({
    role: v.literal('assistant'),
    content: v.union([
      v.string(),
      v.array(v.union([v.variant('type', [textBlock, toolUse, thinking, redacted]), hosted])),
    ]),
  }),
])
const customTool = v.strictObject({
  type: maybe(v.literal('custom')),
  name: named(/^[a-zA-Z0-9_-]{1,128}$/),
  description: v.optional(v.string()),
  input_schema: v.looseObject({ type: v.literal('object') }),
  cache_control: cache,
  strict: v.optional(v.boolean()),
  eager_input_streaming: maybe(v.boolean()),
  defer_loading: v.optional(v.boolean()),
  allowed_callers: v.optional(v.array(v.string())),
  input_examples: v.optional(v.array(v.unknown())),
})
/** `bash_20250124` and its like. */
const hostedTool = v.looseObject({ type: named(/_\d{8}$/), name: text })
const parallel = { disable_parallel_tool_use: v.optional(v.boolean()) }

const request = v.strictObject({
  model: text,
  max_tokens: v.pipe(v.number(), v.integer(), v.minValue(1)),
  messages: v.pipe(v.array(message), v.minLength(1)),
  system: v.optional(v.union([v.string(), v.array(textBlock)])),
  tools: v.optional(v.array(v.union([customTool, hostedTool]))),
  tool_choice: v.optional(
    v.variant('type', [
      v.strictObject({ type: v.literal('auto'), ...parallel }),
      v.strictObject({ type: v.literal('any'), ...parallel }),
      v.strictObject({ type: v.literal('none') }),
      v.strictObject({ type: v.literal('tool'), name: text, ...parallel }),
    ]),
  ),
  temperature: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  top_p: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  top_k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0))),
  stop_sequences: v.optional(v.array(v.pipe(v.string(), v.regex(/\S/)))),
  stream: v.optional(v.boolean()),
  metadata: v.optional(v.strictObject({ user_id: maybe(v.string()) })),
  thinking: v.optional(
    v.variant('type', [
      v.strictObject({
        type: v.literal('enabled'),
        budget_tokens: v.pipe(v.number(), v.integer(), v.minValue(1024)),
        display: maybe(v.string()),
      }),
      v.strictObject({ type: v.literal('adaptive'), display: maybe(v.string()) }),
      v.strictObject({ type: v.literal('disabled') }),
    ]),
  ),
  service_tier: v.optional(v.string()),
  cache_control: cache,
  container: maybe(v.unknown()),
  output_config: v.optional(object),
  output_format: maybe(object),
  context_management: maybe(object),
  mcp_servers: v.optional(v.array(v.unknown())),
  speed: maybe(v.string()),
  inference_geo: maybe(v.string()),
  diagnostics: maybe(object),
})

type Asked = v.InferOutput<typeof request>
type Block = Record<string, unknown> & { type: string }
type Sign = (thought: string) => string

/** Undefined if the request is fine. `sign`: how the server signs a thought. */
export function refusalOf(body: unknown, sign?: Sign, headers: Record<string, unknown> = {}): string | undefined {
  const known = mayHaveSystem(headers) ? withoutSystem(body) : body
  const wrong = wrongShape(request, known)
  if (wrong !== undefined) return wrong
  const asked = known as Asked
  return wrongTogether(asked) ?? emptyMessage(asked) ?? unpaired(asked) ?? wrongThoughts(asked, sign)
}

/** Instructions between messages are a beta feature that must be named in a header. */
function mayHaveSystem(headers: Record<string, unknown>): boolean {
  return /per-turn-control|mid-conversation/.test(String(headers['anthropic-beta']))
}

function withoutSystem(body: unknown): unknown {
  if (!isRecord(body) || !Array.isArray(body['messages'])) return body
  return {
    ...body,
    messages: body['messages'].filter((each: unknown) => !(isRecord(each) && each['role'] === 'system')),
  }
}

function wrongTogether({ tools, tool_choice, thinking: thought, temperature, max_tokens }: Asked): string | undefined {
  const names = (tools ?? []).map(({ name }) => name)
  if (new Set(names).size < names.length) return 'tools: Tool names must be unique.'
  if (tools === undefined && tool_choice !== undefined && tool_choice.type !== 'none')
    return 'tool_choice: may only be specified while providing tools'
  if (tool_choice?.type === 'tool' && !names.includes(tool_choice.name))
    return `tool_choice: Tool '${tool_choice.name}' not found in provided tools`
  if (thought === undefined || thought.type === 'disabled') return undefined
  if (thought.type === 'enabled' && thought.budget_tokens >= max_tokens)
    return '`max_tokens` must be greater than `thinking.budget_tokens`'
  if (temperature !== undefined && temperature !== 1)
    return '`temperature` may only be set to 1 when thinking is enabled'
  if (tool_choice?.type === 'any' || tool_choice?.type === 'tool')
    return 'Thinking may not be enabled when tool_choice forces tool use.'
  return undefined
}

function emptyMessage({ messages }: Asked): string | undefined {
  for (const [index, { role, content }] of messages.entries()) {
    const isPrefill = index === messages.length - 1 && role === 'assistant'
    if (content.length === 0 && !isPrefill)
      return `messages.${index}: all messages must have non-empty content except for the optional final assistant message`
    if (isPrefill && /\s$/.test(lastText(content)))
      return 'messages: final assistant content cannot end with trailing whitespace'
  }
  return messages[0]?.role === 'assistant' ? 'messages: first message must use the "user" role' : undefined
}

function lastText(content: unknown): string {
  if (typeof content === 'string') return content
  const last = blocksOf(content).at(-1)
  return last?.type === 'text' ? String(last['text']) : ''
}

/** Results come in the message right after the calls, before any text. */
function unpaired({ messages }: Asked): string | undefined {
  const seen = new Set<unknown>()
  for (const [index, { content }] of messages.entries()) {
    const calls = callsIn(messages[index - 1]?.content)
    const blocks = blocksOf(content)
    const results = blocks.filter(({ type }) => type === 'tool_result').map((block) => block['tool_use_id'])
    const stray = results.find((id) => !calls.includes(id))
    if (stray !== undefined)
      return `messages.${index}: unexpected \`tool_use_id\` found in \`tool_result\` blocks: ${asText(stray)}. Each \`tool_result\` block must have a corresponding \`tool_use\` block in the previous message.`
    const missing = calls.filter((id) => !results.includes(id))
    if (missing.length > 0) return unanswered(index - 1, missing)
    if (new Set(results).size < results.length) return `messages.${index}: each tool_use must have a single result`
    const others = blocks.findIndex(({ type }) => type !== 'tool_result')
    if (others >= 0 && blocks.slice(others).some(({ type }) => type === 'tool_result'))
      return `messages.${index}: \`tool_result\` blocks must come first in the content`
    for (const id of callsIn(content)) {
      if (seen.has(id)) return `messages.${index}: \`tool_use\` ids must be unique`
      seen.add(id)
    }
  }
  const open = callsIn(messages.at(-1)?.content)
  return open.length > 0 ? unanswered(messages.length - 1, open) : undefined
}

function unanswered(index: number, ids: unknown[]): string {
  return `messages.${index}: \`tool_use\` ids were found without \`tool_result\` blocks immediately after: ${ids.join(', ')}. Each \`tool_use\` block must have a corresponding \`tool_result\` block in the next message.`
}

/** While tools are answered, the thoughts that led to the calls must come back as they were. */
function wrongThoughts({ messages, thinking: thought }: Asked, sign: Sign | undefined): string | undefined {
  const asked = messages.findLastIndex(
    ({ role, content }) => role === 'user' && !blocksOf(content).some(({ type }) => type === 'tool_result'),
  )
  for (const [index, { role, content }] of messages.entries()) {
    const blocks = blocksOf(content)
    const first = blocks[0]?.type ?? ''
    const isFirst = role === 'assistant' && index === asked + 1 && callsIn(content).length > 0
    if (thought?.type === 'enabled' && isFirst && !first.endsWith('thinking'))
      return `messages.${index}.content.0.type: Expected \`thinking\` or \`redacted_thinking\`, but found \`${first}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block.`
    const isForged = (block: Block): boolean =>
      block.type === 'thinking' && block['signature'] !== sign?.(String(block['thinking']))
    if (sign && blocks.some(isForged)) return `messages.${index}.content: Invalid \`signature\` in \`thinking\` block`
  }
  return undefined
}

function callsIn(content: unknown): unknown[] {
  return blocksOf(content)
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => id)
}

function blocksOf(content: unknown): Block[] {
  return Array.isArray(content) ? (content as Block[]) : []
}
