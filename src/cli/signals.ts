// Signals of the terminal: the first stops the run in order, a second one at once, Ctrl-Z stops agents and clock too.
import { constants } from 'node:os'
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import { signalAll } from '../process/registry.js'
import { Interruption } from '../run/stopper.js'
import { leaveOut, now } from '../time/clock.js'
import { endNow } from './ending.js'

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

export function listenForSignals(): Stop {
  const controller = new AbortController()
  let first = 0
  let running = false
  const on = (signal: StopSignal): void => {
    if (!running) return void endNow(EXIT_CODES[signal])
    if (!controller.signal.aborted) {
      first = now()
      process.stderr.write('\nstopping: running cases are ended, results are kept (again to stop at once)\n')
      controller.abort(new Interruption(signal))
    } else if (now() - first > IMPATIENT_AFTER_MS) {
      void endNow(EXIT_CODES[signal])
    }
  }
  const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  for (const signal of signals) process.on(signal, on)
  if ('SIGTSTP' in constants.signals) process.on('SIGTSTP', pauseWithAgents)
  return {
    signal: controller.signal,
    began: () => {
      running = true
    },
    release: () => {
      for (const signal of signals) process.off(signal, on)
      process.off('SIGTSTP', pauseWithAgents)
    },
  }
}

/** The agents are in groups of their own, which the terminal does not stop, and their time stands still with ours. */
function pauseWithAgents(): void {
  signalAll('SIGSTOP')
  leaveOut(() => process.kill(process.pid, 'SIGSTOP'))
  signalAll('SIGCONT')
}
