// `viva diff main..HEAD`: is the agent at the right revision worse than at the left one?
import { appendFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { prettyJson } from '../../base/json/pretty-json.js'
import { flagValue } from '../../config/flag-value.js'
import { UserError } from '../../errors.js'
import { FAIL_ON, type FailOn } from '../../pipeline/fold/exit-code.js'
import { PRACTICAL } from '../../pipeline/fold/statistics/practical.js'
import { requireWritable } from '../../pipeline/record/open-output.js'
import { ChangedCasesFold } from '../../pipeline/report/diff/changed-cases.js'
import { diffConsole } from '../../pipeline/report/diff/diff-console.js'
import { diffMarkdown } from '../../pipeline/report/diff/diff-markdown.js'
import { diffReport, type DiffReport } from '../../pipeline/report/diff/diff-report.js'
import { writeText } from '../../pipeline/report/write-report.js'
import { SIGNAL_CODES } from '../../pipeline/fold/exit-code.js'
import { readValue } from '../../config/read-options.js'
import { runDiff, type DiffIo, type DiffOutcome } from '../../diff/run-diff.js'
import { DEFAULT_MARGIN, DEFAULT_PRACTICAL_POINTS, type DiffOptions } from '../../diff/options.js'
import { stoppedBy } from '../../run/stopper.js'
import type { Settings } from '../../run/settings.js'
import type { RunIo } from '../../run/io.js'
import type { CommandCall } from '../command.js'
import { openDisplay } from '../display.js'
import { onSuddenEnd } from '../ending.js'
import { plainIo } from '../plain-io.js'
import { practicalOf } from '../practical-flag.js'
import { note } from '../say.js'
import { screenOf } from '../screen.js'
import { listenForSignals, type Signals } from '../signals.js'
import { stdout } from '../terminal.js'

export async function diff({ args, flags, color }: CommandCall): Promise<number> {
  const { comment, json, ...rest } = flags
  const options = readOptions(args[0] ?? '', rest)
  const commentFile = typeof comment === 'string' ? resolve(process.cwd(), comment) : undefined
  if (commentFile !== undefined) requireWritable(commentFile, '--comment')
  const signals = listenForSignals()
  // From the first worktree on there is something to remove.
  signals.began()
  try {
    const found = await runReported(options, json === true, color, signals)
    if (json === true) stdout.json(prettyJson(found))
    else stdout.write(diffConsole(found, screenOf(process.stdout, process.env, { verbose: false, ...shade(color) })))
    if (commentFile !== undefined) {
      await writeText(commentFile, diffMarkdown(found))
      note(`Comment: ${commentFile}`)
    }
    const jobSummary = process.env['GITHUB_STEP_SUMMARY']
    if (jobSummary !== undefined) appendFileSync(jobSummary, diffMarkdown(found))
    if (found.events_file !== undefined) note(`Events: ${found.events_file}`)
    for (const report of found.reports) note(`Report: ${report}`)
    return found.exit_code
  } catch (error) {
    const stopped = stoppedBy(signals.stop)
    if (stopped === undefined || error instanceof UserError) throw error
    return SIGNAL_CODES[stopped]
  } finally {
    signals.release()
  }
}

async function runReported(
  options: DiffOptions,
  json: boolean,
  color: boolean | undefined,
  signals: Signals,
): Promise<DiffReport> {
  let cases: ChangedCasesFold | undefined
  let spare: (() => void) | undefined
  const io: DiffIo = {
    ...plainIo(signals),
    began: signals.began,
    onSides: (removeNow) => {
      spare?.()
      spare = removeNow && onSuddenEnd(removeNow)
    },
    ready: (settings) => {
      cases = new ChangedCasesFold(settings.variants[0]?.name ?? '')
      return displayed(settings, cases, json, color)
    },
  }
  const outcome = await runDiff(options, io, signals.stop)
  return reportOf(outcome, cases)
}

function reportOf(outcome: DiffOutcome, cases: ChangedCasesFold | undefined): DiffReport {
  const { summary, exit_code, events_file, reports, revisions, changed_cases } = outcome
  return diffReport({
    left: { name: outcome.left, ...revisions.left },
    right: { name: outcome.right, ...revisions.right },
    summary,
    ...(changed_cases !== undefined && { changed_cases }),
    exit_code,
    cases: cases?.changed() ?? { fell: [], rose: [] },
    events_file,
    reports,
  })
}

function displayed(
  settings: Settings,
  cases: ChangedCasesFold,
  json: boolean,
  color: boolean | undefined,
): Partial<RunIo> {
  const gather = { name: 'diff', write: cases.add.bind(cases) }
  if (json) return { sinks: [gather] }
  const { screen, sinks } = openDisplay(settings.options, false, color)
  return { screen, sinks: [...sinks, gather] }
}

function readOptions(range: string, flags: Record<string, unknown>): DiffOptions {
  const { worktree, setup, link, margin, practical_points, practical, fail_on, allow_changed_cases, ...run } = flags
  return {
    range,
    worktree: worktree === true,
    ...(typeof setup === 'string' && { setup }),
    link: (link as string[] | undefined) ?? [],
    margin: Number(margin ?? DEFAULT_MARGIN),
    practical_points: Number(practical_points ?? DEFAULT_PRACTICAL_POINTS),
    practical: practicalOf(practical) ?? PRACTICAL,
    fail_on: ((fail_on as string[] | undefined) ?? []).map(failOnOf),
    allow_changed_cases: allow_changed_cases === true,
    run,
  }
}

function failOnOf(text: string): FailOn {
  const read = () => readValue({ kind: 'choice', choices: [...FAIL_ON] }, text)
  return flagValue('--fail-on', 'worse fails anyway', read) as FailOn
}

function shade(color: boolean | undefined): { color?: boolean } {
  return color === undefined ? {} : { color }
}
