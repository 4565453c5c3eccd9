// A revision as files: a worktree with its submodules and, for the working tree, uncommitted changes.
import { existsSync, realpathSync } from 'node:fs'
import { copyFile, cp, lstat, mkdir, readlink, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { UserError } from '../errors.js'
import { splitNul, type Git } from './git.js'
import type { SidesFolder } from './sides-folder.js'

export interface CheckOut {
  git: Git
  folder: SidesFolder
  /** The repository or submodule in the user's working tree. */
  from: string
  gitDir: string
  commit: string
  /** With uncommitted changes. */
  workingTree: boolean
  to: string
  /** For submodules that are not there. */
  warn(text: string): void
}

export async function checkOut(init: CheckOut): Promise<void> {
  const { git, folder, from, gitDir, commit, workingTree, to } = init
  folder.note(gitDir)
  await git(['worktree', 'add', '--detach', '--quiet', '--force', to, commit], { cwd: from })
  if (workingTree) await copyChanges(git, from, to)
  await checkOutSubmodules(init)
}

async function checkOutSubmodules(init: CheckOut): Promise<void> {
  const { git, from, workingTree, to, warn } = init
  for (const { path, commit } of await submodulesOf(git, to)) {
    const own = join(from, path)
    const gitDir = await gitDirOf(git, own)
    if (gitDir === undefined) {
      warn(`the submodule ${path} is not checked out here, and empty on both sides: git submodule update --init`)
      continue
    }
    const wanted = workingTree ? (await git(['rev-parse', 'HEAD'], { cwd: own })).trim() : commit
    await requireCommit(git, own, path, wanted)
    await checkOut({ ...init, from: own, gitDir, commit: wanted, to: join(to, path) })
  }
}

/** Entries of mode 160000 in the index. */
async function submodulesOf(git: Git, cwd: string): Promise<Array<{ path: string; commit: string }>> {
  return splitNul(await git(['ls-files', '--stage', '-z'], { cwd })).flatMap((line) => {
    const [, commit, path] = /^160000 ([0-9a-f]+) \d\t(.*)$/s.exec(line) ?? []
    return commit === undefined || path === undefined ? [] : [{ commit, path }]
  })
}

/** Undefined if it is not a repository of its own. */
async function gitDirOf(git: Git, folder: string): Promise<string | undefined> {
  if (!existsSync(join(folder, '.git'))) return undefined
  const args = ['rev-parse', '--show-toplevel', '--path-format=absolute', '--git-common-dir']
  const [top, gitDir] = (await git.try(args, { cwd: folder }))?.split('\n') ?? []
  return top !== undefined && realpathSync(top) === realpathSync(folder) ? gitDir : undefined
}

async function requireCommit(git: Git, cwd: string, path: string, commit: string): Promise<void> {
  if ((await git.try(['cat-file', '-e', `${commit}^{commit}`], { cwd })) !== undefined) return
  throw new UserError({
    code: 'SUBMODULE_COMMIT_MISSING',
    message: `the submodule ${path} has no commit ${commit.slice(0, 7)} here`,
    hint: `fetch it: git -C ${path} fetch`,
  })
}

/** What differs from HEAD, and what is new and not ignored. */
async function copyChanges(git: Git, from: string, to: string): Promise<void> {
  const args = ['status', '--porcelain', '-z', '--untracked-files=all', '--no-renames', '--ignore-submodules=all']
  for (const line of splitNul(await git(args, { cwd: from }))) {
    const path = line.slice(3)
    // A repository inside the repository, which git does not look into.
    if (path.endsWith('/')) await copyListed(git, join(from, path), join(to, path))
    else await copyOne(join(from, path), join(to, path))
  }
}

async function copyListed(git: Git, from: string, to: string): Promise<void> {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  for (const path of splitNul(await git(args, { cwd: from }))) await copyOne(join(from, path), join(to, path))
}

async function copyOne(from: string, to: string): Promise<void> {
  await rm(to, { recursive: true, force: true })
  const found = await lstat(from).catch(() => undefined)
  if (!found) return
  await mkdir(dirname(to), { recursive: true })
  if (found.isSymbolicLink()) return symlink(await readlink(from), to)
  if (found.isFile()) return copyFile(from, to)
  if (found.isDirectory()) await cp(from, to, { recursive: true, verbatimSymlinks: true })
}
