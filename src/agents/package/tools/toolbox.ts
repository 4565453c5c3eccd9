// The tools an agent has in one call: processes, real MCP servers, and what a test replaces them with.
import { AgentError } from '../../../errors.js'
import type { AgentContext, ToolReplacements } from '../../../model/agent.js'
import type { ToolSpec } from '../../../model/connector.js'
import type { ModelCall } from '../../../model/model-call.js'
import { scriptRole, type ScriptCall, type ScriptHandlers, type ScriptRuntime } from '../../../model/script.js'
import { GivenTool } from '../../../model/given-tools.js'
import { stubScript } from '../../../model/stub-script.js'
import { defined } from '../../../base/defined.js'
import { suggest } from '../../../base/suggest.js'
import { isRecord } from '../../../base/record.js'
import { orAborted } from '../../../time/deadline.js'
import { agentOfProcess } from '../../agent-process.js'
import { checkArguments } from './check-arguments.js'
import type { McpConnection } from '../../../mcp-client/mcp-connection.js'
import type { RemoteServer } from '../../../mcp-client/server.js'
import type { McpEnvironment } from '../../../mcp-client/wire.js'
import { processArgs } from './process-args.js'
import { formatToolName, namesOfNoTool, namesOfTool, parseToolName } from './tool-names.js'
import { toolBorder, type CallTool, type ToolRequest } from './tool-border.js'
import type { ToolOutcome } from '../../../mcp-client/tool-result.js'
import { type ProcessTool, type ServerRef, unknownTools } from './tool-server.js'
import type { AgentPackage } from '../types.js'

export interface Toolbox {
  specs: ToolSpec[]
  /** Whether a call by this name can be answered, by a tool or by a test's replacement. */
  knows(name: string): boolean
  /** The server that a call by this name is meant for. */
  serverOf(name: string): string | undefined
  call: CallTool
}

export interface ToolboxParts {
  scripts: ScriptRuntime
  callProcess: ScriptHandlers['process']
  connections: ServerConnections
  /** Wraps what the tools of a toolbox do, not what a test replaces them with. */
  aroundTools?: (call: Pick<ToolboxCall, 'call' | 'signal' | 'onWait'>) => AroundTools
}

export interface AroundTools {
  /** The tools of a real server; `live` starts it. */
  list(server: string, live: () => Promise<ToolSpec[]>): Promise<ToolSpec[]>
  /** `live` receives on whose behalf the tool calls models. */
  call(request: ToolRequest, live: (origin: ModelCall) => Promise<ToolOutcome>): Promise<ToolOutcome>
}

export interface ToolboxCall {
  pkg: AgentPackage
  servers: ServerRef[]
  replacements: ToolReplacements
  context: AgentContext
  call: ModelCall
  signal: AbortSignal
  onWait?(ms: number): void
  /** Output of scripts that replace tools. */
  onLog?(line: string): void
  /** What the agents that tools call have used. */
  onSpent?: ScriptCall['onSpent']
}

interface Tool {
  server: string
  spec: ToolSpec
  run(args: Record<string, unknown>, origin: ModelCall): Promise<ToolOutcome>
}

/** The connections of a run, by file of the server; cases share them. */
export interface ServerConnections {
  get(server: RemoteServer): Promise<McpConnection>
  close(): Promise<void>
}

export async function openToolbox(parts: ToolboxParts, call: ToolboxCall): Promise<Toolbox> {
  const tools = new Map<string, Tool>()
  const around = parts.aroundTools?.(call) ?? NOTHING_AROUND(call)
  for (const ref of call.servers)
    for (const tool of await toolsOf(parts, call, ref, around)) tools.set(tool.spec.name, tool)
  // An agent without tools of its own has those that the test provides.
  const given = tools.size > 0 ? [] : givenTools(call.replacements)
  return {
    specs: [...tools.values(), ...given].map((tool) => tool.spec),
    knows: (name) => tools.has(name) || findReplacement(call.replacements, name, undefined) !== undefined,
    serverOf: (name) => tools.get(name)?.server ?? parseToolName(name)?.server,
    call: toolBorder((asked) => runTool(parts, call, asked, tools, around), call.signal),
  }
}

