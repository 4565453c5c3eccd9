// From `-n`, a name or the location of the input to the agent itself. Each agent is created once per run.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import type { Agent, ToolReplacements } from '../model/agent.js'
import type { Connector, ToolSpec } from '../model/connector.js'
import type { AgentEntry, VivaConfig } from '../model/config.js'
import type { ScriptHandlers, ScriptRuntime } from '../model/script.js'
import { CONFIG_NAMES } from '../files/app-root.js'
import { defined } from '../base/defined.js'
import { asFlag, likelyTarget } from '../model/likely-target.js'
import { suggest } from '../base/suggest.js'
import type { Processes } from '../process/processes.js'
import type { HttpClient } from '../http/types.js'
import { builtinHelperDir } from './helpers/locate-built-in.js'
import type { ModuleRole, Modules, ModulesInit } from './module-host/modules.js'
import type { PackageParts } from './package/call.js'
import { createConnections, type ToolboxParts } from './package/tools/toolbox.js'
import { requirePrograms } from './package/require-programs.js'
import type { AgentPackage } from './package/types.js'
import { agentDirs, agentIdOf, findAgentDir, findUpward, listAgentIds } from './resolve-id.js'
import { withDeclaredCalls } from './declared-calls.js'
import { priced } from './priced.js'
import { createTarget, isBareModel, isFileIn, isStarted, isTarget, packageFolder, targetId } from './resolve-target.js'
import type { LoopSettings } from './targets/orchestrator.js'
import { dateNow } from '../time/iso-now.js'
import { listed } from '../base/text.js'

export interface AgentsInit {
  appRoot: string
  cwd: string
  config: VivaConfig
  connectors: { get(id: string, from?: { agentDir?: string }): Promise<Connector> }
  scripts: ScriptRuntime
  processes: Processes
  /** `Process(…)` as scripts call it, for tools that are processes. */
  callProcess: ScriptHandlers['process']
  pass_env: string[]
  env: Record<string, string | undefined>
  http: HttpClient
  /** `$SYS.*` of prompts; default: the time of day. */
  clock?: PackageParts['clock']
  /** What is odd, but not a mistake. */
  warn?(text: string): void
  /** A package needs this, and `testing.without` leaves it out. */
  onWithout?(feature: string): void
  /** For agents that are a loop of hats. */
  loop?: LoopSettings
  /** Wraps every agent that calls its model itself; `open` creates it. */
  around?: AroundAgent
  aroundTools?: NonNullable<ToolboxParts['aroundTools']>
  /** Variables for the agent under test, over those from the configuration. */
  ownEnv?: Record<string, string>
  /** An agent that a program passed in to be tested; no name leads to it. */
  inline?: Agent
  /** How module agents run. */
  modules?: Omit<ModulesInit, 'programs'>
  /** `--key-env`: the variable with the key of the agent under test, and of no other. */
  key_env?: string
  /** `--model`, by which it may have a price. */
  model?: string
  /** The agent under test is called by others, who have its keys. */
  isElsewhere?: boolean
}

export type AroundAgent = (about: AboutAgent, open: () => Promise<Agent>) => Promise<Agent>

export interface AboutAgent {
  id: string
  /** It is not a helper. */
  isTested: boolean
  /** Viva starts the process that answers. */
  isStarted: boolean
  /** Variables from the configuration. */
  env?: Record<string, string>
  description?: string
}

export interface Agents {
  /** `-n`, else the package found from `from.dir` upward. */
  resolve(target: string | undefined, from: { dir: string }): Promise<Agent>
  /** By id, as hooks and scripts name agents. */
  get(id: string): Promise<Agent>
  /** A generator, simulator, validator or reporter: an id with or without `agents:`, or any target. `dir`: of the case file. */
  resolveHelper(use: string, dir?: string): Promise<Agent>
  list(): Promise<string[]>
  /** `ctx.mcp.CallTool` and its siblings, as scripts call them: the context first, then the server's id. */
  callServer: ScriptHandlers['process']
  /** The messages of an agent in a language, for `$L`. */
  messages(id: string, locale: string): Promise<Record<string, string> | undefined>
  close(): Promise<void>
}

