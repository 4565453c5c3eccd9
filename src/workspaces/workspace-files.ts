// The files of a workspace, or of any other folder, as assertions see them: the same rules for paths and links.
import { UserError } from '../errors.js'
import type { WorkspaceFiles } from '../model/workspace.js'
import { readWorkspaceFile } from './files.js'
import { identityOf } from './folder.js'
import type { PlayedFiles } from './played-files.js'
import { contentsOf, currentFiles, type Selection } from './snapshots.js'
import type { Workspace } from './workspace.js'

export const EVERYTHING = { include_patterns: ['**'] }

export function workspaceFiles(
  workspace: Pick<Workspace, 'id' | 'path' | 'folder'>,
  scratchpad: string,
  taken: Selection,
  played?: PlayedFiles,
): WorkspaceFiles {
  return {
    path: workspace.path,
    scratchpad,
    read: async (path) => {
      const why = played?.lacks(path)
      return why === undefined ? readWorkspaceFile(workspace, path) : { kind: 'refused', why }
    },
    contents: async () => {
      played?.requireAll()
      return contentsOf(await currentFiles(workspace, taken))
    },
  }
}

/** Throws a UserError when there is no such folder. */
export function folderFiles(path: string, scratchpad: string): WorkspaceFiles {
  const folder = identityOf(path)
  if (!folder)
    throw new UserError({ code: 'NO_FOLDER', message: `no such folder: ${path}`, hint: 'name the folder to look into' })
  return workspaceFiles({ id: path, path, folder }, scratchpad, EVERYTHING)
}
