// Windows: no process groups, no signals, no shell that is always there. Viva starts no programs it could not end.
import type { Platform } from './platform.js'
import { exists } from './posix.js'

const REFUSAL = 'Windows has no process groups, so what a program starts could outlive the run'

export const windows: Platform = {
  name: 'Windows',
  refusal: REFUSAL,
  pauses: false,
  command: () => {
    throw new Error(REFUSAL)
  },
  signal: () => false,
  members: () => new Map(),
  remember: () => {},
  orphans: () => [],
  identity: () => `${process.pid}`,
  startTime: () => undefined,
  isRunning: (pid) => exists(pid),
  openFiles: () => undefined,
  viewer: (file) => ({ file: 'explorer.exe', args: [file] }),
}
