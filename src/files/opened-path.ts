// Where an open file really lies. A check of its path says nothing about what was opened: a folder on the way can be
// swapped for a link between the two, and back again before anybody looks.
import { readlinkSync, realpathSync } from 'node:fs'
import { pathBelow } from './inside.js'

/** False where the system says that it lies elsewhere; undefined where it does not say. */
export function liesInside(fd: number, root: string): boolean | undefined {
  const path = openedPath(fd)
  return path === undefined ? undefined : pathBelow(realpathSync.native(root), path) !== undefined
}

/** Linux tells. */
export function openedPath(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}
