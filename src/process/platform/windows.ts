// Windows has no process groups, no signals, and no shell that is always there. Third-party programs, which may start
// programs themselves, are not run: ending them could not be guaranteed. Our own processes are: they end with their channel.
import type { Platform } from './platform.js'
import { exists, signal } from './posix.js'

export const windows: Platform = {
  name: 'Windows',
  refusal: 'it has no process groups, so what a program starts could outlive the run',
  groups: false,
  pauses: false,
  command: ({ file, args }) => ({ file, args: [...args] }),
  // Every signal would end the process, which is all there is of a group.
  signal: (id, name) => (name === 'SIGKILL' || name === 'SIGTERM') && signal(Math.abs(id), name),
  members: () => new Map(),
  remember: () => {},
  orphans: () => [],
  identity: () => `${process.pid}`,
  startTime: () => undefined,
  isRunning: (pid) => exists(pid),
  openFiles: () => undefined,
  viewer: (file) => ({ file: 'explorer.exe', args: [file] }),
}
