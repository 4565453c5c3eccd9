// What Viva knows about a workspace is beside it, not in it: an agent that tidies up its folder must not lose it, and
// "only session.jsonl remains" is true.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile } from '../files/replace-file.js'
import type { Entry } from './registry.js'
import type { Place } from './place.js'

export function stateOf(place: Place, { token }: Pick<Entry, 'token'>): string {
  return join(place.state, token)
}

/** `name` is ours, never the user's. */
export function writeState(folder: string, name: string, value: unknown): void {
  replaceFile(join(folder, name), JSON.stringify(value))
}

/** Undefined if nothing was written. */
export function readState(folder: string, name: string): unknown {
  try {
    return JSON.parse(readFileSync(join(folder, name), 'utf8')) as unknown
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
