// Calls in progress, and answers that are kept because they were too late or too long for one message.
import { randomBytes } from 'node:crypto'
import type { Progress } from '../tools/context.js'

/** Plain JSON. */
export type Answer = Record<string, unknown>

export type Outcome = { state: 'done'; answer: Answer } | { state: 'failed'; error: unknown }

export interface Job {
  /** Cannot be guessed. */
  id: string
  tool: string
  /** Undefined while it is running. */
  outcome: Outcome | undefined
  progress: Progress | undefined
  /** Never rejects. */
  ended: Promise<Outcome>
  /** Called with every step from now on, until the returned function is called. */
  follow(listener: (progress: Progress) => void): () => void
  cancel(): void
}

type Work = (signal: AbortSignal, onProgress: (progress: Progress) => void) => Promise<Answer>

const MOST_KEPT = 100
const MOST_KEPT_BYTES = 64 * 1024 * 1024

export class Jobs {
  /** Oldest first. */
  readonly #kept = new Map<string, Job>()
  readonly #sizes = new Map<string, number>()
  readonly #running = new Set<Job>()

  start(tool: string, work: Work): Job {
    const controller = new AbortController()
    const { signal } = controller
    const listeners = new Set<(progress: Progress) => void>()
    let end: (outcome: Outcome) => void = () => {}
    const job: Job = {
      id: randomBytes(12).toString('hex'),
      tool,
      outcome: undefined,
      progress: undefined,
      ended: new Promise((resolve) => (end = resolve)),
      follow: (listener) => {
        listeners.add(listener)
        return () => void listeners.delete(listener)
      },
      cancel: () => controller.abort(new CancelledError()),
    }
    const onEnd = (outcome: Outcome): void => {
      job.outcome = outcome
      this.#running.delete(job)
      end(outcome)
    }
    const onProgress = (progress: Progress): void => {
      job.progress = progress
      for (const listener of listeners) listener(progress)
    }
    this.#running.add(job)
    work(signal, onProgress).then(
      (answer) => onEnd({ state: 'done', answer }),
      (error: unknown) => onEnd({ state: 'failed', error: signal.aborted ? signal.reason : error }),
    )
    return job
  }

  /** Available by its id, until many or large ones have come after it. */
  keep(job: Job, bytes = 0): void {
    this.#kept.set(job.id, job)
    this.#sizes.set(job.id, bytes)
    let total = [...this.#sizes.values()].reduce((sum, size) => sum + size, 0)
    for (const [id, old] of this.#kept) {
      if (this.#kept.size <= MOST_KEPT && total <= MOST_KEPT_BYTES) break
      if (!old.outcome || id === job.id) continue
      total -= this.#sizes.get(id) ?? 0
      this.#kept.delete(id)
      this.#sizes.delete(id)
    }
  }

  find(id: string): Job | undefined {
    return this.#kept.get(id)
  }

  /** Ends what is running, and waits for it. */
  async close(): Promise<void> {
    const running = [...this.#running]
    for (const job of running) job.cancel()
    for (const job of running) await job.ended
  }
}

/** The answer is no longer wanted. */
export class CancelledError extends Error {
  override name = 'CancelledError'
  constructor() {
    super('the call was cancelled')
  }
}
