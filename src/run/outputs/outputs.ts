// Where a run's events and reports go: decided and checked before the first case, written after the last.
import { dirname, resolve } from 'node:path'
import type { RunEvent, SummaryEvent } from '../../model/event.js'
import type { EventLog } from '../../pipeline/record/event-log.js'
import {
  openDefaultOutput,
  openForResume,
  openNamedOutput,
  openTemporaryOutput,
  requireNew,
  requireWritable,
  type OutputFile,
} from '../../pipeline/record/open-output.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { requireKnownFormat } from '../../pipeline/report/registry.js'
import { defined } from '../../base/defined.js'
import type { Prepared } from '../prepare.js'
import { isSameFile, outputTaken } from './same-file.js'
import { writeReports } from './write-reports.js'

const MAX_SHOWN = 1024 * 1024

export interface Outputs {
  events?: OutputFile
  finish(end: { summary: SummaryEvent; log: EventLog; signal: AbortSignal }): Promise<{
    summary: SummaryEvent
    reports: string[]
    printed?: string
    /** Where the events can be found, unless they were only temporary. */
    events_file?: string
  }>
  release(): void
}

export function openOutputs(prepared: Prepared): Outputs {
  const { options, interrupted, cwd, io } = prepared
  const now = io.now()
  const paths = options.output.map((path) => resolve(cwd, path))
  for (const path of paths) requireNotInput(path, prepared)
  const [named, ...copies] = interrupted ? [] : [...new Set(paths.filter(isEvents))]
  for (const path of copies) requireNew(path, options.force)
  const reports = [...paths.filter((path) => !isEvents(path)), ...copies]
  for (const path of reports) {
    if (options.reporter === undefined) requireKnownFormat(path)
    requireWritable(path)
  }
  const events = interrupted
    ? openForResume(interrupted.path, interrupted.length)
    : openEvents(prepared, named, reports.length > 0, now)
  let kept: string | undefined
  return {
    ...(events && { events }),
    finish: async ({ summary, log, signal }) => {
      if (!events) return { summary, reports: [] }
      const recording = recordingOf(events.path)
      const { written, printed, failures } = await writeReports({ prepared, reports, recording, signal })
      if (failures.length === 0)
        return defined({ summary, reports: written, printed, events_file: writtenEvents(events) })
      // The summary said 0 before the reports were tried; the file must not disagree with the exit code.
      const amended: SummaryEvent = {
        ...summary,
        report_errors: failures,
        exit_code: summary.exit_code === 0 ? 3 : summary.exit_code,
        reasons: [...(summary.reasons ?? []), 'a report could not be written'],
      }
      log.replaceLast(amended)
      if (summary.exit_code === 0) prepared.warn('exit code 3: every case passed, but a report could not be written')
      if (events.temporary) {
        const { keepEvents } = await import('./keep-events.js')
        kept = await keepEvents(events.path, reports[0] === undefined ? cwd : dirname(reports[0]), now)
        prepared.warn(`the results are kept: viva report ${kept} -o report.html writes a report from them`)
      }
      return defined({ summary: amended, reports: written, printed, events_file: kept ?? writtenEvents(events) })
    },
    release: () => {
      if (events && events.path !== kept) events.release()
    },
  }
}

function requireNotInput(path: string, { work }: Prepared): void {
  const input = work.mode === 'agent' ? work.source.file : undefined
  if (input !== undefined && isSameFile(path, input)) throw outputTaken('-o', path, 'the cases are read from it')
}

/** Finished cases whose lines the disk did not take: the terminal is the last place where they can go. */
export function showLost(events: RunEvent[], warn: (text: string) => void): void {
  const results = events.filter((event) => event.type === 'result')
  if (results.length === 0) return
  const lines = results.map((event) => JSON.stringify(event)).join('\n')
  warn(`finished, but not in the event file:\n${lines.length <= MAX_SHOWN ? lines : `${results.length} results`}`)
}

/** Where the events can be found; with `--force` and no result, the old file is still there. */
function writtenEvents(file: OutputFile | undefined): string | undefined {
  return file === undefined || file.temporary || file.replaceOnFirstResult ? undefined : file.path
}

function openEvents(
  prepared: Prepared,
  named: string | undefined,
  hasReports: boolean,
  now: Date,
): OutputFile | undefined {
  const { options, work, io } = prepared
  if (named !== undefined) return openNamedOutput(named, options.force)
  if (hasReports) return openTemporaryOutput()
  const file = work.mode === 'agent' ? work.source.file : undefined
  if (file !== undefined) return openDefaultOutput(dirname(file), now)
  const needed = options.reporter ?? options.after ?? options.save_turns ?? io.annotate
  return needed !== undefined || options.history ? openTemporaryOutput() : undefined
}

function isEvents(path: string): boolean {
  return path.toLowerCase().endsWith('.jsonl')
}
