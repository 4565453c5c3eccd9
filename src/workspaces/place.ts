// Where a user's workspaces are: their own folder below the system's temporary folder.
import { lstatSync, mkdirSync, realpathSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { messageOf } from '../base/message-of.js'
import { UserError } from '../errors.js'

export interface Place {
  root: string
  /** The workspaces themselves. */
  folders: string
  /** One file each: who created it, and which folder it is. */
  registry: string
  /** What Viva keeps about each, out of accidental reach of what runs in it. */
  state: string
}

/** Created if missing. Throws a UserError for a folder that others could tamper with. */
export function openPlace(base: string = tmpdir(), name = 'viva-workspaces'): Place {
  try {
    const real = realpathSync(base)
    requireOwnEntries(real)
    const root = ownFolder(join(real, rootName(name)))
    const below = (name: string): string => ownFolder(join(root, name))
    return { root, folders: below('folders'), registry: below('registry'), state: below('state') }
  } catch (cause) {
    if (cause instanceof UserError) throw cause
    throw unusable(base, messageOf(cause), cause)
  }
}

function rootName(name: string): string {
  const user = process.getuid?.()
  return user === undefined ? name : `${name}-${user}`
}

/** In a world-writable folder, only the sticky bit keeps others from replacing our folder. */
function requireOwnEntries(base: string): void {
  const { mode, uid } = statSync(base)
  const isShared = (mode & 0o022) !== 0
  if (isShared && (mode & 0o1000) === 0 && process.getuid !== undefined)
    throw unusable(base, `other users may replace what is in it (mode ${(mode & 0o7777).toString(8)}, owner ${uid})`)
}

function ownFolder(path: string): string {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  const found = lstatSync(path)
  if (!found.isDirectory()) throw unusable(path, 'it is not a folder')
  const user = process.getuid?.()
  if (user === undefined) return path
  if (found.uid !== user) throw unusable(path, `it belongs to another user (${found.uid})`)
  if ((found.mode & 0o077) !== 0) throw unusable(path, 'other users can read or change it')
  return path
}

function unusable(path: string, why: string, cause?: unknown): UserError {
  return new UserError({
    code: 'UNSAFE_TEMPORARY_FOLDER',
    message: `folders for tests cannot be kept in ${path}: ${why}`,
    hint: 'name another temporary folder with the environment variable TMPDIR, or remove that one',
    cause,
  })
}
