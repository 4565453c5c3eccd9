// What `-i` names: script tests, a generator, standard input, files, or a message. In this order.
import { resolve } from 'node:path'
import { builtinHelperFor } from '../../agents/helpers/built-in-ids.js'
import { UserError } from '../../errors.js'
import { isFolder, statOf } from '../../files/stat.js'
import { realPathOf } from '../../files/inside.js'
import { filesInFolder, filesOfGlob, isGlob } from './case-files.js'
import { emptyInput, isPathLike, missingFile } from './missing-file.js'

/** `cases` is passed in by a program, and `contract` follows from what is tested; no text says it. */
export type InputKind =
  | 'script_test'
  | 'generator_agent'
  | 'generator_script'
  | 'stdin'
  | 'file'
  | 'message'
  | 'cases'
  | 'contract'

export type QueryValue = string | number | boolean

export interface DetectedInput {
  kind: InputKind
  /** The reference without its prefix and query, the path without `@`, or the message; for several inputs, all of them. */
  value: string
  /** The case files, each once, in the order they are read. */
  files: string[]
  /** Typed query values of a generator. */
  params: Record<string, QueryValue>
}

export interface DetectOptions {
  cwd: string
  /** Is there a file with this name? Looked up relative to `cwd` if not given. */
  exists?: (path: string) => boolean
}

const SCRIPT_TEST = /^scripts\.\S+$/
const GENERATOR = /^(agents|scripts):([^\s?]*)(?:\?(.*))?$/s

/** Several inputs are files, and so are folders and globs. */
export function detectInputs(inputs: string | readonly string[], options: DetectOptions): DetectedInput {
  const [first, ...more] = typeof inputs === 'string' ? [inputs] : inputs
  if (first === undefined) throw emptyInput()
  if (more.length === 0) return detectInput(first, options)
  const all = [first, ...more].map((input) => {
    const detected = detectInput(input, options)
    if (detected.kind !== 'file') throw notFiles(input, detected.kind)
    return detected
  })
  return {
    kind: 'file',
    value: all.map(({ value }) => value).join(', '),
    files: withoutRepeated(
      all.flatMap(({ files }) => files),
      options.cwd,
    ),
    params: {},
  }
}

export function detectInput(input: string, options: DetectOptions): DetectedInput {
  const { cwd } = options
  const exists = options.exists ?? ((path: string) => isFile(resolve(cwd, path)))
  if (SCRIPT_TEST.test(input)) return plain('script_test', input)
  const generator = GENERATOR.exec(input)
  if (generator) return detectGenerator(generator[1] === 'agents', generator[2] ?? '', generator[3] ?? '')
  if (input === '-') return plain('stdin', input)
  if (input.startsWith('@')) {
    const path = input.slice(1)
    const files = path === '' ? undefined : filesOf(path, cwd, exists)
    if (files === undefined) throw missingFile(path, cwd)
    return { kind: 'file', value: path, files, params: {} }
  }
  const files = filesOf(input, cwd, exists)
  if (files !== undefined) return { kind: 'file', value: input, files, params: {} }
  if (input.trim() === '') throw emptyInput()
  if (isPathLike(input, cwd)) throw missingFile(input, cwd)
  return plain('message', input)
}

function plain(kind: InputKind, value: string): DetectedInput {
  return { kind, value, files: [], params: {} }
}

/** Undefined if the text names no existing file. */
function filesOf(path: string, cwd: string, exists: (path: string) => boolean): string[] | undefined {
  if (path.trim() === '') return undefined
  if (exists(path)) return [path]
  const folder = path.trim()
  // "help" is also what people say to a bot, but where a folder has that name it means the folder: nothing is sent by mistake.
  if (!/\s/.test(folder) && isFolder(resolve(cwd, folder))) return filesInFolder(folder, cwd)
  return isGlob(path, cwd) ? filesOfGlob(path, cwd) : undefined
}

/** A folder and a file in it name that file once. */
function withoutRepeated(files: string[], cwd: string): string[] {
  const seen = new Set<string>()
  return files.filter((file) => {
    const real = realPathOf(resolve(cwd, file))
    return !seen.has(real) && seen.add(real)
  })
}

function notFiles(input: string, kind: InputKind): UserError {
  const found = kind === 'message' ? 'a message' : kind === 'stdin' ? 'standard input' : kind.replace('_', ' ')
  return new UserError({
    code: 'NOT_FILES',
    subject: { flag: '-i' },
    message: `"${input}" is ${found}: with several inputs, each must be a case file, a folder or a glob`,
    hint: 'give it alone, or write the case into a file; is a path misspelled?',
  })
}

function detectGenerator(isAgent: boolean, name: string, query: string): DetectedInput {
  const params = readQuery(query)
  if (isAgent)
    return { kind: 'generator_agent', value: name === '' ? builtinHelperFor('generator') : name, files: [], params }
  if (name === '') throw scriptUnnamed()
  return { kind: 'generator_script', value: name, files: [], params }
}

function readQuery(query: string): Record<string, QueryValue> {
  const params: Array<[string, QueryValue]> = []
  for (const [key, value] of new URLSearchParams(query)) params.push([key, typedValue(value)])
  // Object.fromEntries defines keys: `__proto__=x` stays an ordinary one.
  return Object.fromEntries(params)
}

function typedValue(text: string): QueryValue {
  if (text === 'true') return true
  if (text === 'false') return false
  if (!/^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i.test(text)) return text
  const value = Number(text)
  const exact = /^[+-]?\d+$/.test(text) ? Number.isSafeInteger(value) : Number.isFinite(value)
  return exact ? value : text
}

function isFile(path: string): boolean {
  const stats = statOf(path)
  return stats !== undefined && !stats.isDirectory()
}

function scriptUnnamed(): UserError {
  return new UserError({
    code: 'SCRIPT_UNNAMED',
    message: 'scripts: names no script',
    hint: 'for example: -i "scripts:tests.generator.cases?count=10"',
  })
}
