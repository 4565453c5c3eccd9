// The user's project: its root, its configuration, and its agents, connectors and scripts, each opened when first needed.
import type { Agents } from '../agents/resolve.js'
import type { Connectors } from '../connectors/registry.js'
import type { Agent } from '../model/agent.js'
import type { VivaConfig } from '../model/options.js'
import type { ScriptHandlers, ScriptRuntime } from '../model/script.js'

export interface Project {
  appRoot: string
  cwd: string
  config: VivaConfig
  agents(): Promise<Agents>
  connectors(): Promise<Connectors>
  scripts: ScriptRuntime
  /** Closes what was opened. */
  close(): Promise<void>
}

export interface ProjectInit {
  appRoot: string
  cwd: string
  config: VivaConfig
  env: NodeJS.ProcessEnv
  pass_env: string[]
  parallel: number
  verbose: boolean
  coverage?: string
  /** Something to show after the run, e.g. the table of the coverage. */
  note(text: string): void
  /** `t.assert.Agent`, which needs the helper agents of the run. */
  judge: ScriptHandlers['judge']
}

export function openProject(init: ProjectInit): Project {
  const closers: Array<() => Promise<void>> = []
  const connectors = once(async () => {
    const { openConnectors } = await import('../connectors/registry.js')
    return openConnectors({
      appRoot: init.appRoot,
      config: init.config,
      env: init.env,
      callScript: (ref, args, signal) => scripts.call({ ref, args, signal }),
    })
  })
  const agents = once(async () => {
    const { openAgents } = await import('../agents/resolve.js')
    const opened = openAgents({
      appRoot: init.appRoot,
      cwd: init.cwd,
      config: init.config,
      connectors: { get: async (id, from) => (await connectors()).get(id, from) },
      scripts,
      callProcess: handlers.process,
      pass_env: init.pass_env,
      env: init.env,
    })
    closers.push(() => opened.close())
    return opened
  })
  const handlers: ScriptHandlers = {
    process: async (name, args, signal) => {
      const { callProcess } = await import('../agents/call-process.js')
      return callProcess(name, args, signal, {
        agent: async (id): Promise<Agent> => (await agents()).get(id),
        callServer: async (server, serverArgs) => (await agents()).callServer(server, serverArgs, signal),
        scripts,
      })
    },
    judge: init.judge,
  }
  const scripts = lazyScripts(async () => {
    const { openScripts } = await import('../scripts/host/runtime.js')
    const opened = openScripts({
      appRoot: init.appRoot,
      handlers,
      verbose: init.verbose,
      poolSize: init.parallel,
      env: passed(init),
      messages: async (id, locale) => (await agents()).messages(id, locale),
      ...(init.coverage !== undefined && {
        coverageDir: init.coverage,
        onCoverage: ({ text }: { text: string }) => init.note(text),
      }),
    })
    closers.push(() => opened.close())
    return opened
  })
  return {
    appRoot: init.appRoot,
    cwd: init.cwd,
    config: init.config,
    agents,
    connectors,
    scripts,
    close: async () => {
      for (const close of closers.toReversed()) await close()
    },
  }
}

function passed({ env, pass_env }: ProjectInit): Record<string, string> {
  return Object.fromEntries(pass_env.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])))
}

function lazyScripts(open: () => Promise<ScriptRuntime>): ScriptRuntime {
  const opened = once(open)
  return {
    find: async (ref) => (await opened()).find(ref),
    runFile: async (run) => (await opened()).runFile(run),
    call: async (call) => (await opened()).call(call),
    close: async () => {},
  }
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
