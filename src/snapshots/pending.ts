// Snapshots that wait for a person: finding, accepting and dropping them.
import { renameSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { sortedEntries } from '../files/entries.js'
import { changeAsked, readAsked } from './asked.js'
import { PENDING, SNAPSHOT } from './file-name.js'
import { readSnapshot } from './store.js'

export interface PendingSnapshot {
  path: string
  /** The snapshot it would replace. */
  file: string
}

/** Below `dir`, in folders called `snapshots` and in `own`. Links are not followed. */
export function findPending(dir: string, own?: string): PendingSnapshot[] {
  const found: PendingSnapshot[] = []
  const look = (folder: string, isBelow: boolean): void => {
    for (const entry of sortedEntries(folder)) {
      const path = join(folder, entry.name)
      if (entry.isDirectory() && !LEFT_OUT.has(entry.name))
        look(path, isBelow || entry.name === 'snapshots' || path === own)
      else if (isBelow && entry.isFile() && entry.name.endsWith(PENDING))
        found.push({ path, file: `${path.slice(0, -PENDING.length)}${SNAPSHOT}` })
    }
  }
  look(dir, dir === own)
  return found
}

export function contentsOf({ path, file }: PendingSnapshot): { before: string | undefined; after: string } {
  return { before: readSnapshot(file), after: readSnapshot(path) ?? '' }
}

export function accept({ path, file }: PendingSnapshot): void {
  const asked = readAsked(dirname(path)).get(basename(path))
  renameSync(path, file)
  // Those of workspaces belong to no case, and so to no question.
  if (asked !== undefined)
    changeAsked(
      dirname(path),
      new Map([
        [basename(file), asked],
        [basename(path), undefined],
      ]),
    )
}

export function reject({ path }: PendingSnapshot): void {
  rmSync(path, { force: true })
  if (readAsked(dirname(path)).has(basename(path))) changeAsked(dirname(path), new Map([[basename(path), undefined]]))
}

const LEFT_OUT = new Set(['node_modules', '.git'])
