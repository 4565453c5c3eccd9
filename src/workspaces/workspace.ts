// An open workspace: every use first makes sure that it is still the same folder.
import { UserError } from '../errors.js'
import { isSameFolder } from './folder.js'
import type { Place } from './place.js'
import { requireName } from './paths.js'
import { findEntry, listIds, touchEntry, type Entry } from './registry.js'
import { stateOf } from './state.js'
import { addUser } from './users.js'

export interface Workspace extends Entry {
  /** What Viva keeps about it: configuration, snapshots, results. */
  state: string
}

/** Throws a UserError that lists the known ones. */
export function openWorkspace(place: Place, id: unknown): Workspace {
  const name = requireName(id, 'workspace_id')
  const entry = findEntry(place, name)
  if (!entry) throw unknownWorkspace(place, name)
  requireSame(entry)
  addUser(place, entry)
  // Removal takes it out of the registry first and checks for users second, so one of the two sees the other.
  if (!touchEntry(place, name)) throw unknownWorkspace(place, name)
  return { ...entry, state: stateOf(place, entry) }
}

/** Throws a UserError if the folder was removed, replaced, or swapped for a link. */
export function requireSame({ id, path, folder }: Pick<Entry, 'id' | 'path' | 'folder'>): void {
  if (isSameFolder(path, folder)) return
  throw new UserError({
    code: 'WORKSPACE_CHANGED',
    message: `the folder of workspace "${id}" is gone or was replaced: ${path}`,
    hint: 'nothing was read, written or removed there; create a workspace with another name',
  })
}

export function unknownWorkspace(place: Place, id: string): UserError {
  const known = listIds(place)
  return new UserError({
    code: 'UNKNOWN_WORKSPACE',
    message: `no workspace called "${id}"`,
    hint: known.length > 0 ? `known workspaces: ${known.slice(0, 50).join(', ')}` : 'there are none: create one first',
  })
}
