// Where a snapshot is: a folder per case file, a file per case and name. Case ids are free text and never become a path.
import { join, parse } from 'node:path'
import { fileSafe } from '../files/file-safe.js'

export const SNAPSHOT = '.snap'
export const PENDING = '.snap.new'
/** The folder of snapshots that belong to no case. */
export const WORKSPACE = 'workspace'

/** `caseFile`: undefined for cases that come from elsewhere. */
export function snapshotFolder(dir: string, caseFile: string | undefined): string {
  const { name, ext } = parse(caseFile ?? 'cases.jsonl')
  // `in.jsonl` and `in.yaml` may be side by side.
  return join(dir, 'snapshots', `${fileSafe(name)}${ext === '.jsonl' ? '' : ext}`)
}

export function snapshotFileName(caseId: string | undefined, name: string): string {
  // In its own folder: no case and no name can be mistaken for it.
  if (caseId === undefined) return join(WORKSPACE, `${name}${SNAPSHOT}`)
  return `${fileSafe(caseId)}.${name}${SNAPSHOT}`
}
