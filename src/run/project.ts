// The user's project: its agents, connectors and scripts, each opened when first needed.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { builtinHelperFor } from '../agents/helpers/built-in-ids.js'
import type { Agents } from '../agents/resolve.js'
import type { Connectors } from '../connectors/registry.js'
import { openHttp } from '../http/open-http.js'
import type { HttpClient, SharePace } from '../http/types.js'
import type { Agent } from '../model/agent.js'
import { isTested, type ModelCall } from '../model/model-call.js'
import type { ScriptHandlers, ScriptRuntime } from '../model/script.js'
import type { VariantSpec } from '../model/variant.js'
import type { MockToolsOfRun } from '../mock-tools/mock-tools.js'
import { Processes } from '../process/processes.js'
import type { ScriptRef } from '../scripts/host/runtime.js'
import { defined } from '../base/defined.js'
import { parseDuration } from '../base/duration.js'
import { DEFAULT_TIMEOUT } from '../config/options.js'
import type { StrayOutput } from './stray-output.js'
import { closeAll, type Closer } from './close-all.js'
import type { RunIo } from './io.js'
import type { Interceptors } from '../interceptors/compose.js'
import type { AgentHome, Settings } from './settings.js'
import type { Redactor } from '../redact/redactor.js'
import { createKeptFiles } from '../files/kept-files.js'
import { once } from '../base/once.js'

export interface Project {
  agents(): Promise<Agents>
  /** If the agent under test has variables of its own. */
  agentsWith(env: Record<string, string>): Promise<Agents>
  /** The project as it is in another folder, with its own agents, scripts and programs. */
  at(place: AgentHome): Project
  connectors(): Promise<Connectors>
  scripts: ScriptRuntime
  /** Cases name this script: from the first case on it stays what it is then. */
  expectScript(place: ScriptRef): void
  /** A judge or simulator: the same for its hooks, its tools and what it answers with. */
  expectHelper(agent: Agent): void
  /** The same for the judge of an assertion; `use`: what it names, if anything. */
  expectJudge(use: unknown): void
  /** Whether any was expected. */
  expectsJudge(): boolean
  /** The same for a file that an assertion reads, by its path below the application root. */
  expectFile(path: string): void
  readFile(path: string): Promise<string>
  /** Tools that cases provide. */
  mockTools(): Promise<MockToolsOfRun>
  /** Called before the first case. */
  ready(): Promise<void>
  /** Why calls were not made: endpoints that refused too many. */
  stoppedEndpoints(): string | undefined
  /** The same, if the calls were made elsewhere. */
  noteStopped(reason: string): void
  /** Closes what was opened. */
  close(): Promise<void>
}

export interface ProjectInit {
  settings: Settings
  io: RunIo
  processes: Processes
  /** What agents do outside their calls. */
  strayOutput: StrayOutput
  warn(text: string): void
  /** Collects what packages need and are tested without. */
  without: Set<string>
  interceptors: Interceptors
  /** Hides secrets and nothing else. */
  secrets(): Redactor
  /** If others call the same endpoints. */
  sharePace?: SharePace
}

export function openProject(init: ProjectInit): Project {
  const { settings, io } = init
  const http = openHttp({
    env: io.env,
    keepGoing: settings.options.keep_going,
    sharePace: init.sharePace,
    live: io.live,
  })
  return openWith(init, http, [() => init.processes.close(), () => http.close()])
}

