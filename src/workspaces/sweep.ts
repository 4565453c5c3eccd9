// Removes abandoned workspaces: older than a day, created by Viva, their processes gone. Nothing else is ever
// deleted, however much it looks like one of ours.
import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { epochNow } from '../time/iso-now.js'
import { isSameFolder } from './folder.js'
import type { Place } from './place.js'
import { listEntries, takeEntry, type Entry, type StaleEntry, type TakenEntry } from './registry.js'
import { removeFolder, trashOf } from './remove.js'
import { removeTree } from './remove-tree.js'
import { stateOf } from './state.js'
import { isUsed } from './users.js'

const STALE_AFTER_MS = 24 * 60 * 60 * 1000

/** The ids of what was removed. Several may sweep at the same time. */
export async function sweepWorkspaces(place: Place): Promise<string[]> {
  const removed: string[] = []
  for (const found of listEntries(place)) {
    const { entry, usedMs } = found
    if (!entry || epochNow() - usedMs < STALE_AFTER_MS) continue
    if (isUsed(place, entry) || !isOurs(place, entry)) continue
    const taken = takeStale(place, found, entry)
    if (!taken) continue
    await removeFolder(place, entry)
    await removeTree(stateOf(place, entry))
    taken.drop()
    removed.push(entry.id)
  }
  return removed
}

/** It may be opened between the first look and this one: then it stays. */
function takeStale(place: Place, { taken }: StaleEntry, entry: Entry): TakenEntry | undefined {
  const own = taken ?? takeEntry(place, entry)
  if (!own || !isUsed(place, entry)) return own
  own.putBack()
  return undefined
}

/** The very folder that was created: a direct child of ours, on the same device, owned by the same user, and not a link. */
function isOurs(place: Place, entry: Entry): boolean {
  return [entry.path, trashOf(place, entry)].some((path) => {
    if (dirname(path) !== place.folders || !isSameFolder(path, entry.folder)) return false
    const [found, parent] = [lstatSync(path), lstatSync(place.folders)]
    return found.dev === parent.dev && found.uid === parent.uid
  })
}
