// `--before` and `--after`: script functions around the whole run.
import { UserError } from '../errors.js'
import type { TestCase } from '../model/case.js'
import type { RUN_HOOKS } from '../model/cassette.js'
import type { ErrorEvent, ResultEvent } from '../model/event.js'
import { chatIdFor, contextFor } from '../pipeline/plan/environment.js'
import type { FileRecording } from '../pipeline/record/read-events.js'
import { boundBy } from '../time/deadline.js'
import { parseDuration } from '../base/duration.js'
import { hookData } from '../scripts/host/hook-data.js'
import { describeWithPosition } from '../scripts/host/script-error.js'
import type { Prepared } from './prepare.js'
import { isoNow } from '../time/iso-now.js'

/** Throwing ends the run before the first case. */
export async function runBefore(
  prepared: Prepared,
  runId: string,
  signal: AbortSignal,
  emit: (event: ErrorEvent) => void,
): Promise<unknown> {
  const ref = prepared.options.before
  if (ref === undefined) return null
  try {
    return hookData(
      await call(prepared, '--before', ref, [contextOf(prepared, runId), await casesOf(prepared)], signal),
    )
  } catch (error) {
    // A person ended it: then no case starts either, and the summary says so.
    if (signal.aborted) return null
    const message = describeWithPosition(error, prepared.appRoot)
    // The event file ends here: it must say why.
    emit({ type: 'error', where: `--before ${ref}`, message, timestamp: isoNow() })
    throw new UserError({
      code: 'BEFORE_FAILED',
      message: `--before ${ref} failed: ${message}`,
      hint: 'no case was run',
      exitCode: 3,
      cause: error,
    })
  }
}

/** A failure is a warning: the cases have their verdicts. */
export async function runAfter(
  prepared: Prepared,
  runId: string,
  recording: FileRecording | undefined,
  beforeData: unknown,
  interrupted: AbortSignal,
): Promise<void> {
  const ref = prepared.options.after
  if (ref === undefined) return
  try {
    const results = recording ? await resultsOf(recording) : []
    // It cleans up, so it runs after Ctrl-C too; only pressing that again while it runs ends it.
    const signal = interrupted.aborted ? new AbortController().signal : interrupted
    await call(prepared, '--after', ref, [contextOf(prepared, runId), results, beforeData ?? null], signal)
  } catch (error) {
    prepared.warn(`--after ${ref} failed: ${describeWithPosition(error, prepared.appRoot)}`)
  }
}

/** Uses the case timeout: a hook that never returns must not hold up the run. */
async function call(
  prepared: Prepared,
  hook: (typeof RUN_HOOKS)[number],
  ref: string,
  args: unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const work = prepared.work
  const agentDir = work.mode === 'script_test' ? work.files[0]?.agent_dir : work.tested[0]?.testsDir
  const bound = boundBy(signal, parseDuration(prepared.timeout), prepared.timeout, prepared.io.clock)
  const lines: string[] = []
  try {
    return await prepared.project.scripts.call({
      ref,
      role: 'judge',
      args,
      context_args: [0],
      signal: bound.signal,
      onLog: (line) => void lines.push(line),
      origin: { lane: 'agent', role: ref, case_id: hook, run: 1, attempt: 1 },
      ...(agentDir !== undefined && { agent_dir: agentDir }),
    })
  } finally {
    bound.clear()
    prepared.strayOutput.log(lines, ref)
  }
}

function contextOf(prepared: Prepared, runId: string): unknown {
  const agentId = prepared.work.mode === 'agent' ? prepared.work.agent.id : (prepared.work.files[0]?.agent_id ?? '')
  return contextFor(
    prepared.identity,
    { id: 'run', assertions: [] },
    chatIdFor(prepared.identity, `${runId}-run`, false),
    agentId,
  )
}

async function casesOf(prepared: Prepared): Promise<unknown[]> {
  if (prepared.work.mode === 'script_test') return prepared.work.files.flatMap((file) => file.tests)
  const cases: TestCase[] = []
  for await (const batch of prepared.work.planned()) {
    for (const { unit } of batch) if (unit.kind === 'case') cases.push(unit.testCase)
  }
  return cases
}

async function resultsOf(recording: FileRecording): Promise<ResultEvent[]> {
  const results: ResultEvent[] = []
  for await (const event of recording.events()) if (event.type === 'result') results.push(event)
  return results
}
