// `viva compare`: two runs → what changed, and whether it is more than chance.
import { extname } from 'node:path'
import { preview } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { recordingOf } from '../../pipeline/record/read-events.js'
import { compareRuns, gateReasons, type FailOn } from '../../pipeline/report/compare/compare.js'
import { comparisonText } from '../../pipeline/report/compare/formats.js'
import { writeText } from '../../pipeline/report/write-report.js'
import type { CommandCall } from '../command.js'
import { screenOf } from '../screen.js'

const FORMATS: Record<string, ComparisonFormat> = {
  '.json': 'json',
  '.md': 'markdown',
  '.html': 'html',
  '.txt': 'console',
}

type ComparisonFormat = Parameters<typeof comparisonText>[1]

export async function compare({ args, flags, color }: CommandCall): Promise<number> {
  const paths = (flags['output'] as string[] | undefined) ?? []
  const formats = paths.map((path) => formatOf(path))
  const comparison = await compareRuns(recordingOf(args[0] ?? ''), recordingOf(args[1] ?? ''))
  for (const [index, path] of paths.entries()) {
    await writeText(path, comparisonText(comparison, formats[index] ?? 'console'))
    process.stderr.write(`Report: ${path}\n`)
  }
  if (paths.length === 0 || flags['format'] !== undefined) {
    const screen = screenOf(process.stdout, process.env, { verbose: false, ...(color !== undefined && { color }) })
    process.stdout.write(
      comparisonText(comparison, (flags['format'] as ComparisonFormat | undefined) ?? 'console', screen),
    )
  }
  const failOn = flags['fail_on'] as FailOn | undefined
  const reasons = failOn === undefined ? [] : gateReasons(comparison, failOn, flags['allow_missing'] === true)
  if (reasons.length === 0) return 0
  process.stderr.write(`--fail-on ${failOn}: ${preview(reasons.join('; '), 2_000)}\n`)
  return 1
}

function formatOf(path: string): ComparisonFormat {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format) return format
  throw new UserError({
    code: 'UNKNOWN_FORMAT',
    message: `cannot tell the format of ${path} by its extension`,
    hint: 'use .json, .md, .html or .txt',
  })
}
