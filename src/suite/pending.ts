// Proposed assertions that wait for a person: one line each, until someone accepts or drops it.
import { readFile } from 'node:fs/promises'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import type { AssertionSpec } from '../model/assertion.js'
import { compileProposed } from './checks.js'

export interface PendingAssertion {
  /** The case. */
  id: string
  /** The case file, as given. */
  file: string
  /** The list that it goes to: `assert`, `final_assertions`, `turns[0].assert`. */
  place: string
  assertion: AssertionSpec
  /** What it would stop. */
  kills: string[]
  /** Good runs on which it held: all there were. */
  support: number
}

export function pendingText(pending: readonly PendingAssertion[]): string {
  return pending.map((each) => `${JSON.stringify(each)}\n`).join('')
}

export async function readPending(path: string): Promise<PendingAssertion[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UserError({ code: 'CANNOT_READ', message: `cannot read ${path}`, cause: error, hint: WRITE_ONE })
  })
  return text
    .split('\n')
    .map((line, index) => ({ line, number: index + 1 }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => readOne(line, `${path}:${number}`))
}

const WRITE_ONE = 'viva mine run.jsonl -o pending.jsonl writes one'

function readOne(line: string, where: string): PendingAssertion {
  const value = parseJson(line)?.value
  if (!isRecord(value)) throw bad(where, `expected a JSON object, found ${show(line, 80)}`)
  const { id, file, place, assertion, kills = [], support = 0 } = value
  for (const [name, found] of Object.entries({ id, file, place }))
    if (typeof found !== 'string') throw bad(where, `"${name}" must be a string, found ${show(found)}`)
  if (!isRecord(assertion) || compileProposed(assertion as AssertionSpec) === undefined)
    throw bad(where, `"assertion" must be an assertion, found ${show(assertion)}`)
  return {
    id: id as string,
    file: file as string,
    place: place as string,
    assertion: assertion as AssertionSpec,
    kills: Array.isArray(kills) ? kills.map(String) : [],
    support: typeof support === 'number' ? support : 0,
  }
}

function bad(where: string, message: string): UserError {
  return new UserError({ code: 'BAD_PENDING', message: `${where}: ${message}`, hint: WRITE_ONE })
}
