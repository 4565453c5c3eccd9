// `viva compare`: two runs → what changed, and whether it is more than chance.
import { preview } from '../../base/text.js'
import { findEventFile } from '../../pipeline/record/find-events.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { compareRuns, gateReasons, type Allowed, type FailOn } from '../../pipeline/report/compare/compare.js'
import { comparisonText, type ComparisonFormat } from '../../pipeline/report/compare/formats.js'
import type { Screen } from '../../pipeline/report/recording.js'
import { writeChunks } from '../../pipeline/report/write-report.js'
import { requireNotRead } from '../../files/same-file.js'
import type { CommandCall } from '../command.js'
import { judgedBeside } from '../judged-beside.js'
import { practicalOf } from '../practical-flag.js'
import { screenOf } from '../screen.js'
import { formatOf } from '../suite-report.js'
import { stderr, stdout } from '../terminal.js'

type Format = ComparisonFormat | 'html'

export async function compare({ args, flags, color }: CommandCall): Promise<number> {
  const paths = (flags['output'] as string[] | undefined) ?? []
  const formats = paths.map((path) => formatOf(path))
  const practical = practicalOf(flags['practical'])
  const files = { before: await find(args[0]), after: await find(args[1]) }
  requireNotRead(paths, Object.values(files))
  const runs = { before: recordingOf(files.before), after: recordingOf(files.after) }
  const compared = await compareRuns(runs.before, runs.after, {
    practical,
    allow_different_plans: flags['allow_different_plans'] === true,
    judged: {
      before: await judgedBeside(files.before, flags['labels']),
      after: await judgedBeside(files.after, flags['labels']),
    },
  })
  const { comparison } = compared
  const inFormat = async (format: Format, screen?: Screen): Promise<AsyncIterable<string> | Iterable<string>> => {
    if (format !== 'html') return [comparisonText(comparison, format, screen)]
    const { compareHtml } = await import('../../pipeline/report/reporters/compare-html.js')
    return compareHtml(compared, runs)
  }
  for (const [index, path] of paths.entries()) {
    await writeChunks(path, await inFormat(formats[index] ?? 'console'))
    stderr.write(`Report: ${path}\n`)
  }
  if (paths.length === 0 || flags['format'] !== undefined) {
    const screen = screenOf(process.stdout, process.env, { verbose: false, ...(color !== undefined && { color }) })
    for await (const text of await inFormat((flags['format'] as Format | undefined) ?? 'console', screen))
      stdout.write(text)
  }
  const failOn = flags['fail_on'] as FailOn | undefined
  const reasons = failOn === undefined ? [] : gateReasons(comparison, failOn, allowedBy(flags))
  if (reasons.length === 0) return 0
  stderr.write(`--fail-on ${failOn}: ${preview(reasons.join('; '), 2_000)}\n`)
  return 1
}

function allowedBy(flags: CommandCall['flags']): Allowed {
  return { missing: flags['allow_missing'] === true, changed: flags['allow_changed_cases'] === true }
}

function find(run = ''): Promise<string> {
  return findEventFile(run, process.cwd())
}
