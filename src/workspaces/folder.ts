// Which folder a path names: a folder that was replaced, or swapped for a link, is a different one with the same name.
import { lstatSync } from 'node:fs'

export interface FolderIdentity {
  device: string
  inode: string
  /** Nanoseconds. An inode number is reused as soon as it is free; a birth time is not. */
  born: string
}

/** Undefined for what is not a folder: a link to one is not. */
export function identityOf(path: string): FolderIdentity | undefined {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  if (!found?.isDirectory()) return undefined
  return { device: String(found.dev), inode: String(found.ino), born: String(found.birthtimeNs) }
}

export function isSameFolder(path: string, { device, inode, born }: FolderIdentity): boolean {
  const found = identityOf(path)
  return found !== undefined && found.device === device && found.inode === inode && found.born === born
}
