// A file of another tool → a suite. Its kind is detected from its content, or insisted on.
import { extname } from 'node:path'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import { readDocument } from './document.js'
import type { Document, Format } from './format.js'
import { FORMATS } from './formats.js'
import type { Imported, ImportOptions } from './imported.js'

/** Runs nothing and reads nothing outside the folder of the file. Throws a UserError. */
export async function importFile(path: string, options: ImportOptions): Promise<Imported> {
  if (/^\.(?:[cm]?[jt]sx?|py|rb)$/.test(extname(path).toLowerCase())) throw isProgram(path)
  const document = await readDocument(path)
  const format = formatOf(document, options.from)
  const imported = await format.read(document, options)
  if (imported.cases.length === 0) throw nothing(document.file)
  if (format.experimental)
    imported.notes.push({
      file: document.file,
      line: 1,
      reason: `experimental: ${format.label} is read by its documentation; compare the cases with the source`,
      kind: 'note',
    })
  return imported
}

/** Never a guess: a file that could be of two kinds is refused until one is named. */
function formatOf(document: Document, from: string | undefined): Format {
  const matching = FORMATS.filter((format) => format.is(document))
  if (from !== undefined) {
    const wanted = FORMATS.find(({ id }) => id === from)
    if (wanted && matching.includes(wanted)) return wanted
    throw notOfThatKind(document, wanted?.label ?? from, matching)
  }
  const [only, ...more] = matching
  if (only && more.length === 0) return only
  throw only ? ambiguous(document.file, matching) : unknownKind(document)
}

function ambiguous(file: string, matching: Format[]): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} could be of several kinds: ${matching.map(({ label, id }) => `${label} (--from ${id})`).join(', ')}`,
    hint: 'say which with --from',
  })
}

function notOfThatKind({ file, value }: Document, wanted: string, matching: Format[]): UserError {
  const looks = matching.map(({ label, id }) => `${label} (--from ${id})`).join(' or ')
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} is not a ${wanted}${looks === '' ? shownKeys(value) : `: it looks like ${looks}`}`,
    hint: looks === '' ? considered() : 'leave out --from, or name the right kind',
  })
}

function unknownKind({ file, value }: Document): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} is not of a kind that can be imported${shownKeys(value)}`,
    hint: `${considered()}; case files run as they are: viva test -i`,
  })
}

function considered(): string {
  return `considered: ${FORMATS.map(({ id }) => id).join(', ')}`
}

function shownKeys(value: unknown): string {
  const first: unknown = Array.isArray(value) ? value[0] : value
  if (!isRecord(first)) return ''
  const keys = Object.keys(first).slice(0, 8).join(', ')
  return ` (${Array.isArray(value) ? 'a list of objects' : 'an object'} with ${keys})`
}

function nothing(file: string): UserError {
  return new UserError({
    code: 'NOTHING_TO_IMPORT',
    message: `nothing in ${file} could be made into a case`,
    hint: 'is the right file named? viva import --help lists what can be imported',
  })
}

function isProgram(path: string): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${path} is a program, and an import runs nothing`,
    hint: 'write the configuration as YAML or JSON, then import that',
  })
}
