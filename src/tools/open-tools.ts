// The tools, opened: a context for all calls, and one way to call each by name.
import { defined } from '../base/defined.js'
import { findAppRoot } from '../files/app-root.js'
import { Processes } from '../process/processes.js'
import { createGrowingRedactor } from '../redact/growing-redactor.js'
import { secretsOf } from '../config/known-secrets.js'
import { loadConfig } from '../config/load-config.js'
import { envOf, workingDir } from '../run/io.js'
import { newRunId } from '../time/new-run-id.js'
import { Clock } from '../time/clock.js'
import { openPlace } from '../workspaces/place.js'
import { sweepWorkspaces } from '../workspaces/sweep.js'
import { checkInput } from './check-input.js'
import { requireLive, type Progress, type ToolContext } from './context.js'
import type { Tool } from './define-tool.js'
import { findTool, TOOLS } from './registry.js'

export interface OpenToolsInit {
  /** The folder of the project; null: none. Default: the application root of the working directory. */
  project?: string | null
  /** Default: the environment of the process. */
  env?: Readonly<Record<string, string | undefined>>
  /** The folder that holds the workspaces. Default: the system's temporary folder. */
  temporary?: string
  /** Whether real backends may be called; default: true. */
  allow_live?: boolean
  clock?: Clock
  warn?(text: string): void
}

export interface CallOptions {
  signal?: AbortSignal
  onProgress?(progress: Progress): void
}

export interface OpenTools {
  tools: readonly Tool[]
  /** For calls that cannot be cancelled. */
  context: ToolContext
  /** Throws a UserError for what the caller can fix: an unknown tool, bad arguments, what went wrong in it. */
  call(name: string, args: unknown, options?: CallOptions): Promise<Record<string, unknown>>
  /** Ends what is still running. Workspaces stay. */
  close(): Promise<void>
}

/** Removes abandoned workspaces, as a tester's first act. */
export async function openTools(init: OpenToolsInit = {}): Promise<OpenTools> {
  const env = { ...envOf(defined({ env: init.env })) }
  const cwd = workingDir({})
  const project = init.project === null ? undefined : (init.project ?? findAppRoot(cwd, cwd))
  const { config } = project === undefined ? { config: {} } : await loadConfig(project)
  const secrets = secretsOf({ appRoot: project ?? cwd, config, options: { pass_env: [] } }, env)
  const place = openPlace(init.temporary)
  await sweepWorkspaces(place)
  const processes = new Processes({ env, cwd: project ?? cwd, ...defined({ warn: init.warn }) })
  const context: ToolContext = {
    place,
    project,
    config,
    env,
    processes,
    redactor: createGrowingRedactor({ ...secrets, ...defined({ config: config.redactions }) }),
    clock: init.clock ?? new Clock(),
    allow_live: init.allow_live ?? true,
    newRunId,
    signal: new AbortController().signal,
    progress: () => {},
  }
  return {
    tools: TOOLS,
    context,
    call: async (name, args, { signal = context.signal, onProgress = context.progress } = {}) =>
      callTool(findTool(name), args, { ...context, signal, progress: onProgress }),
    close: () => processes.close(),
  }
}

/** The one way to a tool: its arguments are checked, real backends must be allowed, and its answer contains no secret. */
export async function callTool(tool: Tool, args: unknown, context: ToolContext): Promise<Record<string, unknown>> {
  const input = checkInput(tool, args)
  if (tool.isLive(input)) requireLive(context, tool.name)
  context.signal.throwIfAborted()
  return context.redactor.value(await tool.handler(input, context))
}
