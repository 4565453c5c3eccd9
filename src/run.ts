// The pipeline on one screen: source → plan → execution → evidence → verdicts → event stream → reports.
import type { SummaryEvent } from './model/event.js'
import { runPlan } from './pipeline/execute/run-plan.js'
import type { StopSignal } from './pipeline/fold/exit-code.js'
import { describeHidden } from './redact/describe-hidden.js'
import { takeInline, type ProgramOptions } from './run/inline.js'
import { completeIo, IO_KEYS, workingDir, type RunIo } from './run/io.js'
import { openOutputs } from './run/outputs/outputs.js'
import { prepare, type Prepared } from './run/prepare.js'
import { runAfter, runBefore } from './run/run-hooks.js'
import { requireKnownOptions, requireSignal } from './run/require-arguments.js'
import type { OpenRunner, Runner } from './run/unit/run-unit.js'
import { readSettings, type Settings } from './run/settings.js'
import { startEvent } from './run/start-event.js'
import { createStopper, stoppedBy } from './run/stopper.js'
import { openStream, type Stream } from './run/stream.js'
import { createTracker } from './run/tracker.js'
import { hidingSecrets } from './run/unit/without-secrets.js'
import { follow } from './time/abort.js'

export interface RunOutcome {
  exit_code: number
  summary: SummaryEvent
  /** The event file, unless it was only temporary. */
  events_file?: string
  /** Reports written, in the order asked for. */
  reports: string[]
  /** The report without a file name, unless `io.print` took it. */
  printed?: string
  warnings: string[]
}

/** Runs the cases that `given` names or holds, and writes what was asked for. Throws UserError when it cannot start. */
export async function runTests(
  given: ProgramOptions,
  io: Partial<RunIo>,
  signal: AbortSignal,
  openRunner: OpenRunner,
): Promise<RunOutcome> {
  requireKnownOptions(io, IO_KEYS, 'io')
  requireSignal(signal)
  return hidingSecrets(io, async (own) => {
    const { options, inline } = await takeInline(given)
    return runSettings(await readSettings(options, workingDir(own), inline, own), own, signal, openRunner)
  })
}

export async function runSettings(
  settings: Settings,
  io: Partial<RunIo>,
  outer: AbortSignal,
  openRunner: OpenRunner,
): Promise<RunOutcome> {
  const { signal, release } = follow(outer)
  try {
    const prepared = await prepare(settings, completeIo(io, settings.options), signal)
    try {
      const runner = await openRunner(prepared)
      try {
        return await runPrepared(prepared, runner, signal)
      } finally {
        await runner.close()
      }
    } finally {
      await prepared.close()
    }
  } finally {
    release()
  }
}

async function runPrepared(prepared: Prepared, runner: Runner, signal: AbortSignal): Promise<RunOutcome> {
  const { options, work, interrupted, io, warnings } = prepared
  const runId = prepared.run_id
  const outputs = openOutputs(prepared)
  const tracker = createTracker({ prepared, run_id: runId })
  const stopper = createStopper(
    signal,
    io.clock,
    work.mode === 'agent' ? work.tested.map(({ variant }) => variant) : undefined,
  )
  const stream = openStream({ prepared, outputs, tracker, stop: stopper.stop })
  const { log, emit } = stream
  let isCounted = false
  io.began?.(() => {
    if (isCounted)
      stream.cutShort(() => tracker.summary({ ...endingOf(signal, stream), ...NOTHING_FOUND, now: io.now() }))
  })

  try {
    if (interrupted) await stream.replay(interrupted)
    else emit(startEvent(prepared, runId))
    log.flush()
    isCounted = true
    const beforeData = await runBefore(prepared, runId, stopper.signal, emit)
    // What decides about a case is fixed now, whatever the agent does to files later.
    await prepared.project.ready()
    await prepared.interceptors.ready()
    const { brake, needsAnother } = tracker
    const units = await runner.begin({ prepared, run_id: runId, stopper, emit, brake, flush: () => log.flush() })
    await runPlan(work.jobs(stream.goOn, interrupted?.isDone), {
      parallel: units.parallel,
      fail_fast: options.fail_fast,
      signal: stopper.starting,
      runUnit: units.run,
      emit,
      needsAnother,
      end: units.end,
    })
    stream.errors.push(...(await units.finish()))
    log.flush()
    await runAfter(prepared, runId, log.recording(), beforeData, signal)
    await stream.settle()
    const damage = await log.check()
    const ending = { ...endingOf(signal, stream), damage: damage?.message }
    const found = await prepared.interceptors.finish({
      isStopped: ending.interrupted !== undefined,
      agent: work.mode === 'agent' ? work.agent.id : work.label,
    })
    stream.errors.push(...found.problems)
    const not_run_ids = await tracker.notRun()
    const summary = tracker.summary({ ...ending, found: found.summary, not_run_ids, now: io.now() })
    stream.end(summary)
    const finished = await outputs.finish({ summary, log, signal, ...(damage && { damage }) })
    await stream.close()
    const hidden = describeHidden(prepared.redactor.hidden())
    if (hidden !== undefined) io.note?.(hidden)
    return { exit_code: finished.summary.exit_code, ...finished, warnings }
  } catch (error) {
    await stream.close().catch(() => {})
    throw stream.broken() ?? error
  } finally {
    stopper.release()
    outputs.release()
  }
}

/** What only a run that ends by itself can find. */
const NOTHING_FOUND = { damage: undefined, found: {}, not_run_ids: [] }

function endingOf(
  signal: AbortSignal,
  { errors }: Stream,
): { interrupted: StopSignal | undefined; report_errors: string[] } {
  return { interrupted: stoppedBy(signal), report_errors: errors }
}
