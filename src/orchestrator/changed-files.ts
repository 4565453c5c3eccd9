// Which files of a workspace a backend has written: a recording keeps them, so that a replay can write them again.
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  type BigIntStats,
  type Dirent,
} from 'node:fs'
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
/** Folders that no recording has. */
export const NEVER_RECORDED: ReadonlySet<string> = new Set(['.git', 'node_modules', 'target', '.venv', '__pycache__'])

/** Links are not followed, and not files. `own`: paths that the orchestrator itself writes. */
export function markFiles(root: string, own: ReadonlySet<string>): FileMarks {
  const marks: FileMarks = new Map()
  const visit = (folder: string, below: string): void => {
    for (const entry of entriesOf(folder)) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (marks.size >= MAX_FILES) return
      if (entry.isDirectory()) {
        if (!NEVER_RECORDED.has(entry.name)) visit(join(folder, entry.name), path)
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
  const files: Array<[string, string | null]> = []
  const left_out: string[] = []
  let total = 0
  for (const [path, mark] of after) {
    if (before.get(path) === mark) continue
    const bytes = contentOf(join(root, path))
    if (!bytes || total + bytes.length > MAX_TOTAL || !isUtf8(bytes)) left_out.push(path)
    else {
      total += bytes.length
      files.push([path, bytes.toString('utf8')])
    }
  }
  for (const path of before.keys()) if (!after.has(path) && isGone(join(root, path))) files.push([path, null])
  return { files: Object.fromEntries(files), left_out }
}

/** An agent may have made a folder that nobody can read. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

/** Undefined where it is too large, or is not a file by now: something may still be at work there. */
function contentOf(path: string): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const info = fstatSync(fd)
    return info.isFile() && info.size <= MAX_FILE ? readFileSync(fd) : undefined
  } finally {
    closeSync(fd)
  }
}

/** Of very many files not all are listed: one that is not may be there all the same. */
function isGone(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined
}

function markOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}`
}
