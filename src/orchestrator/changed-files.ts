// Which files of a workspace a backend has written: a recording keeps them, so that a replay can write them again.
import { lstatSync, readdirSync, readFileSync, type BigIntStats } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'

/** Path below the workspace → what identifies its content without reading it. */
export type FileMarks = Map<string, string>

export interface ChangedFiles {
  /** Null: it is gone. */
  files: Record<string, string | null>
  /** Too large, not text, or too many. */
  left_out: string[]
}

const MAX_FILE = 256 * 1024
const MAX_TOTAL = 4 * 1024 * 1024
const MAX_FILES = 20_000
/** Nobody wants these in a recording. */
const SKIPPED = new Set(['.git', 'node_modules', 'target', '.venv', '__pycache__'])

/** Links are not followed, and not files. `own`: paths that the orchestrator itself writes. */
export function markFiles(root: string, own: ReadonlySet<string>): FileMarks {
  const marks: FileMarks = new Map()
  const visit = (folder: string, below: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (marks.size >= MAX_FILES) return
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name)) visit(join(folder, entry.name), path)
      } else if (entry.isFile() && !own.has(path)) {
        const info = lstatSync(join(folder, entry.name), { bigint: true, throwIfNoEntry: false })
        if (info) marks.set(path, markOf(info))
      }
    }
  }
  visit(root, '')
  return marks
}

export function changedFiles(root: string, before: FileMarks, after: FileMarks): ChangedFiles {
  const changed: ChangedFiles = { files: {}, left_out: [] }
  let total = 0
  for (const [path, mark] of after) {
    if (before.get(path) === mark) continue
    const bytes = readFileSync(join(root, path))
    if (bytes.length > MAX_FILE || total + bytes.length > MAX_TOTAL || !isUtf8(bytes)) changed.left_out.push(path)
    else {
      total += bytes.length
      changed.files[path] = bytes.toString('utf8')
    }
  }
  for (const path of before.keys()) if (!after.has(path)) changed.files[path] = null
  return changed
}

function markOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}`
}
