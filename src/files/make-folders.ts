// Makes a folder and its parents. Not with Node's `recursive`: where the system refuses (/proc), that never returns.
import { mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export function makeFolders(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return
  const parent = dirname(path)
  if (parent !== path) makeFolders(parent)
  try {
    mkdirSync(path)
  } catch (error) {
    // Another process created it first.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
