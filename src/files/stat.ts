// What a path names, if anything: a path below a file, too long or otherwise impossible names nothing.
import { statSync, type Stats } from 'node:fs'

export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch (error) {
    if (error instanceof Error && 'code' in error && NOTHING_THERE.has(String(error.code))) return undefined
    throw error
  }
}

export function isFile(path: string): boolean {
  return statOf(path)?.isFile() ?? false
}

export function isFolder(path: string): boolean {
  return statOf(path)?.isDirectory() ?? false
}

const NOTHING_THERE = new Set(['ENOTDIR', 'ENAMETOOLONG', 'ENOENT', 'ELOOP', 'ERR_INVALID_ARG_VALUE'])
