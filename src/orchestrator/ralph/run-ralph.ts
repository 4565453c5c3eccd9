// The whole `ralph` program instead of the embedded loop: it runs on its own, and its session becomes part of ours.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import { hatsOf, isKind, type SessionRecord } from '../../model/session.js'
import { findReason, TERMINATION_EXIT_CODES, type TerminationReason } from '../../model/termination.js'
import { lastWords } from '../../process/last-words.js'
import { runProcess, type RunResult } from '../../process/run-process.js'
import { boundBy } from '../../time/deadline.js'
import { stopReason } from '../cancelled.js'
import type { BackendChoice } from '../hats.js'
import type { Limits } from '../loop.js'
import type { Engine, EngineEnd, RunLoopInit, RunParts } from '../run-types.js'
import { Spending } from '../spending.js'
import { readSession, type Session } from '../session/read-session.js'

const NOTHING: Session = { records: [], torn: false }

export async function prepareRalph(init: RunLoopInit, choice: BackendChoice, limits: Limits): Promise<Engine> {
  const { processes } = init
  if (init.recording) throw cannotRecord()
  if (init.mock_responses !== undefined) throw cannotMock()
  if (limits.max_cost !== undefined || limits.max_tokens !== undefined) throw cannotLimit()
  processes.requireSupport('the backend ralph')
  const command = processes.findExecutable(choice.command ?? 'ralph', processes.cwd)
  return (parts) => runRalph(parts, command)
}

