// Where an open file really is. A check of its path says nothing about what was opened: a folder on the way can be
// swapped for a link between the two, and swapped back before anyone looks.
import { readlinkSync, realpathSync } from 'node:fs'
import { pathBelow } from './inside.js'

/** False if the system says that it is elsewhere; undefined if the system does not say. */
export function liesInside(fd: number, root: string): boolean | undefined {
  const path = openedPath(fd)
  return path === undefined ? undefined : pathBelow(realpathSync.native(root), path) !== undefined
}

/** Linux knows. */
export function openedPath(fd: number): string | undefined {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}
