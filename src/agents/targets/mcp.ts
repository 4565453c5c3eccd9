// `mcp:command …`, `mcp:https://…`: an MCP server. A case calls one of its tools, and the result is the answer. The
// turns of a conversation share a session.
import { AgentError, UserError } from '../../errors.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { keySourceOf } from '../../connectors/endpoint-key.js'
import { defined } from '../../base/defined.js'
import { isRecord, readString } from '../../base/record.js'
import type { HttpClient } from '../../http/types.js'
import { describeEnd, type Exchange } from '../../mcp-client/exchange.js'
import { parseMcpTarget } from '../../mcp-client/parse-target.js'
import type { RemoteServer } from '../../mcp-client/server.js'
import { isOpen, openSession, type McpSession, type SessionOptions } from '../../mcp-client/session.js'
import type { Agent, AgentReply, AgentRequest, CallableTools } from '../../model/agent.js'
import type { CaseInput } from '../../model/case.js'
import type { AgentEntry } from '../../model/config.js'
import type { ToolSpec } from '../../model/tool-spec.js'
import type { ContractPart } from '../../model/contract.js'
import { contractIn } from '../../model/contract-text.js'
import type { Message } from '../../model/message.js'
import { callIn } from '../../model/tool-call-part.js'
import type { Processes } from '../../process/processes.js'
import { callReply } from './mcp-reply.js'

export interface McpOptions {
  cwd: string
  env: Record<string, string | undefined>
  http: HttpClient
  pass_env: string[]
  processes: Processes
  /** Where the agent is defined, for errors: `agents.desk in viva.config.json`. Default: on the command line. */
  written?: string
}

export function createMcpAgent(entry: AgentEntry, options: McpOptions): Agent {
  const { env, http, processes } = options
  const keySource = keySourceOf(entry, options.written)
  const server = parseMcpTarget(entry, { cwd: options.cwd, env, processes, keySource })
  if (server.transport === 'stdio') processes.requireSupport('MCP servers')
  else http.requireLive(`the MCP server at ${new URL(server.url).origin}`)
  const sessions = new Map<string, McpSession>()
  let tools: Promise<CallableTools | undefined> | undefined

  const open = (session: SessionOptions): Promise<McpSession> => openSession(server, options, session)
  const start = async ({ signal, workspace, env: own }: AgentRequest): Promise<McpSession> => {
    const session = await open({ signal, cwd: workspace, env: own })
    if (isOpen(session)) return session
    await session.close()
    throw signal.aborted ? abortedCall(signal) : notStarted(session.initialized, server, keySource)
  }
  // Cases of its contract that are under way.
  const trying = new Set<{ isAlone: boolean }>()
  const distrusted = new Set<string>()
  const tryOut = async (part: ContractPart, request: AgentRequest): Promise<AgentReply> => {
    const { carryOut } = await import('../../contract/carry-out.js')
    const { signal, workspace, deadline } = request
    const left = () => deadline?.left() ?? NO_LIMIT_MS
    const own = { isAlone: true }
    trying.add(own)
    // For the whole of each, also after the other has ended.
    if (trying.size > 1) for (const each of trying) each.isAlone = false
    const isAlone = () => own.isAlone
    try {
      const context = { server, environment: options, workspace, signal, left, isAlone, distrusted }
      return { content: await carryOut(part, context), tool_calls: [] }
    } catch (error) {
      throw signal.aborted ? abortedCall(signal) : error
    } finally {
      trying.delete(own)
    }
  }
  const end = async (chatId: string): Promise<void> => {
    const session = sessions.get(chatId)
    sessions.delete(chatId)
    await session?.close()
  }

  return {
    id: server.transport === 'stdio' ? entry.target : server.file,
    sees: 'nothing',
    ...defined({
      description: entry.description,
      workspaces: server.transport === 'stdio' ? ('folder' as const) : undefined,
    }),
    callable: () => (tools ??= listTools(open)),
    survey: async (signal) =>
      (await import('../../contract/survey.js')).surveyServer({ server, environment: options, signal }),
    requireSetUp: async (testCase) => requireCalls(testCase, entry.target),
    async send(request) {
      const { signal, context, messages } = request
      const part = contractIn(messages.at(-1))
      if (part) return tryOut(part, request)
      const call = callIn(messages.at(-1))
      if (!call) throw notACall(entry.target)
      const session = sessions.get(context.chat_id) ?? (await start(request))
      sessions.set(context.chat_id, session)
      const params = { name: call.tool, arguments: call.arguments }
      const exchange = await session.request('tools/call', params, { signal })
      if (exchange.ended === 'answered') return callReply(call, exchange)
      await end(context.chat_id)
      throw signal.aborted ? abortedCall(signal) : notAnswered(exchange)
    },
    release: end,
    async close() {
      for (const chatId of sessions.keys()) await end(chatId)
    },
  }
}

