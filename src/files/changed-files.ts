// Which files of a folder an agent has written: a recording keeps them, so that a replay can write them again.
import { closeSync, constants, fstatSync, lstatSync, openSync, readFileSync, type BigIntStats } from 'node:fs'
import { isUtf8 } from 'node:buffer'
import { join } from 'node:path'
import { entriesOf } from './entries.js'
import { pathProblem } from '../base/relative-path.js'
import { UserError } from '../errors.js'
import { liesInside } from './opened-path.js'

/** Path below the folder → what identifies its content without reading it. */
export type FileMarks = Map<string, string>

export interface ChangedFiles {
  /** Null: it was removed. */
  files: Record<string, string | null>
  /** Too large, not text, or too many. */
  left_out: string[]
}

const MAX_FILE = 256 * 1024
const MAX_TOTAL = 4 * 1024 * 1024
const MAX_FILES = 100_000
/** Folders that are never recorded. */
export const NEVER_RECORDED: ReadonlySet<string> = new Set(['.git', 'node_modules', 'target', '.venv', '__pycache__'])

/** Links are marked, never followed. `isOwn`: paths that something else writes. Throws a UserError if there are too many. */
export function markFiles(root: string, isOwn: (path: string) => boolean = () => false): FileMarks {
  const marks: FileMarks = new Map()
  const visit = (folder: string, below: string): void => {
    for (const entry of entriesOf(folder)) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (marks.size >= MAX_FILES) throw tooMany(root)
      if (entry.isDirectory()) {
        if (!NEVER_RECORDED.has(entry.name)) visit(join(folder, entry.name), path)
      } else if (!isOwn(path)) {
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
    const bytes = contentOf(root, join(root, path))
    if (!bytes || total + bytes.length > MAX_TOTAL || !isText(bytes) || pathProblem(path) !== undefined)
      left_out.push(path)
    else {
      total += bytes.length
      files.push([path, bytes.toString('utf8')])
    }
  }
  for (const path of before.keys()) if (!after.has(path) && isGone(join(root, path))) files.push([path, null])
  return { files: Object.fromEntries(files), left_out }
}

function isText(bytes: Buffer): boolean {
  return isUtf8(bytes) && !bytes.includes(0)
}

/** Undefined where it is too large, or is not a file by now: something may still be at work there. */
function contentOf(root: string, path: string): Buffer | undefined {
  let fd: number
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  } catch {
    return undefined
  }
  try {
    const info = fstatSync(fd)
    return info.isFile() && info.size <= MAX_FILE && liesInside(fd, root) !== false ? readFileSync(fd) : undefined
  } finally {
    closeSync(fd)
  }
}

/** A folder that cannot be listed may still exist. */
function isGone(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) === undefined
}

function markOf({ size, mtimeNs, ctimeNs, ino }: BigIntStats): string {
  return `${size}:${mtimeNs}:${ctimeNs}:${ino}`
}

/** Recording half of them would make a replay believe that the rest was never written. */
function tooMany(root: string): UserError {
  return new UserError({
    code: 'WORKSPACE_TOO_LARGE',
    message: `there are more than ${MAX_FILES} files in ${root}, too many to record`,
    hint: 'let the agent work in a smaller folder',
    exitCode: 3,
  })
}
