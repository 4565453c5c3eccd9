// Commands as a user without privileges: coding agents refuse to skip their permissions as root.
export const USER = 'viva-real'

/** The command line that runs this one as that user; the same one if we are not root. */
export function asUser(command, args) {
  if (process.getuid?.() !== 0) return [command, args]
  return ['setpriv', [`--reuid=${USER}`, `--regid=${USER}`, '--clear-groups', command, ...args]]
}
