// The deepest folder that holds all of some files.
import { dirname } from 'node:path'
import { pathBelow } from './inside.js'

/** Absolute paths, at least one. */
export function commonFolder(files: readonly string[]): string {
  let folder = dirname(files[0] ?? '/')
  while (dirname(folder) !== folder && !files.every((file) => pathBelow(folder, file) !== undefined))
    folder = dirname(folder)
  return folder
}
