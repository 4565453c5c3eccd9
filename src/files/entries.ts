// What a folder holds, in order of names: a walk must give the same order on every file system.
import { readdirSync, type Dirent } from 'node:fs'

/** A missing or unreadable folder holds nothing. */
export function sortedEntries(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    return []
  }
}
