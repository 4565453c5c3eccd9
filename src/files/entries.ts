// What a folder holds. A missing or unreadable one holds nothing.
import { readdirSync, type Dirent } from 'node:fs'

/** Folders that a walk skips: not the user's, or not meant to be looked at. */
export function isForeign(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.')
}

/** In order of names: a walk must give the same order on every file system. */
export function sortedEntries(folder: string): Dirent[] {
  return entriesOf(folder).toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
}

/** In the order of the file system. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** In the order of the file system. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
