// A .csv file → values: one header line, then one case per row. Cells are data; a formula is text like any other.
import type { FileHandle } from 'node:fs/promises'
import type { Problem } from '../../errors.js'
import { plural } from '../../base/format.js'
import { suggest } from '../../base/suggest.js'
import { show } from '../../base/text.js'
import { CsvParser, type CsvCell, type CsvRow } from './csv.js'
import { readText, UnreadableText } from './lines.js'
import { brokenValue, type Position, type RawValue } from './raw-value.js'
import { parseStrictJson } from './strict-json.js'

export async function* readCsvFile(
  file: FileHandle,
  onBytes?: (bytes: Uint8Array) => void,
): AsyncGenerator<RawValue[]> {
  const parser = new CsvParser()
  const reader = new CaseRows()
  let line = 1
  try {
    for await (const { text, bad } of readText(file, { by: 'characters', ...(onBytes && { onBytes }) })) {
      const [first] = bad ?? []
      if (first) throw new UnreadableText(first[1].message, first[0], first[1].column)
      yield await reader.read(parser.feed(text))
      if (parser.stopped || reader.stopped) return
      for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) line += 1
    }
    yield await reader.read(parser.end())
  } catch (error) {
    if (!(error instanceof UnreadableText)) throw error
    yield [brokenValue({ line: line + error.line, column: error.column, message: error.message })]
  }
}

interface Column {
  name: string
  at: CsvCell
}

class CaseRows {
  stopped = false
  #columns: Column[] | undefined

