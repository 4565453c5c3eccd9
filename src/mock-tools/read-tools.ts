// Reads a file of tools once: which tools it has, and whether it has a store.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { checkArguments } from '../agents/package/tools/check-arguments.js'
import { defined } from '../base/defined.js'
import { messageOf } from '../base/message-of.js'
import { isRecord } from '../base/record.js'
import { suggest } from '../base/suggest.js'
import { asText, preview } from '../base/text.js'
import { UserError, type Problem } from '../errors.js'
import { pathSeenFrom, resolveInside } from '../files/inside.js'
import { isFile } from '../files/stat.js'
import type { ToolSpec } from '../model/connector.js'
import type { ToolOutcome } from '../model/given-tools.js'
import type { ScriptRuntime } from '../model/script.js'
import type { Clock } from '../time/clock.js'
import { boundBy } from '../time/deadline.js'
import { isToolModule, type ToolFile } from './tool-file.js'

export interface ToolPlace {
  /** As written. */
  file: string
  /** The folder that it is relative to. */
  dir: string
  appRoot: string
  allowOutside: boolean
}

const DESCRIBE_MS = 30_000

/** Throws a UserError that says what is wrong with the file. */
export async function readTools(place: ToolPlace, { scripts, clock }: Reader): Promise<ToolFile> {
  const path = toolPath(place)
  const shown = pathSeenFrom(place.appRoot, path)
  const file = isToolModule(path) ? await readModule(path, shown, { scripts, clock }) : await readAnswers(path, shown)
  for (const { name, input_schema } of file.specs)
    await checkArguments({}, input_schema, `${shown}: the tool ${name}`).catch((error: unknown) => {
      throw badTools(shown, `cannot be used: ${messageOf(error)}`, MODULE_HINT, error)
    })
  return file
}

export interface Reader {
  scripts: ScriptRuntime
  clock: Clock
}

export function toolPath({ file, dir, appRoot, allowOutside }: ToolPlace): string {
  const path = resolve(dir, file)
  if (!/\.(?:ya?ml|json|[cm]?[jt]s)$/i.test(path))
    throw badTools(
      file,
      'is not a file of tools',
      'name a module (.ts, .js) or a file with fixed answers (.yml, .json)',
    )
  if (!isFile(path)) throw badTools(file, `does not exist: ${path}`, 'the path is relative to the file that names it')
  const real = allowOutside ? path : resolveInside(appRoot, path)
  if (real !== undefined) return real
  throw badTools(file, `is outside ${appRoot}`, 'put it inside, or allow it with --allow-outside')
}

async function readModule(path: string, shown: string, { scripts, clock }: Reader): Promise<ToolFile> {
  const limit = boundBy(new AbortController().signal, DESCRIBE_MS, '30s', clock)
  let described: unknown
  try {
    described = await scripts.call({
      ref: { file: path, name: 'tools' },
      role: 'tools',
      args: [],
      tools: { op: 'describe' },
      signal: limit.signal,
    })
  } catch (cause) {
    throw badTools(shown, `cannot be used: ${messageOf(cause)}`, MODULE_HINT, cause)
  } finally {
    limit.clear()
  }
  const { tools, store } = described as { tools: Record<string, unknown>[]; store: boolean }
  const problems: Problem[] = []
  const specs = tools.map(({ name, ...tool }) => specOf(String(name), tool, [], problems))
  requireFine(shown, specs, problems)
  return { path, specs, hasStore: store }
}

const ANSWERS = ['result', 'error']

