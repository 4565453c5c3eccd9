// Puts a file or a folder of this machine into a workspace, as it is: bytes and modes are kept, links are refused.
import { constants } from 'node:fs'
import { chmod, copyFile, lstat, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import type { WorkspaceCopy } from '../model/workspace.js'
import { placeOf } from './files.js'
import type { Workspace } from './workspace.js'

/** Throws a UserError for anything that is neither a file nor a folder, and where something is already. */
export async function copyInto(
  root: Pick<Workspace, 'id' | 'path' | 'folder'>,
  { from, to }: WorkspaceCopy,
): Promise<void> {
  await copyOne(from, await placeOf(root, to))
}

async function copyOne(from: string, to: string): Promise<void> {
  const found = await lstat(from)
  if (found.isDirectory()) {
    await mkdir(to, { mode: 0o700 })
    for (const name of await readdir(from)) await copyOne(join(from, name), join(to, name))
  } else if (found.isFile()) {
    await copyFile(from, to, constants.COPYFILE_EXCL)
    await chmod(to, 0o600 | (found.mode & 0o111))
  } else throw notCopied(from)
}

function notCopied(path: string): UserError {
  return new UserError({
    code: 'BAD_FIXTURE',
    message: `${path} is neither a file nor a folder, so it cannot be put into a workspace`,
    hint: 'links are not followed: put the file itself there',
  })
}