async function runRalph(parts: RunParts, command: string): Promise<EngineEnd> {
  const { init, choice, limits, clock } = parts
  const { processes, cwd, signal } = init
  const folder = mkdtempSync(join(tmpdir(), 'viva-ralph-'))
  const started = clock.now()
  const bound = boundBy(signal, limits.max_runtime_secs * 1000, `${limits.max_runtime_secs}s`, clock)
  try {
    const config = join(folder, 'ralph.yml')
    const session = join(folder, 'session.jsonl')
    // JSON is YAML.
    writeFileSync(config, JSON.stringify(init.config.raw), { mode: 0o600 })
    const pieces: string[] = []
    const result = await runProcess(processes, {
      command,
      args: argsOf(config, init.task, limits.max_iterations, session, choice.args ?? []),
      cwd,
      env: parts.env,
      passEnv: (init.pass_env ?? []).filter((name) => !name.startsWith('RALPH_')),
      signal: bound.signal,
      onStdout: (text) => {
        pieces.push(text)
        parts.say(text, true)
      },
    })
    if (result.stderr !== '') parts.say(result.stderr, false)
    const recorded = await sessionOf(session)
    const { records } = recorded instanceof UserError ? NOTHING : recorded
    for (const record of records) if (!isKind(record, '_meta.termination')) parts.merge(record)
    const timedOut = bound.signal.aborted && !signal.aborted
    return {
      ...endOf(result, recorded, timedOut, signal),
      elapsed_secs: Math.round(clock.now() - started) / 1000,
      outputs: [stripVTControlCharacters(pieces.join(''))],
      stderr: result.stderr === '' ? [] : [result.stderr],
      spending: spendingOf(records),
    }
  } finally {
    bound.clear()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Or why there is none. */
async function sessionOf(path: string): Promise<Session | UserError> {
  try {
    return await readSession(path)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
}

function argsOf(config: string, task: string, iterations: number, session: string, extra: string[]): string[] {
  const base = ['run', '-c', config, '--no-tui', '--skip-preflight', '--color', 'never', '-p', task]
  return [...base, '--max-iterations', String(iterations), '--record-session', session, ...extra]
}

function endOf(
  result: RunResult,
  recorded: Session | UserError,
  timedOut: boolean,
  signal: AbortSignal,
): Pick<EngineEnd, 'reason' | 'message' | 'error' | 'iterations' | 'hats'> {
  const { records } = recorded instanceof UserError ? NOTHING : recorded
  const hats = hatsOf(records)
  const own = ownWords(records)
  const facts = { hats, iterations: Math.max(hats.length, own.iterations) }
  if (timedOut) return { reason: 'MaxRuntime', ...facts }
  if (signal.aborted) return { reason: stopReason(signal), ...facts }
  const byCode = CODES[result.exit_code ?? 1] ?? 'Error'
  // The exit code decides; its own word says which of the reasons with that code it was.
  const reason = own.reason !== undefined && agrees(own.reason, byCode) ? own.reason : byCode
  const how = result.signal === null ? `exited with ${result.exit_code}` : `was killed by ${result.signal}`
  const but = doubt(recorded, byCode, own.reason)
  if (reason !== 'Error' && but === '') return { reason, ...facts }
  return { ...facts, ...failed(`ralph ${how}${but}${lastWords(result.stderr)}`, recorded) }
}

/** Why its exit code alone does not count; '' if it does. */
function doubt(recorded: Session | UserError, byCode: TerminationReason, own: TerminationReason | undefined): string {
  const { records, torn } = recorded instanceof UserError ? NOTHING : recorded
  if (records.length === 0) return ' and recorded no session'
  if (torn) return ', but the last line of its session is incomplete'
  const isSuccess = TERMINATION_EXIT_CODES[byCode] === 0
  return isSuccess && own !== undefined && !agrees(own, byCode) ? `, but its session says ${own}` : ''
}

function failed(message: string, recorded: Session | UserError): Pick<EngineEnd, 'reason' | 'message' | 'error'> {
  const cause = recorded instanceof UserError && recorded.code !== 'NO_SESSION' ? recorded : undefined
  const error =
    cause ?? new UserError({ code: 'BACKEND_FAILED', message, hint: 'run it by hand to see more', exitCode: 3 })
  return { reason: 'Error', message: error.message, error }
}

/** What the exit codes of ralph mean when its session does not say more. */
const CODES: Record<number, TerminationReason> = {
  0: 'CompletionPromise',
  1: 'Error',
  2: 'MaxIterations',
  130: 'Interrupted',
}

const SAME_CODE: ReadonlyArray<readonly TerminationReason[]> = [
  ['CompletionPromise', 'Cancelled'],
  ['Error', 'ConsecutiveFailures', 'LoopThrashing', 'LoopStale', 'ValidationFailure', 'Stopped', 'NoPendingEvents'],
  ['MaxIterations', 'MaxRuntime', 'MaxCost'],
  ['Interrupted'],
]

function agrees(reason: TerminationReason, byCode: TerminationReason): boolean {
  return SAME_CODE.some((same) => same.includes(reason) && same.includes(byCode))
}

/** Of `_meta.termination`, or of the event `loop.terminate`, whichever its version writes. */
function ownWords(records: SessionRecord[]): { reason?: TerminationReason; iterations: number } {
  for (const record of records.toReversed()) {
    if (isKind(record, '_meta.termination'))
      return { iterations: record.data.iterations ?? 0, ...defined({ reason: findReason(record.data.reason) }) }
    if (isKind(record, 'bus.publish') && record.data.topic === 'loop.terminate') {
      const { payload } = record.data
      const reason = /## Reason\s+(\w+)/.exec(payload ?? '')?.[1]
      const iterations = /\bIterations:\**\s*(\d+)/.exec(payload ?? '')?.[1]
      return {
        iterations: Number(iterations ?? 0),
        ...defined({ reason: reason === undefined ? undefined : findReason(reason) }),
      }
    }
  }
  return { iterations: 0 }
}

function spendingOf(records: SessionRecord[]): Spending {
  const spending = new Spending()
  const calls = records.filter((record) => isKind(record, 'backend.call'))
  // Its own recordings do not report cost: unknown, which is not 0.
  if (calls.length === 0) spending.add({ output: '', stderr: '', exit_code: 0 })
  for (const { data } of calls) {
    const { tokens, cost_dollars, exit_code } = data
    const usage = tokens === undefined ? undefined : { input_tokens: 0, output_tokens: tokens, total_tokens: tokens }
    spending.add({ output: '', stderr: '', exit_code, ...defined({ usage, cost_dollars }) })
  }
  return spending
}

function cannotRecord(): UserError {
  return new UserError({
    code: 'CANNOT_RECORD',
    message: 'a run of ralph as a whole cannot be recorded or replayed: its calls do not pass through Viva',
    hint: 'use the embedded loop with the backend that ralph would call',
  })
}

function cannotMock(): UserError {
  return new UserError({
    code: 'UNUSED_MOCK_RESPONSES',
    message: 'mock_responses are given, but the backend is ralph',
    hint: 'use the backend mock, or leave them out',
  })
}

function cannotLimit(): UserError {
  return new UserError({
    code: 'COST_UNKNOWN',
    message: 'max_cost and max_tokens cannot be enforced in a run of ralph as a whole',
    hint: 'set them in its own configuration, or limit iterations and runtime',
  })
}
