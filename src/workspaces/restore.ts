// Restores a workspace to what it was: a retry and a replay begin where the first run began.
import { lstat, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ownValue } from '../base/record.js'
import { UserError } from '../errors.js'
import { writeWorkspaceFiles } from './files.js'
import { isOwnFile } from './layout.js'
import { removeTree } from './remove-tree.js'
import { currentFiles, readSnapshotFiles, shownFile, type KeptFiles } from './snapshots.js'
import { walkWorkspace } from './walk.js'
import type { Workspace } from './workspace.js'

/** What Viva keeps there stays: sessions, cassettes, reports. Throws a UserError if a file cannot be restored. */
export async function restoreSnapshot(workspace: Workspace, id = 'initial'): Promise<void> {
  const wanted = readSnapshotFiles(workspace, id)
  const current = await currentFiles(workspace, { whole: true })
  requirePossible(workspace, wanted, current)
  for (const { path } of await walkWorkspace(workspace))
    if (!isOwnFile(path) && !Object.hasOwn(wanted, path)) await rm(join(workspace.path, path), { force: true })
  await removeFoldersInTheWay(workspace, wanted)
  const texts = Object.entries(wanted).flatMap(([path, file]) => {
    const now = ownValue(current, path)
    return 'text' in file && (!now || !('text' in now) || now.text !== file.text) ? [[path, file.text]] : []
  })
  await writeWorkspaceFiles(workspace, Object.fromEntries(texts) as Record<string, string>)
}

function requirePossible(workspace: Workspace, wanted: KeptFiles, current: KeptFiles): void {
  for (const [path, file] of Object.entries(wanted)) {
    const now = ownValue(current, path)
    if ('text' in file || (now && shownFile(now) === shownFile(file))) continue
    throw new UserError({
      code: 'CANNOT_RESTORE',
      message: `${path} of workspace "${workspace.id}" has changed, but only its hash was kept`,
      hint: 'set up a new workspace: only text files can be restored',
    })
  }
}

/** An agent may have replaced a file or a folder with a folder or a link. */
async function removeFoldersInTheWay(workspace: Workspace, wanted: KeptFiles): Promise<void> {
  for (const path of Object.keys(wanted)) {
    const parts = path.split('/')
    for (let length = 1; length <= parts.length; length += 1) {
      const full = join(workspace.path, ...parts.slice(0, length))
      const found = await lstat(full).catch(() => undefined)
      const isRight = length === parts.length ? !found?.isDirectory() : found?.isDirectory()
      if (found && !isRight) await removeTree(full)
    }
  }
}
