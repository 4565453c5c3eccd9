// The tests of a configuration, unfolded: files, tables, scenarios, defaults, one test for each combination of values.
import { extname } from 'node:path'
import { isPresent, isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import { CsvParser } from '../../pipeline/sources/csv.js'
import type { Origin } from '../imported.js'
import { jsonLines, type Located, type SourceFolder, type Steps } from '../read-source.js'
import { assertionOfCell, type WrittenAssertion } from './expected.js'
import { isAssertionType } from './assertions.js'
import type { Lose } from './prompts.js'
import { OPTION_KEYS, SCENARIO_KEYS, TEST_KEYS } from './keys.js'
import { unknownKeys } from '../unknown-keys.js'

export interface SourceTest extends Origin {
  description?: string
  vars: Record<string, unknown>
  asserts: Array<{ written: unknown; line: number; file: string }>
  threshold?: unknown
  options: Record<string, unknown>
  metadata: Record<string, unknown>
  /** Why it cannot be carried over as it is. */
  lost: string[]
  /** What its author says about it in comments; the same list for all that one entry makes. */
  comments?: string[]
}

type Raw = Record<string, unknown>

interface Entry {
  value: Raw
  origin: Origin
  lineOf(steps: Steps): number
  comments?: string[]
}

const MOST_TESTS = 20_000
/** Fields of a test that say what is tested instead of how. */
const ELSEWHERE = ['provider', 'providers', 'prompts', 'assertScoringFunction', 'providerOutput']

export async function readTests(config: Located, folder: SourceFolder, lose: Lose): Promise<SourceTest[]> {
  const value = isRecord(config.value) ? config.value : {}
  const defaults = await readDefault(value['defaultTest'], config, folder, lose)
  const entries = await readEntries(value['tests'], ['tests'], config, folder, lose)
  const tests: SourceTest[] = []
  const scenarios = await readScenarios(value['scenarios'], config, folder, lose)
  const none = value['tests'] === undefined && value['scenarios'] === undefined
  const isGenerated = none && isPresent(value['redteam'])
  const bare: Entry = {
    value: isGenerated ? { lost: 'redteam: its tests are written by a model' } : {},
    origin: { file: config.file, line: 1 },
    lineOf: () => 1,
  }
  for (const entry of none ? [bare] : entries) tests.push(...(await unfold(entry, undefined, defaults, folder)))
  for (const { data, tests: own } of scenarios)
    for (const entry of own) tests.push(...(await unfold(entry, data, defaults, folder)))
  if (tests.length > MOST_TESTS) throw tooMany(`more than ${MOST_TESTS} tests`, { file: config.file, line: 1 })
  return tests
}

function tooMany(what: string, { file, line }: Origin): UserError {
  return new UserError({
    code: 'CANNOT_IMPORT',
    message: `${file} makes ${what}; nothing was written`,
    problems: [{ file, line, message: what }],
    hint: 'import a part of them: fewer values in the lists of variables, or several files',
  })
}

async function readDefault(
  value: unknown,
  config: Located,
  folder: SourceFolder,
  lose: Lose,
): Promise<Entry | undefined> {
  if (value === undefined || value === null) return undefined
  const origin = { file: config.file, line: config.lineOf(['defaultTest']) }
  if (typeof value === 'string') {
    try {
      const found = await folder.structured(value.replace(/^file:\/\//, ''))
      if (!isRecord(found.value)) throw new Error('expected an object')
      return { value: found.value, origin: { file: found.file, line: 1 }, lineOf: found.lineOf }
    } catch (error) {
      lose(`defaultTest: ${messageOf(error)}`, origin)
      return { value: { lost: `the defaultTest ${value}` }, origin, lineOf: () => origin.line }
    }
  }
  const lineOf = (steps: Steps): number => config.lineOf(['defaultTest', ...steps])
  return { value: isRecord(value) ? value : { lost: 'a defaultTest that is not an object' }, origin, lineOf }
}

async function readEntries(
  value: unknown,
  at: Steps,
  config: Located,
  folder: SourceFolder,
  lose: Lose,
): Promise<Entry[]> {
  const entries: Entry[] = []
  const list: unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  for (const [index, item] of list.entries()) {
    const steps = Array.isArray(value) ? [...at, index] : at
    const origin = { file: config.file, line: config.lineOf(steps) }
    if (
      typeof item === 'string' ||
      (isRecord(item) && typeof item['path'] === 'string' && item['assert'] === undefined)
    ) {
      const path = typeof item === 'string' ? item : String((item as Raw)['path'])
      try {
        const found = await readTestFiles(path, folder)
        const [beside] = unknownKeys(item, ['path'], path)
        if (beside) throw new Error(beside.reason)
        entries.push(...found)
      } catch (error) {
        lose(`tests: ${messageOf(error)}`, origin)
      }
    } else if (isRecord(item))
      entries.push({
        value: item,
        origin,
        lineOf: (inner) => config.lineOf([...steps, ...inner]),
        ...commentsOf(config, steps),
      })
    else lose('a test that is not an object', origin)
  }
  return entries
}

function commentsOf(source: Located, steps: Steps): Pick<Entry, 'comments'> {
  const comments = source.commentsOf?.(steps) ?? []
  return comments.length > 0 ? { comments } : {}
}

async function readTestFiles(reference: string, folder: SourceFolder): Promise<Entry[]> {
  const path = reference.replace(/^file:\/\//, '')
  if (/^(?:https?|az|huggingface):/.test(path)) throw new Error(`${path} is not a file of this project`)
  if (/\.(?:py|[cm]?[jt]s|rb|xlsx?)(?::\w+)?$/i.test(path))
    throw new Error(`${path} is a program or a spreadsheet: write its tests as CSV, JSON or YAML`)
  const files = folder.matching(path)
  if (files.length === 0) throw new Error(`there is no file ${path} inside the folder`)
  const entries: Entry[] = []
  for (const file of files) entries.push(...(await readTestFile(file, folder)))
  return entries
}

async function readTestFile(file: string, folder: SourceFolder): Promise<Entry[]> {
  switch (extname(file).toLowerCase()) {
    case '.csv':
      return fromTable(file, folder.text(file).text)
    case '.jsonl':
      return (await jsonLines(folder.text(file).text, file)).map(({ value, line }): Entry => {
        if (!isRecord(value)) throw new Error(`${file}:${line} is not an object`)
        return { value, origin: { file, line }, lineOf: () => line }
      })
    case '.json':
    case '.yaml':
    case '.yml': {
      const found = await folder.structured(file)
      const list: unknown[] = Array.isArray(found.value) ? found.value : [found.value]
      return list.map((value, index): Entry => {
        if (!isRecord(value)) throw new Error(`${file} holds something that is not a test`)
        const steps = Array.isArray(found.value) ? [index] : []
        return {
          value,
          origin: { file: found.file, line: found.lineOf(steps) },
          lineOf: (inner) => found.lineOf([...steps, ...inner]),
          ...commentsOf(found, steps),
        }
      })
    }
    default:
      throw new Error(`tests cannot be read from ${file}`)
  }
}

function fromTable(file: string, text: string): Entry[] {
  const parser = new CsvParser(',')
  const [header, ...rows] = [...parser.feed(text), ...parser.end()]
  if (!header) return []
  const broken = [header, ...rows].find(({ problem }) => problem)?.problem
  if (broken) throw new Error(`${file}:${broken.line}: ${broken.message}`)
  const names = header.cells.map((cell) => cell.text.trim())
  const twice = names.find((name, index) => name !== '' && names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`${file}:${header.line}: the column "${twice}" is there twice`)
  return rows.map((row): Entry => {
    if (row.cells.length > names.length) throw new Error(`${file}:${row.line}: more cells than columns`)
    const value = testOfRow(names.map((name, index) => [name, row.cells[index]?.text ?? '']))
    return { value, origin: { file, line: row.line }, lineOf: () => row.line }
  })
}

function testOfRow(cells: Array<[string, string]>): Raw {
  const vars: Raw = {}
  const asserts: WrittenAssertion[] = []
  const options: Raw = {}
  const metadata: Raw = {}
  const test: Raw = {}
  const limits: Array<[number, number]> = []
  for (const [name, text] of cells) {
    const [, config] = /^__config:__expected(\d*):threshold$/.exec(name) ?? []
    const [, about] = /^__metadata:(.+)$/.exec(name) ?? []
    if (config !== undefined) limits.push([config === '' ? 0 : Number(config) - 1, Number(text)])
    else if (about !== undefined) {
      if (text.trim() === '') continue
      if (about.endsWith('[]')) metadata[about.slice(0, -2)] = text.split(',').map((part) => part.trim())
      else metadata[about] = text
    } else if (name.startsWith('__expected')) {
      if (text.trim() !== '') asserts.push(assertionOfCell(text, isAssertionType))
    } else if (name === '__prefix' || name === '__suffix') options[name.slice(2)] = text
    else if (name === '__description') test['description'] = text
    else if (name === '__providerOutput') test['providerOutput'] = text === '' ? undefined : text
    else if (name === '__threshold') test['threshold'] = text.trim() === '' ? undefined : Number(text)
    else if (name === '__metric' || name === '') continue
    else if (name.startsWith('__')) test['lost'] = `the column ${name}`
    else vars[name] = text
  }
  for (const [index, threshold] of limits) {
    const own = asserts[index]
    if (own) own.threshold = threshold
  }
  return { ...test, vars, assert: asserts, options, metadata }
}

async function readScenarios(
  value: unknown,
  config: Located,
  folder: SourceFolder,
  lose: Lose,
): Promise<Array<{ data: Entry; tests: Entry[] }>> {
  const found: Array<{ data: Entry; tests: Entry[] }> = []
  const add = async (scenario: unknown, source: Located, at: Steps): Promise<void> => {
    if (!isRecord(scenario))
      return lose('a scenario that is not an object', { file: source.file, line: source.lineOf(at) })
    const origin = { file: source.file, line: source.lineOf(at) }
    const [unknown] = unknownKeys(scenario, SCENARIO_KEYS, 'the scenario')
    const data = await readEntries(scenario['config'], [...at, 'config'], source, folder, lose)
    if (data.length === 0) lose('a scenario without data (config), which has no tests', origin)
    const tests = !isPresent(scenario['tests'])
      ? [{ value: {}, origin, lineOf: () => origin.line }]
      : await readEntries(scenario['tests'], [...at, 'tests'], source, folder, lose)
    for (const one of data)
      found.push({ data: unknown ? { ...one, value: { ...one.value, lost: unknown.reason } } : one, tests })
  }
  const list: unknown[] = value === undefined || value === null ? [] : Array.isArray(value) ? value : [value]
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'string') {
      await add(item, config, ['scenarios', index])
      continue
    }
    try {
      const files = folder.matching(item.replace(/^file:\/\//, ''))
      if (files.length === 0) throw new Error(`there is no file ${item} inside the folder`)
      for (const file of files) {
        const source = await folder.structured(file)
        const inner: unknown[] = Array.isArray(source.value) ? source.value : [source.value]
        for (const [at, scenario] of inner.entries())
          await add(scenario, source, Array.isArray(source.value) ? [at] : [])
      }
    } catch (error) {
      lose(`scenarios: ${messageOf(error)}`, { file: config.file, line: config.lineOf(['scenarios', index]) })
    }
  }
  return found
}

async function unfold(
  entry: Entry,
  scenario: Entry | undefined,
  defaults: Entry | undefined,
  folder: SourceFolder,
): Promise<SourceTest[]> {
  const layers = [defaults, scenario, entry].flatMap((layer) => layer ?? [])
  const lost = layers.flatMap(({ value }) => (typeof value['lost'] === 'string' ? [value['lost']] : []))
  for (const { value } of layers) lost.push(...leftOver(value))
  const merged = (field: string): Raw => {
    const parts: Raw = {}
    for (const { value } of layers) if (isRecord(value[field])) Object.assign(parts, value[field])
    return parts
  }
  const options = merged('options')
  const vars: Raw = {}
  for (const { value } of layers) {
    try {
      Object.assign(vars, await readVars(value['vars'], folder))
    } catch (error) {
      lost.push(`variables: ${messageOf(error)}`)
    }
  }
  for (const field of ELSEWHERE) {
    const given = layers.some(({ value }) => value[field] !== undefined && value[field] !== null)
    if (given)
      lost.push(
        field === 'provider' || field === 'providers' || field === 'prompts' ? `${field} of a single test` : field,
      )
  }
  if (options['storeOutputAs'] !== undefined) lost.push('storeOutputAs: tests that build on each other')
  for (const name of ['transformVars', 'postprocess', 'runSerially', 'factuality'])
    if (options[name] !== undefined && options[name] !== false) lost.push(`options.${name}`)
  const without = options['disableDefaultAsserts'] === true
  const asserts = layers.flatMap(({ value, lineOf, origin }) => {
    const own = without && value === defaults?.value ? [] : value['assert']
    const list: unknown[] = own === undefined || own === null ? [] : Array.isArray(own) ? own : [own]
    return list.map((written, index) => ({ written, line: lineOf(['assert', index]), file: origin.file }))
  })
  const threshold = layers
    .map(({ value }) => value['threshold'])
    .findLast((given) => given !== undefined && given !== null)
  const description = [entry, scenario]
    .map((layer) => layer?.value['description'])
    .find((text) => typeof text === 'string')
  const base = {
    ...entry.origin,
    ...(typeof description === 'string' && { description }),
    asserts,
    ...(threshold !== undefined && { threshold }),
    options,
    metadata: merged('metadata'),
    ...(entry.comments && { comments: entry.comments }),
  }
  const expand = options['disableVarExpansion'] !== true
  return combinations(vars, expand, folder, entry.origin).map((one) => {
    const read = readFileVars(one, folder)
    return { ...base, vars: read.vars, lost: [...lost, ...read.lost] }
  })
}

/** What nothing reads. */
function leftOver(value: Raw): string[] {
  const { options, vars } = value
  const strange = ['prefix', 'suffix'].filter(
    (name) => isRecord(options) && isPresent(options[name]) && typeof options[name] !== 'string',
  )
  return [
    ...unknownKeys(value, TEST_KEYS).map(({ reason }) => reason),
    ...unknownKeys(options, OPTION_KEYS, 'options').map(({ reason }) => reason),
    ...(isPresent(options) && !isRecord(options) ? ['options that are not an object'] : []),
    ...strange.map((name) => `options.${name} that is not text`),
    ...(isRecord(vars) && '$ref' in vars ? ['variables by reference ($ref)'] : []),
  ]
}

async function readVars(value: unknown, folder: SourceFolder): Promise<Raw> {
  if (value === undefined || value === null) return {}
  if (isRecord(value)) return value
  const files: unknown[] = Array.isArray(value) ? value : [value]
  const vars: Raw = {}
  for (const file of files) {
    if (typeof file !== 'string') throw new Error('expected variables by name, or a file')
    const paths = folder.matching(file.replace(/^file:\/\//, ''))
    if (paths.length === 0) throw new Error(`there is no file ${file} inside the folder`)
    for (const path of paths) {
      const found = await folder.structured(path)
      if (!isRecord(found.value)) throw new Error(`${path} does not hold variables by name`)
      Object.assign(vars, found.value)
    }
  }
  return vars
}

/** One test for each combination of the values that are lists of strings. */
function combinations(vars: Raw, expand: boolean, folder: SourceFolder, origin: Origin): Raw[] {
  let all: Raw[] = [{}]
  for (const [name, value] of Object.entries(vars)) {
    const isMany = expand && Array.isArray(value) && typeof value[0] === 'string'
    const glob = typeof value === 'string' && /^file:\/\/.*[*?]/.test(value) ? value.slice('file://'.length) : undefined
    const matched = glob === undefined ? [] : matchingOrNone(glob, folder)
    // With no file there would be no test: it stays, and says that the file is missing.
    const values: unknown[] =
      matched.length > 0 ? matched.map((path) => `file://${path}`) : isMany ? (value as unknown[]) : [value]
    if (all.length * values.length > MOST_TESTS)
      throw tooMany(`more than ${MOST_TESTS} combinations of variables`, origin)
    all = all.flatMap((one) => values.map((each) => ({ ...one, [name]: each })))
  }
  return all
}

function matchingOrNone(glob: string, folder: SourceFolder): string[] {
  try {
    return folder.matching(glob)
  } catch {
    return []
  }
}

function readFileVars(vars: Raw, folder: SourceFolder): { vars: Raw; lost: string[] } {
  const lost: string[] = []
  const read = Object.entries(vars).map(([name, value]): [string, unknown] => {
    if (typeof value !== 'string') return [name, value]
    if (value.startsWith('package:')) lost.push(`the variable ${name} is made by a package`)
    if (!value.startsWith('file://')) return [name, value.replace(/\n$/, '')]
    const path = value.slice('file://'.length)
    try {
      if (/\.(?:py|[cm]?[jt]s|pdf|png|jpe?g|gif|webp|svg|bmp|mp3|wav|mp4|mov|ogg|flac|m4a|webm)$/i.test(path))
        throw new Error(`${path} is a program or no text`)
      if (/\.ya?ml$/i.test(path)) throw new Error(`${path} is data`)
      return [name, folder.text(path).text.trim()]
    } catch (error) {
      lost.push(`the variable ${name}: ${messageOf(error)}`)
      return [name, value]
    }
  })
  return { vars: Object.fromEntries(read), lost }
}
