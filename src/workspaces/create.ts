// Makes a workspace: all of it or none of it.
import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord, readString } from '../base/record.js'
import { UserError } from '../errors.js'
import type { WorkspaceSpec } from '../model/workspace.js'
import { activeFiles } from './active-files.js'
import { requireText, writeWorkspaceFiles } from './files.js'
import { identityOf } from './folder.js'
import { badPath, requireName, requireRelative } from './paths.js'
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
  /** Those of them that an agent may take for its configuration, or run. */
  active_files: string[]
}

/** What a workspace begins with may not be larger. */
const MAX_FIXTURE_BYTES = 16 * 1024 * 1024
const SCRATCHPAD = '.agent/scratchpad.md'
/** Nothing in a workspace says whose it is; a file that looks as if it did would mislead. */
const LOOKS_LIKE_A_MARKER = /^\.[a-z-]*workspace(?:\.json)?$/i

/** `id`: a name that is given away once. Throws a UserError, and then nothing was made. */
export async function createWorkspace(place: Place, id: unknown, spec: WorkspaceSpec): Promise<CreatedWorkspace> {
  const name = requireName(id, 'workspace_id')
  const files = checkFiles(spec)
  if (findEntry(place, name)) throw inUse(name)
  const path = await mkdtemp(join(place.folders, `${name}-`))
  const folder = identityOf(path)
  if (!folder) throw new Error(`${path} vanished while it was made`)
  const entry: Entry = { id: name, path, token: randomBytes(16).toString('hex'), folder }
  const workspace: Workspace = { ...entry, state: stateOf(place, entry) }
  try {
    await mkdir(join(path, '.agent'), { mode: 0o700 })
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

/** Where the scratchpad lies, relative to the workspace. Throws a UserError for a place outside. */
export function scratchpadOf(config: unknown): string {
  const core = isRecord(config) ? config['core'] : undefined
  const moved = isRecord(core) ? readString(core['scratchpad']) : undefined
  return moved === undefined ? SCRATCHPAD : requireRelative(moved).join('/')
}

/** Every file that is to be made, path → content, or a UserError about the first that cannot be. */
export function checkFiles({ fixtures = {}, scratchpad, config }: WorkspaceSpec): Record<string, string> {
  const paths = new Map<string, string>()
  const place = scratchpadOf(config)
  if (scratchpad !== undefined) paths.set(place, requireText(place, scratchpad))
  for (const given of Object.keys(fixtures)) {
    const path = requireRelative(given).join('/')
    if (LOOKS_LIKE_A_MARKER.test(path)) throw badPath(given, 'a name like that is kept for marks of ownership')
    if (paths.has(path)) throw conflict(given, path === place ? 'the scratchpad is written there' : 'it is given twice')
    paths.set(path, requireText(given, fixtures[given]))
  }
  for (const path of paths.keys()) {
    const parents = path.split('/').map((_part, index, parts) => parts.slice(0, index).join('/'))
    const file = parents.find((parent) => paths.has(parent))
    if (file !== undefined) throw conflict(path, `"${file}" is a file, so it cannot be a folder as well`)
  }
  const bytes = [...paths].reduce((sum, [, content]) => sum + Buffer.byteLength(content), 0)
  if (bytes > MAX_FIXTURE_BYTES) throw tooMuch(bytes)
  return Object.fromEntries(paths)
}

function conflict(path: string, why: string): UserError {
  return new UserError({ code: 'BAD_FIXTURE', message: `the fixture "${path}" cannot be written: ${why}` })
}

function tooMuch(bytes: number): UserError {
  return new UserError({
    code: 'BAD_FIXTURE',
    message: `the fixtures have ${bytes} bytes, at most ${MAX_FIXTURE_BYTES} are allowed`,
    hint: 'let a hook or the agent itself fetch what is larger',
  })
}

function inUse(id: string): UserError {
  return new UserError({
    code: 'WORKSPACE_EXISTS',
    message: `a workspace called "${id}" already exists`,
    hint: 'clean it up first, or take another workspace_id',
  })
}
