// Any table with a question and, perhaps, an answer in each row.
import { UserError } from '../../errors.js'
import { CsvParser } from '../../pipeline/sources/csv.js'
import { CaseList } from '../case-list.js'
import { expectText, type Imported, type ImportOptions, type ImportedCase, type Note } from '../imported.js'
import type { Format } from '../format.js'
import { unreadable } from '../read-source.js'

const INPUTS = ['input', 'question', 'prompt', 'query', 'user', 'message', 'text', 'instruction']
const EXPECTED = [
  'expected',
  'expected_output',
  'ideal',
  'answer',
  'reference',
  'output',
  'completion',
  'response',
  'target',
]

export const TABLE: Format = {
  id: 'table',
  label: 'table',
  is: ({ shape }) => shape === 'table',
  read: ({ text, file }, options) => importTable(text, file, options),
}

function importTable(text: string, file: string, options: ImportOptions): Imported {
  const parser = new CsvParser()
  const rows = [...parser.feed(text), ...parser.end()]
  const broken = rows.flatMap(({ problem }) => problem ?? [])
  if (broken.length > 0) throw unreadable(file, broken)
  const [header, ...rest] = rows
  const names = header?.cells.map((cell) => cell.text.trim()) ?? []
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) throw unreadable(file, [{ line: 1, message: `the column "${twice}" is there twice` }])
  if (names.some((name) => name.startsWith('__'))) throw ofPromptfoo(file)
  const column = (known: string[]): number => {
    const found = known.map((name) => names.findIndex((own) => own.toLowerCase() === name)).filter((at) => at >= 0)
    return found[0] ?? -1
  }
  const [input, expected, id, tags] = [column(INPUTS), column(EXPECTED), column(['id']), column(['tags'])]
  if (input < 0) throw noQuestion(file, names)
  const cases = new CaseList('table', options)
  const unread = names.filter((name, at) => at !== expected && isCheck(name))
  const doubtful = names.filter(
    (name, at) => at !== expected && !isCheck(name) && EXPECTED.includes(name.toLowerCase()),
  )
  for (const name of doubtful)
    cases.note(`the column "${names[expected]}" holds what is expected; "${name}" is metadata`, { file, line: 1 })
  for (const row of rest) {
    if (row.cells.length > names.length)
      throw unreadable(file, [
        { line: row.line, message: `${row.cells.length} cells, but the header line has ${names.length}` },
      ])
    const cell = (at: number): string => row.cells[at]?.text ?? ''
    const notes: Array<Omit<Note, 'case'>> = []
    const item: ImportedCase = { id: cases.id(cell(id), `row-${row.line}`), input: cell(input) }
    if (expected >= 0 && cell(expected) !== '') item['assert'] = [expectText(cell(expected), options)]
    else notes.push({ file, line: row.line, reason: 'the row expects nothing', kind: 'lost' })
    if (cell(input).trim() === '') notes.push({ file, line: row.line, reason: 'the row asks nothing', kind: 'lost' })
    for (const name of unread)
      if (!/^(?:\[\])?$/.test(cell(names.indexOf(name)).trim()))
        notes.push({ file, line: row.line, reason: `the column "${name}" says more of what is expected`, kind: 'lost' })
    if (tags >= 0 && cell(tags) !== '')
      item['tags'] = cell(tags)
        .split(/[,;|]/)
        .map((tag) => tag.trim())
        .filter(Boolean)
    const others = names.flatMap((name, at) =>
      name === '' || [input, expected, id, tags].includes(at) || cell(at) === '' ? [] : [[name, cell(at)]],
    )
    if (others.length > 0) item['metadata'] = Object.fromEntries(others) as unknown
    cases.add(item, notes, { file, line: row.line })
  }
  return cases.finish()
}

/** Columns of assertions, which tables for `viva test -i` have, and what other tools expect beside the answer. */
function isCheck(name: string): boolean {
  return /^(?:assert|expected)/i.test(name)
}

function noQuestion(file: string, names: string[]): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file}: no column holds the question (found ${names.join(', ')})`,
    hint: `call it ${INPUTS.slice(0, 4).join(', ')} …; and the answer ${EXPECTED.slice(0, 4).join(', ')} …`,
  })
}

function ofPromptfoo(file: string): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} is the table of a promptfoo configuration`,
    hint: 'import the configuration that names it: viva import promptfooconfig.yaml -o FOLDER',
  })
}
