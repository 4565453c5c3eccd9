// What a program is called, however it is named in a command.
import { basename } from 'node:path'

/** Without the folder and the ending that a system or a package manager gives it. */
export function programName(command: string): string {
  return basename(command).replace(/\.(?:exe|cmd|[cm]?js)$/i, '')
}
