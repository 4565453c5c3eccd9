// The report for people: a line for each finding, with the reason and the fix where its rule first appears.
import { formatCount, plural } from '../../base/format.js'
import { escapeControls } from '../../base/hidden.js'
import type { Finding, Severity } from '../finding.js'
import type { LintReport, SubjectReport } from '../lint.js'

export interface TextOptions {
  /** Notes are many, and change no exit code. */
  notes: boolean
  paint(severity: Severity | 'dim' | 'bold', text: string): string
}

export function lintText(
  { subjects, findings, notes, ...counts }: LintReport,
  { notes: all, paint }: TextOptions,
): string {
  const explained = new Set<string>()
  const shown = findings.filter(({ severity }) => all || severity !== 'note')
  const parts = [...byLabel(subjects)].flatMap(([label, named]) => {
    const own = shown.filter((finding) => finding.subject === label)
    if (own.length === 0 && subjects.length > FEW) return []
    const what = named.map(about).join('; ')
    return [`${paint('bold', escapeControls(label))}  ${paint('dim', what)}\n`, ...own.map(lines), '\n']
  })
  const hidden = all || notes === 0 ? '' : ` (--notes shows ${notes === 1 ? 'it' : 'them'})`
  const total = [plural(counts.errors, 'error'), plural(counts.warnings, 'warning'), plural(notes, 'note')].join(', ')
  const where = subjects.length > 1 ? ` in ${counted(subjects)}` : ''
  return `${parts.join('')}${total}${where}${hidden}\n`

  function lines(finding: Finding): string {
    const { rule, severity, message, reason, fix } = finding
    const place = placeOf(finding)
    const first = `  ${paint(severity, severity.padEnd(7))} ${place === '' ? '' : `${place}  `}${message}  ${paint('dim', rule)}`
    const isNew = !explained.has(rule)
    explained.add(rule)
    const more = isNew ? [`          why: ${reason}`, `          fix: ${fix}`] : []
    return [first, ...more].map((line) => `${escapeFound(line)}\n`).join('')
  }
}

/** With more than these, one that is fine is not listed. */
const FEW = 5

/** A folder may be a skill and a package. */
function byLabel(subjects: readonly SubjectReport[]): Map<string, SubjectReport[]> {
  const found = new Map<string, SubjectReport[]>()
  for (const subject of subjects) found.set(subject.label, [...(found.get(subject.label) ?? []), subject])
  return found
}

/** "7 skills, 1 server": what was looked at. */
function counted(subjects: readonly SubjectReport[]): string {
  const kinds = ['skill', 'package', 'server', 'folder'] as const
  return kinds
    .map((kind) => [kind, subjects.filter((subject) => subject.kind === kind).length] as const)
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => plural(count, kind))
    .join(', ')
}

function about({ kind, tokens, tools }: SubjectReport): string {
  if (kind === 'folder') return 'folder'
  const size = `about ${formatCount(tokens)} tokens`
  return tools === undefined ? `${kind}, ${size}` : `${kind}, ${plural(tools, 'tool')}, ${size}`
}

function placeOf({ file, line, column, about: what }: Finding): string {
  const at = file === undefined ? '' : [file, line, column].filter((part) => part !== undefined).join(':')
  return [at, what].filter((part) => part !== undefined && part !== '').join(' ')
}

/** Colours are ours; everything else that steers a terminal is spelled out. */
function escapeFound(line: string): string {
  return line
    .split(COLOR)
    .map((part, index) => (index % 2 === 0 ? escapeControls(part) : part))
    .join('')
}

// oxlint-disable-next-line no-control-regex
const COLOR = /(\u001b\[\d{1,2}m)/
