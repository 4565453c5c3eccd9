// What `-i` names: script tests, a generator, standard input, a file, or a message. In this order.
import { resolve } from 'node:path'
import { builtinHelperFor } from '../../agents/helpers/built-in-ids.js'
import { UserError } from '../../errors.js'
import { statOf } from '../../files/stat.js'
import { emptyInput, isPathLike, missingFile } from './missing-file.js'

/** `cases` is what a program hands over; no text says it. */
export type InputKind = 'script_test' | 'generator_agent' | 'generator_script' | 'stdin' | 'file' | 'message' | 'cases'

export type QueryValue = string | number | boolean

export interface DetectedInput {
  kind: InputKind
  /** The reference without its prefix and query, the path without `@`, or the message. */
  value: string
  /** Typed query values of a generator. */
  params: Record<string, QueryValue>
}

export interface DetectOptions {
  cwd: string
  /** Is there a file of this name? Looked up relative to `cwd` when not given. */
  exists?: (path: string) => boolean
}

const SCRIPT_TEST = /^scripts\.\S+$/
const GENERATOR = /^(agents|scripts):([^\s?]*)(?:\?(.*))?$/s

export function detectInput(input: string, options: DetectOptions): DetectedInput {
  const { cwd } = options
  const exists = options.exists ?? ((path: string) => isFile(resolve(cwd, path)))
  if (SCRIPT_TEST.test(input)) return plain('script_test', input)
  const generator = GENERATOR.exec(input)
  if (generator) return detectGenerator(generator[1] === 'agents', generator[2] ?? '', generator[3] ?? '')
  if (input === '-') return plain('stdin', input)
  if (input.startsWith('@')) {
    const path = input.slice(1)
    if (path === '' || !exists(path)) throw missingFile(path, cwd)
    return plain('file', path)
  }
  if (exists(input)) return plain('file', input)
  if (input.trim() === '') throw emptyInput()
  if (isPathLike(input, cwd)) throw missingFile(input, cwd)
  return plain('message', input)
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
