// An agent package as an agent: Create hook → prompts → model ↔ tools → Next hook.
import type { Agent, AgentContext, AgentReply, AgentRequest, ToolReplacements, TraceStep } from '../../model/agent.js'
import { defined } from '../../base/defined.js'
import { isRecord } from '../../base/record.js'
import { askModel, buildQuestion } from './ask-model.js'
import { createCall, type PackageParts } from './call.js'
import { knownConnectorId } from './connector-id.js'
import { delegateTo } from './delegate.js'
import { adjustContext, type NextReturn, parseCreate, parseNext } from './hooks.js'
import { gatheredBy, keepGathered } from './keep-gathered.js'
import { messagesFor, translate } from './locales.js'
import { nextPayload, replyOf } from './reply.js'
import { runHook } from './run-hook.js'
import { createLoopRecord } from './tools/tool-loop.js'
import { isScriptTool } from './tools/toolbox.js'
import { formatToolName } from './tools/tool-names.js'
import type { AgentPackage } from './types.js'
import { monotonicNow } from '../../time/clock.js'

export async function createPackageAgent(pkg: AgentPackage, parts: PackageParts): Promise<Agent> {
  const messages = messagesFor('', pkg.locales)
  const { tools, isComplete } = await knownTools(pkg)
  return {
    id: pkg.id,
    path: pkg.dir,
    workspaces: 'folder',
    givenTools: 'called',
    ...(pkg.servers.length === 0 && { offers: true }),
    reads: { scripts: await scriptsOf(pkg), ...defined({ connector: knownConnectorId(pkg, parts.env) }) },
    allTools: pkg.hooks ? 'never' : isComplete ? 'before' : 'called',
    ...defined({
      description: translate(pkg.description ?? pkg.name, messages),
      connector: knownConnectorId(pkg, parts.env),
      tools: tools.length > 0 ? tools : undefined,
    }),
    release: (chatId) => void parts.reasoning.delete(chatId),
    send: (request) => (request.tools ? sendReplaced(pkg, parts, request, request.tools) : send(pkg, parts, request)),
  }
}

async function sendReplaced(
  pkg: AgentPackage,
  parts: PackageParts,
  request: AgentRequest,
  tools: ToolReplacements,
): Promise<AgentReply> {
  const { chat_id } = request.context
  const before = parts.replacements.get(chat_id)
  parts.replacements.set(chat_id, tools)
  try {
    return await send(pkg, parts, request)
  } finally {
    // A delegate shares the chat: its end is not the end of the call that created it.
    if (before) parts.replacements.set(chat_id, before)
    else parts.replacements.delete(chat_id)
  }
}

async function send(pkg: AgentPackage, parts: PackageParts, request: AgentRequest): Promise<AgentReply> {
  const start = monotonicNow()
  const call = createCall(pkg, parts, request)
  const given = ownContext(pkg, request)
  const record = createLoopRecord(parts.reasoning.get(given.chat_id))
  const keep = (error: unknown): never => {
    throw keepGathered(error, gatheredBy(record, call))
  }
  const create = await runHook(call, 'Create', given, request.messages)
    .then((returned) => parseCreate(returned, parts))
    .catch(keep)
  const context = adjustContext(given, create)
  const messages = create?.messages ?? request.messages
  if (create?.delegate) return delegateTo({ call, context, delegate: create.delegate, messages })

  const waitedMs = monotonicNow() - start
  const question = buildQuestion(call, create, context, messages)
  const failure = await askModel(call, question, record)
  call.trace.push(...record.trace)
  // Without a number of the turn it is not a conversation.
  if (request.turn !== undefined && record.reasoning.length > 0) parts.reasoning.set(given.chat_id, record.reasoning)
  if (failure !== undefined && request.signal.aborted) keep(failure)

  const wasAsked = record.trace.length > 0
  const payload = nextPayload(wasAsked ? question.messages : messages, record, failure)
  const next = await runHook(call, 'Next', context, payload).then(parseNext).catch(keep)
  if (failure !== undefined && next?.data === undefined && !next?.delegate) keep(failure)
  if (next?.metadata) noteMetadata(call.trace, next.metadata)
  const reply = replyOf({ record, call, next, waitedMs })
  if (!next?.delegate) return reply
  return delegateTo({ call, context: adjustMetadata(context, next), delegate: next.delegate, messages, before: reply })
}

/** The context with this agent's id, and the case's metadata where hooks and prompts look for it. */
function ownContext(pkg: AgentPackage, { context, options }: AgentRequest): AgentContext {
  const metadata = isRecord(options.metadata) ? { ...context.metadata, ...options.metadata } : context.metadata
  return { ...context, assistant_id: pkg.id, metadata }
}

function adjustMetadata(context: AgentContext, { metadata }: NextReturn): AgentContext {
  return metadata ? { ...context, metadata: { ...context.metadata, ...metadata } } : context
}

/** What the Next hook says beside the answer, with its step. */
function noteMetadata(trace: TraceStep[], metadata: Record<string, unknown>): void {
  const step = trace.findLast(({ kind, name }) => kind === 'hook' && name === 'Next')
  if (step) step.detail = { ...(isRecord(step.detail) && step.detail), metadata }
}

/** Its hooks, and the scripts that are its tools. */
async function scriptsOf(pkg: AgentPackage): Promise<NonNullable<Agent['reads']>['scripts']> {
  const scripts: NonNullable<Agent['reads']>['scripts'] = []
  if (pkg.hooks) scripts.push({ ref: { file: pkg.hooks.file, name: 'Create' }, agent_dir: pkg.dir })
  for (const { server_id } of pkg.servers) {
    const server = await pkg.findServer(server_id)
    const tools = server?.transport === 'process' ? server.tools.filter((tool) => isScriptTool(tool, pkg.appRoot)) : []
    scripts.push(...tools.map(({ process }) => ({ ref: process, agent_dir: pkg.dir })))
  }
  return scripts
}

/** Names that are known without starting a server, and whether these are all. */
async function knownTools(pkg: AgentPackage): Promise<{ tools: string[]; isComplete: boolean }> {
  const names: string[] = []
  let isComplete = true
  for (const ref of pkg.servers) {
    const server = await pkg.findServer(ref.server_id)
    const tools = ref.tools ?? (server?.transport === 'process' ? server.tools.map((tool) => tool.name) : undefined)
    if (tools === undefined) isComplete = false
    names.push(...(tools ?? []).map((tool) => formatToolName(ref.server_id, tool)))
  }
  return { tools: names, isComplete }
}
