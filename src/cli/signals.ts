// Terminal signals: the first stops the run in an orderly way, a second one immediately, Ctrl-Z stops programs and clock too.
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import { currentPlatform } from '../process/platform/current.js'
import type { Processes } from '../process/processes.js'
import { Interruption } from '../run/stopper.js'
import { Clock, monotonicNow } from '../time/clock.js'
import { endNow, onSuddenEnd } from './ending.js'
import { stderr } from './terminal.js'

// npm and shells send the signal twice; a person who means it presses again later.
const IMPATIENT_AFTER_MS = 1000

const EXIT_CODES: Record<StopSignal, number> = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

export const STOP_SIGNALS: readonly StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']

export interface Signals {
  /** Aborted with an Interruption. */
  stop: AbortSignal
  /** Stands still while we are stopped. */
  clock: Clock
  /** The programs of the run: stopped, continued and killed with us. */
  useProcesses(processes: Processes): void
  /**
   * From now on there is something to save: a signal stops the run in an orderly way. `lastWords`: what is written at once
   * when a second one ends it.
   */
  began(lastWords?: () => void): void
  release(): void
}

/** `ending` says what happens to what is running. */
export function listenForSignals(ending = 'ending the running cases, keeping results'): Signals {
  const controller = new AbortController()
  const clock = new Clock()
  const programs = new Set<Processes>()
  let first = 0
  let running = false
  let speak: (() => void) | undefined
  const on = (signal: StopSignal): void => {
    if (!running) return endNow(EXIT_CODES[signal])
    if (!controller.signal.aborted) {
      first = monotonicNow()
      stderr.write(`\nstopping: ${ending} (Ctrl-C again to stop at once)\n`)
      controller.abort(new Interruption(signal))
    } else if (monotonicNow() - first > IMPATIENT_AFTER_MS) {
      try {
        speak?.()
      } finally {
        endNow(EXIT_CODES[signal])
      }
    }
  }
  /** The programs have their own groups, which the terminal does not stop. */
  const pause = (): void => {
    for (const processes of programs) processes.pause()
    clock.leaveOut(() => process.kill(process.pid, 'SIGSTOP'))
    for (const processes of programs) processes.resume()
  }
  for (const signal of STOP_SIGNALS) process.on(signal, on)
  if (currentPlatform.pauses) process.on('SIGTSTP', pause)
  const spare = onSuddenEnd(() => {
    for (const processes of programs) processes.killAll()
  })
  return {
    stop: controller.signal,
    clock,
    useProcesses: (processes) => processes.keepIn(programs),
    began: (lastWords) => {
      running = true
      speak = lastWords ?? speak
    },
    release: () => {
      for (const signal of STOP_SIGNALS) process.off(signal, on)
      process.off('SIGTSTP', pause)
      spare()
    },
  }
}

/** For what runs until it is stopped or has `ended` by itself. */
export function untilSignal(
  signals: readonly StopSignal[] = ['SIGINT', 'SIGTERM'],
  ended?: Promise<void>,
): Promise<void> {
  return new Promise((done) => {
    for (const signal of signals) process.once(signal, () => done())
    void ended?.then(done)
  })
}
