// How every run that a command starts relates to this process, whatever it shows.
import type { RunIo } from '../run/io.js'
import { onStray, useRedactor } from './ending.js'
import { keepWasmPlain } from './plain-wasm.js'
import { note, warn } from './say.js'
import type { Signals } from './signals.js'
import { tuneFor } from './tune-v8.js'

/** `times`: how often each case runs in this process. */
export function plainIo({ clock, useProcesses }: Signals, times = 1): Partial<RunIo> {
  return {
    stdin: () => process.stdin,
    warn,
    note,
    clock,
    useRedactor,
    useProcesses,
    onStray,
    onCases: (cases) => tuneFor(cases, times),
    onHttp: keepWasmPlain,
  }
}
