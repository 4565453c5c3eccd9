// Agent ids and their folders: `a.b` is `assistants/a/b`, wherever that is below the application root.
import { existsSync } from 'node:fs'
import { basename, dirname, join, resolve, sep } from 'node:path'
import { sortedEntries } from '../files/entries.js'
import { isInside } from '../files/inside.js'

const PACKAGE = 'package.yao'
const NOT_AGENTS = new Set(['src', 'tests', 'mcps', 'prompts', 'locales', 'assets', 'node_modules', 'dist'])
const MAX_DEPTH = 8

/** The path below the nearest `assistants` folder joined by dots, else the folder's name. */
export function agentIdOf(dir: string): string {
  const parts = resolve(dir).split(sep)
  const at = parts.lastIndexOf('assistants')
  return at === -1 || at === parts.length - 1 ? basename(resolve(dir)) : parts.slice(at + 1).join('.')
}

/** Where an agent with this id may be; nothing if the id is not a plain dotted name. Ids never lead out of the root. */
export function agentDirs(appRoot: string, id: string): string[] {
  if (!/^[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*$/.test(id)) return []
  const parts = id.split('.')
  const dirs = [join(appRoot, 'assistants', ...parts), join(appRoot, ...parts)]
  return basename(appRoot) === id ? [...dirs, appRoot] : dirs
}

export function findAgentDir(appRoot: string, id: string): string | undefined {
  return agentDirs(appRoot, id).find((dir) => existsSync(join(dir, PACKAGE)) && isInside(appRoot, join(dir, PACKAGE)))
}

/** The first folder with package.yao from `dir` upward, and where it was looked for. */
export function findUpward(dir: string): { found?: string; looked: string[] } {
  const looked: string[] = []
  for (let folder = resolve(dir); ; folder = dirname(folder)) {
    looked.push(folder)
    if (existsSync(join(folder, PACKAGE))) return { found: folder, looked }
    if (dirname(folder) === folder) return { looked }
  }
}

/** The ids of all packages below the application root. */
export function listAgentIds(appRoot: string): string[] {
  const found = new Set<string>()
  const assistants = join(appRoot, 'assistants')
  for (const dir of packageFolders(assistants, 0)) found.add(agentIdOf(dir))
  if (found.size === 0) for (const dir of packageFolders(appRoot, MAX_DEPTH - 3)) found.add(agentIdOf(dir))
  return [...found].toSorted()
}

function packageFolders(folder: string, depth: number): string[] {
  if (depth > MAX_DEPTH) return []
  const entries = sortedEntries(folder)
  const below = entries
    .filter((entry) => entry.isDirectory() && !entry.name.startsWith('.') && !NOT_AGENTS.has(entry.name))
    .flatMap((entry) => packageFolders(join(folder, entry.name), depth + 1))
  return entries.some((entry) => entry.name === PACKAGE) ? [folder, ...below] : below
}
