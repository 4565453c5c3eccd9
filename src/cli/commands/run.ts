// `viva run`: the embedded orchestrator, or ralph, from the command line.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { defined } from '../../base/defined.js'
import { parseDuration } from '../../base/duration.js'
import { formatCost, plural } from '../../base/format.js'
import { messageOf } from '../../base/message-of.js'
import { loadMockFile } from '../../connectors/mock-file.js'
import { UserError } from '../../errors.js'
import { findAppRoot } from '../../files/app-root.js'
import { isFolder } from '../../files/stat.js'
import { isKind, type SessionRecord } from '../../model/session.js'
import { requireBackend } from '../../orchestrator/choose-backend.js'
import type { LoopConfig } from '../../orchestrator/config/config.js'
import { CONFIG_FILES, findLoopConfig, parseLoopConfig, readLoopConfig } from '../../orchestrator/config/read-config.js'
import { runLoop } from '../../orchestrator/run-loop.js'
import type { LoopRecording, LoopResult, RunLoopInit } from '../../orchestrator/run-types.js'
import { streamEvent } from '../../orchestrator/session/stream-event.js'
import { unsetVariables } from '../../process/child-env.js'
import { Processes } from '../../process/processes.js'
import { describeHidden } from '../../redact/describe-hidden.js'
import { createRedactor, type Redactor } from '../../redact/redactor.js'
import { secretsOf } from '../../config/known-secrets.js'
import { loadConfig } from '../../config/load-config.js'
import { readValue } from '../../config/read-options.js'
import { newRunId } from '../../time/new-run-id.js'
import type { CommandCall } from '../command.js'
import { bestEffort, printError, useRedactor } from '../ending.js'
import { foreignText } from '../foreign-text.js'
import { RUN_FLAGS } from '../run-flags.js'
import { listenForSignals } from '../signals.js'
import { note, warn } from '../say.js'
import { stdout } from '../terminal.js'

export async function run({ args, flags: given }: CommandCall): Promise<number> {
  const signals = listenForSignals('ending the backend, keeping the session')
  const flags = readFlags(given)
  const started = process.cwd()
  const cwd = requireFolder(resolve(started, flags.dir ?? '.'))
  const redactor = await redactorFor(started, flags.pass_env ?? [])
  useRedactor(redactor)
  for (const name of unsetVariables(flags.pass_env ?? [], process.env))
    warn(`--pass-env ${name}: this variable is not set`)
  const processes = new Processes({ env: process.env, cwd: started, warn })
  signals.useProcesses(processes)
  const output = openOutput(redactor, flags.json === true)
  try {
    const config = readConfig(flags.config, started, cwd)
    const init: RunLoopInit = {
      cwd,
      config,
      task: taskOf(args[0], config, cwd),
      ...(await backendOf(flags, config, started)),
      limits: limitsOf(flags),
      pass_env: flags.pass_env ?? [],
      run_id: newRunId(),
      redactor,
      processes,
      signal: signals.stop,
      clock: signals.clock,
      emit: output.emit,
      onOutput: output.write,
      warn,
      note,
      ...defined({
        allow_backends: flags.allow_backend,
        on_exhausted: flags.on_exhausted,
        session_file: flags.session === undefined ? undefined : resolve(started, flags.session),
      }),
    }
    signals.began()
    const result = await runLoop(init)
    if (flags.json !== true) bestEffort()
    output.end()
    if (result.error) await printError(result.error)
    foreignText(process.stderr).write(redactor.text(lastLine(result)))
    const hidden = describeHidden(redactor.hidden())
    if (hidden !== undefined) note(hidden)
    return result.exit_code
  } finally {
    output.end()
    await processes.close()
    signals.release()
  }
}

interface RunFlags {
  config?: string
  backend?: string
  mock?: string
  allow_backend?: string[]
  on_exhausted?: 'error' | 'stop'
  dir?: string
  max_iterations?: number
  max_runtime?: string
  max_cost?: number
  max_tokens?: number
  session?: string
  record?: string
  replay?: string
  record_new?: boolean
  allow_passthrough?: boolean
  no_strict?: boolean
  pass_env?: string[]
  json?: boolean
}

function readFlags(given: Record<string, unknown>): RunFlags {
  const flags: Record<string, unknown> = {}
  for (const flag of RUN_FLAGS) {
    if (given[flag.key] === undefined) continue
    try {
      flags[flag.key] = readValue(flag, given[flag.key])
      if (flag.key === 'max_runtime') parseDuration(String(given[flag.key]))
    } catch (error) {
      throw badFlag(flag.long, messageOf(error))
    }
  }
  const { record, replay, record_new, allow_passthrough, no_strict, mock, allow_backend, backend } = flags as RunFlags
  if (record !== undefined && replay !== undefined) throw badFlag('--record', 'excludes --replay')
  if (record_new && allow_passthrough) throw badFlag('--record-new', 'excludes --allow-passthrough')
  if (replay === undefined && (record_new || allow_passthrough || no_strict))
    throw badFlag(
      record_new ? '--record-new' : allow_passthrough ? '--allow-passthrough' : '--no-strict',
      'needs --replay',
    )
  if (mock !== undefined && backend !== undefined && backend !== 'mock')
    throw badFlag('--mock', `excludes --backend ${backend}`)
  if (mock === undefined && allow_backend) throw badFlag('--allow-backend', 'needs --mock')
  return flags
}