/** Throws if a case replaces a tool that does not exist: the real one would be called. */
export function requireTools({ specs }: Toolbox, names: readonly string[], pkg: AgentPackage): void {
  const tools = specs.map((spec) => spec.name)
  const [unknown] = namesOfNoTool(names, tools)
  if (unknown === undefined) return
  throw new AgentError({
    code: 'config',
    message: `agent ${pkg.id}: testing.tools.${unknown}: ${unknownTool(unknown, tools)}`,
  })
}

export function createConnections(environment: McpEnvironment): ServerConnections {
  const open = new Map<string, Promise<McpConnection>>()
  const closing = new AbortController()
  return {
    get(server) {
      const known = open.get(server.file)
      if (known) return known
      // The next case, or the next call, tries again.
      const forget = (): void => {
        if (open.get(server.file) === connection) open.delete(server.file)
      }
      const connection = import('../../../mcp-client/mcp-connection.js').then(({ connectServer }) =>
        connectServer(server, environment, { onEnd: forget, signal: closing.signal }),
      )
      open.set(server.file, connection)
      connection.catch(forget)
      return connection
    },
    async close() {
      const all = [...open.values()]
      open.clear()
      closing.abort(new Error('the run has ended'))
      for (const connection of all) await connection.then((opened) => opened.close()).catch(() => {})
    },
  }
}

const NOTHING_AROUND = (call: ToolboxCall): AroundTools => ({
  list: (_server, live) => live(),
  call: (_request, live) => live(ofTools(call)),
})

async function toolsOf(parts: ToolboxParts, call: ToolboxCall, ref: ServerRef, around: AroundTools): Promise<Tool[]> {
  const server = await call.pkg.findServer(ref.server_id)
  if (!server) throw unknownServer(call.pkg, ref.server_id)
  const named = (tool: string): string => formatToolName(ref.server_id, tool)
  if (server.transport === 'process')
    return usedTools(server.tools, ref, call.pkg).map((tool) => ({
      server: ref.server_id,
      spec: specOf(named(tool.name), tool),
      run: (args, origin) => runProcessTool(parts, { ...call, call: origin }, tool, args, server.file),
    }))

  // If a test answers for every tool that is used, the server is not even started.
  if (ref.tools?.every((tool) => findReplacement(call.replacements, named(tool), ref.server_id) !== undefined))
    return ref.tools.map((tool) => ({
      server: ref.server_id,
      spec: { name: named(tool), input_schema: { type: 'object' } },
      run: () => Promise.resolve({ error: 'replaced' }),
    }))
  // Others may wait for the same server: the end of this case ends only its own wait.
  const connect = (): Promise<McpConnection> => orAborted(parts.connections.get(server), call.signal, 0)
  const listed = await around.list(`${call.pkg.id}/${ref.server_id}`, async () => (await connect()).tools)
  return usedTools(listed, ref, call.pkg).map((tool) => ({
    server: ref.server_id,
    spec: specOf(named(tool.name), tool),
    run: async (args) => (await connect()).call(tool.name, args, call.signal),
  }))
}

/** Throws if one that is named does not exist: the agent would be tested without it. */
function usedTools<T extends { name: string }>(tools: T[], ref: ServerRef, pkg: AgentPackage): T[] {
  const names = tools.map(({ name }) => name)
  const problem = unknownTools(ref, names)
  if (problem !== undefined) throw new AgentError({ code: 'config', message: `agent ${pkg.id}: ${problem}` })
  return ref.tools ? tools.filter(({ name }) => ref.tools?.includes(name)) : tools
}

