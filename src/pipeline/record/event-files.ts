// The event files of a folder and its subfolders: runs are written beside their case files, or to `.viva/runs`.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isForeign } from '../../files/entries.js'
import { runsFolder } from '../../files/runs-folder.js'

const MOST_FILES = 500
const MOST_FOLDERS = 2000
const DEEPEST = 6

export async function eventFiles(folder: string): Promise<string[]> {
  const found: string[] = []
  let level = [folder]
  for (let depth = 0, seen = 0; depth < DEEPEST && level.length > 0; depth++) {
    const below: string[] = []
    for (const dir of level) {
      if (++seen > MOST_FOLDERS) break
      for (const entry of await readdir(dir, { withFileTypes: true }).catch(() => [])) {
        if (entry.isDirectory() && !isForeign(entry.name)) below.push(join(dir, entry.name))
        else if (entry.isDirectory() && entry.name === '.viva') below.push(runsFolder(dir))
        else if (entry.isFile() && entry.name.endsWith('.jsonl')) found.push(join(dir, entry.name))
      }
    }
    level = below
  }
  // Names carry the time of the run, so the last ones are the newest.
  return found.toSorted((a, b) => compare(fileNameOf(a), fileNameOf(b)) || compare(a, b)).slice(-MOST_FILES)
}

/** Whether a file this way below the folder is among them. */
export function isSearched(way: string): boolean {
  const folders = way.split(/[\\/]/).slice(0, -1)
  return way.endsWith('.jsonl') && folders.length < DEEPEST && !folders.some(isForeign)
}

/** Of a path of any system. */
export function fileNameOf(path: string): string {
  return path.split(/[\\/]/).at(-1) ?? path
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
