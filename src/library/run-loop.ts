// The orchestrator from a program: what `viva run` does, printing nothing.
import type { ErrorCode } from '../model/error-codes.js'
import { resolve } from 'node:path'
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import { findAppRoot } from '../files/app-root.js'
import { isFolder } from '../files/stat.js'
import type { SessionRecord } from '../model/session.js'
import type { LoopConfig } from '../orchestrator/config/config.js'
import type { BackendChoice } from '../orchestrator/hats.js'
import type { LoopRecording, LoopResult } from '../orchestrator/run-types.js'
import { envOf, workingDir } from '../run/io.js'
import { requireKnownOptions, requireSignal } from '../run/require-arguments.js'

export interface LoopOptions {
  /** What to do. */
  task: string
  /** The folder the hats work in; default: the working directory. */
  cwd?: string
  /** Hats and the rest, as in `ralph.yml`, or the path of such a file. Default: the built-in hats. */
  config?: Record<string, unknown> | string
  /** What plays the hats: `mock`, `replay`, `claude`, …; default: what the configuration names. */
  backend?: string | BackendChoice
  mock_responses?: unknown[]
  /** Backends that are started for hats that name them, although the run is scripted. */
  allow_backends?: string[]
  /** When no scripted or recorded answer is left; default: `error`. */
  on_exhausted?: 'error' | 'stop'
  max_iterations?: number
  max_runtime_secs?: number
  max_tokens?: number
  max_cost?: number
  /** For backends that are programs, over an allow-list of the environment. */
  env?: Record<string, string>
  pass_env?: string[]
  recording?: Pick<LoopRecording, 'mode' | 'path' | 'strict' | 'on_missing'>
  /** Default: `session.jsonl` in the folder. */
  session_file?: string
  /** Ends the run, and every program it has started. */
  signal?: AbortSignal
  onRecord?(record: SessionRecord): void
  /** What hats say, as they say it; `stdout` false: on standard error. */
  onOutput?(text: string, stdout: boolean): void
}

const KEYS = {
  task: true,
  cwd: true,
  config: true,
  backend: true,
  mock_responses: true,
  allow_backends: true,
  on_exhausted: true,
  max_iterations: true,
  max_runtime_secs: true,
  max_tokens: true,
  max_cost: true,
  env: true,
  pass_env: true,
  recording: true,
  session_file: true,
  signal: true,
  onRecord: true,
  onOutput: true,
} satisfies Record<keyof LoopOptions, true>

/** Throws a UserError if it cannot begin. A run that ended badly is a result: see `exit_code` and `error`. */
export async function runLoop(options: LoopOptions): Promise<LoopResult> {
  requireKnownOptions(options, KEYS, 'runLoop')
  if (options.signal !== undefined) requireSignal(options.signal)
  const started = workingDir({})
  const cwd = resolve(started, options.cwd ?? '.')
  if (!isFolder(cwd)) throw bad('NO_FOLDER', `no such folder: ${cwd}`, 'create it first')
  if (typeof options.task !== 'string' || options.task.trim() === '')
    throw bad('NO_TASK', 'no task given', 'say what to do')
  const parts = await load()
  const config = configOf(options.config, started, parts)
  const env = envOf({})
  const appRoot = findAppRoot(started, started)
  const { config: project } = await parts.loadConfig(appRoot)
  const redactor = parts.createRedactor({
    ...parts.secretsOf(
      {
        options: { pass_env: options.pass_env ?? [] },
        appRoot,
        config: project,
        secrets: parts.secretValues(options.env ?? {}),
      },
      env,
    ),
    ...defined({ config: project.redactions }),
  })
  const processes = new parts.Processes({ env, cwd: started })
  const { max_iterations, max_runtime_secs, max_tokens, max_cost, recording, onRecord } = options
  try {
    return await parts.runLoop({
      cwd,
      config,
      task: options.task,
      backend: parts.requireBackend(options, config, NO_BACKEND),
      limits: defined({ max_iterations, max_runtime_secs, max_tokens, max_cost }),
      run_id: parts.newRunId(),
      redactor,
      processes,
      signal: options.signal ?? new AbortController().signal,
      ...(recording && { recording: { ...recording, path: resolve(started, recording.path) } }),
      ...defined({
        env: options.env,
        pass_env: options.pass_env,
        mock_responses: options.mock_responses,
        allow_backends: options.allow_backends,
        on_exhausted: options.on_exhausted,
        session_file: options.session_file === undefined ? undefined : resolve(started, options.session_file),
        emit: onRecord,
        onOutput: options.onOutput,
      }),
    })
  } finally {
    await processes.close()
  }
}

/** Loaded on demand: most programs run no loop. */
async function load() {
  const loop = await import('../orchestrator/run-loop.js')
  const backend = await import('../orchestrator/choose-backend.js')
  const config = await import('../orchestrator/config/read-config.js')
  const processes = await import('../process/processes.js')
  const redactor = await import('../redact/redactor.js')
  const values = await import('../redact/exact-values.js')
  const loaded = await import('../config/load-config.js')
  const known = await import('../config/known-secrets.js')
  const ids = await import('../time/new-run-id.js')
  return { ...loop, ...backend, ...config, ...processes, ...redactor, ...values, ...loaded, ...known, ...ids }
}

function configOf(
  given: LoopOptions['config'],
  started: string,
  { parseLoopConfig, readLoopConfig }: Awaited<ReturnType<typeof load>>,
): LoopConfig {
  const warn = (): void => {}
  return typeof given === 'string'
    ? readLoopConfig(resolve(started, given), warn)
    : parseLoopConfig(given ?? {}, 'config', warn)
}

const NO_BACKEND = 'give mock_responses, a recording to replay, or a backend such as "claude"'

function bad(code: ErrorCode, message: string, hint: string): UserError {
  return new UserError({ code, message, hint })
}
