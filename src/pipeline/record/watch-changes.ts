// Waits for a file or folder to change.
import { unwatchFile, watch, watchFile, type FSWatcher } from 'node:fs'

/** The system reports changes; a change between two waits is not missed. */
export function watchChanges(path: string, signal: AbortSignal): { next(): Promise<void>; close(): void } {
  let changed = false
  let wake: (() => void) | undefined
  const notify = () => {
    changed = true
    wake?.()
  }
  const watcher = startWatching(path, notify)
  signal.addEventListener('abort', notify)
  return {
    async next() {
      if (!changed && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve))
      wake = undefined
      changed = false
    },
    close() {
      watcher.close()
      signal.removeEventListener('abort', notify)
    },
  }
}

function startWatching(path: string, notify: () => void): Pick<FSWatcher, 'close'> {
  try {
    const watcher = watch(path, { persistent: false }, notify)
    watcher.on('error', notify)
    return watcher
  } catch {
    // No watches left, or a file system without them: look once a second instead.
    const listener = () => notify()
    watchFile(path, { interval: 1000, persistent: false }, listener)
    return { close: () => unwatchFile(path, listener) }
  }
}
