// Files that come with a scripted or recorded answer: written into a workspace, and nowhere else.
import { closeSync, constants, ftruncateSync, openSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { pathProblem } from '../base/relative-path.js'
import { UserError } from '../errors.js'
import { isInside } from './inside.js'
import { makeFolders } from './make-folders.js'
import { liesInside } from './opened-path.js'

/** Null removes the file. Throws a UserError instead of writing outside, whatever links there are. */
export function writeFilesInside(root: string, files: Record<string, string | null>): void {
  for (const [path, content] of Object.entries(files)) writeInside(root, path, content)
}

function writeInside(root: string, path: string, content: string | null): void {
  const problem = pathProblem(path)
  if (problem !== undefined) throw outside(path, problem)
  const target = resolve(root, path)
  if (!isInside(root, target)) throw outside(path, 'leads out of the workspace')
  if (content === null) {
    rmSync(target, { force: true })
    return
  }
  makeFolders(dirname(join(root, path)))
  // Just created, or already there: not a link when it is opened.
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK
  const fd = openSync(target, flags)
  try {
    // A folder on the way may have become a link meanwhile: nothing is truncated or written before that is known.
    if (liesInside(fd, root) === false) throw outside(path, 'leads out of the workspace')
    ftruncateSync(fd)
    writeFileSync(fd, content)
  } finally {
    closeSync(fd)
  }
}

function outside(path: string, problem: string): UserError {
  return new UserError({
    code: 'BAD_FILE_PATH',
    message: `cannot write "${path}": ${problem}`,
    hint: 'name files relative to the workspace, e.g. src/main.rs',
  })
}
