// Which project a call is about: the one the server was started for, else the first folder that the client works in.
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isRecord } from '../base/record.js'
import { UserError } from '../errors.js'
import { isFolder } from '../files/stat.js'

/** From the answer to roots/list, which is the client's and may be anything. */
export function folderOfRoots(answer: unknown): string {
  const roots = isRecord(answer) && Array.isArray(answer['roots']) ? (answer['roots'] as unknown[]) : []
  const folders = roots.flatMap((root) => (isRecord(root) ? folderOf(root['uri']) : []))
  const [first] = folders
  if (first !== undefined) return first
  throw noProject(roots.length === 0 ? 'the client works in no folder' : 'no root of the client is a folder here')
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

export function noProject(why: string): UserError {
  return new UserError({
    code: 'NO_PROJECT',
    message: `it is not known which project this is about: ${why}`,
    hint: 'start the server with --project DIR',
  })
}
