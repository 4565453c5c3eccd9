// Which workspaces exist. One file each, created and removed atomically, so that processes that come and go at
// the same time do not lose each other's entries and need no lock.
import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isRecord } from '../base/record.js'
import { sortedEntries } from '../files/entries.js'
import { dateNow } from '../time/iso-now.js'
import type { FolderIdentity } from './folder.js'
import type { Place } from './place.js'

export interface Entry {
  id: string
  path: string
  /** Known to the registry alone: names the folder in which Viva keeps what it knows about the workspace. */
  token: string
  folder: FolderIdentity
}

const ENTRY = '.json'
/** Being removed: it can no longer be opened. */
const TAKEN = '.taken'

/** False: there already is one with that name. */
export function addEntry(place: Place, entry: Entry): boolean {
  const temporary = join(place.registry, `.${entry.token}.tmp`)
  writeFileSync(temporary, JSON.stringify({ format: 1, ...entry }), { flag: 'wx', mode: 0o600 })
  try {
    linkSync(temporary, fileOf(place, entry.id))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(temporary, { force: true })
  }
}

export function findEntry(place: Place, id: string): Entry | undefined {
  return readEntry(fileOf(place, id))
}

export function listIds(place: Place): string[] {
  return namesWith(place, ENTRY)
}

/** It was just used. False: it is gone. */
export function touchEntry(place: Place, id: string): boolean {
  try {
    utimesSync(fileOf(place, id), dateNow(), dateNow())
    return true
  } catch {
    return false
  }
}

/** A workspace is being removed; others no longer find one with that name. */
export interface TakenEntry {
  entry: Entry
  /** It is removed. */
  drop(): void
  /** It stays after all, unless its name was taken by another meanwhile. */
  putBack(): void
}

/** If several try, only one gets it. */
export function takeEntry(place: Place, entry: Entry): TakenEntry | undefined {
  const file = fileOf(place, entry.id)
  const taken = join(place.registry, `${entry.token}-${randomBytes(4).toString('hex')}${TAKEN}`)
  try {
    renameSync(file, taken)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  utimesSync(taken, dateNow(), dateNow())
  const held = takenFrom(place, taken)
  if (held?.entry.token === entry.token) return held
  // Another one with that name was created in between.
  held?.putBack()
  return undefined
}

/** An entry of the registry, and when it was last used; also one whose remover died halfway. */
export interface StaleEntry {
  file: string
  entry: Entry | undefined
  usedMs: number
  /** Set if its removal had begun. */
  taken?: TakenEntry
}

export function listEntries(place: Place): StaleEntry[] {
  return sortedEntries(place.registry)
    .filter(({ name }) => name.endsWith(ENTRY) || name.endsWith(TAKEN))
    .flatMap(({ name }) => {
      const file = join(place.registry, name)
      const found = statSync(file, { throwIfNoEntry: false })
      if (!found) return []
      const taken = name.endsWith(TAKEN) ? takenFrom(place, file) : undefined
      return [{ file, entry: readEntry(file), usedMs: found.mtimeMs, ...(taken && { taken }) }]
    })
}

function takenFrom(place: Place, taken: string): TakenEntry | undefined {
  const entry = readEntry(taken)
  return (
    entry && {
      entry,
      drop: () => rmSync(taken, { force: true }),
      putBack: () => {
        try {
          linkSync(taken, fileOf(place, entry.id))
          rmSync(taken, { force: true })
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
        }
      },
    }
  )
}

function fileOf(place: Place, id: string): string {
  return join(place.registry, `${id}${ENTRY}`)
}

function namesWith(place: Place, ending: string): string[] {
  return sortedEntries(place.registry)
    .filter(({ name }) => name.endsWith(ending) && !name.startsWith('.'))
    .map(({ name }) => basename(name, ending))
}

/** Undefined for a file that is gone, or that we did not write. */
function readEntry(file: string): Entry | undefined {
  try {
    const { format, ...entry } = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    return format === 1 && isEntry(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

function isEntry(value: object): value is Entry {
  const { id, path, token, folder } = value as Record<string, unknown>
  if (typeof id !== 'string' || typeof path !== 'string' || !isRecord(folder)) return false
  const isToken = typeof token === 'string' && /^[0-9a-f]{32}$/.test(token)
  return isToken && ['device', 'inode', 'born'].every((key) => typeof folder[key] === 'string')
}
