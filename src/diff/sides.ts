// Two revisions as two folders, ready to run: checked out, linked, set up.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { UserError } from '../errors.js'
import type { Processes } from '../process/processes.js'
import { checkOut } from '../revisions/check-out.js'
import { openGit } from '../revisions/git.js'
import { linkFiles, requireLinks } from '../revisions/link-files.js'
import { parseRange } from '../revisions/parse-range.js'
import {
  findRepository,
  findRevisions,
  inSide,
  shortCommit,
  type Repository,
  type Revision,
  type Revisions,
} from '../revisions/repository.js'
import { setUp } from '../revisions/set-up.js'
import { sharePackages } from '../revisions/share-packages.js'
import { openSidesFolder, type SidesFolder } from '../revisions/sides-folder.js'
import type { DiffOptions } from './options.js'

export interface DiffSide {
  /** Of the variant: `main`, `working tree`. */
  name: string
  revision: Revision
  root: string
  /** Where the command would be run on this side. */
  cwd: string
}

export interface Sides {
  repository: Repository
  revisions: Revisions
  left: DiffSide
  right: DiffSide
  folder: SidesFolder
}

export interface SidesInit {
  options: DiffOptions
  processes: Processes
  cwd: string
  signal: AbortSignal
  warn(text: string): void
  note(text: string): void
  /** As soon as there is something to remove. */
  onFolder(folder: SidesFolder): void
  /** Before anything is checked out. */
  check(repository: Repository): void
}

export async function openSides(init: SidesInit): Promise<Sides> {
  const { options, processes, cwd, signal } = init
  const range = parseRange(options.range, options.worktree)
  const git = openGit(processes, signal)
  const repository = await findRepository(git, cwd)
  init.check(repository)
  const links = requireLinks(options.link, cwd, repository.top)
  const revisions = await findRevisions(git, repository, range)
  const folder = await openSidesFolder(repository.top)
  init.onFolder(folder)
  const [leftName, rightName] = namesOf(revisions)
  const sideOf = (which: 'left' | 'right', name: string): DiffSide => {
    const root = join(folder.path, which)
    return { name, revision: revisions[which], root, cwd: inSide(root, repository.prefix) }
  }
  const [left, right] = [sideOf('left', leftName), sideOf('right', rightName)]
  for (const side of [left, right]) {
    const { commit, working_tree = false } = side.revision
    await checkOut({
      git,
      folder,
      from: repository.top,
      gitDir: repository.gitDir,
      commit,
      workingTree: working_tree,
      to: side.root,
      warn: init.warn,
    })
    await linkFiles(git, links, repository.top, side.root)
    if (!existsSync(side.cwd)) throw noFolder(repository.prefix, side)
  }
  if (options.setup === undefined) await sharePackages(git, repository.top, [left, right])
  else {
    for (const side of [left, right])
      await setUp({
        git,
        processes,
        signal,
        command: options.setup,
        side,
        cwd: side.cwd,
        passEnv: options.run.pass_env ?? [],
        cache: join(repository.gitDir, 'viva', 'setup'),
        note: init.note,
      })
  }
  return { repository, revisions, left, right, folder }
}

/** As given, if that can name a variant and distinguishes them; else with the commit. */
function namesOf({ left, right }: Revisions): [string, string] {
  const plain = (revision: Revision): string =>
    revision.working_tree ? 'working tree' : revision.ref.replaceAll(/[=,·]/g, '_').slice(0, 80)
  const [one, other] = [plain(left), plain(right)]
  return one === other ? [`${one} ${shortCommit(left)}`, `${other} ${shortCommit(right)}`] : [one, other]
}

function noFolder(prefix: string, side: DiffSide): UserError {
  return new UserError({
    code: 'ABSENT_ON_ONE_SIDE',
    message: `the folder ${prefix} does not exist at ${side.name} (${shortCommit(side.revision)})`,
    hint: 'run viva diff from a folder that both revisions have, or compare with a revision that has it',
  })
}
