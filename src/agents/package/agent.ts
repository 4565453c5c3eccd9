// An agent package as an agent: Create hook → prompts → model ↔ tools → Next hook.
import { modelParameters } from '../../connectors/model-parameters.js'
import { AgentError } from '../../errors.js'
import type { Agent, AgentContext, AgentOptions, AgentReply, AgentRequest, TraceStep } from '../../model/agent.js'
import type { Connector } from '../../model/connector.js'
import type { Message } from '../../model/message.js'
import { defined } from '../../util/defined.js'
import { isRecord } from '../../util/record.js'
import { connectorId, knownConnectorId } from './connector-id.js'
import { delegateTo } from './delegate.js'
import { adjustContext, callHook, type CreateReturn, type NextReturn, parseCreate, parseNext } from './hooks.js'
import { messagesFor, translate } from './locales.js'
import { contextVariables, fillVariables } from './prompt-variables.js'
import { choosePrompts } from './prompts.js'
import { nextPayload, replyOf } from './reply.js'
import { createLoopRecord, type LoopRecord, runToolLoop } from './tool-loop.js'
import { openToolbox, type ToolboxParts } from './toolbox.js'
import { formatToolName } from './tool-names.js'
import type { AgentPackage, Prompt } from './types.js'

export interface PackageParts extends ToolboxParts {
  connectors: { get(id: string, from?: { agentDir?: string }): Promise<Connector> }
  agent(id: string): Promise<Agent>
  env: Record<string, string | undefined>
  clock(): Date
}

export async function createPackageAgent(pkg: AgentPackage, parts: PackageParts): Promise<Agent> {
  const messages = messagesFor('', pkg.locales)
  const connector = knownConnectorId(pkg, parts.env)
  const tools = await knownTools(pkg)
  return {
    id: pkg.id,
    path: pkg.dir,
    ...defined({
      description: pkg.description === undefined ? translate(pkg.name, messages) : translate(pkg.description, messages),
      connector,
      tools: tools.length > 0 ? tools : undefined,
    }),
    send: (request) => send(pkg, parts, request),
  }
}

async function send(pkg: AgentPackage, parts: PackageParts, request: AgentRequest): Promise<AgentReply> {
  const start = performance.now()
  const trace: TraceStep[] = []
  const given = ownContext(pkg, request)
  const create = pkg.hooks?.create
    ? parseCreate(await runHook(pkg, parts, request, given, 'Create', request.messages, trace))
    : null
  const context = adjustContext(given, create)
  const messages = create?.messages ?? request.messages
  if (create?.delegate) return delegateTo({ parts, request, context, delegate: create.delegate, messages, trace })

  const record = createLoopRecord()
  const before = performance.now() - start
  const sent = await buildMessages(pkg, parts, request.options, create, context, messages)
  const failure = await askModel({ pkg, parts, request, create, context, sent }, record)
  trace.push(...record.trace)
  if (failure !== undefined && (!pkg.hooks?.next || request.signal.aborted)) throw failure

  const next = pkg.hooks?.next
    ? parseNext(await runHook(pkg, parts, request, context, 'Next', nextPayload(sent.messages, record, failure), trace))
    : null
  if (failure !== undefined && next?.data === undefined && !next?.delegate) throw failure
  const reply = replyOf({ record, trace, next, waitedMs: before })
  if (!next?.delegate) return reply
  return delegateTo({
    parts,
    request,
    context: adjustMetadata(context, next),
    delegate: next.delegate,
    messages,
    trace,
    before: reply,
  })
}

/** The context with this agent's id, and the case's metadata where hooks and prompts look for it. */
function ownContext(pkg: AgentPackage, { context, options }: AgentRequest): AgentContext {
  const metadata = isRecord(options.metadata) ? { ...context.metadata, ...options.metadata } : context.metadata
  return { ...context, assistant_id: pkg.id, metadata }
}

function adjustMetadata(context: AgentContext, { metadata }: NextReturn): AgentContext {
  return metadata ? { ...context, metadata: { ...context.metadata, ...metadata } } : context
}

