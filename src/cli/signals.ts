// Signals of the terminal: the first stops the run in order, a second one at once, Ctrl-Z stops agents and clock too.
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import { currentPlatform } from '../process/platform/current.js'
import type { Processes } from '../process/processes.js'
import { Interruption } from '../run/stopper.js'
import { leaveOut, now } from '../time/clock.js'
import { endNow, onSuddenEnd } from './ending.js'

// npm and shells send the signal twice; a person who means it presses again later.
const IMPATIENT_AFTER_MS = 1000

const EXIT_CODES: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

export interface Stop {
  /** Aborted with an Interruption. */
  signal: AbortSignal
  /** From now on there is something to save: a signal stops the run in order. */
  began(): void
  release(): void
}

/** `programs` are those of the run: stopped, continued and killed with us. */
export function listenForSignals(programs: ReadonlySet<Processes>): Stop {
  const controller = new AbortController()
  let first = 0
  let running = false
  const on = (signal: StopSignal): void => {
    if (!running) return endNow(EXIT_CODES[signal])
    if (!controller.signal.aborted) {
      first = now()
      process.stderr.write('\nstopping: running cases are ended, results are kept (again to stop at once)\n')
      controller.abort(new Interruption(signal))
    } else if (now() - first > IMPATIENT_AFTER_MS) {
      endNow(EXIT_CODES[signal])
    }
  }
  const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, on)
  const pause = (): void => pauseWith(programs)
  if (currentPlatform.pauses) process.on('SIGTSTP', pause)
  const spare = onSuddenEnd(() => {
    for (const processes of programs) processes.killAll()
  })
  return {
    signal: controller.signal,
    began: () => {
      running = true
    },
    release: () => {
      for (const signal of signals) process.off(signal, on)
      process.off('SIGTSTP', pause)
      spare()
    },
  }
}

/** The agents are in groups of their own, which the terminal does not stop, and their time stands still with ours. */
function pauseWith(programs: ReadonlySet<Processes>): void {
  for (const processes of programs) processes.pause()
  leaveOut(() => process.kill(process.pid, 'SIGSTOP'))
  for (const processes of programs) processes.resume()
}
