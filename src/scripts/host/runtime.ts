// The script runtime: finds test files, runs them, calls single functions, all in child processes.
import { realpathSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ScriptCall, ScriptFile, ScriptFileRun, ScriptHandlers, ScriptRuntime } from '../../model/script.js'
import type { HttpClient } from '../../http/types.js'
import { callFunction, type CallDeps } from './call-function.js'
import { Compiler } from '../compile/compile.js'
import type { CoverageCollector } from '../coverage/coverage.js'
import { discoverTests } from '../compile/discover.js'
import { KeyValueStore } from './key-value.js'
import { parseFile } from '../compile/parse.js'
import { Clock } from '../../time/clock.js'
import type { Processes } from '../../process/processes.js'
import { shownPath } from '../compile/paths.js'
import { Pool } from './pool.js'
import { resolveFunction, type FunctionTarget } from '../compile/reference.js'
import { resolveTests } from '../compile/resolve.js'
import { shippedFunction } from '../compile/shipped-check.js'
import { runFile } from './run-file.js'
import type { SessionServices } from './session.js'
import { Slots } from './slots.js'
import { isScriptProcess } from '../compile/script-names.js'

export interface ScriptOptions {
  appRoot: string
  processes: Processes
  handlers: ScriptHandlers
  http: HttpClient
  /** How many processes wait warm, and how many calls run at the same time. */
  poolSize: number
  verbose?: boolean
  /** Of the run; default: one of its own. */
  clock?: Clock
  /** Receives what has run. */
  coverage?: CoverageCollector | undefined
  /** Passed to the scripts in addition to the allow-listed variables. */
  env?: Record<string, string>
  /** Heap limit of one process; buffers get twice as much again. */
  memoryMb?: number
  /** An agent's messages in a language, for `$L`. */
  messages?(agent: string, locale: string): Promise<Record<string, unknown> | undefined>
  /** A rejection that surfaced after a call had ended. */
  onLateError?(message: string, where: string): void
  envOf?: CallDeps['envOf']
  settingOf?: CallDeps['settingOf']
  /** Output of a call that has no listener of its own: a generator, a mock model. */
  onLog?(line: string, where: string): void
}

export type ScriptRef = Pick<ScriptCall, 'ref' | 'agent_dir'>

export interface OpenScripts extends ScriptRuntime {
  /** Freezes these as they are now, whatever happens to their files. Mistakes are reported by `call`. */
  prepare(places: readonly ScriptRef[]): Promise<void>
}

const DEFAULT_MEMORY_MB = 512

export function openScripts(options: ScriptOptions): OpenScripts {
  options.processes.requireSupport('scripts')
  const root = realpathSync(resolve(options.appRoot))
  const { coverage } = options
  const compiler = new Compiler({ root, coverage: coverage !== undefined })
  const pool = new Pool({
    appRoot: root,
    processes: options.processes,
    env: options.env ?? {},
    size: Math.max(1, options.poolSize),
    memoryMb: options.memoryMb ?? DEFAULT_MEMORY_MB,
    coverage: coverage !== undefined,
    verbose: options.verbose ?? false,
  })
  const clock = options.clock ?? new Clock()
  const memory = new KeyValueStore()
  const shared = new KeyValueStore()
  const targets = new Map<string, FunctionTarget>()
  const scriptNames = new Map<string, boolean>()
  /** Test files that were found but not yet prepared. */
  const waiting: string[] = []
  const noteUse = (): void => {
    if (coverage) coverage.isUsed = true
  }

  const resolveRef = async ({ ref, agent_dir: agentDir }: ScriptRef): Promise<FunctionTarget> => {
    if (typeof ref !== 'string') return { file: resolve(root, ref.file), name: ref.name }
    const key = `${agentDir ?? ''}\n${ref}`
    const known = targets.get(key)
    if (known) return known
    const place = agentDir === undefined ? { root } : { root, agentDir: resolve(root, agentDir) }
    const target = shippedFunction(ref) ?? (await resolveFunction(ref, place))
    targets.set(key, target)
    return target
  }

  const call = async (given: ScriptCall): Promise<unknown> => {
    given.signal.throwIfAborted()
    noteUse()
    return callFunction(given, await resolveRef(given), callDeps)
  }

  const services = (stores: KeyValueStore, asked?: Pick<ScriptFileRun, 'judge' | 'check'>): SessionServices => ({
    root,
    handlers: options.handlers,
    ...(asked && { judge: asked.judge, check: asked.check }),
    http: options.http,
    memory,
    stores,
    messages: async (agent, locale) => options.messages?.(agent, locale),
    async callScript(name, given) {
      let known = scriptNames.get(name)
      if (known === undefined) scriptNames.set(name, (known = isScriptProcess(name, root)))
      if (!known) return undefined
      return { value: await call({ ref: name, ...given }) }
    },
  })

  const onCoverage: CallDeps['onCoverage'] = (path, code, functions) => coverage?.add(path, code, functions)
  const callDeps: CallDeps = {
    compiler,
    pool,
    slots: new Slots(Math.max(2, options.poolSize)),
    services: services(shared),
    ...(options.envOf && { envOf: options.envOf }),
    ...(options.settingOf && { settingOf: options.settingOf }),
    onLate: (message, where) => options.onLateError?.(message, where),
    onLog: (line, where) => options.onLog?.(line, where),
    onCoverage,
  }

  return {
    async find(ref) {
      const files = resolveTests(ref, root)
      const found: ScriptFile[] = []
      for (const file of files) found.push(await describeFile(file, root))
      waiting.push(...found.filter((file) => file.tests.length > 0).map((file) => file.path))
      return found
    },
    async runFile(run: ScriptFileRun) {
      if (run.tests.length === 0) return
      noteUse()
      // Only now: finding alone (a dry run, a list) starts nothing.
      const coming = waiting.splice(0)
      if (coming.length > 0) {
        compiler.prepare(coming)
        pool.expect(coming.length)
      }
      await runFile(run, { compiler, pool, services: services(new KeyValueStore(), run), clock, onCoverage })
    },
    call,
    async prepare(places) {
      const files = new Set<string>()
      for (const place of places) {
        const target = await resolveRef(place).catch(() => undefined)
        if (target) files.add(target.file)
      }
      compiler.prepare([...files])
      for (const file of files) await compiler.get(file).catch(() => undefined)
    },
    close: () => pool.close(),
  }
}

async function describeFile(
  file: { ref: string; agent_id: string; agent_dir: string; path: string },
  root: string,
): Promise<ScriptFile> {
  const syntax = await parseFile(file.path, root)
  const described = { ...file, script_path: shownPath(root, file.path) }
  const { problem } = syntax
  // A file that cannot be read as a script is one failed test, so that the other files run.
  if (problem)
    return { ...described, tests: [{ id: file.ref, name: 'load', line: problem.line ?? 1, unreadable: true }] }
  return { ...described, tests: discoverTests(syntax, file.ref) }
}
