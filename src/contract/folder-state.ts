// What is in the folders that a server could write to, and what has changed there.
import { createHash } from 'node:crypto'
import { lstatSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { entriesOf } from '../files/entries.js'
import type { StateChange } from '../model/contract.js'

/** Path → what identifies its content. */
export type FolderState = ReadonlyMap<string, string>

export interface WatchedFolder {
  where: 'workspace' | 'home' | 'install'
  path: string
  /** Folders inside that are watched on their own, or not at all. */
  without: readonly string[]
}

/** What a package manager put beside a server. In the folder that it works in, nobody did. */
const PACKAGES = new Set(['node_modules', '__pycache__', '.venv'])
const MOST_FILES = 20_000
const MOST_HASHED = 1024 * 1024

/** Undefined if there is too much to compare. */
export function readFolder({ where, path: root, without }: WatchedFolder): FolderState | undefined {
  const state = new Map<string, string>()
  const visit = (folder: string, below: string): boolean => {
    for (const entry of entriesOf(folder)) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      const full = join(folder, entry.name)
      if (where === 'install' && PACKAGES.has(entry.name)) continue
      if (without.includes(full) || /(?:^|\/)\.git\/index$/.test(path)) continue
      if (state.size >= MOST_FILES) return false
      if (entry.isDirectory()) {
        state.set(`${path}/`, 'folder')
        if (!visit(full, path)) return false
      } else state.set(path, markOf(full))
    }
    return true
  }
  return visit(root, '') ? state : undefined
}

export type FileChange = Pick<StateChange, 'where' | 'change' | 'what' | 'aside'>

export function changedSince(
  where: WatchedFolder['where'],
  before: FolderState | undefined,
  after: FolderState | undefined,
): FileChange[] {
  if (!before || !after) return []
  const changes: FileChange[] = []
  const add = (change: FileChange['change'], what: string) => {
    const aside = asideOf(what)
    changes.push({ where, change, what, ...(aside && { aside }) })
  }
  for (const [path, mark] of after) {
    const known = before.get(path)
    if (known === undefined) add('added', path)
    else if (known !== mark) add('changed', path)
  }
  for (const path of before.keys()) if (!after.has(path)) add('deleted', path)
  return changes.filter(
    ({ change, what }) =>
      !what.endsWith('/') ||
      // Programs make places for themselves in HOME.
      (!(where === 'home' && change === 'added') &&
        // What is inside says it as well.
        !changes.some((other) => other.what !== what && other.what.startsWith(what))),
  )
}

/** Small ones by what is in them: a file that is written again with the same text has not changed. */
function markOf(path: string): string {
  try {
    const info = lstatSync(path, { bigint: true })
    // Unlike the time of its last change, ctime cannot be set back.
    if (!info.isFile() || info.size > MOST_HASHED) return `${info.mode}:${info.size}:${info.ctimeNs}`
    return `${info.mode}:${createHash('sha256').update(readFileSync(path)).digest('hex')}`
  } catch {
    return 'unreadable'
  }
}

/** Files that honest programs keep for themselves. */
function asideOf(path: string): StateChange['aside'] {
  const name = basename(path)
  const folders = path.split('/').slice(0, -1)
  if (/\.(?:lock|lck|pid)$|^\.?lock$|-(?:shm|wal|journal)$/i.test(name)) return 'lock'
  if (/[._-]log(?:\.\d+)?$/i.test(name) || folders.some((folder) => /(?:^|[._-])logs?$/i.test(folder))) return 'log'
  if (folders.some((folder) => /^\.?_?cac?hes?$|^_cacache$|^\.npm$|^\.?te?mp$/i.test(folder))) return 'cache'
  return undefined
}
