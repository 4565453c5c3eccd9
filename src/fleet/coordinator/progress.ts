// How far a run has got, as `viva fleet status` shows it.
import type { ResultEvent } from '../../model/event.js'
import type { RunProgress } from '../../model/fleet-status.js'
import { monotonicNow } from '../../time/clock.js'
import { epochNow, isoNow } from '../../time/iso-now.js'
import type { RunSpec } from '../protocol.js'
import type { Roster } from './roster.js'
import type { Sizing } from './sizing.js'

/** What counts as recent. */
const SPAN_MS = 30_000

export class Progress {
  readonly #spec: RunSpec
  readonly #units: number | undefined
  readonly #started = isoNow()
  /** Recent times and counts, oldest first. */
  #marks: Array<{ at: number; done: number }>
  #done: number
  #failed = 0

  /** `done`: results that an earlier part of the run had. */
  constructor(spec: RunSpec, units: number | undefined, done: number) {
    this.#spec = spec
    this.#units = units
    this.#done = done
    this.#marks = [{ at: monotonicNow(), done }]
  }

  add({ status }: ResultEvent): void {
    this.#done += 1
    if (status === 'failed') this.#failed += 1
  }

  text(inFlight: number, roster: Roster, sizing: Sizing): string {
    const now = monotonicNow()
    this.#marks.push({ at: now, done: this.#done })
    this.#marks = this.#marks.filter(({ at }) => at >= now - SPAN_MS)
    const first = this.#marks[0] ?? { at: now, done: this.#done }
    const perSecond = now - first.at < 1 ? 0 : ((this.#done - first.done) * 1000) / (now - first.at)
    const left = this.#units === undefined || perSecond === 0 ? undefined : (this.#units - this.#done) / perSecond
    const progress: RunProgress = {
      run_id: this.#spec.run_id,
      started: this.#started,
      at: epochNow(),
      ...(this.#units !== undefined && { units: this.#units }),
      done: this.#done,
      failed: this.#failed,
      in_flight: inFlight,
      workers: roster.workers,
      slots: roster.slots,
      per_second: Math.round(perSecond * 100) / 100,
      ...(sizing.average !== undefined && { average_ms: Math.round(sizing.average) }),
      ...(left !== undefined && { left: Math.round(left) }),
      bundle: this.#spec.bundle,
    }
    return JSON.stringify(progress)
  }
}
