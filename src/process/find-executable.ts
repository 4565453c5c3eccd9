// Looks up a command as a shell would, so that a missing one is reported before anything starts.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { UserError } from '../errors.js'

export function findExecutable(command: string, cwd: string, path: string): string {
  if (command === '') throw notFound(command, 'the command is empty')
  if (isAbsolute(command) || command.includes('/')) {
    const file = resolve(cwd, command)
    const problem = whyNot(file)
    if (problem === undefined) return file
    throw notFound(command, `${file} ${problem}`, problem)
  }
  for (const folder of path.split(delimiter)) {
    const file = join(resolve(cwd, folder), command)
    if (whyNot(file) === undefined) return file
  }
  throw notFound(command, 'it is not on PATH')
}

function whyNot(file: string): string | undefined {
  try {
    if (!statSync(file).isFile()) return 'is not a file'
  } catch {
    return 'does not exist'
  }
  try {
    accessSync(file, constants.X_OK)
    return undefined
  } catch {
    return 'is not executable'
  }
}

function notFound(command: string, why: string, problem?: string): UserError {
  return new UserError({
    code: 'COMMAND_NOT_FOUND',
    message: `cannot run "${command}": ${why}`,
    hint:
      problem === 'is not executable'
        ? `make it executable (chmod +x ${command}), or name its interpreter, e.g. exec:node ${command}`
        : 'check the spelling, give a path such as ./agent.sh, or put the folder on PATH',
  })
}
