// Walking a package's folders.
import { join } from 'node:path'
import { sortedEntries } from '../../../files/entries.js'

const MAX_DEPTH = 12

/** Regular files below `folder` whose name matches, sorted; links are not followed, a missing folder has none. */
export function listFiles(folder: string, name: RegExp, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  return sortedEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path, name, depth + 1)
    return entry.isFile() && name.test(entry.name) ? [path] : []
  })
}
