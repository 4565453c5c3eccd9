// After the last case: reports, the reporter agent, annotations, history. A failure here never changes a verdict.
import { appendFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HelperLedger } from '../../model/helper-cost.js'
import type { Recording, Screen } from '../../pipeline/report/recording.js'
import { boundBy } from '../../time/deadline.js'
import { parseDuration } from '../../base/duration.js'
import { messageOf } from '../../base/message-of.js'
import type { Prepared } from '../prepare.js'
import { homeOf } from '../settings.js'
import { isEvents } from './is-events.js'

export interface ReportsInit {
  prepared: Prepared
  reports: string[]
  recording: Recording
  /** Throws if the path leads elsewhere than before the run. */
  requirePlace(path: string): void
  /** Aborted when a person ends the run: no questions are asked after that. */
  signal: AbortSignal
}

export interface WrittenReports {
  /** The files that now exist. */
  written: string[]
  /** The report without a file name that nothing printed. */
  printed?: string
  /** What failed, one sentence each. */
  failures: string[]
}

export async function writeReports(init: ReportsInit): Promise<WrittenReports> {
  const failures: string[] = []
  const written: string[] = []
  const attempt = async (what: string, work: () => Promise<void>, path?: string): Promise<void> => {
    try {
      await work()
      if (path !== undefined) written.push(path)
    } catch (error) {
      const message = `${what}: ${messageOf(error)}`
      failures.push(message)
      init.prepared.warn(message)
    }
  }
  const { prepared, recording, requirePlace } = init
  const { options, cwd, io } = prepared
  const { screen } = io
  let printed: string | undefined
  const keep = (text: string): void => {
    printed = `${printed ?? ''}${text}`
  }
  const print = io.print?.bind(io) ?? keep
  const { isBuiltInReporter } = await import('../../pipeline/report/registry.js')
  const byAgent = options.reporter !== undefined && !isBuiltInReporter(options.reporter)

  const byAgentAt = byAgent ? init.reports.find((path) => !isEvents(path)) : undefined
  for (const path of init.reports) {
    if (path === byAgentAt) continue
    const name = byAgent || isEvents(path) ? undefined : options.reporter
    const write = (): Promise<void> => {
      requirePlace(path)
      return writeFileReport(path, name, recording, screen)
    }
    await attempt(path, write, path)
  }
  if (options.reporter !== undefined && byAgent) {
    const write = (): Promise<void> => writeAgentReport(init, options.reporter ?? '', byAgentAt, print)
    await attempt(`reporter ${options.reporter}`, write, byAgentAt)
  } else if (options.reporter !== undefined && init.reports.length === 0) {
    await attempt(options.reporter, () => printReport(options.reporter ?? '', recording, screen, print))
  }
  if (io.annotate) await attempt('GitHub annotations', () => annotate(init))
  if (options.save_turns !== undefined) {
    await attempt(options.save_turns, async () => {
      const { saveTurns } = await import('./save-turns.js')
      const path = resolve(cwd, options.save_turns ?? '')
      requirePlace(path)
      const saved = await saveTurns(recording, prepared, path)
      if (!saved) prepared.warn(`${options.save_turns}: not written: nobody took part in a conversation`)
    })
  }
  if (options.history) {
    await attempt('history', async () => {
      const { recordRun } = await import('../../pipeline/record/run-store.js')
      const folder = historyOf(prepared)
      requirePlace(folder)
      await recordRun(recording, folder)
    })
  }
  return { written, failures, ...(printed !== undefined && { printed }) }
}

export function historyOf(prepared: Prepared): string {
  return join(homeOf(prepared).appRoot, '.viva', 'history')
}

async function writeFileReport(
  path: string,
  reporterName: string | undefined,
  recording: Recording,
  screen: Screen,
): Promise<void> {
  const { reporterForPath, reporterByName } = await import('../../pipeline/report/registry.js')
  const { writeReport } = await import('../../pipeline/report/write-report.js')
  const reporter = reporterName === undefined ? await reporterForPath(path) : await reporterByName(reporterName)
  await writeReport(reporter, recording, path, screen)
}

type Print = (text: string) => void

async function printReport(name: string, recording: Recording, screen: Screen, print: Print): Promise<void> {
  const { reporterByName } = await import('../../pipeline/report/registry.js')
  const reporter = await reporterByName(name)
  for await (const text of reporter(recording, screen)) print(text)
}

/** A reporter agent may hang like any other: it gets the case timeout. */
async function writeAgentReport(init: ReportsInit, use: string, path: string | undefined, print: Print): Promise<void> {
  const { prepared, recording } = init
  const { foldReport } = await import('../../pipeline/report/fold.js')
  const { reporterAgentText } = await import('../../agents/helpers/reporter-agent.js')
  const { writeText } = await import('../../pipeline/report/write-report.js')
  const report = await foldReport(recording)
  const bound = boundBy(init.signal, parseDuration(prepared.timeout), prepared.timeout, prepared.io.clock)
  try {
    const answer = await reporterAgentText({
      ask: prepared.helpers.askFor({ case_id: 'report', run: 1, attempt: 1, ledger: new HelperLedger() }),
      use,
      report,
      format: formatOf(path),
      verbose: prepared.options.verbose,
      signal: bound.signal,
    })
    const text = prepared.redactor.text(answer)
    if (path === undefined) print(`${text}\n`)
    else {
      init.requirePlace(path)
      await writeText(path, text)
    }
  } finally {
    bound.clear()
  }
}

function formatOf(path: string | undefined): string {
  if (path?.endsWith('.html')) return 'html'
  if (path?.endsWith('.md')) return 'markdown'
  return path?.endsWith('.json') ? 'json' : 'text'
}

async function annotate({ prepared: { io }, recording }: ReportsInit): Promise<void> {
  const { githubAnnotations, githubSummary } = await import('../../pipeline/report/reporters/github.js')
  for await (const text of githubAnnotations(recording)) io.annotate?.(text)
  const path = io.env['GITHUB_STEP_SUMMARY']
  if (path === undefined) return
  for await (const text of githubSummary(recording)) appendFileSync(path, text)
}
