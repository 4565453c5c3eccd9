// A file is either the old one or the new one, never a mix.
import { renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { makeFolders } from './make-folders.js'
import { temporaryFor } from './temporary.js'

export function replaceFile(file: string, content: string): void {
  makeFolders(dirname(file))
  const temporary = temporaryFor(file)
  try {
    writeFileSync(temporary, content, { flag: 'wx' })
    renameSync(temporary, file)
  } catch (error) {
    rmSync(temporary, { force: true })
    throw error
  }
}
