// Whether a path stays inside a folder: the check before every file that a case, package or script names.
import { readFile } from 'node:fs/promises'
import { readlinkSync, realpathSync } from 'node:fs'
import * as system from 'node:path'

/** `path` is `root` or below it once links are resolved. A missing file is judged by where it would be created. */
export function isInside(root: string, path: string): boolean {
  return resolveInside(root, path) !== undefined
}

/** The real path of something inside `root`; undefined if it is elsewhere or cannot be resolved. */
export function resolveInside(root: string, path: string): string | undefined {
  try {
    const real = realPathOf(path)
    return pathBelow(realPathOf(root), real) === undefined ? undefined : real
  } catch {
    return undefined
  }
}

/** Reads a text file named relative to `root`; refuses one that is outside it. */
export async function readInside(root: string, path: string): Promise<string> {
  const real = resolveInside(root, system.resolve(root, path))
  if (real === undefined) throw new Error(`${path} is outside ${root}`)
  return readFile(real, 'utf8')
}

/**
 * The way from `root` down to `path` ('' for `root` itself), or undefined if it leads out. By name only: for paths that
 * are already resolved, and for display. Compared by component, since /app-evil is not inside /app.
 */
export function pathBelow(root: string, path: string, { relative, isAbsolute } = system): string | undefined {
  const way = relative(root, path)
  // Both separators on every system: a name like `..\x` must not become a way out elsewhere.
  const leadsOut = /^\.\.(?:[\\/]|$)/.test(way) || isAbsolute(way)
  return leadsOut ? undefined : way
}

/** Of a way down from a folder: '' for what lies in that folder itself. */
export function parentOf(way: string): string {
  const parent = system.dirname(way)
  return parent === '.' ? '' : parent
}

/** As people name it: from `root`, where it lies below. */
export function pathSeenFrom(root: string, path: string): string {
  return pathBelow(root, path) ?? path
}

/** Where a path leads; itself, if that is nowhere. */
export function followLinks(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    return path
  }
}

// As many links in a row as Linux follows.
const MOST_LINKS = 40

/** With all links resolved. A missing file has the path at which it would be created. Throws if that cannot be determined. */
export function realPathOf(path: string, links = MOST_LINKS): string {
  try {
    // The native one resolves `link/..` as the system does when the file is opened.
    return realpathSync.native(path)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
    const parent = system.dirname(path)
    if (parent === path) return path
    const folder = realPathOf(parent, links)
    const target = linkTarget(path)
    if (target === undefined) return system.join(folder, system.basename(path))
    // Writing to a dangling link creates its target, so the target is what counts.
    if (links === 0) throw error
    return realPathOf(system.resolve(folder, target), links - 1)
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path)
  } catch {
    return undefined
  }
}
