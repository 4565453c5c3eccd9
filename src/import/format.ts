// A kind of file that can be imported: how it is recognised by its content, and how it is read.
import type { Draft } from './draft.js'
import { CaseList } from './case-list.js'
import type { Imported, ImportedCase, ImportOptions, Note } from './imported.js'
import { unreadable, type Located, type SourceFolder, type Steps } from './read-source.js'
import { Source } from './source.js'
import { isRecord } from '../base/record.js'

export interface Document extends Located {
  /** `lines`: one JSON value a line, and `value` is the list of them. */
  shape: 'data' | 'lines' | 'table'
  text: string
  folder: SourceFolder
}

export interface Format {
  /** For `--from`. */
  id: string
  /** For people. */
  label: string
  /** Read by what its documentation says: no file of the tool itself was at hand. */
  experimental?: true
  is(document: Document): boolean
  read(document: Document, options: ImportOptions): Imported | Promise<Imported>
}

export interface ReadContext {
  options: ImportOptions
  folder: SourceFolder
  file: string
  /** The object around the list, if there is one. */
  around: Source | undefined
  /** What is the same for all records: made by the first that asks. */
  once<T>(make: () => T): T
  /** All records of the file. */
  all: readonly unknown[]
}

interface RecordFormat {
  id: string
  label: string
  /** What a record without an id is called. */
  noun?: string
  experimental?: true
  /** The key of the list, where the records are in an object; the keys beside it that decide nothing. */
  around?: { list: string[]; idle?: string[] }
  /** All lines, or the whole document, are one record. */
  isWhole?: true
  is(record: Record<string, unknown>, all: readonly unknown[]): boolean
  read(record: Source, context: ReadContext): Draft
  /** Something to know about the file. */
  note?: string
}

/** A file that is a list of records, one case each. */
export function recordFormat(format: RecordFormat): Format {
  const { id, label, experimental } = format
  return {
    id,
    label,
    ...(experimental && { experimental }),
    is: (document) => {
      const { values } = recordsOf(format, document)
      const [first] = format.isWhole ? listOf(values[0]) : values
      return isRecord(first) && format.is(first, format.isWhole ? listOf(values[0]) : values)
    },
    read: (document, options) => readRecords(format, document, options),
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value]
}

function readRecords(format: RecordFormat, document: Document, options: ImportOptions): Imported {
  const cases = new CaseList(format.label, options)
  const { values, stepsOf, around } = recordsOf(format, document)
  const outer = around === undefined ? undefined : new Source(around, document)
  outer?.idle(...(format.around?.idle ?? []), ...(format.around?.list ?? []))
  const sources = values.map((value, index) => new Source(value, document, stepsOf(index)))
  const made: unknown[] = []
  const once = <T>(make: () => T): T => {
    if (made.length === 0) made.push(make())
    return made[0] as T
  }
  const context = { once, options, folder: document.folder, file: document.file, around: outer, all: values }
  const drafts = sources.map((source) => {
    if (isRecord(source.value) || format.isWhole) return format.read(source, context)
    throw unreadable(document.file, [{ line: source.origin.line, message: 'expected a JSON object' }])
  })
  const ofFile = cases.fileNotes(outer)
  for (const [index, draft] of drafts.entries()) {
    const source = sources[index]
    if (source && draft.isPart) cases.lostIn(source)
    else if (source) addDraft(cases, draft, source, ofFile, `${format.noun ?? format.id}-${index + 1}`)
  }
  if (format.note !== undefined) cases.note(format.note, { file: document.file, line: 1 })
  return cases.finish()
}

function addDraft(cases: CaseList, draft: Draft, source: Source, ofFile: Array<Omit<Note, 'case'>>, id: string): void {
  const { id: given, lost = [], notes = [], metadata: said, hasOwnKeys, ...fields } = draft
  const { origin } = source
  const metadata = { ...(hasOwnKeys && source.rest()), ...said }
  const item: ImportedCase = { id: cases.id(given, id) }
  for (const [name, value] of Object.entries(fields)) if (!isEmpty(value)) item[name] = value
  if (Object.keys(metadata).length > 0) item['metadata'] = metadata
  const isAsked = ['input', 'messages', 'turns', 'simulator'].some((name) => item[name] !== undefined)
  if (!isAsked) item['input'] = '(nothing is asked)'
  const turns = draft.turns ?? []
  const isExpected =
    item['expect_tool'] !== undefined ||
    [item, ...turns].some((one) => !isEmpty(one['assert']) || !isEmpty(one['final_assertions']))
  const noted = (reasons: string[], kind: Note['kind']): Array<Omit<Note, 'case'>> =>
    reasons.map((reason) => ({ ...origin, reason, kind }))
  cases.add(
    item,
    [
      ...ofFile,
      ...source.unread().map((unread) => ({ ...unread, kind: 'lost' as const })),
      ...noted(
        [...lost, ...(isAsked ? [] : ['it asks nothing']), ...(isExpected ? [] : ['it expects nothing'])],
        'lost',
      ),
      ...noted(notes, 'note'),
    ],
    origin,
  )
}

function isEmpty(value: unknown): boolean {
  return value === undefined || (Array.isArray(value) && value.length === 0)
}

interface Records {
  values: unknown[]
  stepsOf(index: number): Steps
  around?: unknown
}

function recordsOf({ around, isWhole }: RecordFormat, { value }: Document): Records {
  if (isWhole) return { values: [value], stepsOf: () => [] }
  if (Array.isArray(value)) return { values: value, stepsOf: (index) => [index] }
  const keys = (around?.list ?? []).filter((name) => isRecord(value) && Array.isArray(value[name]))
  if (keys.length === 0 || !isRecord(value)) return { values: [value], stepsOf: () => [] }
  const found = keys.flatMap((key) => (value[key] as unknown[]).map((item, index) => ({ item, steps: [key, index] })))
  return { values: found.map(({ item }) => item), stepsOf: (index) => found[index]?.steps ?? [], around: value }
}
