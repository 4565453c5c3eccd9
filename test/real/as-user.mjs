// Commands as a user without privileges: coding agents refuse to skip their permissions as root.
import { spawnSync } from 'node:child_process'

export const USER = 'viva-real'

/** Whether commands run as that user: not if we have no privileges to give up, or it could not be created. */
export function isOtherUser() {
  return process.getuid?.() === 0 && spawnSync('id', [USER]).status === 0
}

/** The command line that runs this one as that user; the same one if there is none. */
export function asUser(command, args) {
  if (!isOtherUser()) return [command, args]
  return ['setpriv', [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', command, ...args]]
}
