// Targets that need no package of ours: `builtin:echo`, URLs, commands, modules.
import { join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import type { Agent } from '../model/agent.js'
import type { AgentEntry } from '../model/config.js'
import { takeCredentials } from '../http/credentials.js'
import { expandText } from '../connectors/env-values.js'
import { parseModel, suggestModel } from '../connectors/model-vendors.js'
import type { HttpClient } from '../http/types.js'
import { defined } from '../base/defined.js'
import type { Processes } from '../process/processes.js'
import type { ModuleRole, Modules } from './module-host/modules.js'
import { createEchoAgent } from './targets/echo.js'
import { isChatEndpoint } from './targets/sent-messages.js'
import type { LoopSettings } from './targets/orchestrator.js'
import { statOf } from '../files/stat.js'

export interface TargetContext {
  /** The base of relative paths and commands. */
  cwd: string
  env: Record<string, string | undefined>
  http: HttpClient
  pass_env: string[]
  processes: Processes
  /** Where the agent is defined, if in the configuration: `agents.desk in viva.config.json`. */
  written?: string
  /** Where modules run, and in whose company. */
  modules: () => Promise<Modules>
  role: ModuleRole
  /** For an agent that is a loop of hats. */
  loop?: LoopSettings
  /** What event files are named relative to; default: `cwd`. */
  started?: string
}

const KINDS =
  'builtin:echo, http(s)://…, exec:command, a2a:url, acp:command, cli:claude, mcp:command, mcp:url, orchestrator:config.yml, recorded:events.jsonl, ./agent.ts#name, openai:MODEL'

/** Whether it is a target rather than an id or a name. */
export function isTarget(text: string): boolean {
  return /^[a-z][a-z0-9+-]*:/i.test(text) || isPath(text)
}

/** A model by its vendor. */
export function isBareModel(target: string): boolean {
  return parseModel(target) !== undefined
}

/** A program or a module: Viva starts the process that answers. */
export function isStarted(target: string): boolean {
  return /^(?:exec|acp|cli|mcp):/i.test(target) ? !isMcpAddress(target) : isPath(target)
}

/** `./agent` or `examples/agent` may also be the folder of a package. */
export function packageFolder(target: string, cwd: string): string | undefined {
  const folder = resolve(cwd, target.replace(/[/\\]package\.yao$/, ''))
  if (!isPath(target)) return undefined
  return statOf(join(folder, 'package.yao'))?.isFile() ? folder : undefined
}

/** A path that leads to something from there: what a case file names is beside it. */
export function isFileIn(target: string, dir: string): boolean {
  return isPath(target) && statOf(resolve(dir, target.replace(/#[\w$]*$/, ''))) !== undefined
}

/** The name of a target's agent, without creating it: the target, minus any user and password in it. */
export function targetId(target: string): string {
  const [prefix = ''] = /^(?:a2a|mcp):/.exec(target) ?? []
  const address = target.slice(prefix.length)
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return target
  const url = new URL(address)
  return takeCredentials(url) ? `${prefix}${url.href}` : target
}

/** Whether `messages` of an entry changes anything: a function, a program or a JSON endpoint receives them as they are. */
export function receivesMessages(entry: AgentEntry, cwd: string): boolean {
  const { target, prompt_mode } = entry
  switch (schemeOf(target)) {
    case 'exec':
      return prompt_mode !== 'arg'
    case 'http':
    case 'https':
      return !isChatEndpoint(entry)
    case 'acp':
    case 'cli':
    case 'a2a':
    case 'mcp':
      return false
    default:
      return isPath(target) && packageFolder(target, cwd) === undefined
  }
}

/** Whether a key can be sent: it is an endpoint. */
export function takesKey(target: string): boolean {
  return ['http', 'https', 'a2a'].includes(schemeOf(target) ?? '') || isMcpAddress(target)
}

export async function createTarget(given: AgentEntry, context: TargetContext): Promise<Agent> {
  const agent = await openTarget(given, context)
  if (given.home === undefined) return agent
  return (await import('./with-home.js')).withHome(agent, given.home, context)
}

async function openTarget(given: AgentEntry, context: TargetContext): Promise<Agent> {
  const { target } = given
  const { cwd, env, http, pass_env, processes, written } = context
  // Helpers know a conversation in Viva's own shape.
  const shaped: AgentEntry = context.role === 'helper' ? { ...given, messages: 'viva' } : given
  const entry = takesKey(target) ? withVariables(shaped, context) : shaped
  const createModule = async (): Promise<Agent> => {
    const { createModuleAgent } = await import('./targets/module.js')
    return createModuleAgent(target, {
      cwd: entry.cwd === undefined ? cwd : resolve(cwd, entry.cwd),
      modules: await context.modules(),
      role: context.role,
      ...defined({ description: entry.description, messages: entry.messages }),
    })
  }
  switch (schemeOf(target)) {
    case 'builtin':
      if (target === 'builtin:echo') return createEchoAgent()
      throw unknownTarget(target)
    case 'http':
    case 'https':
      return (await import('./targets/http.js')).createHttpAgent(entry, { http, env, ...defined({ written }) })
    case 'exec':
      return (await import('./targets/exec.js')).createExecAgent(entry, { cwd, pass_env, processes })
    case 'a2a':
      return (await import('./targets/a2a.js')).createA2aAgent(entry, { http, env, ...defined({ written }) })
    case 'acp':
      return (await import('./targets/acp.js')).createAcpAgent(entry, { cwd, pass_env, processes })
    case 'mcp':
      return (await import('./targets/mcp.js')).createMcpAgent(entry, {
        cwd,
        env,
        http,
        pass_env,
        processes,
        ...defined({ written }),
      })
    case 'cli':
      return (await import('./targets/cli.js')).createCliAgent(entry, { cwd, pass_env, processes })
    case 'orchestrator':
      return createLoop(target, context)
    case 'recorded':
      return createRecorded(target.slice('recorded:'.length), context)
    case undefined:
      return createModule()
    default:
      // A drive letter is a path after all.
      if (isPath(target)) return createModule()
      throw unknownTarget(target)
  }
}

/** In its headers and its key they are filled in where those are read. */
function withVariables(entry: AgentEntry, { env, written = 'the target given with -n' }: TargetContext): AgentEntry {
  const fill = (text: string): string => expandText(text, env, written)
  return { ...entry, target: fill(entry.target), ...(entry.model !== undefined && { model: fill(entry.model) }) }
}

async function createLoop(target: string, { loop, processes, pass_env }: TargetContext): Promise<Agent> {
  if (!loop) throw unknownTarget(target)
  const { createOrchestratorAgent } = await import('./targets/orchestrator.js')
  return createOrchestratorAgent(target.slice('orchestrator:'.length), { ...loop, processes, pass_env })
}

async function createRecorded(path: string, { cwd, role, started = cwd }: TargetContext): Promise<Agent> {
  if (role !== 'agent')
    throw new UserError({
      code: 'NOT_A_HELPER',
      message: `recorded:${path} cannot judge or simulate: it has only the answers of one run`,
      hint: 'use recorded: with -n',
    })
  if (path === '')
    throw new UserError({
      code: 'NO_EVENT_FILE',
      message: 'recorded: names no event file',
      hint: 'give the .jsonl file that viva test wrote: recorded:events.jsonl',
    })
  return (await import('./targets/recorded.js')).createRecordedAgent(resolve(cwd, path), started)
}

/** An MCP server that is called, not started. */
function isMcpAddress(target: string): boolean {
  return /^mcp:\s*https?:/i.test(target)
}

function schemeOf(target: string): string | undefined {
  return /^([a-z][a-z0-9+-]*):/i.exec(target)?.[1]?.toLowerCase()
}

function isPath(text: string): boolean {
  // An id has no slashes, and a scheme more than one letter.
  return /^(?:[^:\s]*[/\\]|[A-Za-z]:[/\\])/.test(text) || /^(?:.:)?[^:]*\.[cm]?[jt]sx?(?:#[\w$]*)?$/.test(text)
}

function unknownTarget(target: string): UserError {
  const near = suggestModel(target)
  return new UserError({
    code: 'UNKNOWN_TARGET',
    message: `"${target}" is not a kind of agent that Viva knows${near === undefined ? '' : `; did you mean "${near}"?`}`,
    hint: `a target is one of ${KINDS}`,
  })
}
