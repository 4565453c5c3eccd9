// What `-i` names: script tests, a generator, standard input, a file, or a message. In this order.
import { readdirSync } from 'node:fs'
import { basename, dirname, extname, join, resolve } from 'node:path'
import { builtinHelperFor } from '../../agents/helpers/built-in-ids.js'
import { UserError } from '../../errors.js'
import { suggest } from '../../base/suggest.js'
import { isFolder, statOf } from '../../files/stat.js'

export type InputKind = 'script_test' | 'generator_agent' | 'generator_script' | 'stdin' | 'file' | 'message'

export type QueryValue = string | number | boolean

export interface DetectedInput {
  kind: InputKind
  /** The reference without its prefix and query, the path without `@`, or the message. */
  value: string
  /** Typed query values of a generator. */
  params: Record<string, QueryValue>
}

export interface DetectOptions {
  cwd?: string
  /** Is there a file of this name? Looked up relative to `cwd` when not given. */
  exists?: (path: string) => boolean
}

const SCRIPT_TEST = /^scripts\.\S+$/
const GENERATOR = /^(agents|scripts):([^\s?]*)(?:\?(.*))?$/s
const CASE_FILE = /\.(?:jsonl|json|yaml|yml)$/i
const EVENT_FILE = /^output-\d{14}(?:-\d+)?\.jsonl$/

export function detectInput(input: string, options: DetectOptions = {}): DetectedInput {
  const cwd = options.cwd ?? process.cwd()
  const exists = options.exists ?? ((path: string) => isThere(resolve(cwd, path)))
  if (SCRIPT_TEST.test(input)) return plain('script_test', input)
  const generator = GENERATOR.exec(input)
  if (generator) return detectGenerator(generator[1] === 'agents', generator[2] ?? '', generator[3] ?? '')
  if (input === '-') return plain('stdin', input)
  if (input.startsWith('@')) {
    const path = input.slice(1)
    if (path === '' || !exists(path)) throw fileNotFound(path, cwd)
    return plain('file', path)
  }
  if (exists(input)) return plain('file', input)
  if (CASE_FILE.test(input)) throw fileNotFound(input, cwd)
  if (/[\\/]/.test(input) && isFolder(resolve(cwd, input))) throw inputIsFolder(input, cwd)
  return plain('message', input)
}

/** A message that was probably meant as a file: `tests/inputs.jsnl`, or the name of a folder. */
export function isProbablyPath(message: string, cwd: string): boolean {
  if (message === '' || /\s/.test(message)) return false
  const full = resolve(cwd, message)
  if (isFolder(full)) return true
  if (/[\\/]/.test(message) && isFolder(dirname(full))) return true
  const extension = extname(message).toLowerCase()
  return extension !== '' && suggest(extension, ['.jsonl', '.json', '.yaml', '.yml']) !== undefined
}

function plain(kind: InputKind, value: string): DetectedInput {
  return { kind, value, params: {} }
}

function detectGenerator(isAgent: boolean, name: string, query: string): DetectedInput {
  const params = readQuery(query)
  if (isAgent) return { kind: 'generator_agent', value: name === '' ? builtinHelperFor('generator') : name, params }
  if (name === '') throw scriptUnnamed()
  return { kind: 'generator_script', value: name, params }
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

/** A pipe or a device is a case source too. */
function isThere(path: string): boolean {
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

function fileNotFound(path: string, cwd: string): UserError {
  const full = resolve(cwd, path)
  if (isFolder(full)) return inputIsFolder(path, cwd)
  const folder = dirname(full)
  const there = caseFiles(folder)
  const near = suggest(basename(full), there)
  const hint = near
    ? `did you mean ${join(dirname(path), near)}?`
    : there.length > 0
      ? `case files in ${folder}: ${listed(there)}`
      : isFolder(folder)
        ? `there is no case file in ${folder}`
        : `there is no folder ${folder}`
  return new UserError({
    code: 'FILE_NOT_FOUND',
    message: `file not found: ${path} (looked for ${full})`,
    hint: `${hint}; a message must not end in .jsonl, .json, .yaml or .yml, nor begin with @`,
  })
}

function inputIsFolder(path: string, cwd: string): UserError {
  const there = caseFiles(resolve(cwd, path))
  return new UserError({
    code: 'INPUT_IS_FOLDER',
    message: `${path} is a folder, expected a case file`,
    hint: there.length > 0 ? `case files in it: ${listed(there)}` : 'there is no case file in it',
  })
}

function caseFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => CASE_FILE.test(name) && !EVENT_FILE.test(name))
      .toSorted()
  } catch {
    return []
  }
}

function listed(names: string[]): string {
  return names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ')
}
