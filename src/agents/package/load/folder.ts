// Walking a package's folders, and the check that a path stays inside one.
import { type Dirent, readdirSync, realpathSync } from 'node:fs'
import { isAbsolute, join, relative, sep } from 'node:path'

const MAX_DEPTH = 12

/** Regular files below `folder` whose name fits, sorted; links are not followed, a missing folder has none. */
export function listFiles(folder: string, name: RegExp, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  return readEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return listFiles(path, name, depth + 1)
    return entry.isFile() && name.test(entry.name) ? [path] : []
  })
}

export function readEntries(folder: string): Dirent[] {
  try {
    const entries = readdirSync(folder, { withFileTypes: true })
    return entries.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  } catch {
    return []
  }
}

/** With links resolved, `path` is `root` or below it. Both must exist. */
export function isInside(root: string, path: string): boolean {
  const way = relative(realpathSync(root), realpathSync(path))
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}