function openWith(init: ProjectInit, http: HttpClient, closers: Closer[]): Project {
  const { settings, io, processes, strayOutput, warn, interceptors } = init
  const { appRoot, cwd, config, options } = settings
  const { env } = io
  const { pass_env } = options
  const connectorsWith = async (own: NodeJS.ProcessEnv): Promise<Connectors> => {
    const { openConnectors } = await import('../connectors/registry.js')
    return openConnectors({
      appRoot,
      config,
      env: own,
      http,
      callScript: (ref, args, signal) => scripts.call({ ref, role: 'judge', args, signal }),
    })
  }
  const ownConnectors = once(() => connectorsWith(env))
  const connectors = once(async () => interceptors.aroundConnectors(await ownConnectors()))
  const openAgentsWith = async (own: Record<string, string> | undefined): Promise<Agents> => {
    const { openAgents } = await import('../agents/resolve.js')
    const itsConnectors = own
      ? once(async () => interceptors.aroundConnectors(await connectorsWith({ ...env, ...own })))
      : connectors
    const opened = openAgents({
      appRoot,
      cwd,
      config,
      connectors: { get: async (id, from) => (await itsConnectors()).get(id, from) },
      scripts,
      processes,
      callProcess: handlers.process,
      pass_env,
      env: own ? { ...env, ...own } : env,
      modules: {
        processes: options.agent_processes,
        loadMs: parseDuration(options.timeout ?? DEFAULT_TIMEOUT),
        clock: io.clock,
        strayOutput,
        env: { ...interceptors.processEnv, ...own },
      },
      http,
      loop: {
        cwd,
        secrets: init.secrets,
        clock: io.clock,
        warn,
        note: io.note,
        wrap: interceptors.aroundBackends,
      },
      warn,
      onWithout: (feature) => init.without.add(feature),
      isElsewhere: options.queue !== undefined,
      ...defined({ key_env: options.key_env, model: options.model }),
      ...defined({ ownEnv: own, inline: settings.inline.agent }),
      ...defined({
        around: interceptors.aroundAgent,
        aroundTools: interceptors.aroundTools,
        clock: interceptors.promptClock,
      }),
    })
    closers.push(() => opened.close())
    return opened
  }
  const agents = once(() => openAgentsWith(undefined))
  const byEnv = new Map<Record<string, string>, Promise<Agents>>()
  const agentsWith = (own: Record<string, string>): Promise<Agents> => {
    const known = byEnv.get(own) ?? openAgentsWith(own)
    byEnv.set(own, known)
    return known
  }
  const agentsFor = (origin: ModelCall | undefined): Promise<Agents> => {
    const { env: own } = specOf(settings, origin) ?? {}
    return own ? agentsWith(own) : agents()
  }
  const handlers: ScriptHandlers = {
    process: async (name, args, signal, origin, onSpent) => {
      const { callProcess } = await import('../agents/call-process.js')
      return callProcess(name, args, signal, {
        appRoot,
        agent: async (id): Promise<Agent> => (await agentsFor(origin)).get(id),
        callServer: async (server, serverArgs) =>
          (await agentsFor(origin)).callServer(server, serverArgs, signal, origin, onSpent),
        scripts,
        ...defined({ origin, onSpent, connector: connectorOf(settings, origin?.variant) }),
      })
    },
    ...(interceptors.aroundHttp && { http: interceptors.aroundHttp }),
  }
  const expected = new Map<string, ScriptRef>()
  const expectScript = (place: ScriptRef): void => {
    expected.set(`${place.agent_dir ?? ''}\n${JSON.stringify(place.ref)}`, place)
  }
  const helpers = new Set<Agent>()
  const files = createKeptFiles(appRoot)
  const expectHelper = (agent: Agent): void => {
    if (helpers.has(agent)) return
    helpers.add(agent)
    for (const place of agent.reads?.scripts ?? []) expectScript(place)
  }
  let asksJudge = false
  let asksOurs = false
  /** Models that judges ask. */
  const keepConnectors = async (): Promise<void> => {
    if (helpers.size === 0 && !existsSync(join(appRoot, 'connectors'))) return
    const opened = await ownConnectors()
    opened.keep()
    if (interceptors.isOffline) return
    for (const { reads, path } of helpers)
      for (const id of [reads?.connector, options.judge, config.helpers?.connector, options.connector])
        if (reads && id !== undefined) await opened.get(id, defined({ agentDir: path })).catch(() => undefined)
  }
  const stoppedElsewhere = new Set<string>()
  const openedScripts = once(async () => {
    const { openScripts } = await import('../scripts/host/runtime.js')
    const opened = openScripts({
      appRoot,
      processes,
      handlers,
      http,
      verbose: options.verbose,
      clock: io.clock,
      poolSize: options.parallel,
      env: passed(env, pass_env),
      onLateError: (message, where) => strayOutput.stray(message, where),
      onLog: (line, where) => strayOutput.log([line], where),
      messages: async (id, locale) => (await agents()).messages(id, locale),
      ...(interceptors.scriptEnv && { envOf: interceptors.scriptEnv }),
      settingOf: ({ role, origin }) => {
        const { name = '', env: own } = (role === 'agent' && specOf(settings, origin)) || {}
        return own && { name, env: own }
      },
      coverage: interceptors.coverage,
    })
    closers.push(() => opened.close())
    return opened
  })
  const scripts = lazyScripts(openedScripts)
  const mockTools = once(async () => {
    const { openMockTools } = await import('../mock-tools/mock-tools.js')
    const opened = openMockTools({ scripts, appRoot, allowOutside: options.allow_outside, clock: io.clock, warn })
    closers.push(() => opened.close())
    return opened
  })
  return {
    agents,
    agentsWith,
    at: (place) => {
      const own = new Processes({ env, cwd: place.cwd, warn, live: io.live })
      io.useProcesses?.(own)
      const { explain: _words, ...folders } = place
      const placed = openWith({ ...init, settings: { ...settings, ...folders }, processes: own }, http, [
        () => own.close(),
      ])
      closers.push(placed.close)
      return placed
    },
    connectors,
    scripts,
    expectScript,
    expectHelper,
    expectJudge: (use) => {
      asksJudge = true
      if (use === undefined) asksOurs = true
    },
    expectsJudge: () => asksJudge,
    expectFile: files.expect,
    readFile: files.read,
    mockTools,
    ready: async () => {
      if (asksOurs) expectHelper(await (await agents()).resolveHelper(builtinHelperFor('validator')))
      if (expected.size > 0) await (await openedScripts()).prepare([...expected.values()])
      await files.keep()
      await keepConnectors()
    },
    stoppedEndpoints: () => [http.endpoints.stopped() ?? [], ...stoppedElsewhere].flat().join('; ') || undefined,
    noteStopped: (reason) => void stoppedElsewhere.add(reason),
    close: () => closeAll(closers),
  }
}

/** The variant to which a call of the agent under test belongs; helpers have none. */
function specOf({ variants }: Settings, origin: ModelCall | undefined): VariantSpec | undefined {
  if (!origin || !isTested(origin)) return undefined
  return variants.length === 1 ? variants[0] : variants.find(({ name }) => name === origin.variant)
}

/** The connector of an agent that is called along the way: from `-c`, or the variant that the call belongs to. */
function connectorOf({ options, variants }: Settings, variant: string | undefined): string | undefined {
  return (variants.find(({ name }) => name === variant) ?? options).connector
}

function passed(env: NodeJS.ProcessEnv, names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

function lazyScripts(opened: () => Promise<ScriptRuntime>): ScriptRuntime {
  return {
    find: async (ref) => (await opened()).find(ref),
    runFile: async (run) => (await opened()).runFile(run),
    call: async (call) => (await opened()).call(call),
    close: async () => {},
  }
}
