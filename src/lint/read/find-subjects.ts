// A folder → the skills and packages in it.
import { join } from 'node:path'
import { isFile } from '../../files/stat.js'
import { skillFileIn } from './read-skill.js'
import { readEntries } from './read-tree.js'

export interface FoundFolder {
  kind: 'skill' | 'package'
  dir: string
}

export interface FoundFolders {
  folders: FoundFolder[]
  /** What could not be searched, and may hold more. */
  unread: Array<{ dir: string; reason: string }>
}

const DEEPEST = 32
const SKIPPED = new Set(['node_modules', '.git', '.viva', 'dist', '__pycache__', '.venv', 'venv'])

/** The folder itself, or what is below it. Links are not followed: they may lead anywhere, or round in circles. */
export function findSubjects(root: string): FoundFolders {
  const found: FoundFolders = { folders: [], unread: [] }
  search(root, 0, found)
  return found
}

export function subjectsIn(dir: string): FoundFolder[] {
  return [
    ...(skillFileIn(dir) === undefined ? [] : [{ kind: 'skill' as const, dir }]),
    ...(isFile(join(dir, 'package.yao')) ? [{ kind: 'package' as const, dir }] : []),
  ]
}

function search(dir: string, depth: number, { folders, unread }: FoundFolders): void {
  const entries = readEntries(dir)
  if (!Array.isArray(entries)) {
    unread.push({ dir, ...entries })
    return
  }
  folders.push(...subjectsIn(dir))
  const below = entries.filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
  if (depth >= DEEPEST && below.length > 0)
    unread.push({ dir, reason: `folders deeper than ${DEEPEST} levels: not searched` })
  else for (const entry of below) search(join(dir, entry.name), depth + 1, { folders, unread })
}
