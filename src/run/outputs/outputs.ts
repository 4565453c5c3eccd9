// Where a run's events and reports go: decided and checked before the first case, written after the last.
import { writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import type { RunEvent, SummaryEvent } from '../../model/event.js'
import type { Damage } from '../../files/file-guard.js'
import type { EventLog } from '../../pipeline/record/event-log.js'
import {
  openDefaultOutput,
  openForResume,
  openNamedOutput,
  openTemporaryOutput,
  requireSetAside,
  requireWritable,
  type NamedOutput,
  type OutputFile,
} from '../../pipeline/record/open-output.js'
import { SIGNAL_CODES, type StopSignal } from '../../pipeline/fold/exit-code.js'
import { requireKnownFormat } from '../../pipeline/report/registry.js'
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import { notePlace, requireNotLinkedOut } from '../../files/linked-out.js'
import { pathBelow } from '../../files/inside.js'
import { makeFolders } from '../../files/make-folders.js'
import { hasVivaFolder, isPruningDue, ownEventFiles, runsFolder } from '../../files/runs-folder.js'
import { statOf } from '../../files/stat.js'
import type { RunOptions } from '../../config/options.js'
import type { Prepared } from '../prepare.js'
import { sweepTemporaries } from '../../process/sweep-temporaries.js'
import { homeOf } from '../settings.js'
import { stoppedBy } from '../stopper.js'
import { isSameFile, outputTaken } from '../../files/same-file.js'
import { historyOf, writeReports, type WrittenReports } from './write-reports.js'
import { isEvents } from './is-events.js'

const MAX_SHOWN = 1024 * 1024

export interface Outputs {
  events?: OutputFile
  finish(end: { summary: SummaryEvent; log: EventLog; signal: AbortSignal; damage?: Damage }): Promise<{
    summary: SummaryEvent
    reports: string[]
    printed?: string
    /** Where the events can be found, unless they were only temporary. */
    events_file?: string
  }>
  release(): void
}

export function openOutputs(prepared: Prepared): Outputs {
  const { options, interrupted, io } = prepared
  const { appRoot, cwd } = homeOf(prepared)
  const now = io.now()
  const paths = options.output.map((path) => resolve(cwd, path))
  for (const path of paths) {
    requireNotInput(path, prepared)
    requireNotLinkedOut(dirname(path), `-o ${path}`, [appRoot, cwd])
  }
  const history = historyOf(prepared)
  if (options.history) requireNotLinkedOut(history, '--history', [appRoot])
  const [named, ...copies] = interrupted ? [] : [...new Set(paths.filter(isEvents))]
  for (const path of copies) requireSetAside(path, namedOutput(path, prepared))
  const reports = [...paths.filter((path) => !isEvents(path)), ...copies]
  for (const path of reports) {
    if (options.reporter === undefined) requireKnownFormat(path)
    requireWritable(path)
  }
  const turns = options.save_turns === undefined ? [] : [resolve(cwd, options.save_turns)]
  const places = new Map([...reports, history, ...turns].map((path) => [path, notePlace(path)]))
  // After the checks: nothing is removed for a run that does not start.
  sweepTemporaries([...reports.map((path) => dirname(path)), ...(options.history ? [history] : [])])
  const events = interrupted ? openForResume(interrupted) : openEvents(prepared, named, reports.length > 0, now)
  let kept: string | undefined
  return {
    ...(events && { events }),
    finish: async ({ summary, log, signal, damage }) => {
      if (events && dirname(events.path) === runsFolder(appRoot)) await pruneRuns(prepared, dirname(events.path))
      const recording = log.recording()
      if (!events || !recording) return defined({ summary, reports: [], events_file: writtenEvents(events) })
      const { written, printed, failures } = damage?.lost
        ? noReports()
        : await writeReports({ prepared, reports, recording, signal, requirePlace: (path) => places.get(path)?.() })
      const found = damage ?? (await log.check())
      if (failures.length === 0 && !found)
        return defined({ summary, reports: written, printed, events_file: writtenEvents(events) })
      const amended = amendedSummary(summary, failures, found, stoppedBy(signal))
      log.replaceLast(amended)
      if (found) prepared.warn(`${found.message}: exit code 3${found.lost ? ', and no report is made from it' : ''}`)
      else if (summary.exit_code === 0)
        prepared.warn(`exit code ${amended.exit_code}: every case passed, but a report could not be written`)
      if (found ? !found.lost : events.temporary) {
        const { keepEvents } = await import('./keep-events.js')
        const beside = found && !events.temporary ? events.path : reports[0]
        kept = await keepEvents(recording, events.path, beside === undefined ? cwd : dirname(beside), now)
        prepared.warn(`the results are kept: viva report ${kept} -o report.html writes a report from them`)
      }
      return defined({ summary: amended, reports: written, printed, events_file: kept ?? writtenEvents(events) })
    },
    release: () => {
      if (events && events.path !== kept) events.release()
    },
  }
}

/** What the summary said before the reports were tried must not contradict the exit code. */
function amendedSummary(
  summary: SummaryEvent,
  failures: string[],
  damage: Damage | undefined,
  stopped: StopSignal | undefined,
): SummaryEvent {
  const reasons = [...(summary.reasons ?? [])]
  // All cases were run, but the wait for a report was ended by a person.
  const cut = stopped !== undefined && !summary.interrupted && failures.length > 0 ? stopped : undefined
  if (cut) reasons.unshift(`interrupted (${cut})`)
  if (damage && !reasons.includes(damage.message)) reasons.unshift(damage.message)
  if (failures.length > 0) reasons.push('a report could not be written')
  const exit_code = cut ? SIGNAL_CODES[cut] : damage && !summary.interrupted ? 3 : summary.exit_code || 3
  return defined({
    ...summary,
    report_errors: failures.length > 0 ? failures : summary.report_errors,
    exit_code,
    reasons,
  })
}

function noReports(): WrittenReports {
  return { written: [], failures: [] }
}

function requireNotInput(path: string, { work }: Prepared): void {
  const { file, files = file === undefined ? [] : [file] } = work.mode === 'agent' ? work.source : {}
  if (files.some((input) => isSameFile(path, input))) throw outputTaken('-o', path, 'the cases are read from it')
  const answers = work.mode === 'agent' ? work.agent.recorded : undefined
  if (answers !== undefined && isSameFile(path, answers)) throw outputTaken('-o', path, 'the answers are read from it')
}

/** Finished cases whose lines the disk did not take: the terminal is the last place they can go. */
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
  const reader = hasReports ? 'reports' : readerOf(options)
  if (named !== undefined) {
    if (reader !== undefined && isDevice(named)) throw notReadable(named, reader)
    return openNamedOutput(named, namedOutput(named, prepared))
  }
  const kept = openInRunsFolder(prepared, now)
  if (kept) return kept
  if (hasReports) return openTemporaryOutput()
  const source = work.mode === 'agent' ? work.source : undefined
  if (source?.kind === 'file') {
    const { appRoot, cwd } = homeOf(prepared)
    const dir = prepared.home?.dir ?? source.dir
    requireNotLinkedOut(dir, 'the event file goes beside the cases', [appRoot, cwd])
    return openDefaultOutput(dir, now)
  }
  return reader !== undefined || io.annotate ? openTemporaryOutput() : undefined
}

