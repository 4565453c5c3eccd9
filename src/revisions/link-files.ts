// `--link .env`: files that git ignores and the agent needs, the same for both sides.
import { existsSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import { pathBelow } from '../files/inside.js'
import type { Git } from './git.js'

/** Paths as given, below the repository. Throws a UserError for one that cannot be linked. */
export function requireLinks(paths: readonly string[], cwd: string, top: string): string[] {
  return paths.map((path) => {
    const below = pathBelow(top, resolve(cwd, path))
    if (below === undefined || below === '' || below.split(/[/\\]/)[0] === '.git')
      throw bad(path, 'it is not a file or folder in the repository', 'give a path in the repository that git ignores')
    if (!existsSync(join(top, below))) throw bad(path, 'there is no such file', 'check the spelling')
    return below
  })
}

export async function linkFiles(git: Git, links: readonly string[], top: string, side: string): Promise<void> {
  for (const path of links) {
    if ((await git(['ls-files', '-z', '--', `:(literal)${path}`], { cwd: side })) !== '')
      throw bad(path, 'git tracks it, so each side has its own', 'leave --link out for it')
    await rm(join(side, path), { recursive: true, force: true })
    await mkdir(dirname(join(side, path)), { recursive: true })
    await symlink(join(top, path), join(side, path))
  }
}

function bad(path: string, why: string, hint: string): UserError {
  return new UserError({ code: 'BAD_LINK', subject: { flag: '--link' }, message: `${path}: ${why}`, hint })
}
