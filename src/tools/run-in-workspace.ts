// One orchestrator run in a workspace: from a known beginning, with its own session that its agents cannot write.
import { readFileSync } from 'node:fs'
import { defined } from '../base/defined.js'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import { isKind } from '../model/session.js'
import { chooseBackend } from '../orchestrator/choose-backend.js'
import type { LoopConfig } from '../orchestrator/config/config.js'
import { parseLoopConfig } from '../orchestrator/config/read-config.js'
import type { BackendChoice } from '../orchestrator/hats.js'
import { NEVER_RECORDED } from '../files/changed-files.js'
import { runLoop } from '../orchestrator/run-loop.js'
import type { LoopRecording, LoopResult, RunLoopInit } from '../orchestrator/run-types.js'
import { follow } from '../time/abort.js'
import { readWorkspaceFile, writeWorkspaceFiles } from '../workspaces/files.js'
import { SESSION_FILE } from '../workspaces/layout.js'
import { PlayedFiles } from '../workspaces/played-files.js'
import { watchSize } from '../workspaces/quota.js'
import { restoreSnapshot } from '../workspaces/restore.js'
import { dirtyWarnings, moveOldRun } from '../workspaces/runs.js'
import { readState } from '../workspaces/state.js'
import type { Workspace } from '../workspaces/workspace.js'
import { requireLive, type ToolContext } from './context.js'
import { keepRun, lockRuns, nextRun } from './runs.js'
import { watchSnapshots } from './snapshot-guard.js'

/** How much a workspace may hold while something real works in it. */
const MAX_WORKSPACE_BYTES = 1024 * 1024 * 1024
/** Only scripted and recorded answers. */
const OFFLINE = new Set(['mock', 'replay'])

export interface WorkspaceRun {
  /** The caller, for the record. */
  tool: string
  task: string
  backend?: string | undefined
  limits: NonNullable<RunLoopInit['limits']>
  env?: Record<string, string> | undefined
  mock_responses?: unknown
  scripted?: RunLoopInit['scripted']
  allow_backends?: string[] | undefined
  on_exhausted?: 'error' | 'stop' | undefined
  recording?: LoopRecording | undefined
  wrap?: RunLoopInit['wrap']
  /** Begin as test_setup left it; otherwise continue from what is there, with a warning. */
  restore: boolean
}

export interface RanInWorkspace extends LoopResult {
  backend: string
}

/** Throws a UserError for a run that has no proper end; what it did by then is kept. */
export async function runInWorkspace(
  workspace: Workspace,
  run: WorkspaceRun,
  context: ToolContext,
): Promise<RanInWorkspace> {
  const unlock = lockRuns(workspace)
  try {
    return await runLocked(workspace, run, context)
  } finally {
    unlock()
  }
}

export function loopConfig(workspace: Pick<Workspace, 'state'>, warn: (text: string) => void = () => {}): LoopConfig {
  const config = readState(workspace.state, 'config.json')
  return parseLoopConfig(isRecord(config) ? config : {}, 'config', warn)
}

async function runLocked(workspace: Workspace, run: WorkspaceRun, context: ToolContext): Promise<RanInWorkspace> {
  const config = loopConfig(workspace)
  // The recording alone says who played the hats, whatever the configuration names.
  const named = run.backend ?? (run.recording?.mode === 'replay' ? 'replay' : undefined)
  const backend = chooseBackend({ ...run, backend: named }, config) ?? { type: 'mock' }
  requireAllowed(run, backend, config, context)
  if (run.env) {
    requireEnv(run.env)
    context.redactor.learn(run.env)
  }
  const run_id = context.newRunId()
  const { number, session } = nextRun(workspace)
  if (run.restore) await restoreSnapshot(workspace)
  const warnings = run.restore ? [] : await dirtyWarnings(workspace)
  await moveOldRun(workspace)
  const touched = watchSnapshots(workspace, context)
  const played = new PlayedFiles(NEVER_RECORDED)
  const { signal, release } = watched(workspace, backend, context)
  let result: LoopResult
  try {
    result = await runLoop({
      cwd: workspace.path,
      task: run.task,
      config,
      backend,
      limits: run.limits,
      run_id,
      redactor: context.redactor,
      processes: context.processes,
      signal,
      session_file: session,
      emit: (record) => {
        if (!isKind(record, '_meta.iteration')) return
        const { n, hat } = record.data
        const total = run.limits.max_iterations
        context.progress({ progress: n, message: `iteration ${n}: ${hat}`, ...(total !== undefined && { total }) })
      },
      ...defined({
        env: run.env,
        mock_responses: run.mock_responses,
        scripted: run.scripted,
        allow_backends: run.allow_backends,
        on_exhausted: run.on_exhausted,
        recording: run.recording && { ...run.recording, onPlayed: played.add.bind(played) },
        wrap: run.wrap,
      }),
    })
  } finally {
    await release()
    warnings.push(...(await copySession(workspace, session)))
  }
  const { error, ...rest } = result
  const kept = { ...rest, warnings: [...warnings, ...rest.warnings] }
  keepRun(workspace, {
    ...context.redactor.value(withoutPlaces(kept)),
    number,
    tool: run.tool,
    backend: backend.type,
    task: context.redactor.text(run.task),
    touched_snapshots: touched(),
    ...defined({ not_recorded: played.lacking() }),
  })
  if (error) throw error
  if (signal.reason instanceof Error && signal.reason.message.startsWith(TOO_LARGE)) throw tooLarge(signal.reason)
  return { ...kept, session_file: `${workspace.path}/${SESSION_FILE}`, backend: backend.type }
}

