// Which project a call is about, if the server was started for none: the first folder that the client works in, else the
// folder that the server was started in, if it holds a project.
import { readdirSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../base/record.js'
import { findAppRoot } from '../files/app-root.js'
import { isFolder } from '../files/stat.js'

/** From the answer to roots/list, which is the client's and may be anything. */
export function folderOfRoots(answer: unknown): string | undefined {
  const roots = isRecord(answer) && Array.isArray(answer['roots']) ? (answer['roots'] as unknown[]) : []
  return roots.flatMap((root) => (isRecord(root) ? folderOf(root['uri']) : []))[0]
}

function folderOf(uri: unknown): string[] {
  if (typeof uri !== 'string' || !uri.startsWith('file:')) return []
  try {
    const path = fileURLToPath(uri)
    return isFolder(path) ? [realpathSync(path)] : []
  } catch {
    return []
  }
}

/** Clients start servers anywhere, e.g. in the home folder: undefined unless something there says that it is a project. */
export function projectAt(cwd: string): string | undefined {
  const root = findAppRoot(cwd, '')
  if (root !== '') return realpathSync(root)
  return OWN_FOLDERS.some((folder) => namesIn(join(cwd, folder)).some(isOurs)) ? realpathSync(cwd) : undefined
}

/** Where people keep cases. */
const OWN_FOLDERS = ['.', 'tests']

/** Case files, hats, and what `viva init` makes. */
function isOurs(name: string): boolean {
  return /\.jsonl$|^(?:cases|inputs)\.\w+$|^(?:viva|ralph)\.ya?ml$|^\.viva$/.test(name)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
