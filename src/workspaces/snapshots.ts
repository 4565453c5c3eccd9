// The content of a workspace at one moment, kept beside it.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { compileGlob } from '../base/glob.js'
import { isRecord } from '../base/record.js'
import { PatternError } from '../base/regex.js'
import { UserError } from '../errors.js'
import { sortedEntries } from '../files/entries.js'
import { liesInside } from '../files/opened-path.js'
import { MAX_FIXTURE_BYTES } from '../model/fixtures.js'
import { MAX_TEXT_BYTES, readWorkspaceFile } from './files.js'
import { isOwnFile } from './layout.js'
import { requireName } from './paths.js'
import { readState, writeState } from './state.js'
import { walkWorkspace, type FoundFile } from './walk.js'
import type { Workspace } from './workspace.js'

/** A file as it was: its text, or something that identifies it. */
export type KeptFile = { text: string } | { sha256: string; bytes: number } | { link: string } | { other: true }

export type KeptFiles = Record<string, KeptFile>

export interface Snapshot {
  snapshot_id: string
  files: KeptFiles
  file_count: number
  total_bytes: number
}

export interface Selection {
  /** Globs; all files if none is given. */
  include_patterns?: readonly string[] | undefined
  exclude_patterns?: readonly string[] | undefined
}

export interface SnapshotInit extends Selection {
  /** If it has no name, it gets a number. */
  snapshot_id?: string | undefined
  /** Text up to the size limit of fixtures: what can be restored. */
  whole?: boolean
}

/** Longer text is kept by its hash, so that a snapshot stays small enough to be read. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

export async function takeSnapshot(workspace: Workspace, init: SnapshotInit = {}): Promise<Snapshot> {
  const name = init.snapshot_id === undefined ? nextName(workspace) : requireSnapshotName(init.snapshot_id)
  const files = await currentFiles(workspace, init)
  const snapshot: Snapshot = {
    snapshot_id: name,
    files,
    file_count: Object.keys(files).length,
    total_bytes: Object.values(files).reduce((sum, file) => sum + bytesOf(file), 0),
  }
  writeState(workspace.state, join('snapshots', `${name}.json`), { format: 1, ...snapshot })
  return snapshot
}

/** Throws a UserError that lists the existing ones. */
export function readSnapshotFiles(workspace: Workspace, id: string): KeptFiles {
  const name = requireName(id, 'snapshot_id')
  const kept = readState(workspace.state, join('snapshots', `${name}.json`))
  if (isRecord(kept) && isRecord(kept['files'])) return kept['files'] as KeptFiles
  throw new UserError({
    code: 'UNKNOWN_SNAPSHOT',
    message: `workspace "${workspace.id}" has no snapshot called "${name}"`,
    hint: `known snapshots: ${[...listSnapshots(workspace), 'current'].join(', ')}`,
  })
}

export function listSnapshots({ state }: Pick<Workspace, 'state'>): string[] {
  return sortedEntries(join(state, 'snapshots'))
    .filter(({ name }) => name.endsWith('.json') && !name.startsWith('.'))
    .map(({ name }) => name.slice(0, -'.json'.length))
}

/** Every selected file, as it is now. What Viva keeps there is included only if asked for. */
export async function currentFiles(
  workspace: Pick<Workspace, 'id' | 'path' | 'folder'>,
  { include_patterns, exclude_patterns, whole }: Selection & { whole?: boolean },
): Promise<KeptFiles> {
  const isTaken = selected(include_patterns, exclude_patterns)
  const files: Array<[string, KeptFile]> = []
  let kept = 0
  for (const found of await walkWorkspace(workspace)) {
    if (!isTaken(found.path)) continue
    const limit = whole ? MAX_FIXTURE_BYTES : Math.min(MAX_TEXT_BYTES, MAX_KEPT_BYTES - kept)
    const file = await keep(workspace, found, limit)
    if ('text' in file) kept += found.bytes
    files.push([found.path, file])
  }
  return Object.fromEntries(files)
}

/** For comparison: text as it is, anything else in a form that no text can be mistaken for. */
export function contentsOf(files: KeptFiles): Record<string, unknown> {
  return Object.fromEntries(Object.entries(files).map(([path, file]) => [path, 'text' in file ? file.text : file]))
}

/** A file as one string: its text, or what stands in for it. */
export function shownFile(file: KeptFile): string {
  if ('text' in file) return file.text
  if ('link' in file) return `[link to ${file.link}]`
  return 'sha256' in file ? `[${file.bytes} bytes, sha256:${file.sha256}]` : '[not a file]'
}

function requireSnapshotName(id: string): string {
  if (id !== 'current') return requireName(id, 'snapshot_id')
  throw new UserError({
    code: 'BAD_NAME',
    message: 'a snapshot cannot be called "current": that is what the workspace holds now',
    hint: 'give it another snapshot_id, or none',
  })
}

function nextName(workspace: Workspace): string {
  const names = new Set(listSnapshots(workspace))
  for (let count = 1; ; count += 1) {
    const name = `snap_${workspace.id.slice(0, 48)}_${String(count).padStart(3, '0')}`
    if (!names.has(name)) return name
  }
}

function selected(include: readonly string[] | undefined, exclude: readonly string[] = []): (path: string) => boolean {
  const wanted = include?.map((glob) => requireGlob(glob, 'include_patterns'))
  const unwanted = exclude.map((glob) => requireGlob(glob, 'exclude_patterns'))
  return (path) => {
    const isIncluded = wanted === undefined ? !isOwnFile(path) : wanted.some((matches) => matches(path))
    return isIncluded && !unwanted.some((matches) => matches(path))
  }
}

function requireGlob(glob: string, field: string): (path: string) => boolean {
  try {
    return compileGlob(glob)
  } catch (cause) {
    if (!(cause instanceof PatternError)) throw cause
    throw new UserError({ code: 'BAD_GLOB', message: `${field}: "${glob}" cannot be read: ${cause.message}`, cause })
  }
}

async function keep(
  workspace: Pick<Workspace, 'id' | 'path' | 'folder'>,
  found: FoundFile,
  limit: number,
): Promise<KeptFile> {
  if (found.kind === 'link') return { link: found.target ?? '' }
  if (found.kind === 'other') return { other: true }
  const read = await readWorkspaceFile(workspace, found.path, limit)
  if (read.kind === 'text') return { text: read.text }
  if (read.kind !== 'binary' && read.kind !== 'too_big') return { other: true }
  const sha256 = await hashOf(workspace.path, join(workspace.path, found.path))
  return sha256 === undefined ? { other: true } : { sha256, bytes: read.bytes }
}

/** Undefined if it is outside by now. */
async function hashOf(root: string, path: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  // By now it may be a link or a pipe.
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (liesInside(handle.fd, root) === false) {
    await handle.close()
    return undefined
  }
  for await (const chunk of handle.createReadStream()) hash.update(chunk as Buffer)
  return hash.digest('hex')
}

function bytesOf(file: KeptFile): number {
  if ('text' in file) return Buffer.byteLength(file.text)
  return 'bytes' in file ? file.bytes : 0
}
