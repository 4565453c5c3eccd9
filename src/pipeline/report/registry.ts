// The reporters by name and by file extension. Each is loaded only when it is used.
import { UserError } from '../../errors.js'
import type { Reporter } from './recording.js'

export interface ReporterEntry {
  /** Also known as `report.<name>`. */
  name: string
  extension: string
  /** The whole name of a file that is always of this format. */
  file?: string
  /** Other extensions of the same format. */
  aliases?: string[]
  summary: string
  example: string
  load(): Promise<Reporter>
}

export const REPORTERS: readonly ReporterEntry[] = [
  {
    name: 'jsonl',
    extension: '.jsonl',
    summary: 'The event stream, one JSON object per line',
    example: 'viva test -i cases.jsonl -o results.jsonl',
    load: async () => (await import('./reporters/jsonl.js')).jsonl,
  },
  {
    // Before `json`: the longer extension must be tried first.
    name: 'ctrf',
    extension: '.ctrf.json',
    summary: 'Common Test Report Format, for dashboards that combine many tools',
    example: 'viva report results.jsonl -o results.ctrf.json',
    load: async () => (await import('./reporters/ctrf.js')).ctrf,
  },
  {
    name: 'benchmark',
    extension: '.benchmark.json',
    file: 'benchmark.json',
    summary: 'With and without a skill, as tools for skills read it, with intervals',
    example: 'viva report results.jsonl -o benchmark.json',
    load: async () => (await import('./reporters/benchmark.js')).benchmark,
  },
  {
    name: 'json',
    extension: '.json',
    summary: 'The whole run as one JSON document',
    example: 'viva test -i cases.jsonl --runs 3 -o report.json',
    load: async () => (await import('./reporters/json.js')).json,
  },
  {
    name: 'markdown',
    extension: '.md',
    aliases: ['.markdown'],
    summary: 'Markdown with tables, failures first',
    example: 'viva report results.jsonl -o report.md',
    load: async () => (await import('./reporters/markdown.js')).markdown,
  },
  {
    name: 'html',
    extension: '.html',
    aliases: ['.htm'],
    summary: 'One self-contained page with filters, charts and conversations',
    example: 'viva report results.jsonl -o report.html',
    load: async () => (await import('./reporters/html.js')).html,
  },
  {
    name: 'junit',
    extension: '.xml',
    summary: 'JUnit XML, as Jenkins, GitLab and others read it',
    example: 'viva test -i cases.jsonl -o junit.xml',
    load: async () => (await import('./reporters/junit.js')).junit,
  },
  {
    name: 'tap',
    extension: '.tap',
    summary: 'TAP version 14 with YAML diagnostics, turns as subtests',
    example: 'viva test -i cases.jsonl -r report.tap',
    load: async () => (await import('./reporters/tap.js')).tap,
  },
  {
    name: 'summary',
    extension: '.txt',
    summary: 'The summary of the console as plain text',
    example: 'viva report results.jsonl -o summary.txt',
    load: async () => (await import('./reporters/summary.js')).summary,
  },
]

export function isBuiltInReporter(name: string): boolean {
  return findByName(name) !== undefined
}

export async function reporterByName(name: string): Promise<Reporter> {
  const entry = findByName(name)
  if (!entry) throw unknownReporter(name)
  return entry.load()
}

/** A file of unknown format is refused before anything runs. */
export function requireKnownFormat(path: string): void {
  if (!findByPath(path)) throw unknownExtension(path)
}

export async function reporterForPath(path: string): Promise<Reporter> {
  const entry = findByPath(path)
  if (!entry) throw unknownExtension(path)
  return entry.load()
}

function findByName(name: string): ReporterEntry | undefined {
  const bare = name.startsWith('report.') ? name.slice('report.'.length) : name
  return REPORTERS.find((entry) => entry.name === bare)
}

function findByPath(path: string): ReporterEntry | undefined {
  const lower = path.toLowerCase()
  const name = lower.split(/[\\/]/).at(-1)
  const named = REPORTERS.find(({ file }) => file === name)
  if (named) return named
  return REPORTERS.find(({ extension, aliases = [] }) => [extension, ...aliases].some((each) => lower.endsWith(each)))
}

function unknownReporter(name: string): UserError {
  return new UserError({
    code: 'UNKNOWN_REPORTER',
    message: `no reporter called "${name}"`,
    hint: `built in: ${REPORTERS.map((entry) => entry.name).join(', ')}; anything else is taken for the id of a reporter agent`,
  })
}

function unknownExtension(path: string): UserError {
  return new UserError({
    code: 'UNKNOWN_FORMAT',
    message: `cannot tell the format of ${path} by its extension`,
    hint: `use one of ${REPORTERS.map((entry) => entry.extension).join(', ')}`,
  })
}
