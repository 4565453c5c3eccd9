// The call to which running code belongs: followed through promises, timers and callbacks.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { StringDecoder } from 'node:string_decoder'

/** Created for every call, its signal only for agents that use it: creating one costs more than the rest of a call. */
export class RunningCall {
  readonly id: number
  aborted = false
  /** An unfinished line. */
  partial = ''
  decoder: StringDecoder | undefined
  over = false
  #reason: unknown
  #controller: AbortController | undefined

  constructor(id: number) {
    this.id = id
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController()
    if (this.aborted) this.#controller.abort(this.#reason)
    return this.#controller.signal
  }

  abort(reason: unknown): void {
    this.aborted = true
    this.#reason = reason
    this.#controller?.abort(reason)
  }
}

export const running = new AsyncLocalStorage<RunningCall>()
