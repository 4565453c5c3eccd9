// Which project a call is about, if the server was started for none: the first folder that the client works in, else the
// folder that the server was started in, if that is a project.
import { readdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../base/record.js'
import { CONFIG_NAMES } from '../files/app-root.js'
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

/**
 * Clients start servers anywhere: undefined unless something in the folder says that it is a project, and never the home
 * folder or the root of the disk, whatever is in them.
 */
export function projectAt(cwd: string, home: string | undefined): string | undefined {
  const folder = realpathSync(cwd)
  if (dirname(folder) === folder || (home !== undefined && folder === realOf(home))) return undefined
  return namesIn(folder).some(isMarker) || namesIn(join(folder, 'tests')).some(isCaseFile) ? folder : undefined
}

const MARKERS = new Set(['package.json', '.git', 'app.yao', 'package.yao', 'assistants', '.viva', ...CONFIG_NAMES])

function isMarker(name: string): boolean {
  return MARKERS.has(name) || isCaseFile(name) || /^(?:hats|viva|ralph)\.ya?ml$/.test(name)
}

function isCaseFile(name: string): boolean {
  return /\.jsonl$|^(?:cases|inputs)\.\w+$/.test(name)
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
