// The cassettes that a workspace can be played from: its own, then the project's.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import { sortedEntries } from '../files/entries.js'
import { resolveInside } from '../files/inside.js'
import { readWorkspaceFile } from '../workspaces/files.js'
import type { Workspace } from '../workspaces/workspace.js'
import { replaceFile } from '../files/replace-file.js'
import type { ToolContext } from './context.js'

const MAX_BYTES = 64 * 1024 * 1024

export interface FoundCassette {
  /** To be read: a copy of what lies in the workspace, where agents may have put links. */
  path: string
  /** Where it was found, for people. */
  shown: string
}

function cassetteFile(name: string): string {
  return `cassettes/${name}.yaml`
}

/** Throws a UserError that lists those there are. */
export async function findCassette(
  workspace: Workspace,
  name: string,
  { project }: Pick<ToolContext, 'project'>,
): Promise<FoundCassette> {
  const own = await readWorkspaceFile(workspace, cassetteFile(name), MAX_BYTES)
  if (own.kind === 'text') {
    const path = join(workspace.state, 'playing', `${name}.yaml`)
    replaceFile(path, own.text)
    return { path, shown: join(workspace.path, cassetteFile(name)) }
  }
  if (own.kind !== 'missing') throw unreadable(name, own.kind === 'refused' ? own.why : `it is ${own.kind}`)
  const path = join(project, cassetteFile(name))
  if (existsSync(path)) {
    if (resolveInside(project, path) === undefined) throw unreadable(name, `${path} leads out of the project`)
    return { path, shown: path }
  }
  const known = [join(workspace.path, 'cassettes'), join(project, 'cassettes')].flatMap(namesIn)
  throw new UserError({
    code: 'NO_CASSETTE',
    message: `no cassette called "${name}" in the workspace or in ${join(project, 'cassettes')}`,
    hint: known.length > 0 ? `known cassettes: ${[...new Set(known)].join(', ')}` : 'record one with test_record first',
  })
}

function namesIn(folder: string): string[] {
  return sortedEntries(folder)
    .filter((entry) => entry.isFile() && entry.name.endsWith('.yaml'))
    .map((entry) => entry.name.slice(0, -'.yaml'.length))
}

function unreadable(name: string, why: string): UserError {
  return new UserError({
    code: 'NO_CASSETTE',
    message: `the cassette "${name}" cannot be read: ${why}`,
    hint: 'record it again',
  })
}
