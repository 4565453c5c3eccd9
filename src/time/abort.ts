// Listening to an AbortSignal, cheaply: adding and removing a listener on the signal itself costs more than an echo.
import { getEventListeners } from 'node:events'

/** Our listeners, by signal; the signal itself has one listener for all of them, and keeps it. */
const waiting = new WeakMap<AbortSignal, Set<() => void>>()

/** Calls back once when `signal` aborts, unless `offAbort` comes first. A signal that has aborted never calls. */
export function onAbort(signal: AbortSignal, callback: () => void): void {
  const known = waiting.get(signal)
  if (known) known.add(callback)
  else {
    const callbacks = new Set([callback])
    waiting.set(signal, callbacks)
    signal.addEventListener('abort', () => callAll(callbacks), { once: true })
  }
}

export function offAbort(signal: AbortSignal, callback: () => void): void {
  waiting.get(signal)?.delete(callback)
}

/** A signal of our own that follows another; after `release` no listener is left on it. */
export function follow(outer: AbortSignal): { signal: AbortSignal; release(): void } {
  const controller = new AbortController()
  const onOuter = (): void => controller.abort(outer.reason)
  if (outer.aborted) onOuter()
  else outer.addEventListener('abort', onOuter, { once: true })
  return { signal: controller.signal, release: () => outer.removeEventListener('abort', onOuter) }
}

/** Has no abort listeners. */
export function isUnheard(signal: AbortSignal): boolean {
  const ours = waiting.get(signal)
  if (ours !== undefined && ours.size > 0) return false
  return getEventListeners(signal, 'abort').length === (ours === undefined ? 0 : 1)
}

function callAll(callbacks: Set<() => void>): void {
  for (const callback of callbacks) {
    callbacks.delete(callback)
    callback()
  }
}
