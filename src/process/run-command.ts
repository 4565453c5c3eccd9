// A command of the user's own, in their terminal: it shares our standard streams and group, and has their environment.
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { findExecutable } from './find-executable.js'
import { cannotStart } from './start-errors.js'

export interface RunningCommand {
  /** Its exit code as a shell reports it. Rejects with a UserError if it cannot be started. */
  done: Promise<number>
  signal(signal: NodeJS.Signals): void
}

/** Throws a UserError if there is no such command. Returns a function that starts it, with further variables. */
export function prepareCommand(
  [command = '', ...args]: string[],
  { cwd, env: own }: { cwd: string; env: Record<string, string | undefined> },
): (env: Record<string, string>) => RunningCommand {
  const file = findExecutable(command, cwd, own['PATH'] ?? '')
  return (env) => start(file, command, args, cwd, { ...own, ...env })
}

function start(
  file: string,
  command: string,
  args: string[],
  cwd: string,
  env: Record<string, string | undefined>,
): RunningCommand {
  const child = spawn(file, args, { cwd, env, stdio: 'inherit' })
  return {
    done: new Promise((resolve, reject) => {
      child.once('error', (error) => reject(cannotStart(command, cwd, error)))
      child.once('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
    }),
    signal: (signal) => void child.kill(signal),
  }
}
