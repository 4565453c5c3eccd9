// `Process(name, …args)` as scripts, hooks and process tools call it: agents and script functions; anything else is a helpful error.
import { defined } from '../base/defined.js'
import { isRecord } from '../base/record.js'
import { AgentError } from '../errors.js'
import type { Agent, AgentContext, AgentOptions, AgentReply } from '../model/agent.js'
import type { Message } from '../model/message.js'
import { agentOfProcess } from './agent-process.js'
import { hasPaid } from './package/reply.js'
import { callOf, isTested, type ModelCall } from '../model/model-call.js'
import { scriptRole, type ScriptCall, type ScriptRuntime } from '../model/script.js'

export interface ProcessDeps {
  appRoot: string
  agent(id: string): Promise<Agent>
  /** `ctx.mcp.*`: the tool servers of the agent whose context comes first. */
  callServer(name: string, args: unknown[]): Promise<unknown>
  scripts: ScriptRuntime
  /** On whose behalf the script runs. */
  origin?: ModelCall
  /** What each agent that is called has used. */
  onSpent?: ScriptCall['onSpent']
  /** `-c`: for every agent except helpers, which have their own. */
  connector?: string
}

export async function callProcess(
  name: string,
  args: unknown[],
  signal: AbortSignal,
  deps: ProcessDeps,
): Promise<unknown> {
  const agent = agentOfProcess(name, deps.appRoot)
  if (agent !== undefined) return streamAgent(agent, args, signal, deps)
  if (/^agent\.call$/i.test(name)) return agentCall(args[0], args[1], signal, deps)
  if (name.startsWith('ctx.mcp.')) return deps.callServer(name, args)
  if (name.startsWith('scripts.') || name.startsWith('agents.'))
    return deps.scripts.call({
      ref: name,
      role: scriptRole(deps.origin),
      args,
      signal,
      ...defined({ origin: deps.origin, onSpent: deps.onSpent }),
    })
  throw new Error(
    `process "${name}" is not part of Viva (only agents.* and scripts.* are); in a test, give it an answer: t.mock("${name}", (...args) => …)`,
  )
}

async function streamAgent(id: string, args: unknown[], signal: AbortSignal, deps: ProcessDeps): Promise<unknown> {
  const [context, messages, options] = args
  return responseOf(await send(id, context, messages, options, signal, deps))
}

/** `agent.Call({agent|assistant_id, messages|input, options, ctx})`. */
async function agentCall(request: unknown, context: unknown, signal: AbortSignal, deps: ProcessDeps): Promise<unknown> {
  const given = asRecord(request)
  const id = given['agent'] ?? given['agent_id'] ?? given['assistant_id'] ?? given['assistant']
  if (typeof id !== 'string') throw new Error('agent.Call: expected {agent: "id", messages: […]}, found no agent id')
  const messages = given['messages'] ?? given['input']
  const reply = await send(id, given['ctx'] ?? given['context'] ?? context, messages, given['options'], signal, deps)
  // A failing call throws; `error` is there for scripts that look at it.
  return { ...responseOf(reply), agent_id: id, content: reply.content ?? '', error: '' }
}

async function send(
  id: string,
  context: unknown,
  messages: unknown,
  options: unknown,
  signal: AbortSignal,
  deps: ProcessDeps,
): Promise<AgentReply> {
  const agent = await deps.agent(id.replace(/^agents\./, ''))
  const call = callOf(agent.id, deps.origin ?? { lane: 'agent', role: agent.id })
  const given = asRecord(options) as AgentOptions
  const asked = agent.send({
    messages: toMessages(messages),
    context: toContext(context, agent.id),
    options: deps.connector !== undefined && isTested(call) ? { ...given, connector: deps.connector } : given,
    call,
    signal,
  })
  const reply = await asked.catch((error: unknown) => {
    if (error instanceof AgentError && isRecord(error.partial) && hasPaid(error.partial)) deps.onSpent?.(error.partial)
    throw error
  })
  if (hasPaid(reply)) deps.onSpent?.(reply)
  return reply
}

/** What a script sees: plain data, with the content where the seeds read it. */
function responseOf(reply: AgentReply): Record<string, unknown> {
  const { raw: _raw, trace: _trace, messages: _messages, ...rest } = reply
  return { ...rest, completion: { role: 'assistant', content: reply.content, tool_calls: reply.tool_calls } }
}

function toMessages(value: unknown): Message[] {
  if (typeof value === 'string') return [{ role: 'user', content: value }]
  if (Array.isArray(value)) return value as Message[]
  if (typeof value === 'object' && value !== null) return [{ role: 'user', ...value } as Message]
  throw new Error(
    `expected messages (text, a message or a list of messages), found ${value === null ? 'null' : typeof value}`,
  )
}

function toContext(value: unknown, assistantId: string): AgentContext {
  const given = asRecord(value) as Partial<AgentContext>
  return {
    chat_id: given.chat_id ?? `script-${assistantId}`,
    assistant_id: assistantId,
    locale: given.locale ?? 'en-us',
    referer: given.referer ?? 'test',
    accept: given.accept ?? 'standard',
    client: given.client ?? { type: 'test', ip: '127.0.0.1' },
    metadata: given.metadata ?? {},
    authorized: given.authorized ?? { user_id: 'test-user', team_id: 'test-team' },
  }
}

function asRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {}
}
