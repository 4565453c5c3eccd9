// Where a snapshot lies: a folder per case file, a file per case and name. Case ids are free text and never become a path.
import { createHash } from 'node:crypto'
import { basename, join } from 'node:path'

export const SNAPSHOT = '.snap'
export const PENDING = '.snap.new'

/** `caseFile`: undefined for cases that come from elsewhere. */
export function snapshotFolder(dir: string, caseFile: string | undefined): string {
  const stem = caseFile === undefined ? 'cases' : basename(caseFile).replace(/\.[^.]+$/, '')
  return join(dir, 'snapshots', fileSafe(stem))
}

export function snapshotName(caseId: string, name: string): string {
  return `${fileSafe(caseId)}.${name}${SNAPSHOT}`
}

/** The text itself where it can be a file's name on every system; else what is left of it and a part of its hash. */
function fileSafe(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  const isUnchanged = plain === text && plain !== '' && !RESERVED.test(plain) && plain === plain.toLowerCase()
  if (isUnchanged || isSafeUpperCase(text, plain)) return plain
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** `T001` is the usual form of an id. Any other mix of cases could meet its twin on a system that does not tell them apart. */
function isSafeUpperCase(text: string, plain: string): boolean {
  return plain === text && /^[A-Z]+[-_]?\d+$/.test(text)
}
