// The runs of a workspace. Their sessions are recorded beside the workspace, out of reach of the agents that ran in it;
// what is in the workspace is a copy to read.
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../base/defined.js'
import { UserError } from '../errors.js'
import type { LoopResult } from '../orchestrator/run-types.js'
import { parseSession } from '../orchestrator/session/read-session.js'
import type { SessionRecord } from '../model/session.js'
import { lockFile } from '../process/lock-file.js'
import { readWorkspaceFile } from '../workspaces/files.js'
import { SESSION_FILE } from '../workspaces/layout.js'
import { readState, writeState } from '../workspaces/state.js'
import type { Workspace } from '../workspaces/workspace.js'
import type { Retried } from './retry.js'

/** What is kept about a run beside its session. */
export interface RunEntry extends Omit<LoopResult, 'error' | 'session_file' | 'recording'>, Retried {
  /** From 1. */
  number: number
  tool: string
  backend: string
  task: string
  /** Approved snapshots of the project that changed while it ran. */
  touched_snapshots?: string[]
  /** For a replay: the files that the recording has not kept. */
  not_recorded?: string[]
}

/** One run at a time: with two in one folder, results would be about neither. Returns a function that ends it. */
export function lockRuns({ id, state }: Pick<Workspace, 'id' | 'state'>): () => void {
  try {
    return lockFile(join(state, 'runs'), { flag: 'workspace_id' })
  } catch (error) {
    if (!(error instanceof UserError) || error.code !== 'OUTPUT_LOCKED') throw error
    throw error.as({
      code: 'WORKSPACE_BUSY',
      message: `a run is in progress in workspace "${id}"`,
      hint: 'wait until it ends, or use another workspace',
    })
  }
}

/** Where the session of the next run is recorded. */
export function nextRun({ state }: Pick<Workspace, 'state'>): { number: number; session: string } {
  const number = runCount(state) + 1
  const folder = join(state, 'runs', String(number))
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  writeState(state, 'run-count.json', number)
  return { number, session: join(folder, SESSION_FILE) }
}

export function keepRun({ state }: Pick<Workspace, 'state'>, run: RunEntry): void {
  writeState(state, join('runs', String(run.number), 'run.json'), { format: 1, ...run })
}

/** What is checked in a run is as flaky as the run. */
export function keepRetries(
  workspace: Pick<Workspace, 'state'>,
  { run_id, attempts = 1, flaky, failure_history }: Retried & { run_id: string },
): void {
  const run = lastRun(workspace)
  if (run?.run_id === run_id && attempts > 1)
    keepRun(workspace, { ...run, attempts, ...defined({ flaky, failure_history }) })
}

/** The last run, or undefined if nothing was run. */
export function lastRun({ state }: Pick<Workspace, 'state'>): RunEntry | undefined {
  const number = runCount(state)
  return number === 0 ? undefined : (readState(state, join('runs', String(number), 'run.json')) as RunEntry | undefined)
}

/** The last run, once it has ended: what has not happened by now may still happen. Undefined if nothing was run. */
export function endedRun(workspace: Pick<Workspace, 'id' | 'state'>): RunEntry | undefined {
  const { id, state } = workspace
  const number = runCount(state)
  const run = lastRun(workspace)
  if (number === 0 || run) return run
  throw existsSync(sessionOf(state, number)) ? notEnded(id) : neverBegan(id)
}

/** A run by its number, its id, or `last`. Throws a UserError that lists the existing ones. */
export function findRun(workspace: Pick<Workspace, 'id' | 'state'>, wanted: string): RunEntry {
  const runs = keptRuns(workspace)
  const found =
    wanted === 'last' ? runs.at(-1) : runs.find(({ number, run_id }) => [String(number), run_id].includes(wanted))
  if (found) return found
  throw new UserError({
    code: 'UNKNOWN_RUN',
    message: `workspace "${workspace.id}" has no run "${wanted}"`,
    hint:
      runs.length === 0
        ? 'run something first'
        : `known runs: ${runs.map(({ number, run_id }) => `${number} (${run_id})`).join(', ')}`,
  })
}

/** Those that reached an end, in order. */
export function keptRuns({ state }: Pick<Workspace, 'state'>): RunEntry[] {
  return Array.from({ length: runCount(state) }, (_, index) =>
    readState(state, join('runs', String(index + 1), 'run.json')),
  ).filter((run) => run !== undefined) as RunEntry[]
}

/** As it was recorded. */
export function recordsOf({ id, state }: Pick<Workspace, 'id' | 'state'>, { number }: RunEntry): SessionRecord[] {
  const { records, problem } = parseSession(readRecorded(sessionOf(state, number), id))
  if (problem) throw corrupt(problem, 'what was recorded of the run cannot be trusted: run again')
  return records
}

export interface LastSession {
  records: SessionRecord[]
  warnings: string[]
}

/** The session of the last run. Throws a UserError if there is none, or if it or its copy is corrupt. */
export async function lastSession(workspace: Workspace): Promise<LastSession> {
  const number = runCount(workspace.state)
  if (number === 0) throw nothingRan(workspace.id)
  const recorded = readRecorded(sessionOf(workspace.state, number), workspace.id)
  const { records, torn, problem } = parseSession(recorded)
  if (problem) throw corrupt(problem, 'what was recorded of the run cannot be trusted: run again')
  const warnings = torn ? ['the last line of the session is incomplete: the run was killed'] : []
  return { records, warnings: [...warnings, ...(await copyWarnings(workspace, recorded))] }
}

export function nothingRan(id: string): UserError {
  return new UserError({
    code: 'NOTHING_RAN',
    message: `nothing has been run in workspace "${id}"`,
    hint: 'call test_run, test_record or test_replay first',
  })
}

/** What an earlier run did says nothing about the last requested one. */
function neverBegan(id: string): UserError {
  return new UserError({
    code: 'NOTHING_RAN',
    message: `the last run in workspace "${id}" could not begin`,
    hint: 'run it again without the mistake that was reported then',
  })
}

/** Still running, killed, or its session was changed. */
function notEnded(id: string): UserError {
  return new UserError({
    code: 'RUN_NOT_ENDED',
    message: `the last run in workspace "${id}" has not ended properly: nothing can be concluded from it`,
    hint: 'if it is still running, wait for it; otherwise run it again',
  })
}

function sessionOf(state: string, number: number): string {
  return join(state, 'runs', String(number), SESSION_FILE)
}

function readRecorded(path: string, id: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw neverBegan(id)
    throw error
  }
}

/** Readers of the copy in the workspace must not be misled by changes to it. */
async function copyWarnings(workspace: Workspace, recorded: string): Promise<string[]> {
  const copy = await readWorkspaceFile(workspace, SESSION_FILE, Buffer.byteLength(recorded) + 1024 * 1024)
  if (copy.kind === 'text' && copy.text === recorded) return []
  const { problem } = copy.kind === 'text' ? parseSession(copy.text) : {}
  if (problem) throw corrupt(problem, 'the copy in the workspace was changed after the run: run again')
  return [`${SESSION_FILE} in the workspace is not what was recorded: what was recorded counts`]
}

function corrupt({ line, message }: { line: number; message: string }, hint: string): UserError {
  return new UserError({
    code: 'BAD_SESSION',
    message: `${SESSION_FILE}:${line}: ${message}`,
    hint,
    problems: [{ file: SESSION_FILE, line, message }],
  })
}

export function runCount(state: string): number {
  const count = readState(state, 'run-count.json')
  return typeof count === 'number' ? count : 0
}
