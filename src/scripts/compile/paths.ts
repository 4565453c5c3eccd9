// Looking files up below the application root, and never outside it.
import { join, relative, sep } from 'node:path'
import { sortedEntries, isForeign } from '../../files/entries.js'
import { isFile } from '../../files/stat.js'

export const SCRIPT_ENDS = ['.ts', '.js'] as const
const MAX_DEPTH = 12

/** A part of a dotted reference: a plain name that cannot lead to another folder. */
export function isNamePart(part: string): boolean {
  return part !== '' && part !== '..' && !/[/\\\0]/.test(part)
}

/** Folders that are agents, below `base` and `base` itself, sorted by name. */
export function agentFolders(base: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  const found = isFile(join(base, 'package.yao')) ? [base] : []
  for (const name of subfolders(base)) found.push(...agentFolders(join(base, name), depth + 1))
  return found
}

/** Every file below `folder`, sorted by name. */
export function filesBelow(folder: string, depth = 0): string[] {
  if (depth > MAX_DEPTH) return []
  return sortedEntries(folder).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return isForeign(entry.name) ? [] : filesBelow(path, depth + 1)
    return entry.isFile() ? [path] : []
  })
}

/** With `/`, as reports show it on every system. */
export function shownPath(root: string, path: string): string {
  return relative(root, path).split(sep).join('/')
}

function subfolders(base: string): string[] {
  return sortedEntries(base)
    .filter((entry) => entry.isDirectory() && !isForeign(entry.name))
    .map((entry) => entry.name)
}
