// What the commands about suites share: reports to files and to the screen, event files by name, percentages as gates.
import { extname } from 'node:path'
import { parsePercent } from '../base/parse-percent.js'
import { UserError } from '../errors.js'
import { findEventFile } from '../pipeline/record/find-events.js'
import { writeText } from '../pipeline/report/write-report.js'
import type { CommandCall } from './command.js'
import { stderr, stdout } from './terminal.js'

export type ReportFormat = 'console' | 'json' | 'markdown' | 'html'

const FORMATS: Record<string, ReportFormat> = {
  '.json': 'json',
  '.md': 'markdown',
  '.html': 'html',
  '.txt': 'console',
}

export interface ReportFile {
  path: string
  format: ReportFormat
}

/** Those of `-o`, each with the format that its extension says. */
export function reportFiles(flags: CommandCall['flags']): ReportFile[] {
  return listFlag(flags, 'output').map((path) => ({ path, format: formatOf(path) }))
}

/** To the files, and to the screen unless there are files and no `--format`. */
export async function giveReport<T>(
  report: T,
  texts: Record<ReportFormat, (report: T) => string>,
  files: readonly ReportFile[],
  flags: CommandCall['flags'],
): Promise<void> {
  for (const { path, format } of files) {
    await writeText(path, texts[format](report))
    stderr.write(`Report: ${path}\n`)
  }
  if (files.length === 0 || flags['format'] !== undefined)
    stdout.write(texts[(flags['format'] as ReportFormat | undefined) ?? 'console'](report))
}

export function formatOf(path: string): ReportFormat {
  const format = FORMATS[extname(path).toLowerCase()]
  if (format) return format
  throw new UserError({
    code: 'UNKNOWN_FORMAT',
    message: `cannot tell the format of ${path} by its extension`,
    hint: 'use .json, .md, .html or .txt',
  })
}

export async function eventFiles(names: readonly string[]): Promise<string[]> {
  const found: string[] = []
  for (const name of names) found.push(await findEventFile(name, process.cwd()))
  return found
}

export function listFlag(flags: CommandCall['flags'], key: string): string[] {
  return (flags[key] as string[] | undefined) ?? []
}

/** A share that must be reached, as 80 or 0.8. */
export function percentFlag(flag: string, given: unknown): number | undefined {
  if (typeof given !== 'string') return undefined
  const percent = parsePercent(given)
  if (percent >= 0 && percent <= 100) return percent
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag },
    message: `expected a percentage from 0 to 100, found "${given}"`,
    hint: `for example: ${flag} 80`,
  })
}

/** What would change nothing is a mistake. */
export function requireTogether(flags: CommandCall['flags'], keys: readonly string[], needed: string): void {
  for (const key of keys)
    if (flags[key] !== undefined)
      throw new UserError({
        code: 'BAD_FLAG',
        subject: { flag: `--${key.replaceAll('_', '-')}` },
        message: `has an effect only with ${needed}`,
        hint: `add ${needed}, or leave it out`,
      })
}
