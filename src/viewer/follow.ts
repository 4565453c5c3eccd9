// Reads an event file and goes on reading while it grows. Nothing is read ahead of the reader: whoever takes lines
// slowly makes only himself slow, and the run that writes never waits.
import { watch, watchFile, unwatchFile, type FSWatcher } from 'node:fs'
import { open } from 'node:fs/promises'

export interface Line {
  text: string
  /** Byte offset at which the line starts. */
  at: number
}

/** `lines`: complete lines in order. `idle`: everything written so far was read. `reset`: the file was cut, and starts anew. */
export type Followed = { kind: 'lines'; lines: Line[] } | { kind: 'idle' } | { kind: 'reset' }

const BLOCK = 256 * 1024

export async function* followFile(path: string, signal: AbortSignal): AsyncGenerator<Followed> {
  const file = await open(path, 'r')
  const changes = watchChanges(path, signal)
  try {
    let position = 0
    let rest: Buffer = Buffer.alloc(0)
    let restAt = 0
    const block = Buffer.alloc(BLOCK)
    while (!signal.aborted) {
      const { bytesRead } = await file.read(block, 0, BLOCK, position)
      if (bytesRead === 0) {
        if ((await file.stat()).size < position) {
          position = 0
          rest = Buffer.alloc(0)
          restAt = 0
          yield { kind: 'reset' }
          continue
        }
        yield { kind: 'idle' }
        await changes.next()
        continue
      }
      position += bytesRead
      // A line without its newline may still be written: it waits for the rest.
      const data = Buffer.concat([rest, block.subarray(0, bytesRead)])
      const { lines, used } = splitLines(data, restAt)
      rest = data.subarray(used)
      restAt += used
      if (lines.length > 0) yield { kind: 'lines', lines }
    }
  } finally {
    changes.close()
    await file.close()
  }
}

function splitLines(data: Buffer, at: number): { lines: Line[]; used: number } {
  const lines: Line[] = []
  let from = 0
  for (;;) {
    const newline = data.indexOf(10, from)
    if (newline < 0) return { lines, used: from }
    lines.push({ text: data.toString('utf8', from, newline), at: at + from })
    from = newline + 1
  }
}

/** Told by the system when something changes; a change between two waits is not missed. */
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
