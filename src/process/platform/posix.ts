// What Linux and macOS share: process groups, signals, and the shell that puts a dead-man watcher beside a program.
import { CHANNEL_FD } from '../channel-fd.js'
import type { Command, Launch, Member } from './platform.js'

const SHELL = '/bin/sh'
/** For people who look at a process list. */
const WATCHER_NAME = 'viva-deadman'
const SCRIPT_START = "trap 'echo >&"

/**
 * The watcher blocks on a pipe that only Viva holds open: when Viva dies, however it dies, the read ends and the group is
 * killed. It is started by a subshell that exits immediately, so that the program has no child it did not start itself. If
 * the system allows no more processes, a line on the pipe says so, and the program is not started without its watcher.
 * `limits` are commands for the program alone, each ending in `;`.
 */
export function underWatcher({ file, args, channel }: Launch, limits = ''): Command {
  const deadman = channel ? CHANNEL_FD + 1 : CHANNEL_FD
  // The end of the channel tells us that the program is gone: the watcher must not hold it open.
  const closeChannel = channel ? ` ${CHANNEL_FD}<&-` : ''
  const watcher = `( trap "" TERM INT HUP QUIT; read _ <&${deadman}; kill -9 -$$ ) </dev/null >/dev/null 2>&1${closeChannel}`
  const script = `${SCRIPT_START}${deadman}' EXIT; ( ${watcher} & ) || exit; trap - EXIT; ${limits}exec "$@" ${deadman}<&-`
  return { file: SHELL, args: ['-c', script, WATCHER_NAME, file, ...args] }
}

/** Only in a group of ours, and by what it runs: a program that merely calls itself so is still a program. */
export function isWatcher({ group, command }: Omit<Member, 'watcher'>, groups: ReadonlySet<number>): boolean {
  return groups.has(group) && command.startsWith(`${SHELL} -c ${SCRIPT_START}`)
}

export function signal(id: number, name: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(id, name)
  } catch {
    return false
  }
}

/** Whether the id is taken, by one of our processes or by another. */
export function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