export function openAgents(init: AgentsInit): Agents {
  const cache = new Map<string, Promise<Agent>>()
  const { env, http, pass_env, processes } = init
  const connections = createConnections({ env, http, pass_env, processes })

  const once = (key: string, make: () => Promise<Agent>): Promise<Agent> => {
    let agent = cache.get(key)
    if (!agent) {
      agent = make()
      cache.set(key, agent)
      agent.catch(() => cache.delete(key))
    }
    return agent
  }

  const packages = new Map<string, Promise<AgentPackage>>()
  const replacements = new Map<string, ToolReplacements>()
  const parts = {
    ...init,
    connections,
    replacements,
    reasoning: new Map(),
    clock: init.clock ?? (() => ({ now: dateNow() })),
    ...defined({ without: init.config.testing?.without }),
    agent: (id: string) => get(id),
  }

  const loadFrom = (id: string, dir: string): Promise<AgentPackage> => {
    let pkg = packages.get(dir)
    if (!pkg) {
      const agentDir = (other: string): string | undefined => findAgentDir(init.appRoot, other)
      pkg = import('./package/load/load.js').then(({ loadPackage }) =>
        loadPackage({
          id,
          dir,
          appRoot: init.appRoot,
          agentDir,
          ...defined({ warn: init.warn, without: parts.without, onWithout: init.onWithout }),
        }),
      )
      packages.set(dir, pkg)
      pkg.catch(() => packages.delete(dir))
    }
    return pkg
  }

  const fromDir = (id: string, dir: string): Promise<Agent> =>
    once(dir, async () => {
      const pkg = await loadFrom(id, dir)
      await requirePrograms(pkg, init.processes)
      const { createPackageAgent } = await import('./package/agent.js')
      return createPackageAgent(pkg, parts)
    })

  const around: AroundAgent = init.around ?? ((_about, open) => open())
  let opened: Promise<Modules> | undefined
  const modules = (): Promise<Modules> => {
    opened ??= import('./module-host/modules.js').then(({ openModules }) =>
      openModules({ ...init.modules, programs: init.processes }),
    )
    return opened
  }

  // Otherwise hooks and scripts that name it call the same one.
  const isApart = init.key_env !== undefined || init.model !== undefined || init.isElsewhere === true
  /** What the command line says about the agent under test. */
  const asGiven = (entry: AgentEntry, isTested: boolean): AgentEntry => {
    if (!isTested || init.key_env === undefined) return entry
    const headers = Object.entries(entry.headers ?? {}).filter(([name]) => name.toLowerCase() !== 'authorization')
    return { ...entry, key: `$ENV.${init.key_env}`, headers: Object.fromEntries(headers) }
  }
  const envFor = (isTested: boolean): AgentsInit['env'] => (isTested && init.isElsewhere ? held(init.env) : init.env)

  const byName = (name: string, role: ModuleRole = 'agent', isTested = false): Promise<Agent> => {
    const entry = init.config.agents?.[name]
    const found = entry === undefined ? undefined : typeof entry === 'string' ? { target: entry } : entry
    if (!found) return get(name)
    // A name may stand for an id.
    if (!isTarget(found.target)) return get(found.target)
    const place = { field: `agents.${name}`, file: configName(init.appRoot) }
    const written = isTested && init.key_env !== undefined ? undefined : `${place.field} in ${place.file}`
    return once(`${role}:name:${name}:${isTested}`, async () => {
      const agent = await byTarget(
        found.target,
        () =>
          around({ id: name, ...aboutOf(found, role) }, () =>
            createTarget(withEnv(asGiven(found, isTested), role, init.ownEnv), {
              cwd: init.appRoot,
              env: envFor(isTested),
              http: init.http,
              pass_env: init.pass_env,
              processes: init.processes,
              modules,
              role,
              started: init.cwd,
              ...defined({ loop: init.loop, written }),
            }),
          ),
        init.appRoot,
        // Not by its target: another name may have other settings for the same one.
        `${role}:entry:${name}:${isTested}`,
        role,
        withEnv(asGiven(found, isTested), role, init.ownEnv),
      )
      const model = (isTested ? init.model : undefined) ?? found.model
      const names = [name, ...(model === undefined ? [] : [model])]
      return withDeclaredCalls(priced({ ...agent, id: name }, init.config.prices, names), found)
    }).catch((error: unknown) => {
      // Not given on the command line: report what is wrong with its location.
      throw error instanceof UserError ? error.as({ subject: place }) : error
    })
  }

  const byTarget = (
    target: string,
    make: () => Promise<Agent>,
    cwd: string,
    key: string,
    role: ModuleRole,
    entry: AgentEntry,
  ): Promise<Agent> => {
    // It asks its connector, which stands where others are wrapped.
    if (isBareModel(target))
      return once(`${role}:model:${target}`, async () => {
        const { createBareModel } = await import('./targets/bare-model.js')
        return createBareModel(target, init.appRoot, role, parts)
      })
    const folder = packageFolder(target, cwd)
    if (folder !== undefined) return fromDir(agentIdOf(folder), folder)
    return once(key, /^mcp:/i.test(target) && role === 'agent' ? () => routed(make, entry, cwd) : make)
  }

  const routed = async (make: () => Promise<Agent>, entry: AgentEntry, cwd: string): Promise<Agent> => {
    const { withRouting } = await import('./targets/routing.js')
    const list = async (): Promise<ToolSpec[]> => {
      const { listMcpTools } = await import('./targets/mcp-tools.js')
      return listMcpTools(entry, { cwd, env, http, pass_env, processes })
    }
    return withRouting(await make(), { dir: init.appRoot, list, parts })
  }

  const get = async (given: string): Promise<Agent> => {
    const id = given.replace(/^(?:agents:|assistants\.)/, '')
    const dir = findAgentDir(init.appRoot, id) ?? builtinHelperDir(id)
    if (dir !== undefined) return fromDir(id, dir)
    if (Object.hasOwn(init.config.agents ?? {}, given)) return byName(given)
    throw unknownAgent(given, init, listAll(init))
  }

  const named = (text: string, role: ModuleRole, dir?: string, isTested = false): Promise<Agent> => {
    if (Object.hasOwn(init.config.agents ?? {}, text)) return byName(text, role, isTested)
    const { http, pass_env, processes } = init
    const cwd = dir !== undefined && isFileIn(text, dir) ? dir : init.cwd
    return isTarget(text)
      ? byTarget(
          text,
          async () => {
            const agent = await around({ id: targetId(text), ...aboutOf({ target: text }, role) }, () =>
              createTarget(withEnv(asGiven({ target: text }, isTested), role, init.ownEnv), {
                cwd,
                env: envFor(isTested),
                http,
                pass_env,
                processes,
                modules,
                role,
                started: init.cwd,
                ...defined({ loop: init.loop }),
              }),
            )
            const { model } = init
            return priced(agent, init.config.prices, isTested && model !== undefined ? [text, model] : [text])
          },
          cwd,
          `${role}:${cwd}:${text}:${isTested}`,
          role,
          withEnv(asGiven({ target: text }, isTested), role, init.ownEnv),
        )
      : get(text)
  }

  return {
    resolve: async (target, from) => {
      if (target !== undefined) return named(target, 'agent', undefined, isApart)
      const { inline } = init
      if (inline) {
        const about = { id: inline.id, isTested: true, isStarted: false }
        return once('handed', async () =>
          priced(await around(about, () => Promise.resolve(inline)), init.config.prices, [inline.id]),
        )
      }
      const { found, looked } = findUpward(from.dir)
      if (found === undefined) throw noAgent(looked, await likelyIn([init.cwd, from.dir], init.cwd), listAll(init))
      return fromDir(agentIdOf(found), found)
    },
    get,
    resolveHelper: (use, dir) => named(use.replace(/^agents:/, ''), 'helper', dir),
    list: () => Promise.resolve(listAll(init)),
    callServer: async (name, args, signal, origin, onSpent) => {
      const [context, ...rest] = args
      const { callServer, contextOf } = await import('./package/tools/server-calls.js')
      const given = contextOf(context)
      const dir = findAgentDir(init.appRoot, given.assistant_id)
      if (dir === undefined) throw unknownAgent(given.assistant_id, init, listAll(init))
      const pkg = await loadFrom(given.assistant_id, dir)
      const method = name.slice(name.lastIndexOf('.') + 1)
      return callServer({
        pkg,
        parts,
        method,
        args: rest,
        context: given,
        replacements: replacements.get(given.chat_id) ?? {},
        call: origin ?? { lane: 'agent', role: pkg.id },
        signal,
        ...defined({ onSpent }),
      })
    },
    messages: async (id, locale) => {
      const dir = findAgentDir(init.appRoot, id)
      if (dir === undefined) return undefined
      const { messagesFor } = await import('./package/locales.js')
      return Object.fromEntries(messagesFor(locale, (await loadFrom(id, dir)).locales))
    },
    close: async () => {
      for (const agent of Array.from(cache.values())) await agent.then((made) => made.close?.()).catch(() => {})
      cache.clear()
      await (await opened)?.close()
      await connections.close()
    },
  }
}

