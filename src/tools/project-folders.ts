// Where what outlives a workspace is kept in the project: cassettes and approved snapshots.
import { resolve } from 'node:path'
import { UserError } from '../errors.js'
import { pathBelow } from '../files/inside.js'
import { requireProject, type ToolContext } from './context.js'

type ProjectContext = Pick<ToolContext, 'project' | 'config'>

export function cassetteFolder({ project, config }: ProjectContext): string {
  return folderOf(requireProject({ project }), 'cassette_dir', config.cassette_dir ?? 'cassettes')
}

export function snapshotFolder({ project, config }: ProjectContext): string {
  return folderOf(requireProject({ project }), 'snapshot_dir', config.snapshot_dir ?? 'snapshots')
}

/** By name; links are checked where something is read or written. */
function folderOf(project: string, field: string, named: string): string {
  const folder = resolve(project, named)
  const way = pathBelow(project, folder)
  if (way !== undefined && way !== '' && named !== '') return folder
  throw new UserError({
    code: 'BAD_CONFIG',
    subject: { field },
    message: `must be a folder inside the project, found "${named}"`,
    hint: `name it relative to the configuration, e.g. "tests/${field === 'cassette_dir' ? 'cassettes' : 'snapshots'}"`,
  })
}
