// The folder in which both sides of a diff are checked out: Viva's own, registered, and gone when the diff is, with what
// git knows about it. What a killed diff left behind is removed by the next one; nothing else ever is.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { namesIn } from '../files/entries.js'
import { readStrings } from '../base/record.js'
import { UserError } from '../errors.js'
import { pathBelow } from '../files/inside.js'
import { identityOf, isSameFolder } from '../workspaces/folder.js'
import { openPlace, type Place } from '../workspaces/place.js'
import { addEntry, listEntries, takeEntry, type Entry } from '../workspaces/registry.js'
import { removeFolder } from '../workspaces/remove.js'
import { removeTree } from '../workspaces/remove-tree.js'
import { readState, stateOf, writeState } from '../workspaces/state.js'
import { addUser, isUsed } from '../workspaces/users.js'

export interface SidesFolder {
  path: string
  /** Before a worktree is added to a repository: its git folder. */
  note(gitDir: string): void
  remove(): Promise<void>
  /** For the very end of Viva's own life: without waiting. */
  removeNow(): void
}

/** `top`: the repository; the sides must not be inside it, or they would find its packages. */
export async function openSidesFolder(top: string): Promise<SidesFolder> {
  const place = openPlace(tmpdir(), 'viva-diffs')
  if (pathBelow(top, place.root) !== undefined) throw insideRepository(place.root, top)
  await sweep(place)
  const path = mkdtempSync(join(place.folders, 'diff-'))
  const folder = identityOf(path)
  if (!folder) throw new Error(`${path} vanished while it was made`)
  const entry: Entry = { id: basename(path), path, token: randomBytes(16).toString('hex'), folder }
  addUser(place, entry)
  addEntry(place, entry)
  const noted = new Set<string>()
  return {
    path,
    note: (gitDir) => {
      noted.add(gitDir)
      writeState(stateOf(place, entry), REPOSITORIES, [...noted])
    },
    remove: () => remove(place, entry),
    removeNow: () => {
      forgetWorktrees(place, entry)
      try {
        if (isSameFolder(path, folder)) rmSync(path, { recursive: true, force: true })
        rmSync(stateOf(place, entry), { recursive: true, force: true })
        takeEntry(place, entry)?.drop()
      } catch {
        // The next diff will try again.
      }
    },
  }
}

const REPOSITORIES = 'repositories.json'

async function sweep(place: Place): Promise<void> {
  for (const { entry } of listEntries(place)) if (entry && !isUsed(place, entry)) await remove(place, entry)
}

/** Registered until all of it is gone: a diff killed on the way leaves it to the next one. */
async function remove(place: Place, entry: Entry): Promise<void> {
  if (dirname(entry.path) !== place.folders) return
  forgetWorktrees(place, entry)
  await removeFolder(place, entry)
  await removeTree(stateOf(place, entry))
  const left = listEntries(place).find(({ entry: other }) => other?.token === entry.token)
  if (left) rmSync(left.file, { force: true })
}

/** What git keeps about a worktree, if that is in our folder; others of the same repository are not ours. */
function forgetWorktrees(place: Place, entry: Entry): void {
  for (const gitDir of repositoriesOf(place, entry)) {
    const folder = join(gitDir, 'worktrees')
    for (const name of namesIn(folder)) {
      const worktree = worktreeOf(join(folder, name))
      if (worktree !== undefined && pathBelow(entry.path, worktree) !== undefined)
        rmSync(join(folder, name), { recursive: true, force: true })
    }
    try {
      // As git does when the last one is gone.
      rmdirSync(folder)
    } catch {
      // There are others, or there were none.
    }
  }
}

function repositoriesOf(place: Place, entry: Entry): string[] {
  try {
    return readStrings(readState(stateOf(place, entry), REPOSITORIES))
  } catch {
    return []
  }
}

/** `gitdir` names the `.git` file in the worktree. */
function worktreeOf(admin: string): string | undefined {
  try {
    return dirname(readFileSync(join(admin, 'gitdir'), 'utf8').trim())
  } catch {
    return undefined
  }
}

function insideRepository(root: string, top: string): UserError {
  return new UserError({
    code: 'UNSAFE_TEMPORARY_FOLDER',
    message: `the temporary folder ${root} is inside the repository ${top}: both sides would find its packages`,
    hint: 'name another temporary folder with the environment variable TMPDIR',
  })
}
