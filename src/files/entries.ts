// What a folder holds, in order of names: a walk must give the same order on every file system.
import { readdirSync, type Dirent } from 'node:fs'

/** Folders that a walk leaves out: not the user's, or not meant to be looked at. */
export function isForeign(name: string): boolean {
  return name === 'node_modules' || name.startsWith('.')
}

/** A missing or unreadable folder holds nothing. */
export function sortedEntries(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    return []
  }
}
