// The repository of a diff, and the commits that its revisions name.
import { realpathSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import type { Git } from './git.js'
import type { Range } from './parse-range.js'

export interface Repository {
  /** The top folder of the working tree. */
  top: string
  /** Where the command was run, below it: `` or `packages/agent`. */
  prefix: string
  /** Shared by all worktrees. */
  gitDir: string
}

export async function findRepository(git: Git, cwd: string): Promise<Repository> {
  const found = await git.try(['rev-parse', '--show-toplevel', '--path-format=absolute', '--git-common-dir'], { cwd })
  const [top, gitDir] = found?.split('\n') ?? []
  if (top === undefined || gitDir === undefined || top === '') throw noRepository(cwd)
  const prefix = (await git(['rev-parse', '--show-prefix'], { cwd })).replace(/\/?\n$/, '')
  return { top: realpathSync(top), prefix, gitDir }
}

export interface Revision {
  /** As given. */
  ref: string
  commit: string
  /** With uncommitted changes. */
  working_tree?: true
}

export interface Revisions {
  left: Revision
  right: Revision
}

export async function findRevisions(git: Git, repository: Repository, range: Range): Promise<Revisions> {
  const { top } = repository
  await requireWhole(git, repository)
  const given = await commitOf(git, top, range.left)
  const rightRef = range.right ?? 'HEAD'
  const right = await commitOf(git, top, rightRef)
  const left = range.fromMergeBase ? await mergeBase(git, top, range, given, right) : given
  const isClean = async (): Promise<boolean> =>
    (await git(['status', '--porcelain', '--untracked-files=all', '--ignore-submodules=none'], { cwd: top })) === ''
  if (left === right && (range.right !== undefined || (await isClean()))) throw nothingChanged(range, left)
  return {
    left: { ref: range.left, commit: left },
    right: { ref: rightRef, commit: right, ...(range.right === undefined && { working_tree: true as const }) },
  }
}

/** People know commits by their first seven characters. */
export function shortCommit({ commit }: Pick<Revision, 'commit'>): string {
  return commit.slice(0, 7)
}

async function requireWhole(git: Git, { top }: Repository): Promise<void> {
  if ((await git(['rev-parse', '--is-shallow-repository'], { cwd: top })).trim() !== 'true') return
  throw new UserError({
    code: 'SHALLOW_CLONE',
    message: `${top} is a shallow clone: the other revision or the merge base may be missing`,
    hint: 'fetch the rest with git fetch --unshallow; on GitHub Actions give actions/checkout "fetch-depth: 0"',
  })
}

async function commitOf(git: Git, cwd: string, ref: string): Promise<string> {
  const found = await git.try(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], { cwd })
  const commit = found?.trim().split('\n').at(-1)
  if (commit) return commit
  const branches = await git.try(['for-each-ref', '--count=20', '--format=%(refname:short)', 'refs/heads'], { cwd })
  const known = (branches ?? '').split('\n').filter((name) => name !== '')
  throw new UserError({
    code: 'UNKNOWN_REVISION',
    message: `no revision called "${ref}" in ${cwd}`,
    hint: `${known.length > 0 ? `branches here: ${known.join(', ')}; ` : ''}fetch a remote branch first and call it origin/…`,
  })
}

async function mergeBase(git: Git, cwd: string, range: Range, left: string, right: string): Promise<string> {
  const found = (await git.try(['merge-base', left, right], { cwd }))?.trim()
  if (found) return found
  throw new UserError({
    code: 'NO_MERGE_BASE',
    message: `${range.left} and ${range.right ?? 'HEAD'} have no commit in common`,
    hint: 'compare them as they are, with two dots instead of three',
  })
}

function nothingChanged(range: Range, commit: string): UserError {
  const what =
    range.right === undefined
      ? `the working tree is ${range.left} (${commit.slice(0, 7)}), without a change`
      : `both sides are the same commit, ${commit.slice(0, 7)}`
  return new UserError({
    code: 'NOTHING_CHANGED',
    message: what,
    hint: 'there is nothing to compare; to see how much results vary by chance, use viva test --runs',
  })
}

function noRepository(cwd: string): UserError {
  return new UserError({
    code: 'NO_REPOSITORY',
    message: `${cwd} is not in the working tree of a git repository`,
    hint: 'run viva diff inside the repository; agents that are not in git are compared with viva test -n … -n …',
  })
}

/** Below the top folder of a side. */
export function inSide(root: string, prefix: string): string {
  return prefix === '' ? root : join(root, prefix)
}
