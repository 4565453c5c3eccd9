// What a call leaves behind in the folders that a server could write to.
import { isUtf8 } from 'node:buffer'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StateChange } from '../model/contract.js'
import { changedSince, readFolder, type FileChange, type FolderState, type WatchedFolder } from './folder-state.js'
import { pause } from './prober.js'
import { withoutTimes } from './without-times.js'

export type FolderStates = ReadonlyMap<WatchedFolder, FolderState | undefined>

export function readFolders(folders: readonly WatchedFolder[]): FolderStates {
  return new Map(folders.map((folder) => [folder, readFolder(folder)]))
}

export function folderChanges(before: FolderStates, after: FolderStates): FileChange[] {
  return [...before].flatMap(([folder, state]) => changedSince(folder.where, state, after.get(folder)))
}

const SETTLED_MS = 100
const MOST_ROUNDS = 10

/** What a server writes when it starts is not what a tool writes. */
export async function settledFolders(folders: readonly WatchedFolder[]): Promise<FolderStates> {
  let last = readFolders(folders)
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await pause(SETTLED_MS)
    const now = readFolders(folders)
    if (folderChanges(last, now).length === 0) return now
    last = now
  }
  return last
}

/** Without those that `control` shows as well. */
export function notIn(changes: readonly StateChange[], control: readonly FileChange[]): StateChange[] {
  const known = new Set(control.map(({ where, what }) => `${where} ${generic(what)}`))
  return changes.filter(({ where, what }) => !known.has(`${where} ${generic(what)}`))
}

/** `cache-1a2b3c4d.json` and `cache-99f0aa17.json` are one file to whoever writes them. */
function generic(path: string): string {
  return path.replaceAll(/[0-9a-f]{6,}|\d+/gi, '#')
}

/** Longer files are compared as they are. */
const LONGEST_TEXT = 64 * 1024
const MOST_TEXTS = 2000

/** Folder and path → the text there, for comparing what is left of it without its times and ids. */
export function textsIn(states: FolderStates): Map<string, string> {
  const texts = new Map<string, string>()
  for (const [{ where, path }, state] of states) {
    // Of a large install folder, files are compared as they are.
    if (state && state.size > MOST_TEXTS) continue
    for (const file of state?.keys() ?? []) {
      const text = textAt(join(path, file))
      if (text !== undefined) texts.set(`${where} ${file}`, text)
    }
  }
  return texts
}

/** A file that says when it was written differs each time it is. */
export function isSameText(
  { where, what }: FileChange,
  before: ReadonlyMap<string, string>,
  folders: readonly WatchedFolder[],
): boolean {
  const folder = folders.find((each) => each.where === where)
  const was = before.get(`${where} ${what}`)
  const now = folder && textAt(join(folder.path, what))
  return was !== undefined && now !== undefined && withoutTimes()(was) === withoutTimes()(now)
}

function textAt(file: string): string | undefined {
  try {
    const bytes = readFileSync(file)
    return bytes.length <= LONGEST_TEXT && isUtf8(bytes) ? bytes.toString() : undefined
  } catch {
    return undefined
  }
}