  async read(rows: CsvRow[]): Promise<RawValue[]> {
    const values: RawValue[] = []
    for (const row of rows) {
      if (this.stopped) break
      if (row.problem) values.push(brokenValue(row.problem))
      else if (this.#columns) values.push(await caseOf(row, this.#columns))
      else values.push(...this.#readHeader(row))
      // Without a header no cell means anything.
      if (!this.#columns) this.stopped = true
    }
    return values
  }

  #readHeader(row: CsvRow): RawValue[] {
    const columns = row.cells.map((cell): Column => ({ name: cell.text.trim(), at: cell }))
    const problems = headerProblems(columns)
    if (problems.length > 0) return problems.map(brokenValue)
    this.#columns = columns
    return []
  }
}

function headerProblems(columns: Column[]): Problem[] {
  const problems: Problem[] = []
  const add = ({ line, column }: CsvCell, message: string, suggestion?: string): void => {
    problems.push({ line, column, message, ...(suggestion !== undefined && { suggestion }) })
  }
  const names = columns.map(({ name }) => name)
  const [first] = columns
  if (first && names.some((name) => name.includes('\r')))
    add(first.at, 'CR line endings: save the file with LF or CRLF')
  else if (first) {
    for (const required of ['id', 'input']) {
      if (names.includes(required) || (required === 'input' && (names.includes('messages') || names.includes('turns'))))
        continue
      add(
        first.at,
        `no column "${required}" in the header line (found ${names.map((name) => show(name, 30)).join(', ')}); ` +
          'expected id, input, expected, tags, assert…; viva import converts other tables into cases',
        suggest(required, names) === undefined ? undefined : required,
      )
    }
  }
  for (const [index, { name, at }] of columns.entries()) {
    const before = names.indexOf(name)
    // Columns of assertions add up.
    if (name !== '' && before < index && !isAssert(name))
      add(at, `column ${show(name, 60)} appears twice: columns ${before + 1} and ${index + 1}`)
    if (name.startsWith('__'))
      add(at, `column ${show(name, 60)} belongs to another tool: convert the file with viva import`)
    const meant = meantAsCheck(name)
    if (meant !== undefined) add(at, `unknown column ${show(name, 60)}`, meant)
  }
  return problems
}

const JSON_FIELDS = new Set([
  'messages',
  'metadata',
  'options',
  'turns',
  'final_assertions',
  'simulator',
  'checkpoints',
  'retry',
  'attachments',
  'testing',
  'workspace',
])

async function caseOf(row: CsvRow, columns: Column[]): Promise<RawValue> {
  const { cells, line } = row
  const start = { line, column: 1 }
  if (cells.length !== columns.length && !cells.slice(columns.length).every(({ text }) => text === '')) {
    return brokenValue({ ...start, message: raggedRow(cells.length, columns.length) })
  }
  if (cells.length < columns.length) return brokenValue({ ...start, message: raggedRow(cells.length, columns.length) })
  const fields = new Fields()
  for (const [index, { name }] of columns.entries()) {
    const cell = cells[index]
    if (cell && cell.text !== '') await fields.take(name, cell)
  }
  if (columns.some(({ name }) => isCheck(name)) && !fields.checks && fields.values.get('skip') !== true)
    fields.problems.push({
      ...start,
      message:
        'the row has neither expected nor an assertion, though the file has columns for them: it would check nothing',
    })
  const value = fields.value()
  return {
    value,
    text: '',
    ...start,
    ...(fields.problems.length > 0 && { problems: fields.problems }),
    locate: (field) => fields.positionOf(field) ?? start,
  }
}

function raggedRow(found: number, expected: number): string {
  return `${plural(found, 'cell')}, but the header line has ${expected}: is a separator missing, or a cell with one not in quotes?`
}

/** The fields of one case. */
class Fields {
  readonly values = new Map<string, unknown>()
  readonly problems: Problem[] = []
  /** Something is checked, or was meant to be. */
  checks = false
  readonly #asserts: Array<{ spec: unknown; cell: CsvCell }> = []
  readonly #metadata = new Map<string, unknown>()
  readonly #positions = new Map<string, CsvCell>()

  async take(name: string, cell: CsvCell): Promise<void> {
    if (name === 'expected') this.checks = true
    this.#positions.set(name, cell)
    if (name === '') this.#problem(cell, `a cell without a header: ${show(cell.text, 40)}`)
    else if (isAssert(name)) await this.#takeAssert(name, cell)
    else if (name.startsWith('metadata.')) this.#metadata.set(name.slice('metadata.'.length), cell.text)
    else if (name === 'tags')
      this.values.set(
        name,
        cell.text
          .split(/[,;|]/)
          .map((tag) => tag.trim())
          .filter(Boolean),
      )
    else if (name === 'skip') this.values.set(name, switchOf(cell.text))
    else if (name === 'max_turns' || name === 'min_score') this.values.set(name, numberOf(cell.text))
    else if (JSON_FIELDS.has(name)) this.values.set(name, await this.#json(cell))
    else if (name === 'expected') this.values.set(name, await jsonOrText(cell.text))
    else this.values.set(name, name === 'id' ? cell.text.trim() : cell.text)
  }

  value(): Record<string, unknown> {
    const metadata = this.values.get('metadata')
    if (this.#metadata.size > 0)
      this.values.set('metadata', { ...(metadata as object | undefined), ...Object.fromEntries(this.#metadata) })
    if (this.#asserts.length > 0)
      this.values.set(
        'assert',
        this.#asserts.map(({ spec }) => spec),
      )
    // Defined one by one: a column called `__proto__` is an ordinary key.
    return Object.fromEntries(this.values)
  }

  positionOf(field: string): Position | undefined {
    const [, index] = /^assert\[(\d+)\]/.exec(field) ?? []
    const [, own] = /^(metadata\.[^.[]+)/.exec(field) ?? []
    const [name] = field.split(/[.[]/)
    const cell =
      index === undefined
        ? (this.#positions.get(own ?? '') ?? this.#positions.get(name ?? ''))
        : this.#asserts[Number(index)]?.cell
    return cell && { line: cell.line, column: cell.column }
  }

  async #takeAssert(name: string, cell: CsvCell): Promise<void> {
    const [, type] = /^assert[.:](.+)$/.exec(name) ?? []
    const isEmpty = /^\s*\[\s*\]\s*$/.test(cell.text)
    if (!isEmpty || type !== undefined) this.checks = true
    if (type !== undefined) {
      this.#asserts.push({ spec: { type: type.trim(), value: await jsonOrText(cell.text) }, cell })
      return
    }
    if (/^\s*[{[]/.test(cell.text)) {
      const found = await this.#json(cell)
      if (found === undefined) return
      for (const spec of Array.isArray(found) ? (found as unknown[]) : [found]) this.#asserts.push({ spec, cell })
      return
    }
    const short = /^\s*([a-z_]+)\s*(?::\s*([\s\S]*))?$/.exec(cell.text)
    if (!short) {
      const message = `expected an assertion, as {"type": "contains", "value": "…"} or contains: …, found ${show(cell.text, 60)}`
      return this.#problem(cell, message)
    }
    const [, bare, value] = short
    this.#asserts.push({ spec: value === undefined ? bare : { type: bare, value }, cell })
  }

  async #json(cell: CsvCell): Promise<unknown> {
    const { value, problems } = await parseStrictJson(cell.text)
    for (const { message } of problems) this.#problem(cell, message)
    return value
  }

  #problem({ line, column }: CsvCell, message: string): void {
    this.problems.push({ line, column, message })
  }
}

/** Objects and lists are compared as such, whatever blanks they contain. */
async function jsonOrText(text: string): Promise<unknown> {
  if (!/^\s*[{[]/.test(text)) return text
  const { value, problems } = await parseStrictJson(text)
  return problems.length === 0 ? value : text
}

function switchOf(text: string): unknown {
  if (/^(?:true|yes|1|x)$/i.test(text)) return true
  return /^(?:false|no|0)$/i.test(text) ? false : text
}

function numberOf(text: string): unknown {
  return /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : text
}

/** `assert`, `assert2`, `assert_2`, `assert.contains`, `assert:contains`. */
function isAssert(name: string): boolean {
  return /^assert(?:ions?)?(?:[ _-]?\d+)?$/.test(name) || /^assert[.:]./.test(name)
}

function isCheck(name: string): boolean {
  return name === 'expected' || isAssert(name)
}

/** `Assert.contains`, `asert.contains`, `assert contains`: a column that would be ignored, and its checks with it. */
function meantAsCheck(name: string): string | undefined {
  if (isAssert(name)) return undefined
  const [, near, type] = /^([^.:]+)[.:](.+)$/.exec(name) ?? []
  if (near !== undefined && suggest(near.replace(/(?:ions?|s)$/i, ''), ['assert']) !== undefined)
    return `assert.${type}`
  const [, other] = /^assert(?:ions?|s)?[\s_-]+(.+)$/i.exec(name) ?? []
  return other === undefined ? undefined : `assert.${other}`
}
