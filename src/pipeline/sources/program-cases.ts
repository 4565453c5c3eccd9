// Cases written in a program, passed in by it or exported by a file: checked like those of a case file.
import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { loadModule } from '../../agents/targets/load-module.js'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import type { CaseSource } from '../../model/source.js'
import { casesAsWritten } from './as-written.js'
import type { CheckOptions } from './check-values.js'
import { casesFromValues } from './values.js'

export async function openInlineCases(
  values: readonly unknown[],
  { dir, ...check }: CheckOptions & { dir: string },
): Promise<CaseSource> {
  return casesFromValues(casesAsWritten(values, 'cases'), { kind: 'cases', label: 'cases', dir, ...check })
}

/** `-i cases.ts`: its default export is the list, or a function that returns it. */
export async function openCaseModule(file: string, label: string, check: CheckOptions): Promise<CaseSource> {
  const { size } = await stat(file)
  if (size === 0) throw new UserError({ code: 'NO_CASES', message: `no test cases in ${label}`, hint: EXAMPLE })
  const { exports, release } = await loadModule(file)
  try {
    const values = await listOf(exports['default'], label)
    return await casesFromValues(casesAsWritten(values, label), {
      kind: 'file',
      label,
      file,
      dir: dirname(file),
      ...check,
    })
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
