// What a command says: its answer on standard output, what goes beside it on standard error.
import { stderr, stdout } from './terminal.js'

/** Returns the exit code of a command that has done what it was asked. */
export function print(text: string): number {
  stdout.write(text)
  return 0
}

export function note(text: string): void {
  stderr.write(`${text}\n`)
}

export function warn(text: string): void {
  stderr.write(`warning: ${text}\n`)
}
