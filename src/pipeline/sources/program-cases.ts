// Cases written in a program, passed in by it or exported by a file: checked like those of a case file.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadModule } from '../../agents/targets/load-module.js'
import { lostInJson } from '../../base/json/lost-in-json.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { CaseSource } from '../../model/source.js'
import type { CheckOptions } from './check-values.js'
import { casesFromValues } from './values.js'

export async function openHandedCases(
  values: readonly unknown[],
  { dir, ...check }: CheckOptions & { dir: string },
): Promise<CaseSource> {
  return casesFromValues(asWritten(values, 'cases'), { kind: 'cases', label: 'cases', dir, ...check })
}

/** `-i cases.ts`: its default export is the list, or a function that returns it. */
export async function openCaseModule(file: string, label: string, check: CheckOptions): Promise<CaseSource> {
  const { size } = await stat(file)
  if (size === 0) throw new UserError({ code: 'NO_CASES', message: `no test cases in ${label}`, hint: EXAMPLE })
  const { exports, release } = await loadModule(file)
  try {
    const values = await listOf(exports['default'], label)
    return await casesFromValues(asWritten(values, label), { kind: 'file', label, file, dir: dirname(file), ...check })
  } finally {
    // What it exports is data: none of its code runs any more.
    release()
  }
}

async function listOf(exported: unknown, label: string): Promise<unknown[]> {
  const given: unknown =
    typeof exported === 'function' ? await callFor(exported as () => unknown, label) : await exported
  const list: unknown = isRecord(given) && Array.isArray(given['cases']) ? given['cases'] : given
  if (Array.isArray(list)) return list
  if (typeof list === 'object' && list !== null && Symbol.asyncIterator in list) return collect(list, label)
  throw noList(label, list)
}

async function callFor(make: () => unknown, label: string): Promise<unknown> {
  try {
    return await make()
  } catch (error) {
    throw failed(label, error)
  }
}

async function collect(list: object, label: string): Promise<unknown[]> {
  const values: unknown[] = []
  try {
    for await (const value of list as AsyncIterable<unknown>) values.push(value)
  } catch (error) {
    throw failed(label, error)
  }
  return values
}

/** As if they had been read from a file: plain data that can no longer change. */
function asWritten(values: readonly unknown[], label: string): unknown[] {
  const lost = lostInJson(values)
  if (lost)
    throw new UserError({
      code: 'BAD_CASES',
      message: `${label}: cases${lost.path} is ${lost.what}, but a case must be plain data`,
      hint: 'use strings, numbers, lists and objects; anything computed belongs in a script assertion',
    })
  for (const [index, value] of values.entries()) {
    const path = undefinedCheck(value)
    if (path !== undefined)
      throw new UserError({
        code: 'BAD_CASES',
        message: `${label}: cases[${index}]${path} is undefined, so it would check nothing`,
        hint: 'a name in the program may be misspelt; where nothing is to be checked, leave the key out',
      })
  }
  return JSON.parse(JSON.stringify(values)) as unknown[]
}

const CHECKS = ['assert', 'assertions', 'expected', 'final_assertions']

/**
 * Where something that was meant to check is undefined: the only check of a case or a turn, or an argument of a tool.
 * JSON leaves out such keys without a word.
 */
function undefinedCheck(value: unknown): string | undefined {
  if (!isRecord(value)) return undefined
  const named = CHECKS.filter((name) => name in value)
  const [first] = named
  if (first !== undefined && named.every((name) => value[name] === undefined) && value['turns'] === undefined)
    return `.${first}`
  for (const name of CHECKS) {
    const path = undefinedArgument(value[name], `.${name}`, false)
    if (path !== undefined) return path
  }
  for (const [index, turn] of (Array.isArray(value['turns']) ? value['turns'] : []).entries()) {
    const path = undefinedCheck(turn)
    if (path !== undefined) return `.turns[${index}]${path}`
  }
  return undefined
}

function undefinedArgument(value: unknown, path: string, within: boolean): string | undefined {
  if (typeof value !== 'object' || value === null) return value === undefined && within ? path : undefined
  for (const [key, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[${key}]` : `${path}.${key}`
    if (inner === undefined && !within) continue
    const found = undefinedArgument(inner, at, within || key === 'arguments' || key === 'args')
    if (found !== undefined) return found
  }
  return undefined
}

const EXAMPLE = 'export default defineCases([{ id: "T001", input: "hello" }]), with defineCases from "viva"'

function noList(label: string, found: unknown): UserError {
  return new UserError({
    code: 'NOT_A_CASE_FILE',
    message: `${label}: the default export must be a list of cases, found ${show(found, 60)}`,
    hint: EXAMPLE,
  })
}

function failed(label: string, error: unknown): UserError {
  return new UserError({
    code: 'MODULE_FAILED',
    message: `${label} failed to produce its cases: ${messageOf(error)}`,
    hint: 'the default export is called without arguments and must return the list of cases',
    cause: error,
  })
}
