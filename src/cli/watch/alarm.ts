// Reports when something happens in folders: once for many changes that come together.
import { watch, type FSWatcher } from 'node:fs'
import { statOf } from '../../files/stat.js'
import { monotonicNow } from '../../time/clock.js'

/** Editors save in several steps, and people save several files. */
const QUIET_MS = 80
const LONGEST_MS = 500
/** If the system cannot report changes, we have to poll. */
const LOOK_MS = 1000

export interface Alarm {
  /** From now on these; those that stay are not opened again. */
  follow(folders: Iterable<string>): void
  close(): void
}

export function openAlarm(onAlarm: () => void): Alarm {
  const watchers = new Map<string, { watcher: FSWatcher; inode: number | undefined }>()
  let timer: NodeJS.Timeout | undefined
  let look: NodeJS.Timeout | undefined
  let first = 0
  const ring = (): void => {
    timer = undefined
    first = 0
    onAlarm()
  }
  const heard = (): void => {
    first ||= monotonicNow()
    const wait = Math.min(QUIET_MS, Math.max(0, LONGEST_MS - (monotonicNow() - first)))
    clearTimeout(timer)
    timer = setTimeout(ring, wait)
  }
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, heard)
      // A removed folder: everything in it has changed.
      watcher.on('error', () => {
        watcher.close()
        watchers.delete(folder)
        heard()
      })
      watchers.set(folder, { watcher, inode: statOf(folder)?.ino })
    } catch {
      look ??= setInterval(heard, LOOK_MS)
    }
  }
  return {
    follow: (folders) => {
      const wanted = new Set(folders)
      for (const [folder, { watcher, inode }] of watchers) {
        // One that was removed and created again is a different folder.
        if (wanted.has(folder) && statOf(folder)?.ino === inode) continue
        watcher.close()
        watchers.delete(folder)
      }
      clearInterval(look)
      look = undefined
      for (const folder of wanted) if (!watchers.has(folder)) open(folder)
    },
    close: () => {
      clearTimeout(timer)
      clearInterval(look)
      for (const { watcher } of watchers.values()) watcher.close()
      watchers.clear()
    },
  }
}
