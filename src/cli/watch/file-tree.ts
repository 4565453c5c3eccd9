// The files below a folder that a watch may follow: nothing of other tools, and nothing that Viva itself writes.
import { join } from 'node:path'
import { isForeign, sortedEntries } from '../../files/entries.js'

const MOST_FILES = 20_000
const MAX_DEPTH = 32
const OWN_FOLDERS = new Set(['__snapshots__', 'coverage'])
const EVENT_FILE = /^(?:.*-)?\d{14}(?:-\d+)?\.jsonl$/

/** By name alone. What `-o` and similar flags name is excluded by the caller. */
export function isOwnOutput(name: string): boolean {
  return EVENT_FILE.test(name) || /\.(?:jsonl\.lock|snap|snap\.new)$/.test(name) || /^\..*\.[0-9a-f]{8}$/.test(name)
}

export interface FileTree {
  files: string[]
  folders: string[]
}

/** `skips`: folders by name, besides those of other tools. A link to a folder is not followed: it may lead anywhere. */
export function filesBelow(root: string, skips: readonly string[] = []): FileTree {
  const tree: FileTree = { files: [], folders: [] }
  const visit = (folder: string, depth: number): void => {
    tree.folders.push(folder)
    for (const entry of sortedEntries(folder)) {
      if (tree.files.length >= MOST_FILES) return
      const path = join(folder, entry.name)
      if (!entry.isDirectory()) {
        if (!isOwnOutput(entry.name)) tree.files.push(path)
      } else if (!isForeign(entry.name) && !OWN_FOLDERS.has(entry.name) && !skips.includes(entry.name)) {
        if (depth < MAX_DEPTH) visit(path, depth + 1)
      }
    }
  }
  visit(root, 0)
  return tree
}