function withoutPlaces({ session_file: _session, recording: _recording, ...run }: Omit<LoopResult, 'error'>) {
  return run
}

/** What the arguments do not name, the configuration may: a hat with its own backend, a program. */
function requireAllowed(
  { recording, allow_backends = [] }: WorkspaceRun,
  backend: BackendChoice,
  config: LoopConfig,
  context: ToolContext,
): void {
  if (recording?.mode === 'replay' && (recording.on_missing ?? 'error') === 'error') return
  if (recording?.mode === 'replay') requireLive(context, 'allow_passthrough')
  // A scripted run refuses hats with other backends, live or not.
  const mayRun = ({ type }: BackendChoice): boolean => backend.type !== 'mock' || allow_backends.includes(type)
  const hats = config.hats.flatMap((hat) => hat.backend ?? []).filter(mayRun)
  for (const { type } of [backend, ...hats]) if (!OFFLINE.has(type)) requireLive(context, `the backend ${type}`)
}

function requireEnv(env: Record<string, unknown>): void {
  for (const [name, value] of Object.entries(env)) {
    const problem = !/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)
      ? `env: ${JSON.stringify(name)} is not the name of an environment variable`
      : typeof value !== 'string' || value.includes('\0')
        ? `env.${name}: the value must be text without NUL`
        : undefined
    if (problem !== undefined)
      throw new UserError({
        code: 'BAD_ENV',
        message: problem,
        hint: 'names are letters, digits and "_", values are text, e.g. {"LOG_LEVEL": "debug"}',
      })
  }
}

/** A program may fill the disk: it is killed before that. */
function watched(
  workspace: Workspace,
  { type }: BackendChoice,
  context: ToolContext,
): { signal: AbortSignal; release(): Promise<void> } {
  const { signal, release } = follow(context.signal)
  if (OFFLINE.has(type)) return { signal, release: async () => release() }
  const full = new AbortController()
  const end = new AbortController()
  const watching = watchSize(workspace, MAX_WORKSPACE_BYTES, end.signal).then((problem) => {
    if (problem) full.abort(problem)
  })
  return {
    signal: AbortSignal.any([signal, full.signal]),
    release: async () => {
      end.abort()
      release()
      await watching
    },
  }
}

const TOO_LARGE = 'the workspace is too large'

function tooLarge(cause: Error): UserError {
  return new UserError({
    code: 'WORKSPACE_TOO_LARGE',
    message: cause.message,
    hint: 'the run was ended; let the agent work in a smaller folder',
    exitCode: 3,
    cause,
  })
}

/** For people, and for anyone who reads the workspace; verdicts come from what was recorded. */
async function copySession(workspace: Workspace, session: string): Promise<string[]> {
  let recorded: string
  try {
    recorded = readFileSync(session, 'utf8')
  } catch {
    return []
  }
  const { kind } = await readWorkspaceFile(workspace, SESSION_FILE, 0)
  const warnings =
    kind === 'missing'
      ? []
      : [`something in the workspace wrote its own ${SESSION_FILE}: it was replaced, and counts for nothing`]
  try {
    await writeWorkspaceFiles(workspace, { [SESSION_FILE]: recorded })
    return warnings
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [...warnings, `there is no copy of the session in the workspace: ${error.message}`]
  }
}
