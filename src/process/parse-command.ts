// A command as written in a target: resolved now, and still valid when it is run in a workspace.
import { basename, dirname, join, resolve } from 'node:path'
import { UserError } from '../errors.js'
import type { Processes } from './processes.js'
import { splitCommand } from './split-command.js'
import { isFile, statOf } from '../files/stat.js'

export interface Command {
  /** Where it runs unless a case has a workspace. */
  folder: string
  file: string
  args: string[]
  /** The same arguments, valid in any folder: those that name files are absolute. */
  argsElsewhere: string[]
}

export function parseCommand(target: string, base: string, cwd: string | undefined, processes: Processes): Command {
  const scheme = /^\w+:/.exec(target)?.[0] ?? ''
  const [command, ...args] = splitCommand(target.slice(scheme.length))
  if (command === undefined) throw emptyCommand(target, scheme)
  const folder = resolve(base, cwd ?? '.')
  const argsElsewhere = args.map((arg) => (isFile(resolve(folder, arg)) ? resolve(folder, arg) : arg))
  return {
    folder,
    file: processes.findExecutable(command, folder),
    args,
    argsElsewhere: [...projectOf(command, folder), ...argsElsewhere],
  }
}

/** `npx` looks for installed packages from the folder it runs in: it is told where the project is. */
function projectOf(command: string, folder: string): string[] {
  if (!isNpx(command)) return []
  for (let dir = folder; ; dir = dirname(dir)) {
    if (statOf(join(dir, 'node_modules'))?.isDirectory()) return ['--prefix', dir]
    if (dir === dirname(dir)) return []
  }
}

export function isNpx(command: string): boolean {
  return /^npx(?:\.cmd)?$/.test(basename(command))
}

function emptyCommand(target: string, scheme: string): UserError {
  return new UserError({
    code: 'EMPTY_COMMAND',
    message: `the target "${target}" names no command`,
    hint: `write the program after the colon, e.g. ${scheme}node agent.mjs`,
  })
}
