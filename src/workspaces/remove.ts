// Removes a workspace: the folder that was created under its name, and never another one.
import { lstat, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { isSameFolder } from './folder.js'
import { SESSION_FILE } from './layout.js'
import { requireName } from './paths.js'
import type { Place } from './place.js'
import { findEntry, takeEntry, type Entry } from './registry.js'
import { removeTree } from './remove-tree.js'
import { stateOf } from './state.js'
import { requireSame, unknownWorkspace } from './workspace.js'

export interface RemoveOptions {
  /** The session stays, alone in its folder. */
  preserve_session?: boolean | undefined
}

export interface Removed {
  deleted: true
  preserved_files: string[]
}

/** If several remove the same one, one succeeds; for the others it is unknown. */
export async function removeWorkspace(place: Place, id: unknown, options: RemoveOptions = {}): Promise<Removed> {
  const name = requireName(id, 'workspace_id')
  const entry = findEntry(place, name)
  if (!entry) throw unknownWorkspace(place, name)
  requireSame(entry)
  const taken = takeEntry(place, entry)
  if (!taken) throw unknownWorkspace(place, name)
  const preserved = options.preserve_session ? await removeAllButSession(entry) : await removeFolder(place, entry)
  await removeTree(stateOf(place, entry))
  taken.drop()
  return { deleted: true, preserved_files: preserved }
}

/** Moved away first: anything still writing under the old name writes into the void. */
export async function removeFolder(place: Place, entry: Entry): Promise<[]> {
  const trash = trashOf(place, entry)
  if (isSameFolder(entry.path, entry.folder)) await rename(entry.path, trash)
  if (isSameFolder(trash, entry.folder)) await removeTree(trash)
  return []
}

/** Where a folder is kept while it is being removed. */
export function trashOf(place: Place, { token }: Entry): string {
  return join(place.folders, `.trash-${token}`)
}

/** A link in place of the session is not a session. */
async function removeAllButSession({ path }: Entry): Promise<string[]> {
  const found = await lstat(join(path, SESSION_FILE)).catch(() => undefined)
  const isKept = found?.isFile() === true
  for (const name of await readdir(path)) if (!isKept || name !== SESSION_FILE) await removeTree(join(path, name))
  if (isKept) return [SESSION_FILE]
  await removeTree(path)
  return []
}
