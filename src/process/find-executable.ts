// Looks up a command as a shell would, so that a missing one is reported before anything starts.
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, extname, isAbsolute, join, resolve } from 'node:path'
import { UserError } from '../errors.js'

export function findExecutable(command: string, cwd: string, path: string): string {
  if (command === '') throw notFound(command, 'the command is empty', 'is empty')
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
  throw notFound(command, 'it is not on PATH', whyNot(resolve(cwd, command)))
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
      problem === undefined || problem === 'is not executable'
        ? `it is a file here: name its interpreter, e.g. ${interpreter(command)} ${command}, or make it executable and write ${pathOf(command)}`
        : 'check the spelling, give a path such as ./agent.sh, or put the folder on PATH',
  })
}

function interpreter(file: string): string {
  return INTERPRETERS[extname(file)] ?? 'node'
}

const INTERPRETERS: Record<string, string> = { '.py': 'python3', '.rb': 'ruby', '.sh': 'sh', '.ts': 'npx tsx' }

function pathOf(command: string): string {
  return command.includes('/') ? command : `./${command}`
}
