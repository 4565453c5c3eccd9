// Everything below a folder, within limits: names for references, texts for the rules, secrets as places. Links are not
// followed, and no file is held longer than it takes to look at it.
import { closeSync, openSync, readdirSync, readSync, readFileSync, type Dirent } from 'node:fs'
import { join, sep } from 'node:path'
import { formatCount } from '../../base/format.js'
import { messageOf } from '../../base/message-of.js'
import { entriesOf } from '../../files/entries.js'
import { pathBelow, resolveInside } from '../../files/inside.js'
import { statOf } from '../../files/stat.js'
import type { Folder } from '../subject.js'
import { secretsIn } from '../text/secrets.js'

export interface Tree {
  /** Files and folders, relative to the root, with `/`. */
  paths: Set<string>
  /** Markdown files, relative to the root. */
  documents: string[]
  folder: Folder
}

/** Why a file was not read that has to be. */
export const LEADS_OUT = 'it is a link that leads out of the folder, and was not followed'

const MOST_FILES = 10_000
const DEEPEST = 16
/** A larger text is data: it is neither read by a model nor searched here. */
const LARGEST_TEXT = 4 * 1024 * 1024
const SKIPPED = new Set(['node_modules', '.git', '__pycache__', '.venv', 'venv'])

/** `shown`: the root as people are told it. `isOther`: folders that are linted on their own; only names are taken from them. */
export function readTree(root: string, shown: string, isOther: (path: string) => boolean): Tree {
  const tree: Tree = { paths: new Set(), documents: [], folder: { links: [], secrets: [], unread: [] } }
  walk(root, '', 0, false)
  return tree

  function walk(dir: string, below: string, depth: number, namesOnly: boolean): void {
    const entries = readEntries(dir)
    if (!Array.isArray(entries)) tree.folder.unread.push({ file: shownPath(shown, below), ...entries })
    for (const entry of Array.isArray(entries) ? entries : []) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      const full = join(dir, entry.name)
      const file = shownPath(shown, path)
      if (tree.paths.size >= MOST_FILES) {
        const told = `more than ${formatCount(MOST_FILES)} files: not all were looked at`
        if (!tree.folder.unread.some(({ reason }) => reason === told))
          tree.folder.unread.push({ file: shown, reason: told })
        return
      }
      tree.paths.add(path)
      if (entry.isSymbolicLink()) {
        const leads = linkLeads(root, full)
        if (leads !== undefined) tree.folder.links.push({ file, leads })
        else if (statOf(full)?.isDirectory()) for (const name of entriesOf(full)) tree.paths.add(`${path}/${name.name}`)
      } else if (entry.isDirectory()) {
        if (SKIPPED.has(entry.name)) continue
        if (depth >= DEEPEST)
          tree.folder.unread.push({ file, reason: `folders deeper than ${DEEPEST} levels: not looked at` })
        else walk(full, path, depth + 1, namesOnly || isOther(full))
      } else if (entry.isFile() && !namesOnly) readOne(full, path, file)
    }
  }

  function readOne(full: string, path: string, file: string): void {
    if (/\.(?:md|markdown|mdx)$/i.test(path)) tree.documents.push(path)
    try {
      const text = readText(full)
      if (typeof text === 'string') tree.folder.secrets.push(...secretsIn(text, file))
      else if (text.reason !== undefined) tree.folder.unread.push({ file, reason: text.reason })
    } catch (error) {
      tree.folder.unread.push({ file, reason: `cannot be read: ${messageOf(error)}` })
    }
  }
}

/** What a folder holds, in order of names; `reason` if that cannot be seen. */
export function readEntries(dir: string): Dirent[] | { reason: string } {
  try {
    return readdirSync(dir, { withFileTypes: true }).toSorted((a, b) =>
      a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
    )
  } catch (error) {
    // Without the call and its absolute path.
    return { reason: `cannot be read: ${messageOf(error).replace(/, \w+ '.*$/s, '')}` }
  }
}

/** The text of a file; `reason` why there is none, absent for what is not text. Throws if it cannot be read. */
export function readText(path: string): string | { reason?: string } {
  const stats = statOf(path)
  // Opening a pipe or a device may wait forever.
  if (stats && !stats.isFile()) return { reason: 'it is not a file that can be read' }
  const size = stats?.size ?? 0
  if (isBinary(path)) return {}
  if (size > LARGEST_TEXT)
    return {
      reason: `a text of ${Math.round(size / 1024 / 1024)} MB was not searched, at most ${LARGEST_TEXT / 1024 / 1024} MB are`,
    }
  return readFileSync(path, 'utf8').replace(/^\uFEFF/, '')
}

/** As people are told it: below the root, whatever the system's separator. */
export function shownPath(shown: string, path: string): string {
  return shown === '.' || shown === '' ? path : `${shown}/${path}`
}

/** Undefined: it stays inside. */
function linkLeads(root: string, full: string): 'out' | 'nowhere' | undefined {
  if (statOf(full) === undefined) return 'nowhere'
  return resolveInside(root, full) === undefined ? 'out' : undefined
}

/** By its first bytes: text has no NUL. */
function isBinary(path: string): boolean {
  const file = openSync(path, 'r')
  try {
    const start = Buffer.alloc(8192)
    return start.subarray(0, readSync(file, start, 0, start.length, 0)).includes(0)
  } finally {
    closeSync(file)
  }
}

/** The way from the working folder, as it is shown. */
export function shownFrom(cwd: string, dir: string): string {
  const way = pathBelow(cwd, dir)
  return way === undefined ? dir : way === '' ? '.' : way.split(sep).join('/')
}
