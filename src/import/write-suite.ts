// An imported suite → a folder that runs. Nothing is replaced unless that was asked for.
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { plural } from '../base/format.js'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { isInside } from '../files/inside.js'
import { makeFolders } from '../files/make-folders.js'
import { isFolder } from '../files/stat.js'
import type { Imported, ImportedCase, Note } from './imported.js'

export const CASES_PATH = 'tests/cases.jsonl'
export const NOTES_PATH = 'IMPORT.md'

/** Gives the paths that were written. */
export function writeSuite(imported: Imported, from: string, target: string, force: boolean): string[] {
  const dir = resolve(target)
  const files = new Map(imported.files)
  files.set(CASES_PATH, imported.cases.map((item) => linesOf(item, imported.comments)).join(''))
  files.set(NOTES_PATH, notesText(imported, from))
  requireFree(dir, [...files.keys()], force)
  // What stands in the way of one file is found before another is written.
  for (const path of files.keys()) forFile(dir, path, makeRoom)
  for (const [path, text] of files) forFile(dir, path, (full) => writeFileSync(full, text))
  return [...files.keys()].toSorted()
}

function linesOf(item: ImportedCase, comments: Imported['comments']): string {
  const { id: name } = item
  // eslint-disable-next-line no-control-regex
  const said = (comments.get(name) ?? []).map(
    (line) => `# ${line.replaceAll(/[\u0000-\u001f\u007f\u2028\u2029]+/g, ' ').trim()}\n`,
  )
  return `${said.join('')}${JSON.stringify(item)}\n`
}

function forFile(dir: string, path: string, work: (full: string, dir: string) => void): void {
  const full = join(dir, path)
  try {
    work(full, dir)
  } catch (error) {
    throw cannotWrite(full, error, 'choose another folder with -o')
  }
}

function makeRoom(full: string, dir: string): void {
  makeFolders(dirname(full))
  if (!isFolder(dirname(full))) throw new Error(`${dirname(full)} is not a folder`)
  if (!isInside(dir, full)) throw new Error('it leads out of the folder')
  if (isFolder(full)) throw new Error('it is a folder')
}

function requireFree(dir: string, paths: string[], force: boolean): void {
  if (force || !existsSync(dir)) return
  const taken = paths.filter((path) => existsSync(join(dir, path)))
  const others = taken.length > 0 ? [] : namesIn(dir)
  if (taken.length === 0 && others.length === 0) return
  throw new UserError({
    code: 'FILES_EXIST',
    message:
      taken.length > 0
        ? `${taken.length === 1 ? 'this file exists' : 'these files exist'} in ${dir}: ${taken.slice(0, 8).join(', ')}`
        : `${dir} is not empty`,
    hint: 'nothing was written; choose another folder with -o, or write into it with --force',
  })
}

function namesIn(dir: string): string[] {
  try {
    return readdirSync(dir)
  } catch (error) {
    throw cannotWrite(dir, error, 'choose another folder with -o')
  }
}

export function article(noun: string): string {
  return /^[aeio]/i.test(noun) ? 'an' : 'a'
}

function notesText({ format, cases, notes, deterministic, judged }: Imported, from: string): string {
  const ofKind = (kind: Note['kind'], most: number): string[] =>
    listed(
      notes.filter((note) => note.kind === kind),
      most,
    )
  const lost = ofKind('lost', Infinity)
  const carried = [
    ...(deterministic.found > 0 ? [`${deterministic.carried} of ${deterministic.found} that need no judge`] : []),
    ...(judged.found > 0 ? [`${judged.carried} of ${judged.found} for a judge`] : []),
  ]
  return [
    `# Imported from ${from}`,
    '',
    `${article(format) === 'an' ? 'An' : 'A'} ${format}: ${plural(cases.length, 'case')}${skippedOf(cases)}.`,
    ...(carried.length > 0 ? [`Assertions carried over: ${carried.join(', ')}.`] : []),
    '',
    '## Not carried over',
    '',
    ...(lost.length > 0 ? [NEXT_STEP, '', ...lost] : ['Everything was carried over.']),
    '',
    ...section('Stricter than before', ofKind('stricter', Infinity)),
    ...section('Worth knowing', ofKind('note', SHOWN)),
  ].join('\n')
}

const NEXT_STEP =
  'A case that lost something is skipped. Replace what is missing, or decide to do without it, then remove `skip` and `skip_reason` from the case.'

function skippedOf(cases: readonly ImportedCase[]): string {
  const skipped = cases.filter((item) => item['skip'] === true).length
  if (skipped === 0) return ''
  return `, ${skipped === cases.length ? 'all' : skipped} of them skipped because something was not carried over`
}

function section(title: string, lines: string[]): string[] {
  return lines.length === 0 ? [] : [`## ${title}`, '', ...lines, '']
}

/** What is said of many cases is said once, with at most so many of its lines. */
function listed(notes: readonly Note[], most: number): string[] {
  const groups = new Map<string, Note[]>()
  for (const note of notes) {
    const key = `${note.file}\n${note.reason}`
    groups.set(key, [...(groups.get(key) ?? []), note])
  }
  return [...groups.values()].map((own) => {
    const { file = '', reason = '' } = own[0] ?? {}
    const lines = own.map(({ line }) => String(line))
    const ids = own.flatMap(({ case: id }) => id ?? [])
    const about = ids.length === 0 ? '' : ` (${someOf(ids, SHOWN)})`
    return `- ${file}:${someOf(lines, most)}${about}: ${oneLine(reason)}`
  })
}

const SHOWN = 3

function someOf(texts: string[], most: number): string {
  const all = [...new Set(texts)]
  const more = all.length - most
  return `${all.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ')
}
