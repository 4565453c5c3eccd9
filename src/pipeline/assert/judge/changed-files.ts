// What an agent did to the files of its workspace, for a judge to see: their text as it is now, within limits.
import type { Evidence } from '../../../model/evidence.js'
import type { FileChange } from '../../../model/workspace.js'
import type { AssertServices } from '../define-assertion.js'

export interface ShownFile {
  path: string
  change: FileChange['change']
  content?: string
  /** Where the file itself is no longer there. */
  diff?: string
  /** Why there is no content. */
  not_shown?: string
}

export interface ShownFiles {
  files: ShownFile[]
  /** How many more changed. */
  left_out: number
}

/** So much fits beside the criteria into what every usual model reads. */
const MOST_CHARACTERS = 200_000

/** Undefined where there is no workspace. */
export async function changedFiles(
  { changes, changes_left_out = 0 }: Evidence,
  { workspace }: AssertServices,
): Promise<ShownFiles | undefined> {
  if (changes === undefined) return undefined
  const files: ShownFile[] = []
  let room = MOST_CHARACTERS
  for (const change of changes) {
    const file = await shownFile(change, workspace)
    const length = (file.content ?? file.diff ?? '').length
    const { path } = file
    files.push(length <= room ? file : { path, change: change.change, not_shown: 'it is too long to be shown' })
    if (length <= room) room -= length
  }
  return { files, left_out: changes_left_out }
}

async function shownFile(
  { path, change, diff }: FileChange,
  workspace: AssertServices['workspace'],
): Promise<ShownFile> {
  if (change === 'deleted') return { path, change }
  if (!workspace) return diff === undefined ? { path, change, not_shown: 'it is not text' } : { path, change, diff }
  const read = await workspace.read(path)
  switch (read.kind) {
    case 'text':
      return { path, change, content: read.text }
    case 'binary':
      return { path, change, not_shown: 'it is not text' }
    case 'too_big':
      return { path, change, not_shown: 'it is too long to be shown' }
    case 'missing':
    case 'folder':
      return { path, change, not_shown: 'it is no longer there' }
    case 'refused':
      return { path, change, not_shown: read.why }
  }
}
