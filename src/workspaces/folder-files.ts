// The files of any folder as assertions see those of a workspace: the same rules for paths and links.
import { UserError } from '../errors.js'
import type { WorkspaceFiles } from '../model/workspace.js'
import { readWorkspaceFile } from './files.js'
import { identityOf } from './folder.js'
import { contentsOf, currentFiles } from './snapshots.js'

/** Throws a UserError when there is no such folder. */
export function folderFiles(path: string, scratchpad: string): WorkspaceFiles {
  const folder = identityOf(path)
  if (!folder)
    throw new UserError({ code: 'NO_FOLDER', message: `no such folder: ${path}`, hint: 'name the folder to look into' })
  const root = { id: path, path, folder }
  return {
    scratchpad,
    read: (file) => readWorkspaceFile(root, file),
    contents: async () => contentsOf(await currentFiles(root, { include_patterns: ['**'] })),
  }
}