/** Variables that are not set here are set where the calls are made. */
function held(env: AgentsInit['env']): AgentsInit['env'] {
  return new Proxy(env, { get: (own, name) => Reflect.get(own, name) ?? 'set-elsewhere' })
}

function withEnv(entry: AgentEntry, role: ModuleRole, own: Record<string, string> | undefined): AgentEntry {
  return own && role === 'agent' ? { ...entry, env: { ...entry.env, ...own } } : entry
}

function aboutOf({ target, env, description }: AgentEntry, role: ModuleRole): Omit<AboutAgent, 'id'> {
  return { isTested: role === 'agent', isStarted: isStarted(target), ...defined({ env, description }) }
}

function configName(appRoot: string): string {
  return CONFIG_NAMES.find((name) => existsSync(join(appRoot, name))) ?? 'the configuration'
}

function listAll({ appRoot, config }: AgentsInit): string[] {
  return [...new Set([...Object.keys(config.agents ?? {}), ...listAgentIds(appRoot)])].toSorted()
}

function unknownAgent(given: string, { appRoot }: AgentsInit, known: string[]): UserError {
  const near = isBareModel(`${given}:`) ? `${given}:MODEL` : suggest(given, known)
  const target = near === undefined ? likelyTarget(given) : undefined
  const looked = agentDirs(appRoot, given.replace(/^assistants\./, '')).map((dir) => join(dir, 'package.yao'))
  const places =
    looked.length > 0 ? `looked for ${looked.join(' and ')}` : 'an id is letters, digits, "-" and "_", joined by dots'
  return new UserError({
    code: 'UNKNOWN_AGENT',
    message: `no agent called "${given}"${near ? `; did you mean "${near}"?` : ''}`,
    hint: target === undefined ? `${places}; ${existing(known)}` : `to test a program or a module: ${asFlag(target)}`,
  })
}

/** Read by syntax, in the first folder that has one. */
async function likelyIn(folders: string[], cwd: string): Promise<string[]> {
  const { likelyAgents } = await import('./likely-agents.js')
  for (const folder of new Set(folders)) {
    const found = await likelyAgents(folder, cwd)
    if (found.length > 0) return found
  }
  return []
}

const KINDS = '-n ./agent.ts#run, -n https://…, -n "exec:python3 agent.py", -n "mcp:node server.mjs", -n openai:MODEL'

function noAgent(looked: string[], likely: string[], known: string[]): UserError {
  const found = likely.map(asFlag)
  const here = known.length > 0 ? `; ${existing(known)}` : ''
  return new UserError({
    code: 'NO_AGENT',
    message: `no agent to test: no -n, and no package.yao in ${looked[0] ?? '.'} or above`,
    hint: `${found.length > 0 ? `try ${found.join(' or ')}` : `say what to test: ${KINDS}`}${here}`,
  })
}

function existing(known: string[]): string {
  if (known.length === 0) return `there are no agent packages here; other agents: ${KINDS}`
  return `agents here: ${listed(known, 20)}`
}
