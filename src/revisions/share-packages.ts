// The installed packages of the working tree, lent to both sides: only if both would have installed the same, and if
// none of them is code of the repository itself, which both sides would then test instead of their own.
import { existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { basename, join, sep } from 'node:path'
import { namesIn } from '../files/entries.js'
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import { followLinks, parentOf, pathBelow } from '../files/inside.js'
import type { Git } from './git.js'
import { hasModules, LOCK_FILES, lockFileFor, packageFolders, readBytes, readManifest } from './package-files.js'

export interface Side {
  name: string
  root: string
}

export async function sharePackages(git: Git, top: string, sides: readonly Side[]): Promise<void> {
  const bySide: Array<[Side, string[]]> = []
  for (const side of sides) bySide.push([side, await packageFolders(git, side.root)])
  const folders = [...new Set([...bySide.flatMap(([, own]) => own), ...(await packageFolders(git, top))])]
  const installed = folders.filter((folder) => hasModules(top, folder))
  if (installed.length === 0) return
  for (const [side, own] of bySide) requireNoLocal(side, own)
  for (const folder of installed) {
    requireNoLinks(top, folder)
    for (const side of sides) if (!existsSync(join(side.root, folder, 'node_modules'))) lend(top, folder, side)
  }
}

function lend(top: string, folder: string, side: Side): void {
  if (folder !== '' && !existsSync(join(side.root, folder))) return
  requireSameLock(top, folder, side)
  linkEntries(join(top, folder, 'node_modules'), join(side.root, folder, 'node_modules'))
}

function requireSameLock(top: string, folder: string, { name, root }: Side): void {
  const lock = lockFileFor(top, folder)
  if (lock === undefined)
    throw needsSetup(`no lock file says what ${join(folder, 'node_modules')} holds`, 'package-lock.json')
  const [own, theirs] = [readBytes(join(top, lock)), readBytes(join(root, lock))]
  if (own && theirs && own.equals(theirs)) return
  const modules = join(folder, 'node_modules')
  throw needsSetup(
    theirs
      ? `${lock} at ${name} differs from the one that ${modules} was installed from`
      : `${name} has no ${lock}, which ${modules} was installed from`,
    lock,
  )
}

/** Packages of the repository itself, by what its package.json say. */
function requireNoLocal({ name, root }: Side, folders: readonly string[]): void {
  for (const folder of folders) {
    const manifest = readManifest(root, folder) ?? {}
    for (const field of ['dependencies', 'devDependencies', 'optionalDependencies']) {
      const own = manifest[field]
      const local = isRecord(own) ? Object.entries(own).find(([, spec]) => LOCAL.test(String(spec))) : undefined
      if (local)
        throw needsSetup(
          `${join(folder, 'package.json')} at ${name} takes ${local[0]} from the repository (${String(local[1])})`,
          lockFileFor(root, folder),
        )
    }
  }
}

const LOCAL = /^(?:file|link|portal|workspace):/

/** And by where the links in node_modules lead. */
function requireNoLinks(top: string, folder: string): void {
  const real = realpathSync(top)
  const modules = join(top, folder, 'node_modules')
  for (const path of packagesIn(modules)) {
    const below = isLink(path) ? pathBelow(real, followLinks(path)) : undefined
    if (below === undefined || below.split(sep).includes('node_modules')) continue
    throw needsSetup(
      `${join(folder, 'node_modules', path.slice(modules.length + 1))} is a link to ${below || 'the repository'}, which both sides would share`,
      lockFileFor(top, folder),
    )
  }
}

function packagesIn(modules: string): string[] {
  const found = namesIn(modules).flatMap((name) => {
    const path = join(modules, name)
    return name.startsWith('@') && !isLink(path) ? namesIn(path).map((each) => join(path, each)) : [path]
  })
  // pnpm keeps what packages need of each other below its own folder.
  const store = join(modules, '.pnpm')
  const inner = namesIn(store).flatMap((name) =>
    packagesIn(name === 'node_modules' ? join(store, name) : join(store, name, 'node_modules')),
  )
  return [...found, ...inner]
}

/** Entry by entry: what is written beside them, such as caches, is written to that side alone. */
function linkEntries(from: string, to: string): void {
  mkdirSync(to, { recursive: true })
  for (const name of namesIn(from)) {
    const path = join(from, name)
    if (name.startsWith('@') && !isLink(path)) linkEntries(path, join(to, name))
    else if (!name.startsWith('.') || name === '.bin') symlinkSync(path, join(to, name))
  }
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true
}

function needsSetup(why: string, lock: string | undefined): UserError {
  const install = LOCK_FILES[basename(lock ?? '')] ?? 'npm install'
  const where = parentOf(lock ?? '')
  const command = where === '' ? install : `cd ${where} && ${install}`
  return new UserError({
    code: 'SETUP_NEEDED',
    message: `node_modules cannot be shared by both sides: ${why}`,
    hint: `install on each side: --setup "${command}", followed by what builds it; --setup true if the agent needs no packages`,
  })
}
