// Free text, such as the id of a case, as the name of a file on every system.
import { createHash } from 'node:crypto'

/** The text itself where it can be a file's name on every system; else what is left of it and a part of its hash. */
export function fileSafe(text: string): string {
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
