// What was asked when an answer was accepted: a hash per snapshot, in one file beside them. The same answer to another
// question has not been accepted.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import { replaceFile } from '../files/replace-file.js'

const FILE = 'asked.json'

/** By path below the folder, with `/`; those that wait for review too. */
export type AskedIndex = Map<string, string>

/** Empty for snapshots that were accepted before there was one. */
export function readAsked(folder: string): AskedIndex {
  const path = join(folder, FILE)
  const value = existsSync(path) ? parseJson(readFileSync(path, 'utf8'))?.value : undefined
  const entries = isRecord(value) ? Object.entries(value) : []
  return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}

/** Of files that are still there, sorted, so that two branches rarely conflict. */
export function changeAsked(folder: string, changes: ReadonlyMap<string, string | undefined>): void {
  if (changes.size === 0) return
  const before = readAsked(folder)
  const index = new Map<string, string | undefined>([...before, ...changes])
  const kept = [...index].filter(([name, asked]) => asked !== undefined && existsSync(join(folder, name)))
  const text = `${JSON.stringify(Object.fromEntries(kept.toSorted(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`
  if (kept.length > 0) replaceFile(join(folder, FILE), text)
  else if (before.size > 0) rmSync(join(folder, FILE), { force: true })
}
