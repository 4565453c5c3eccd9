// Creates a workspace: all of it or none of it.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { show } from '../base/text.js'
import { UserError } from '../errors.js'
import { fixtureProblems, initialFiles } from '../model/fixtures.js'
import type { WorkspaceSpec } from '../model/workspace.js'
import { activeFiles } from './active-files.js'
import { copyInto } from './copy-into.js'
import { writeWorkspaceFiles } from './files.js'
import { identityOf } from './folder.js'
import { requireName } from './paths.js'
import type { Place } from './place.js'
import { addEntry, findEntry, type Entry } from './registry.js'
import { removeTree } from './remove-tree.js'
import { takeSnapshot } from './snapshots.js'
import { stateOf, writeState } from './state.js'
import { addUser } from './users.js'
import type { Workspace } from './workspace.js'

export interface CreatedWorkspace {
  workspace: Workspace
  created_files: string[]
  /** Those that an agent may take for its configuration, or run. */
  active_files: string[]
}

/** `id`: a name that can be taken only once. Throws a UserError, and then nothing was created. */
export async function createWorkspace(place: Place, id: unknown, spec: WorkspaceSpec): Promise<CreatedWorkspace> {
  const name = requireName(id, 'workspace_id')
  const files = requireFiles(spec)
  if (findEntry(place, name)) throw inUse(name)
  const path = await mkdtemp(join(place.folders, `${name}-`))
  const folder = identityOf(path)
  if (!folder) throw new Error(`${path} vanished while it was made`)
  const entry: Entry = { id: name, path, token: randomBytes(16).toString('hex'), folder }
  const workspace: Workspace = { ...entry, state: stateOf(place, entry) }
  try {
    await mkdir(join(path, '.agent'), { mode: 0o700 })
    for (const copy of spec.copies ?? []) await copyInto(workspace, copy)
    await writeWorkspaceFiles(workspace, files)
    writeState(workspace.state, 'config.json', spec.config ?? {})
    await takeSnapshot(workspace, { snapshot_id: 'initial', whole: true })
    addUser(place, entry)
    if (!addEntry(place, entry)) throw inUse(name)
  } catch (error) {
    await removeTree(path)
    await removeTree(workspace.state)
    throw error
  }
  const created = Object.keys(files)
  return { workspace, created_files: created, active_files: activeFiles(created) }
}

/** Whatever can be wrong is found before anything is created. */
function requireFiles(spec: WorkspaceSpec): ReturnType<typeof initialFiles> {
  const problems = fixtureProblems(spec)
  const [first] = problems
  if (!first) return initialFiles(spec)
  throw new UserError({
    code: 'BAD_FIXTURE',
    message: `${first.path.map((name) => show(name, 120)).join(' ')}: ${first.message}`,
    hint: 'paths are relative to the workspace and stay inside it; contents are text',
    problems: problems.map(({ path, message }) => ({ field: path.join('.'), message })),
  })
}

function inUse(id: string): UserError {
  return new UserError({
    code: 'WORKSPACE_EXISTS',
    message: `a workspace called "${id}" already exists`,
    hint: 'clean it up first, or use another workspace_id',
  })
}
