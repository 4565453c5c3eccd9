// The entries of a workspace. Links are named, never followed, so that a loop or a link to / costs nothing.
import { lstat, readdir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import { requireSame, type Workspace } from './workspace.js'

export interface FoundFile {
  /** Relative to the workspace, with "/". */
  path: string
  /** `other`: a pipe, a socket, a device, or anything, even a folder, that could not be inspected. */
  kind: 'file' | 'link' | 'other'
  bytes: number
  /** Of a link. */
  target?: string
}

const MAX_FILES = 100_000

/** Sorted by path. `skip`: folders that are not entered. */
export async function walkWorkspace(
  workspace: Pick<Workspace, 'id' | 'path' | 'folder'>,
  skip: (path: string) => boolean = () => false,
): Promise<FoundFile[]> {
  requireSame(workspace)
  const found: FoundFile[] = []
  const folders = ['']
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const entries = await readdir(join(workspace.path, folder), { withFileTypes: true }).catch(unlessGone)
    if (!entries) {
      // Its content cannot be seen: it is listed, so that it is not taken for empty.
      found.push({ path: folder, kind: 'other', bytes: 0 })
      continue
    }
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      if (skip(path)) continue
      if (entry.isDirectory()) folders.push(path)
      else found.push(await lookAt(workspace.path, path))
      if (found.length > MAX_FILES) throw tooMany(workspace.path)
    }
  }
  return found.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/** Empty if the folder was removed meanwhile; undefined if it cannot be read: no permission, or too long a path. */
function unlessGone(error: NodeJS.ErrnoException): [] | undefined {
  return error.code === 'ENOENT' ? [] : undefined
}

async function lookAt(root: string, path: string): Promise<FoundFile> {
  const full = join(root, path)
  try {
    const stats = await lstat(full)
    if (stats.isSymbolicLink()) return { path, kind: 'link', bytes: 0, target: await readlink(full) }
    return { path, kind: stats.isFile() ? 'file' : 'other', bytes: stats.isFile() ? stats.size : 0 }
  } catch {
    return { path, kind: 'other', bytes: 0 }
  }
}

function tooMany(path: string): UserError {
  return new UserError({
    code: 'WORKSPACE_TOO_LARGE',
    message: `there are more than ${MAX_FILES} files in ${path}`,
    hint: 'leave some out with exclude_patterns, or let the agent work in a smaller folder',
  })
}
