// Git, run through the one process runner. Nothing in the repository is executed along the way: no hooks, no monitor.
import type { Processes } from '../process/processes.js'
import { runProcess, type RunResult } from '../process/run-process.js'
import { UserError } from '../errors.js'
import { lastLines } from './last-lines.js'

export interface Git {
  /** What it prints. Throws a UserError if it fails. */
  (args: readonly string[], options: { cwd: string }): Promise<string>
  /** Undefined if it fails. */
  try(args: readonly string[], options: { cwd: string }): Promise<string | undefined>
}

const SAFE = [
  'core.hooksPath=/dev/null',
  'core.fsmonitor=false',
  'core.quotePath=false',
  'submodule.recurse=false',
  'advice.detachedHead=false',
]
/** For listings of very large repositories. */
const MAX_OUTPUT = 256 * 1024 * 1024

export function openGit(processes: Processes, signal: AbortSignal): Git {
  const run = async (args: readonly string[], cwd: string): Promise<RunResult> => {
    const result = await runProcess(processes, {
      command: 'git',
      args: [...SAFE.flatMap((setting) => ['-c', setting]), ...args],
      cwd,
      signal,
      maxOutputBytes: MAX_OUTPUT,
      // The runner keeps programs from looking for repositories above their folder; here that is exactly what is wanted.
      env: { GIT_CEILING_DIRECTORIES: '', GIT_TERMINAL_PROMPT: '0', GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' },
      passEnv: ['XDG_CONFIG_HOME', 'GIT_CONFIG_GLOBAL', 'GIT_CONFIG_SYSTEM', 'GIT_CONFIG_NOSYSTEM'],
    })
    signal.throwIfAborted()
    return result
  }
  const git = async (args: readonly string[], { cwd }: { cwd: string }): Promise<string> => {
    const result = await run(args, cwd)
    if (result.exit_code === 0 && !result.too_large) return result.stdout
    throw failed(args, result)
  }
  const attempt = async (args: readonly string[], { cwd }: { cwd: string }): Promise<string | undefined> => {
    const { exit_code, stdout, too_large } = await run(args, cwd)
    return exit_code === 0 && !too_large ? stdout : undefined
  }
  return Object.assign(git, { try: attempt })
}

/** Names that end with NUL, as `-z` writes them. */
export function splitNul(text: string): string[] {
  return text.split('\0').filter((name) => name !== '')
}

function failed(args: readonly string[], { stderr, exit_code, too_large }: RunResult): UserError {
  const [command = ''] = args
  const why = too_large ? 'it prints too much' : lastLines(stderr, 5) || `exit code ${exit_code}`
  return new UserError({
    code: 'GIT_FAILED',
    message: `git ${command} failed: ${why}`,
    hint: 'try the same command with git; viva diff needs a repository that can be checked out',
  })
}