/** Undefined for a server that does not start here: it may need the workspace of its case. */
async function listTools(open: (options: SessionOptions) => Promise<McpSession>): Promise<CallableTools | undefined> {
  const session = await open({ timeoutMs: LIST_MS })
  try {
    if (!isOpen(session)) return undefined
    const { tools } = session.capabilities
    const { items, problem } = await session.listAll('tools', { timeoutMs: LIST_MS })
    if (problem !== undefined) return undefined
    return { tools: items.map(specOf), mayGrow: isRecord(tools) && tools['listChanged'] === true }
  } finally {
    await session.close()
  }
}

function specOf({ name, description, inputSchema }: Record<string, unknown>): ToolSpec {
  return {
    name: readString(name) ?? '',
    input_schema: isRecord(inputSchema) ? inputSchema : {},
    ...defined({ description: readString(description) }),
  }
}

const LIST_MS = 10_000
/** Outside cases. */
const NO_LIMIT_MS = 300_000

interface Asking {
  input?: CaseInput
  messages?: CaseInput
  turns?: ReadonlyArray<{ input?: CaseInput }>
  simulator?: unknown
}

/** Before the first case: a server does not answer text. */
function requireCalls(asked: object, target: string): void {
  const { id, input, messages, turns = [], simulator } = asked as Asking & { id?: string }
  const said = [messages ?? input, ...turns.map((turn) => turn.input)].filter((each) => each !== undefined)
  const isCalled = simulator === undefined && said.every((each) => isAnswerable([each].flat().at(-1) as never))
  if (isCalled) return
  const { message, hint } = notACall(target)
  throw new UserError({ code: 'NOT_A_CALL', message: `case ${JSON.stringify(id)}: ${message}`, hint })
}

function isAnswerable(message: Message): boolean {
  return callIn(message) !== undefined || contractIn(message) !== undefined
}

function notACall(target: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `${target} is an MCP server: its tools can be called, but it does not answer messages`,
    hint: 'write a call, {"call": {"tool": "…", "arguments": {…}}}; if a model is to choose the tool ("expect_tool"), name the model with -c',
    retry: false,
  })
}

function notStarted(exchange: Exchange, server: RemoteServer, keySource: string): AgentError {
  const isAuth = exchange.status === 401 || exchange.status === 403
  return new AgentError({
    code: isAuth ? 'auth' : 'connection',
    message: `the MCP server did not start: ${describeEnd(exchange)}`,
    hint: isAuth
      ? `it asks who is calling: give the key with ${keySource}`
      : server.transport === 'stdio'
        ? `it is started as: ${[server.command, ...server.args].join(' ')}`
        : `its address is ${server.url}`,
  })
}

function notAnswered(exchange: Exchange): AgentError {
  const code = exchange.ended === 'too_large' ? 'too_large' : exchange.ended === 'closed' ? 'crashed' : 'connection'
  return new AgentError({ code, message: describeEnd(exchange) })
}
