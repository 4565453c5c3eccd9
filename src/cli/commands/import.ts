// `viva import`: a suite of another tool becomes a folder that runs.
import { basename, relative } from 'node:path'
import { plural } from '../../base/format.js'
import { UserError } from '../../errors.js'
import { checkAssertion } from '../../pipeline/assert/compile.js'
import { importFile } from '../../import/import-file.js'
import {
  skipForSecret,
  type Imported,
  type ImportedCase,
  type ImportOptions,
  type Note,
} from '../../import/imported.js'
import { article, CASES_PATH, NOTES_PATH, writeSuite } from '../../import/write-suite.js'
import { createRedactor, type Redactor } from '../../redact/redactor.js'
import type { CommandCall } from '../command.js'
import { stdout } from '../terminal.js'

const SHOWN = 20

export async function importSuite({ args, flags }: CommandCall): Promise<number> {
  const [path = ''] = args
  const target = flags['output']
  if (typeof target !== 'string' || target === '') throw noFolder(path)
  const { from } = flags
  const options = {
    expect: expectOf(flags['expect']),
    checkSpec,
    into: target,
    ...(typeof from === 'string' && { from }),
  }
  const imported = withoutSecrets(await importFile(path, options))
  const files = writeSuite(imported, relative(process.cwd(), path) || path, target, flags['force'] === true)
  report(imported, files, target)
  return imported.unread > 0 ? 1 : 0
}

/** Would a case with this assertion be accepted? */
function checkSpec(spec: Record<string, unknown>): string[] {
  const found = checkAssertion(spec, 'assert')
  return Array.isArray(found) ? found.map(({ message }) => message) : []
}

/** What is imported may hold keys, and what is written here is committed. A placeholder is not what was tested. */
function withoutSecrets(imported: Imported): Imported {
  const redactor = createRedactor({ env: process.env })
  const hidden: string[] = []
  const files = new Map<string, string>()
  for (const [path, text] of imported.files) {
    const shown = redactor.text(text)
    if (shown !== text) hidden.push(path)
    files.set(path, shown)
  }
  const shownId = idsWithout(imported, redactor)
  const cases = imported.cases.map((item) => {
    const shown = redactor.value(item)
    const file = hidden.find((path) => isUsedBy(path, item, imported.files))
    if (shown === item && file === undefined) return item
    return skipForSecret(shown, shownId(item.id), file ?? 'it')
  })
  const own = hidden.map((path): Note => {
    const reason = 'it held a secret, for which there is a placeholder now: name a variable of the environment instead'
    return { file: path, line: 1, reason, kind: 'lost' }
  })
  const notes = imported.notes.map((note) => ({
    ...redactor.value(note),
    ...(note.case !== undefined && { case: shownId(note.case) }),
  }))
  const comments = new Map(
    Array.from(imported.comments, ([id, lines]) => [shownId(id), lines.map((line) => redactor.text(line))]),
  )
  return { ...imported, files, cases, comments, notes: [...notes, ...own] }
}

/** Two secrets have one placeholder, and two cases may not have one id. */
function idsWithout({ cases }: Imported, redactor: Redactor): (id: string) => string {
  const ids = new Map<string, string>()
  const taken = new Set(cases.map(({ id }) => id))
  for (const { id } of cases) {
    const plain = redactor.text(id)
    if (plain === id) continue
    let shown = plain
    for (let count = 2; taken.has(shown); count += 1) shown = `${plain}-${count}`
    taken.add(shown)
    ids.set(id, shown)
  }
  return (id) => ids.get(id) ?? id
}

/** Every case is asked by way of every prompt; a script is named by the cases that need it, or called by one that is. A connector without its key cannot answer. */
function isUsedBy(path: string, item: ImportedCase, files: Imported['files']): boolean {
  if (path.startsWith('assistants/')) return true
  if (!path.startsWith('scripts/')) return false
  const named = JSON.stringify(item)
  const callers = [...files].filter(([other, text]) => other === path || text.includes(`./${basename(path)}`))
  return named.includes(`"${path}"`) || callers.some(([other]) => named.includes(`scripts:${basename(other, '.js')}.`))
}

function report(
  { format, cases, unread, notes, deterministic, judged, ways = [' -n YOUR-AGENT'] }: Imported,
  files: string[],
  target: string,
): void {
  const skipped = cases.filter((item) => item['skip'] === true).length
  const lines = [
    `${plural(cases.length, 'case')} from ${article(format)} ${format}${skipped > 0 ? `, ${skipped} of them skipped` : ''}; ${plural(files.length, 'file')} in ${target}`,
    `assertions: ${deterministic.carried} of ${deterministic.found} carried over${judged.found > 0 ? `, and ${judged.carried} of ${judged.found} for a judge` : ''}`,
  ]
  const lost = [...new Set(notes.filter(({ kind }) => kind === 'lost').map(shownNote))]
  if (lost.length > 0) lines.push('', 'not carried over:', ...lost.slice(0, SHOWN))
  if (lost.length > SHOWN) lines.push(`  and ${lost.length - SHOWN} more in ${target}/${NOTES_PATH}`)
  if (unread > 0)
    lines.push(
      '',
      `exit code 1: ${plural(unread, 'entry', 'entries')} of tests could not be read, so tests are missing`,
    )
  lines.push(...strictNotes(notes))
  const others = notes.filter(({ kind }) => kind === 'note')
  // Of the file as a whole: providers, prompts, settings.
  const whole = others.filter((note) => note.case === undefined).map(shownNote)
  if (whole.length > 0) lines.push('', 'worth knowing:', ...whole.slice(0, SHOWN))
  if (others.length > Math.min(whole.length, SHOWN))
    lines.push('', `${plural(others.length, 'note')} in ${target}/${NOTES_PATH}`)
  lines.push('', 'Try it:', ...ways.map((way) => `  viva test -i ${target}/${CASES_PATH}${way}`))
  stdout.write(`${lines.join('\n')}\n`)
}

function strictNotes(notes: readonly Note[]): string[] {
  const counts = new Map<string, number>()
  for (const { kind, reason } of notes) if (kind === 'stricter') counts.set(reason, (counts.get(reason) ?? 0) + 1)
  if (counts.size === 0) return []
  return [
    '',
    'stricter than before:',
    ...Array.from(counts, ([reason, count]) => `  ${reason}${count > 1 ? ` (${count} times)` : ''}`),
  ]
}

function shownNote({ file, line, reason }: Note): string {
  return `  ${file}:${line}: ${reason.replaceAll(/\s+/g, ' ')}`
}

function expectOf(given: unknown): ImportOptions['expect'] {
  return given === 'exact' || given === 'similar' ? given : 'judge'
}

function noFolder(path: string): UserError {
  return new UserError({
    code: 'NO_OUTPUT',
    message: 'viva import needs a folder to write to',
    hint: `for example: viva import ${path} -o imported`,
  })
}