function readConfig(given: string | undefined, started: string, cwd: string): LoopConfig {
  const path = given === undefined ? findLoopConfig(cwd) : resolve(started, given)
  return path === undefined ? parseLoopConfig({}, CONFIG_FILES[0], warn) : readLoopConfig(path, warn)
}

function taskOf(given: string | undefined, { prompt, prompt_file }: LoopConfig, cwd: string): string {
  const task = given ?? prompt ?? (prompt_file === undefined ? undefined : readPrompt(resolve(cwd, prompt_file)))
  if (task !== undefined && task.trim() !== '') return task
  throw new UserError({
    code: 'NO_TASK',
    message: 'no task given',
    hint: 'viva run "what to do", or set prompt in the configuration',
  })
}

function readPrompt(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    throw new UserError({
      code: 'NO_TASK',
      message: `cannot read the prompt_file ${path}: ${messageOf(cause)}`,
      hint: 'viva run "what to do" needs no file',
      cause,
    })
  }
}

async function backendOf(
  flags: RunFlags,
  config: LoopConfig,
  started: string,
): Promise<Pick<RunLoopInit, 'backend' | 'mock_responses' | 'recording'>> {
  const recording = recordingOf(flags, started)
  const mock_responses = flags.mock === undefined ? undefined : await loadMockFile(flags.mock, [started], '--mock')
  const asked = { backend: flags.backend, mock_responses, recording }
  const backend = requireBackend(asked, config, NO_BACKEND)
  return { backend, ...defined({ mock_responses, recording }) }
}

function recordingOf(flags: RunFlags, started: string): LoopRecording | undefined {
  const { record, replay } = flags
  if (record !== undefined) return { mode: 'record', path: resolve(started, record) }
  if (replay === undefined) return undefined
  return {
    mode: 'replay',
    path: resolve(started, replay),
    strict: flags.no_strict !== true,
    on_missing: flags.record_new ? 'record' : flags.allow_passthrough ? 'live' : 'error',
  }
}

function limitsOf({ max_iterations, max_runtime, max_cost, max_tokens }: RunFlags): NonNullable<RunLoopInit['limits']> {
  const max_runtime_secs = max_runtime === undefined ? undefined : parseDuration(max_runtime) / 1000
  return defined({ max_iterations, max_runtime_secs, max_cost, max_tokens })
}

async function redactorFor(started: string, pass_env: string[]): Promise<Redactor> {
  const appRoot = findAppRoot(started, started)
  const { config } = await loadConfig(appRoot)
  const known = secretsOf({ options: { pass_env }, appRoot, config }, process.env)
  return createRedactor({ ...known, ...(config.redactions && { config: config.redactions }) })
}

interface Output {
  emit(record: SessionRecord): void
  write(text: string, stdout: boolean): void
  end(): void
}

/** What hats say goes to standard output, everything else to standard error. */
function openOutput(redactor: Redactor, json: boolean): Output {
  const [out, err] = [redactor.stream(), redactor.stream()]
  const [said, stderr] = [foreignText(process.stdout), foreignText(process.stderr)]
  let isOpen = false
  const print = (text: string): void => {
    if (text === '') return
    isOpen = !text.endsWith('\n')
    said.write(text)
  }
  const endLine = (): void => {
    print(out.end())
    said.end()
    if (isOpen) print('\n')
  }
  return {
    emit(record) {
      if (isKind(record, '_meta.iteration')) endLine()
      if (json) stdout.json(`${redactor.line(streamEvent(record))}\n`)
      else if (isKind(record, '_meta.iteration')) stderr.write(`── ${record.data.n} ${record.data.hat}\n`)
    },
    write(text, stdout) {
      if (!stdout) stderr.write(err.write(text))
      else if (!json) print(out.write(text))
    },
    end() {
      endLine()
      stderr.write(err.end())
      stderr.end()
    },
  }
}

function lastLine(result: LoopResult): string {
  const { termination_reason, message, iterations, elapsed_secs, cost_dollars, session_file } = result
  const why = message === undefined || result.error ? '' : ` (${message})`
  const cost = cost_dollars === undefined || cost_dollars === 0 ? '' : `, ${formatCost(cost_dollars)}`
  return `\n${termination_reason}${why} after ${plural(iterations, 'iteration')}, ${elapsed_secs}s${cost}\nSession: ${session_file}\n`
}

function requireFolder(path: string): string {
  if (isFolder(path)) return path
  throw badFlag('--dir', `no such folder: ${path}`)
}

function badFlag(flag: string, message: string): UserError {
  return new UserError({ code: 'BAD_FLAG', subject: { flag }, message, hint: 'see viva run --help' })
}

const NO_BACKEND = 'give --mock responses.yml, --replay cassette.yaml, or a backend such as -b claude'
