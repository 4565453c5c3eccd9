// A folder → the skills and packages in it.
import { join } from 'node:path'
import { sortedEntries } from '../../files/entries.js'
import { isFile } from '../../files/stat.js'
import { skillFileIn } from './read-skill.js'

export interface FoundFolder {
  kind: 'skill' | 'package'
  dir: string
}

const DEEPEST = 8
const SKIPPED = new Set(['node_modules', '.git', '.viva', 'dist', '__pycache__'])

/** The folder itself, or what is below it. Links are not followed: they may lead anywhere, or round in circles. */
export function findSubjects(dir: string, depth = 0): FoundFolder[] {
  const own: FoundFolder[] = [
    ...(skillFileIn(dir) === undefined ? [] : [{ kind: 'skill' as const, dir }]),
    ...(isFile(join(dir, 'package.yao')) ? [{ kind: 'package' as const, dir }] : []),
  ]
  if (depth >= DEEPEST) return own
  const below = sortedEntries(dir)
    .filter((entry) => entry.isDirectory() && !SKIPPED.has(entry.name))
    .flatMap((entry) => findSubjects(join(dir, entry.name), depth + 1))
  return [...own, ...below]
}
