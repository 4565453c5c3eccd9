// Free text, such as a case id, as a file name on every system.
import { createHash } from 'node:crypto'

/** The text itself if it is a valid file name on every system; else what is left of it plus part of its hash. */
export function fileSafe(text: string): string {
  const plain = text.replaceAll(/[^A-Za-z0-9_-]+/g, '-').slice(0, 60)
  const isUnchanged = plain === text && plain !== '' && !RESERVED.test(plain) && plain === plain.toLowerCase()
  if (isUnchanged || isSafeUpperCase(text, plain)) return plain
  return `${plain}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`
}

const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i

/** `T001` is the usual form of an id. Any other mix of cases could collide on a file system that ignores case. */
function isSafeUpperCase(text: string, plain: string): boolean {
  return plain === text && /^[A-Z]+[-_]?\d+$/.test(text)
}