async function runHook(
  pkg: AgentPackage,
  parts: PackageParts,
  request: AgentRequest,
  context: AgentContext,
  name: 'Create' | 'Next',
  subject: unknown,
  trace: TraceStep[],
): Promise<unknown> {
  if (!pkg.hooks) return null
  const start = performance.now()
  const step: TraceStep = { kind: 'hook', name }
  trace.push(step)
  try {
    return await callHook({
      scripts: parts.scripts,
      hooks: pkg.hooks,
      dir: pkg.dir,
      name,
      context,
      subject,
      options: request.options,
      signal: request.signal,
    })
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause)
    step.error = message
    if (request.signal.aborted) throw cause
    throw new AgentError({ code: 'failed', message: `the ${name} hook of ${pkg.id} failed: ${message}`, cause })
  } finally {
    step.duration_ms = performance.now() - start
  }
}

interface Sent {
  messages: Message[]
  /** Prompts of the agent's own, not counting the application's. */
  hasPrompts: boolean
}

async function buildMessages(
  pkg: AgentPackage,
  parts: PackageParts,
  options: AgentOptions,
  create: CreateReturn | null,
  context: AgentContext,
  messages: Message[],
): Promise<Sent> {
  const preset =
    create?.prompt_preset ?? (typeof options['prompt_preset'] === 'string' ? options['prompt_preset'] : undefined)
  const withoutGlobal = create?.disable_global_prompts ?? options.disable_global_prompts ?? pkg.disableGlobalPrompts
  const choice = { withoutGlobal, ...defined({ preset, mode: options.mode }) }
  const prompts = choosePrompts(pkg, choice)
  const hasPrompts = choosePrompts(pkg, { ...choice, withoutGlobal: true }).length > 0
  if (prompts.length === 0) return { messages, hasPrompts }
  const variables = {
    now: parts.clock(),
    env: parts.env,
    context: contextVariables(context),
    metadata: context.metadata,
    messages: messagesFor(context.locale, pkg.locales),
  }
  const filled = prompts.map((prompt: Prompt): Message => ({
    ...prompt,
    content: fillVariables(prompt.content, variables),
  }))
  return { messages: [...filled, ...messages], hasPrompts }
}

interface ModelCall {
  pkg: AgentPackage
  parts: PackageParts
  request: AgentRequest
  create: CreateReturn | null
  context: AgentContext
  sent: Sent
}

/** Fills the record; returns what went wrong, for the Next hook to see. */
async function askModel(call: ModelCall, record: LoopRecord): Promise<unknown> {
  const { pkg, parts, request, create, context, sent } = call
  const servers = create?.mcp_servers ?? pkg.servers
  // With neither prompts nor tools there is nothing to ask a model: the hooks are the agent.
  if (!sent.hasPrompts && servers.length === 0 && (pkg.hooks || !hasConnector(call))) return undefined
  try {
    const connector = await parts.connectors.get(chosenConnector(call), { agentDir: pkg.dir })
    const toolbox = await openToolbox(parts, {
      pkg,
      servers,
      replacements: request.tools ?? {},
      context,
      signal: request.signal,
    })
    const completion = {
      messages: sent.messages,
      options: { ...pkg.options, ...ownParameters(request.options), ...create?.model },
      conversation: `${context.chat_id}:${pkg.id}`,
      metadata: context.metadata,
      signal: request.signal,
      ...defined({ deadline: request.deadline, onChunk: request.onChunk }),
    }
    await runToolLoop({ connector, request: completion, toolbox, loop: pkg.toolLoop, maxTurn: pkg.maxTurn }, record)
    return undefined
  } catch (error) {
    return error
  }
}

function ownParameters(options: AgentOptions): Record<string, unknown> {
  const { prompt_preset: _preset, ...rest } = modelParameters(options)
  return rest
}

function hasConnector({ pkg, request, create }: ModelCall): boolean {
  return (request.options.connector ?? create?.connector ?? pkg.connector) !== undefined
}

function chosenConnector({ pkg, parts, request, create }: ModelCall): string {
  const chosen = request.options.connector ?? create?.connector
  if (chosen !== undefined) return chosen
  if (pkg.connector !== undefined) return connectorId(pkg, parts.env)
  throw new AgentError({
    code: 'config',
    message: `the agent ${pkg.id} has no connector`,
    hint: 'set "connector" in its package.yao, or give one with -c',
  })
}

/** Names that are known without starting a server. */
async function knownTools(pkg: AgentPackage): Promise<string[]> {
  const names: string[] = []
  for (const ref of pkg.servers) {
    const server = await pkg.findServer(ref.server_id)
    const tools = ref.tools ?? (server?.transport === 'process' ? server.tools.map((tool) => tool.name) : [])
    names.push(...tools.map((tool) => formatToolName(ref.server_id, tool)))
  }
  return names
}