async function runTool(
  parts: ToolboxParts,
  call: ToolboxCall,
  asked: ToolRequest,
  tools: ReadonlyMap<string, Tool>,
  around: AroundTools,
): Promise<ToolOutcome> {
  const { name, arguments: args, arguments_error } = asked
  const tool = tools.get(name)
  const replacement = findReplacement(call.replacements, name, tool?.server)
  if (replacement) return replace(parts, call, replacement.value, args)
  if (!tool) return { error: unknownTool(name, [...tools.keys()]) }
  if (arguments_error !== undefined) return { error: arguments_error }
  if (!isRecord(args)) return { error: `the arguments must be an object, found ${JSON.stringify(args)}` }
  return around.call(asked, (origin) => tool.run(args, origin))
}

/** Under the full name, `server.tool`, or the tool's name alone. */
export function findReplacement(
  replacements: ToolReplacements,
  name: string,
  server: string | undefined,
): { value: unknown } | undefined {
  const key = namesOfTool(name, server).find((candidate) => Object.hasOwn(replacements, candidate))
  return key === undefined ? undefined : { value: replacements[key] }
}

export function givenTools(replacements: ToolReplacements): GivenTool[] {
  return Object.values(replacements).filter((value) => value instanceof GivenTool)
}

async function replace(parts: ToolboxParts, call: ToolboxCall, value: unknown, args: unknown): Promise<ToolOutcome> {
  if (value instanceof GivenTool) return value.call(args)
  const script = stubScript(value)
  if (script === undefined) return { result: value }
  const { context, pkg, signal } = call
  const result = await parts.scripts.call({
    ref: script,
    role: 'judge',
    args: [args, context],
    context_args: [1],
    agent_dir: pkg.dir,
    origin: ofTools(call),
    signal,
    ...defined({ onLog: call.onLog }),
  })
  return { result: result ?? null }
}

/** The context comes last, as hooks and tools of packages expect it. */
async function runProcessTool(
  parts: ToolboxParts,
  call: ToolboxCall,
  tool: ProcessTool,
  args: Record<string, unknown>,
  file: string,
): Promise<ToolOutcome> {
  const { context, pkg, signal } = call
  const fault = await checkArguments(args, tool.input_schema, `the tool ${tool.name} of ${file}`)
  if (fault !== undefined) return { error: fault }
  const values = processArgs(tool.args, args)
  const result = isScriptTool(tool, pkg.appRoot)
    ? await parts.scripts.call({
        ref: tool.process,
        role: scriptRole(call.call),
        args: [...values, context],
        context_args: [values.length],
        agent_dir: pkg.dir,
        origin: ofTools(call),
        signal,
        ...defined({ onLog: call.onLog, onSpent: call.onSpent }),
      })
    : await parts.callProcess(tool.process, values, signal, ofTools(call), call.onSpent)
  return { result: result ?? null }
}

export function isScriptTool({ process }: Pick<ProcessTool, 'process'>, appRoot: string): boolean {
  return /^(?:scripts|agents)\./.test(process) && agentOfProcess(process, appRoot) === undefined
}

/** What the agent's tools ask of a model; tools of a helper are part of the helper. */
function ofTools({ call }: ToolboxCall): ModelCall {
  return call.lane === 'agent' ? { ...call, lane: 'tools' } : call
}

function specOf(name: string, tool: { description?: string; input_schema: Record<string, unknown> }): ToolSpec {
  return { name, input_schema: tool.input_schema, ...defined({ description: tool.description }) }
}

function unknownTool(name: string, known: string[]): string {
  const near = suggest(name, known)
  const hint = near
    ? `did you mean ${near}?`
    : known.length > 0
      ? `there are: ${known.join(', ')}`
      : 'there are no tools'
  return `there is no tool "${name}"; ${hint}`
}

function unknownServer(pkg: AgentPackage, id: string): AgentError {
  return new AgentError({
    code: 'config',
    message: `agent ${pkg.id}: there is no tool server "${id}"`,
    hint: `looked for mcps/${id.replaceAll('.', '/')}.mcp.yao in ${pkg.dir} and ${pkg.appRoot}`,
  })
}
