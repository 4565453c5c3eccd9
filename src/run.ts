// The pipeline on one screen: source → plan → execution → evidence → verdicts → event stream → reports.
import type { SummaryEvent } from './model/event.js'
import type { RunOptions } from './model/options.js'
import { runPlan } from './pipeline/execute/run-plan.js'
import { openOutputs } from './run/outputs/outputs.js'
import { prepare, type Prepared, type RunIo } from './run/prepare.js'
import { runAfter, runBefore } from './run/run-hooks.js'
import { createRunUnit } from './run/run-unit.js'
import { newRunId, startEvent } from './run/start-event.js'
import { createStopper } from './run/stopper.js'
import { openStream } from './run/stream.js'
import { createTracker } from './run/tracker.js'

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
  const tracker = createTracker({
    run_id: runId,
    options,
    total: work.total,
    elapsed_ms: interrupted?.elapsed_ms ?? 0,
    ...(work.mode === 'agent' && {
      onUncounted: () => prepared.warn('--max-cost cannot be held: the agent reports neither cost nor usage'),
    }),
  })
  const stopper = createStopper(signal)
  const stream = openStream({ prepared, outputs, tracker, io, stop: stopper.stop })
  const { log, emit } = stream
  io.began?.()

  try {
    if (interrupted) await stream.replay(interrupted)
    else emit(startEvent(prepared, runId, io.now()))
    log.flush()
    const beforeData = await runBefore(prepared, runId, stopper.signal, emit)
    await runPlan(work.jobs(interrupted?.isDone), {
      parallel: options.parallel,
      fail_fast: options.fail_fast,
      signal: stopper.signal,
      runUnit: createRunUnit({
        prepared,
        run_id: runId,
        stopper,
        emit,
        overBudget: tracker.overBudget,
        human: io.human,
      }),
      emit,
      needsAnother: tracker.needsAnother,
      stop: stopper.stop,
    })
    log.flush()
    await runAfter(prepared, runId, log.path, beforeData, signal)
    const interruptedBy = signal.aborted ? (io.interruptedBy?.() ?? 'SIGINT') : undefined
    const summary = tracker.summary({ interrupted: interruptedBy, report_errors: stream.errors, now: io.now() })
    stream.end(summary)
    const finished = await outputs.finish({ summary, log, screen: io.screen, prepared, signal })
    await stream.close()
    return { exit_code: finished.summary.exit_code, ...finished }
  } catch (error) {
    await stream.close().catch(() => {})
    throw stream.broken() ?? error
  } finally {
    stopper.release()
    outputs.release()
  }
}

export type { RunIo }
