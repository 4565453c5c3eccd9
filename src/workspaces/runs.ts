// A run in a workspace: its own files each time, and a warning about what an earlier one left behind.
import { lstat, rename } from 'node:fs/promises'
import { placeOf } from './files.js'
import { EVENTS_FILE, oldEvents, oldSession, SESSION_FILE } from './layout.js'
import { diffFiles } from './diff.js'
import { currentFiles, readSnapshotFiles } from './snapshots.js'
import { requireSame, type Workspace } from './workspace.js'

/** Moves the session and the events of an earlier run out of the way; they are kept. */
export async function moveOldRun(workspace: Workspace): Promise<void> {
  requireSame(workspace)
  await moveAside(workspace, SESSION_FILE, oldSession)
  await moveAside(workspace, EVENTS_FILE, oldEvents)
}

/** A dirty workspace is no reason to stop, but its verdicts may be about what was there before. */
export async function dirtyWarnings(workspace: Workspace): Promise<string[]> {
  const { changed_files, added_files, deleted_files } = diffFiles(
    readSnapshotFiles(workspace, 'initial'),
    await currentFiles(workspace, { whole: true }),
  )
  const paths = [...changed_files, ...added_files, ...deleted_files].toSorted()
  if (paths.length === 0) return []
  const shown = paths.slice(0, 5).join(', ') + (paths.length > 5 ? ` and ${paths.length - 5} more` : '')
  return [`workspace "${workspace.id}" is not as it was set up (${shown}): assertions may be about an earlier run`]
}

/** An agent may have put links there: nothing is moved through one. */
async function moveAside(workspace: Workspace, name: string, oldName: (count: number) => string): Promise<void> {
  const from = await placeOf(workspace, name)
  if (!(await isThere(from))) return
  for (let count = 1; ; count += 1) {
    const target = await placeOf(workspace, oldName(count))
    if (await isThere(target)) continue
    await rename(from, target)
    return
  }
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined
}
