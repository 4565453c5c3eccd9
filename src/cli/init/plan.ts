// Which files are written where, decided before the first is: nothing that exists is lost.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import type { Choice } from './choice.js'

export interface PlannedFile {
  path: string
  text: string
  how: 'new' | 'replaced' | 'extended' | 'kept'
  /** Of no interest to people. */
  hidden?: true
}

/** Throws a UserError if something would be replaced that must not be. */
export function planFiles(
  dir: string,
  { files, isOwn }: Pick<Choice, 'files' | 'isOwn'>,
  force: boolean,
): PlannedFile[] {
  const exists = (path: string): boolean => existsSync(join(dir, path))
  const taken = Object.keys(files).filter(exists)
  if (taken.length > 0 && !force && !isOwn) throw wouldReplace(taken, dir)
  return Object.entries(files).map(([path, text]) => ({
    path,
    text,
    how: !exists(path) ? 'new' : force ? 'replaced' : 'kept',
  }))
}

const IGNORED = '.viva/'

/** Runs, history and caches stay out of the tests and out of git. An existing list gets a line. */
export function ignoredFolder(dir: string): PlannedFile[] {
  const inner = '.viva/.gitignore'
  const how = existsSync(join(dir, inner)) ? 'kept' : 'new'
  const own: PlannedFile = { path: inner, text: '*\n', how, hidden: true }
  const path = join(dir, '.gitignore')
  const before = existsSync(path) ? readFileSync(path, 'utf8') : ''
  if (before.split(/\r?\n/).includes(IGNORED)) return [own]
  const text = `${before}${before === '' || before.endsWith('\n') ? '' : '\n'}${IGNORED}\n`
  return [own, { path: '.gitignore', text, how: before === '' ? 'new' : 'extended' }]
}

export function writePlanned(dir: string, { path, text, how }: PlannedFile): void {
  if (how === 'kept') return
  const full = join(dir, path)
  try {
    makeFolders(dirname(full))
    // What appeared since the plan was made is not replaced either.
    writeFileSync(full, text, { flag: how === 'new' ? 'wx' : 'w' })
  } catch (error) {
    throw cannotWrite(full, error, 'choose another folder: viva init my-agents')
  }
}

function wouldReplace(taken: string[], dir: string): UserError {
  return new UserError({
    code: 'FILES_EXIST',
    message: `${taken.length === 1 ? 'this file exists' : 'these files exist'} in ${dir}: ${taken.join(', ')}`,
    hint: 'nothing was written; choose another folder, or replace them with --force',
  })
}
