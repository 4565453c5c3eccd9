// The hooks of an agent, `Create` and `Next`: calling them and reading what they return.
import { AgentError } from '../../errors.js'
import type { AgentContext, AgentOptions } from '../../model/agent.js'
import type { Message } from '../../model/message.js'
import type { ModelCall } from '../../model/model-call.js'
import { scriptRole, type ScriptCall, type ScriptRuntime } from '../../model/script.js'
import { defined } from '../../base/defined.js'
import { isPresent, isRecord, readNonEmpty } from '../../base/record.js'
import { nearMisses } from '../../base/suggest.js'
import { describe } from './load/describe.js'
import { isForgone, needsOf } from './needs.js'
import { parseServerRef, type ServerRef } from './tools/tool-server.js'
import type { HookFile } from './types.js'

export interface Delegate {
  agent_id: string
  messages?: Message[]
  options?: AgentOptions
}

export interface CreateReturn {
  messages?: Message[]
  connector?: string
  prompt_preset?: string
  disable_global_prompts?: boolean
  mcp_servers?: ServerRef[]
  metadata?: Record<string, unknown>
  locale?: string
  theme?: string
  route?: string
  delegate?: Delegate
  /** temperature, max_tokens, … */
  model: Record<string, unknown>
}

export interface NextReturn {
  data?: unknown
  delegate?: Delegate
  metadata?: Record<string, unknown>
}

export interface NextPayload {
  messages: Message[]
  completion: { content: unknown; tool_calls?: unknown[]; usage?: unknown } | null
  tools: ToolResponse[]
  error?: string
}

/** A tool's result as the Next hook sees it. */
export interface ToolResponse {
  toolcall_id: string
  server: string
  tool: string
  arguments: unknown
  result?: unknown
  error?: string
}

export interface HookCall {
  scripts: ScriptRuntime
  hooks: HookFile
  dir: string
  name: 'Create' | 'Next'
  context: AgentContext
  /** The second argument: messages, or the payload. */
  subject: unknown
  options: AgentOptions
  origin: ModelCall
  signal: AbortSignal
  onLog: (line: string) => void
  onSpent: NonNullable<ScriptCall['onSpent']>
  /** What the hook sends to the user itself. */
  onSend: (message: unknown) => void
}

const MODEL_FIELDS = [
  'temperature',
  'max_tokens',
  'max_completion_tokens',
  'top_p',
  'stop',
  'seed',
  'response_format',
  'tool_choice',
  'audio',
]

/** Fields that would make it a different agent, and that are not implemented. */
const NOT_BUILT = ['uses', 'force_uses', 'search', 'sandbox']

const CREATE_FIELDS = [
  'messages',
  'connector',
  'prompt_preset',
  'disable_global_prompts',
  'mcp_servers',
  'metadata',
  'locale',
  'theme',
  'route',
  'delegate',
]
const NEXT_FIELDS = ['data', 'delegate', 'metadata']

export function callHook(call: HookCall): Promise<unknown> {
  return call.scripts.call({
    ref: { file: call.hooks.file, name: call.name },
    role: scriptRole(call.origin),
    args: [call.context, call.subject, call.options],
    context_args: [0],
    agent_dir: call.dir,
    origin: call.origin,
    signal: call.signal,
    onLog: call.onLog,
    onSend: call.onSend,
    onSpent: call.onSpent,
  })
}

/** `testing.without`, and who hears of what was gone without. */
export interface Without {
  without?: readonly string[]
  onWithout?(feature: string): void
}

