// Where a recording is: one file, or a folder with a file per case.
import { readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { fileSafe } from '../files/file-safe.js'
import { makeFolders } from '../files/make-folders.js'
import { statOf } from '../files/stat.js'
import { readCassette, type Cassette } from './read-cassette.js'

export interface CassetteFiles {
  /** The lock and the file of unsaved entries are named after it. */
  base: string
  cassettes: Cassette[]
  /** With a file per case. */
  isFolder: boolean
  /** Where a case that is not recorded yet goes. */
  fileFor(caseId: string): string
}

/** Throws for an empty name, as from an unset variable: that would be the current folder, with everything in it. */
export function placeOf(cwd: string, given: string, flag: string): string {
  if (given !== '') return resolve(cwd, given)
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag },
    message: 'expected a file or a folder, found nothing',
    hint: `${flag} cassette.yaml`,
  })
}

/** A name that ends in .yaml or .yml is a file, any other a folder, unless it exists and is the other. */
export function openCassettes(path: string): CassetteFiles {
  if (!isFolder(path)) {
    const cassette = readCassette(path)
    return { base: path, cassettes: cassette ? [cassette] : [], isFolder: false, fileFor: () => path }
  }
  return {
    base: baseOf(path),
    isFolder: true,
    cassettes: namesIn(path).flatMap((name) => readCassette(join(path, name)) ?? []),
    fileFor: (caseId) => join(path, caseId === '' ? SHARED_FILE : `${fileSafe(caseId)}.yaml`),
  }
}

/** The prefix of a cassette's lock and of its unsaved entries; creates its folder. */
export function prepareBase(path: string, flag: string): string {
  const base = baseOf(path)
  try {
    makeFolders(dirname(base))
  } catch (error) {
    throw cannotWrite(path, error, `choose another place with ${flag}`)
  }
  return base
}

function baseOf(path: string): string {
  return isFolder(path) ? join(path, 'recording') : path
}

/** For what belongs to no case: the lists of tools. No safe name begins with a dot. */
const SHARED_FILE = '.shared.yaml'

function isFolder(path: string): boolean {
  const info = statOf(path)
  return info ? info.isDirectory() : !/\.ya?ml$/i.test(path)
}

function namesIn(folder: string): string[] {
  if (!statOf(folder)) return []
  return readdirSync(folder)
    .filter((name) => /\.ya?ml$/i.test(name) && (!name.startsWith('.') || name === SHARED_FILE))
    .toSorted()
}