async function readAnswers(path: string, shown: string): Promise<ToolFile> {
  const { value, lineOf } = await parsed(path, shown)
  const problems: Problem[] = []
  const answers = new Map<string, ToolOutcome>()
  const specs: ToolSpec[] = []
  if (!isRecord(value) || !isRecord(value['tools']))
    throw badTools(shown, `holds no tools: found ${preview(value)}`, FILE_HINT)
  for (const key of Object.keys(value)) if (key !== 'tools') problems.push(unknownKey(key, ['tools'], [key]))
  for (const [name, tool] of Object.entries(value['tools'])) {
    if (!isRecord(tool)) {
      problems.push({ field: `tools.${name}`, message: `must be an object, found ${preview(tool)}` })
      continue
    }
    const given = ANSWERS.filter((key) => tool[key] !== undefined)
    if (given.length !== 1)
      problems.push({ field: `tools.${name}`, message: 'needs what it answers: either result or error' })
    if (tool['error'] !== undefined && typeof tool['error'] !== 'string')
      problems.push({ field: `tools.${name}.error`, message: `must be text, found ${preview(tool['error'])}` })
    const { result, error, ...rest } = tool
    specs.push(specOf(name, rest, ANSWERS, problems))
    answers.set(name, error === undefined ? { result: result ?? null } : { error: asText(error) })
  }
  requireFine(
    shown,
    specs,
    problems.map((problem) => ({ line: lineOf(problem.field ?? ''), ...problem })),
  )
  return { path, specs, answers, hasStore: false }
}

const TOOL_KEYS = ['description', 'parameters']

function specOf(name: string, tool: Record<string, unknown>, others: string[], problems: Problem[]): ToolSpec {
  const field = `tools.${name}`
  const { description, parameters = { type: 'object' }, ...rest } = tool
  for (const key of Object.keys(rest)) problems.push(unknownKey(key, [...TOOL_KEYS, ...others], ['tools', name, key]))
  if (!/^[\w.-]{1,64}$/.test(name))
    problems.push({ field, message: 'a name has 1 to 64 letters, digits, dots, dashes and underscores' })
  if (description !== undefined && typeof description !== 'string')
    problems.push({ field: `${field}.description`, message: `must be text, found ${preview(description)}` })
  if (!isRecord(parameters) || parameters['type'] !== 'object')
    problems.push({
      field: `${field}.parameters`,
      message: `must be a JSON Schema of type "object", found ${preview(parameters)}`,
    })
  return {
    name,
    input_schema: isRecord(parameters) ? parameters : {},
    ...defined({ description: typeof description === 'string' ? description : undefined }),
  }
}

function unknownKey(key: string, known: string[], path: string[]): Problem {
  return { field: path.join('.'), message: 'unknown field', ...defined({ suggestion: suggest(key, known) }) }
}

function requireFine(shown: string, specs: readonly ToolSpec[], problems: Problem[]): void {
  if (specs.length === 0 && problems.length === 0) problems.push({ field: 'tools', message: 'is empty' })
  if (problems.length === 0) return
  throw new UserError({
    code: 'BAD_TOOLS',
    message: `${shown} has tools that cannot be used`,
    hint: isToolModule(shown) ? MODULE_HINT : FILE_HINT,
    problems: problems.map((problem) => ({ file: shown, ...problem })),
  })
}

interface Parsed {
  value: unknown
  lineOf(field: string): number
}

async function parsed(path: string, shown: string): Promise<Parsed> {
  const { isDocument, LineCounter, parseDocument } = await import('yaml')
  const lines = new LineCounter()
  const document = parseDocument(readFileSync(path, 'utf8'), { version: '1.2', uniqueKeys: true, lineCounter: lines })
  const [fault] = [...document.errors, ...document.warnings]
  if (fault || !isDocument(document)) {
    const { line, col } = lines.linePos(fault?.pos[0] ?? 0)
    const message = (fault?.message.split('\n')[0] ?? '').replace(/ at line \d+.*$/, '')
    throw new UserError({
      code: 'BAD_TOOLS',
      message: `${shown} cannot be read`,
      problems: [{ file: shown, line, column: col, message }],
    })
  }
  const lineOf = (field: string): number => {
    for (let path = field.split('.'); path.length > 0; path = path.slice(0, -1)) {
      const node = document.getIn(path, true) as { range?: [number, number, number] } | undefined
      if (node?.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  return { value: document.toJS({ maxAliasCount: 100 }) as unknown, lineOf }
}

const MODULE_HINT =
  'a module of tools exports tools = {name: {description, parameters, run(args, store)}} and, if they share state, store = () => ({…})'
const FILE_HINT =
  'a file of tools is, for example: {tools: {get_order: {description: "…", parameters: {…}, result: {…}}}}'

function badTools(file: string, message: string, hint: string, cause?: unknown): UserError {
  return new UserError({ code: 'BAD_TOOLS', message: `${file} ${message}`, hint, cause })
}