/** Returning nothing changes nothing. */
export function parseCreate(returned: unknown, { without = [], onWithout }: Without = {}): CreateReturn | null {
  const given = requireObject('Create', returned)
  if (!given) return null
  for (const need of needsOf(given, NOT_BUILT)) {
    if (!isForgone(need, without))
      throw badReturn(
        'Create',
        `returned "${need.path.join('.')}", which is not supported; testing.without of the configuration can leave it out`,
      )
    onWithout?.(need.feature)
  }
  refuseNearMisses('Create', given, [...MODEL_FIELDS, ...CREATE_FIELDS])
  const messages = readMessages(given['messages'], 'Create')
  const model = Object.fromEntries(
    MODEL_FIELDS.flatMap((name) => (isPresent(given[name]) ? [[name, given[name]]] : [])),
  )
  return {
    model,
    ...defined({
      messages: messages && messages.length > 0 ? messages : undefined,
      connector: readNonEmpty(given['connector']),
      prompt_preset: readNonEmpty(given['prompt_preset']),
      disable_global_prompts:
        typeof given['disable_global_prompts'] === 'boolean' ? given['disable_global_prompts'] : undefined,
      mcp_servers: readServers(given['mcp_servers']),
      metadata: isRecord(given['metadata']) ? given['metadata'] : undefined,
      locale: readNonEmpty(given['locale']),
      theme: readNonEmpty(given['theme']),
      route: readNonEmpty(given['route']),
      delegate: readDelegate(given['delegate'], 'Create'),
    }),
  }
}

export function parseNext(returned: unknown): NextReturn | null {
  const given = requireObject('Next', returned)
  if (!given) return null
  refuseNearMisses('Next', given, NEXT_FIELDS)
  // Otherwise the model's own answer would be tested instead of what the hook made of it.
  if (Object.keys(given).length > 0 && !NEXT_FIELDS.some((name) => name in given))
    throw badReturn(
      'Next',
      `returned ${Object.keys(given).join(', ')}, but no data, delegate or metadata; put the answer into data`,
    )
  return defined({
    data: given['data'] ?? undefined,
    delegate: readDelegate(given['delegate'], 'Next'),
    metadata: isRecord(given['metadata']) ? given['metadata'] : undefined,
  })
}

/** The context the rest of the call sees: locale, theme and route if given, metadata merged. */
export function adjustContext(context: AgentContext, create: CreateReturn | null): AgentContext {
  if (!create) return context
  const { locale, theme, route, metadata } = create
  return { ...context, ...defined({ locale, theme, route }), metadata: { ...context.metadata, ...metadata } }
}

/** Other fields are the hook's own affair. */
function refuseNearMisses(hook: string, given: Record<string, unknown>, known: string[]): void {
  const [miss] = nearMisses(given, known)
  if (miss) throw badReturn(hook, `returned "${miss.key}" – did you mean "${miss.suggestion}"?`)
}

function requireObject(hook: string, returned: unknown): Record<string, unknown> | undefined {
  if (returned === null || returned === undefined) return undefined
  if (isRecord(returned)) return returned
  throw badReturn(hook, `returned ${describe(returned)}; expected an object or null`)
}

function readMessages(value: unknown, hook: string): Message[] | undefined {
  if (!isPresent(value)) return undefined
  const isList = Array.isArray(value) && value.every((item) => isRecord(item) && typeof item['role'] === 'string')
  if (isList) return value as Message[]
  throw badReturn(hook, `returned messages that are not a list of {role, content}: ${describe(value)}`)
}

function readServers(value: unknown): ServerRef[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined
  return value.map((item: unknown) => {
    const ref = parseServerRef(item)
    if (ref) return ref
    throw badReturn(
      'Create',
      `returned an entry of mcp_servers that is ${describe(item)}; expected {server_id, tools?}`,
    )
  })
}

function readDelegate(value: unknown, hook: string): Delegate | undefined {
  if (!isPresent(value)) return undefined
  const agent_id = isRecord(value) ? readNonEmpty(value['agent_id']) : undefined
  if (!isRecord(value) || agent_id === undefined) throw badReturn(hook, 'returned a delegate without agent_id')
  const messages = readMessages(value['messages'], hook)
  return {
    agent_id,
    ...defined({ messages, options: isRecord(value['options']) ? (value['options'] as AgentOptions) : undefined }),
  }
}

function badReturn(hook: string, what: string): AgentError {
  return new AgentError({ code: 'failed', message: `the ${hook} hook ${what}` })
}