/** In a project with a `.viva` folder, whatever else is written; an answer to a single message is not kept. */
function openInRunsFolder(prepared: Prepared, now: Date): OutputFile | undefined {
  const { work } = prepared
  const { appRoot } = homeOf(prepared)
  if (!hasVivaFolder(appRoot) || (work.mode === 'agent' && work.source.kind === 'message')) return undefined
  const folder = runsFolder(appRoot)
  requireNotLinkedOut(folder, 'the event file', [appRoot])
  const isNew = statOf(folder) === undefined
  makeFolders(folder)
  const file = openDefaultOutput(folder, now)
  if (isNew) {
    // The results of every run do not belong in the repository.
    writeFileSync(join(folder, '.gitignore'), '*\n')
  }
  return file
}

const KEEP_RUNS = 100

/** Problems there are not this run's business. */
async function pruneRuns({ config: { keep_runs: keep = KEEP_RUNS } }: Prepared, folder: string): Promise<void> {
  if (keep === 'all' || !isPruningDue(ownEventFiles(folder).length, keep)) return
  const { pruneEventFiles } = await import('../../pipeline/record/prune-events.js')
  await pruneEventFiles(folder, keep).catch(() => undefined)
}

function namedOutput(path: string, prepared: Prepared): NamedOutput {
  const { options, io } = prepared
  const { appRoot } = homeOf(prepared)
  const inProject = hasVivaFolder(appRoot) && pathBelow(appRoot, path) !== undefined
  return {
    force: options.force,
    asideIn: inProject ? runsFolder(appRoot) : dirname(path),
    onAside: (to) => io.note?.(`${path} held an older run, which is kept as ${to}`),
  }
}

/** What reads the events after the last case. */
function readerOf({ reporter, after, save_turns, history }: RunOptions): string | undefined {
  if (reporter !== undefined) return '--reporter'
  if (after !== undefined) return '--after'
  if (save_turns !== undefined) return '--save-turns'
  return history ? '--history' : undefined
}

function isDevice(path: string): boolean {
  const info = statOf(path)
  return info !== undefined && !info.isFile() && !info.isDirectory()
}

function notReadable(path: string, reader: string): UserError {
  return new UserError({
    code: 'OUTPUT_NOT_READABLE',
    message: `${path} is a pipe or a device: what is written there cannot be read back, but ${reader} needs the events`,
    hint: `name a regular file first, which is then copied: -o events.jsonl -o ${path}`,
  })
}
