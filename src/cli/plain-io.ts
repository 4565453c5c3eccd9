// How every run that a command starts relates to this process, whatever it shows.
import type { RunIo } from '../run/io.js'
import { onStray, useRedactor } from './ending.js'
import { note, warn } from './say.js'
import type { Signals } from './signals.js'

export function plainIo({ clock, useProcesses }: Signals): Partial<RunIo> {
  return {
    stdin: () => process.stdin,
    warn,
    note,
    clock,
    useRedactor,
    useProcesses,
    onStray,
  }
}
