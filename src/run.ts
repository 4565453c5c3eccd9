// The pipeline on one screen: source → plan → execution → evidence → verdicts → event stream → reports.
import { randomBytes } from 'node:crypto'
import { UserError } from './errors.js'
import { EVENT_FORMAT, type RunEvent, type StartEvent, type SummaryEvent } from './model/event.js'
import type { RunOptions, VivaConfig } from './model/options.js'
import { Deadlines } from './pipeline/execute/deadline.js'
import { runPlan } from './pipeline/execute/run-plan.js'
import { openEventLog, type EventSink } from './pipeline/record/event-log.js'
import { createRedactor } from './redact/redactor.js'
import { defined } from './util/defined.js'
import { createRunUnit } from './run/run-unit.js'
import { openOutputs, showLost, writtenEvents } from './run/outputs.js'
import { prepare, type Prepared, type RunIo } from './run/prepare.js'
import { keepHeapSmall } from './run/small-heap.js'
import { readAgain } from './run/resume.js'
import { runAfter, runBefore } from './run/run-hooks.js'
import { strayError } from './run/stray-error.js'
import { createTracker } from './run/tracker.js'
import { version } from './version.js'

export interface RunOutcome {
  exit_code: number
  summary: SummaryEvent
  /** The event file, unless it was only temporary. */
  events_file?: string
  /** Reports written, in the order asked for. */
  reports: string[]
}

/** Runs the cases that `options` names and writes what was asked for. Throws UserError when it cannot start. */
export async function runTests(options: RunOptions, io: RunIo, signal: AbortSignal): Promise<RunOutcome> {
  const prepared = await prepare(options, io)
  try {
    return await runPrepared(prepared, io, signal)
  } finally {
    await prepared.close()
  }
}

async function runPrepared(prepared: Prepared, io: RunIo, signal: AbortSignal): Promise<RunOutcome> {
  const { options, work, interrupted } = prepared
  const runId = interrupted?.start.run_id ?? newRunId()
  const outputs = openOutputs(prepared, io.now())
  keepHeapSmall(work.total)
  const tracker = createTracker({ run_id: runId, options, total: work.total, elapsed_ms: interrupted?.elapsed_ms ?? 0 })
  const deadlines = new Deadlines()
  const stopping = new AbortController()
  const stop = (reason: string): void => {
    if (stopping.signal.aborted) return
    stopping.abort(new Error(reason))
    deadlines.cancelAll(reason)
  }
  const onSignal = (): void => stop('interrupted')
  signal.addEventListener('abort', onSignal, { once: true })
  if (signal.aborted) stop('interrupted')
  io.began?.()

  let broken: UserError | undefined
  const sinkErrors: string[] = []
  const log = openEventLog({
    ...(outputs.events && { file: outputs.events }),
    redactor: prepared.redactor,
    sinks: io.sinks,
    onBroken: (error, lost) => {
      broken = error
      stop('cannot write')
      showLost(lost, io.warn)
    },
    onSinkError: (name, error) => sinkErrors.push(`${name}: ${error instanceof Error ? error.message : String(error)}`),
  })
  const emit = (event: RunEvent): void => {
    log.append(event)
    const stability = tracker.add(event)
    if (stability) log.append(stability)
  }

  const where = work.mode === 'agent' ? work.agent.id : work.label
  io.onStray?.((error) => {
    const event = strayError(error, where)
    if (event) emit(event)
    return event !== undefined
  })
  try {
    if (interrupted) {
      for (const sink of io.sinks) sink.write(interrupted.start)
      for (const event of await readAgain(interrupted.path, tracker)) log.append(event)
    } else emit(startEvent(prepared, runId, io.now()))
    log.flush()
    const beforeData = await runBefore(prepared, runId, stopping.signal)
    const runUnit = createRunUnit({
      prepared,
      run_id: runId,
      deadlines,
      signal: stopping.signal,
      emit,
      overBudget: tracker.overBudget,
      ...(io.human && { human: io.human }),
    })
    await runPlan(work.planned(), {
      parallel: options.parallel,
      fail_fast: options.fail_fast,
      signal: stopping.signal,
      runUnit,
      emit,
      ...(interrupted && { isDone: interrupted.isDone }),
      needsAnother: tracker.needsAnother,
      stop,
    })
    log.flush()
    await runAfter(prepared, runId, log.path, beforeData, signal)
    const summary = tracker.summary({
      ...(signal.aborted && { interrupted: io.interruptedBy?.() ?? 'SIGINT' }),
      report_errors: sinkErrors,
      now: io.now(),
    })
    if (!broken) log.append(summary)
    if (broken) throw broken
    log.flush()
    const finished = await outputs.finish({ summary, log, screen: io.screen, prepared, signal })
    await log.close()
    return defined({
      exit_code: finished.summary.exit_code,
      summary: finished.summary,
      events_file: writtenEvents(outputs.events),
      reports: finished.reports,
    }) as RunOutcome
  } catch (error) {
    await log.close().catch(() => {})
    throw broken ?? error
  } finally {
    io.onStray?.(undefined)
    signal.removeEventListener('abort', onSignal)
    deadlines.close()
    outputs.release()
  }
}

function startEvent(prepared: Prepared, runId: string, now: Date): StartEvent {
  const { options, work, project } = prepared
  const script = work.mode === 'script_test' ? work : undefined
  const agent = work.mode === 'agent' ? work.agent : undefined
  return defined({
    type: 'start' as const,
    format: EVENT_FORMAT,
    timestamp: now.toISOString(),
    run_id: runId,
    mode: work.mode,
    agent_id: agent?.id ?? script?.files[0]?.agent_id ?? '',
    agent_path: agent?.path,
    connector: options.connector ?? agent?.connector,
    input: work.label,
    input_hash: work.mode === 'agent' ? work.source.hash : undefined,
    total_cases: work.total,
    runs_per_case: options.runs,
    environment: prepared.environment,
    options: { ...options, cwd: project.cwd },
    version: version(),
    script: script && work.label,
    script_path: script?.files.map((file) => file.script_path).join(', '),
    multi_turn: work.mode === 'agent' ? work.source.multi_turn : undefined,
  }) as StartEvent
}

function newRunId(): string {
  return `run-${Date.now().toString(36)}-${randomBytes(4).toString('hex')}`
}

export type { EventSink, RunIo, RunOptions, VivaConfig }
export { createRedactor }
