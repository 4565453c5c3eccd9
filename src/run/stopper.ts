// Stopping a run: nothing more starts, and what is running is ended. The first request counts.
import { Deadlines } from '../pipeline/execute/deadline.js'
import type { StopSignal } from '../pipeline/fold/exit-code.js'
import type { Clock } from '../time/clock.js'
import { CancelledError } from '../time/deadline.js'

/** Why a run is stopped, for a front door that gets signals. */
export class Interruption extends CancelledError {
  readonly signal: StopSignal

  constructor(signal: StopSignal) {
    super(`interrupted (${signal})`)
    this.signal = signal
  }
}

/** An abort without a reason is treated as Ctrl-C. */
export function stoppedBy({ aborted, reason }: AbortSignal): StopSignal | undefined {
  if (!aborted) return undefined
  return reason instanceof Interruption ? reason.signal : 'SIGINT'
}

export interface Stopper {
  /** Aborted when the run should stop. */
  signal: AbortSignal
  /** Aborted then, and when nothing more may start while what is running may finish. */
  starting: AbortSignal
  /** Of a variant; of the only one if there are none. */
  deadlines(variant: string | undefined): Deadlines
  stop(reason: string): void
  /** This variant runs no further; the run ends with the last of them. */
  end(variant: string | undefined, reason: string): void
  hasEnded(variant: string | undefined): boolean
  startNoMore(reason: string): void
  release(): void
}

export function createStopper(
  outer: AbortSignal,
  clock: Clock,
  variants: ReadonlyArray<string | undefined> = [undefined],
): Stopper {
  const deadlines = new Map(variants.map((variant) => [variant, new Deadlines(clock)]))
  const deadlinesOf = (variant: string | undefined): Deadlines => {
    const known = deadlines.get(variant)
    if (!known) throw new Error(`no variant called ${variant}`)
    return known
  }
  const ended = new Set<string | undefined>()
  const controller = new AbortController()
  const starting = new AbortController()
  const stop = (reason: string): void => {
    if (controller.signal.aborted) return
    starting.abort(new Error(reason))
    controller.abort(new Error(reason))
    for (const each of deadlines.values()) each.cancelAll(reason)
  }
  const onOuter = (): void => stop('interrupted')
  outer.addEventListener('abort', onOuter, { once: true })
  if (outer.aborted) onOuter()
  return {
    signal: controller.signal,
    starting: starting.signal,
    deadlines: deadlinesOf,
    stop,
    end: (variant, reason) => {
      ended.add(variant)
      if (variants.every((each) => ended.has(each))) stop(reason)
      else deadlinesOf(variant).cancelAll(reason)
    },
    hasEnded: (variant) => ended.has(variant),
    startNoMore: (reason) => starting.abort(new Error(reason)),
    release: () => {
      outer.removeEventListener('abort', onOuter)
      for (const each of deadlines.values()) each.close()
    },
  }
}
