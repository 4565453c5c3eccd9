// What files contained at some moment, and which of them contain something else now. A file that was only touched has not changed.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { statOf } from '../../files/stat.js'

export type Stamps = Map<string, Stamp>

interface Stamp {
  /** Undefined: it does not exist. */
  size: number | undefined
  time: number
  hash: string
}

/** `before`: files whose size and time are the same are not read again. */
export function takeStamps(files: Iterable<string>, before: Stamps = new Map()): Stamps {
  const stamps: Stamps = new Map()
  for (const file of files) {
    const info = statOf(file)
    const size = info?.isFile() ? info.size : undefined
    const time = info?.mtimeMs ?? 0
    const known = before.get(file)
    const isSame = known !== undefined && known.size === size && known.time === time
    stamps.set(file, isSame ? known : { size, time, hash: size === undefined ? '' : hashOf(file) })
  }
  return stamps
}

/** Including those that have appeared or disappeared. */
export function changedFiles(before: Stamps, now: Stamps): string[] {
  const changed = [...now].filter(([file, { hash, size }]) => {
    const known = before.get(file)
    return known ? known.hash !== hash : size !== undefined
  })
  const gone = [...before].filter(([file, { size }]) => size !== undefined && !now.has(file))
  return [...changed, ...gone].map(([file]) => file)
}

export function isMissing(stamps: Stamps, file: string): boolean {
  return stamps.get(file)?.size === undefined
}

function hashOf(file: string): string {
  try {
    return createHash('sha256').update(readFileSync(file)).digest('hex')
  } catch {
    // Gone in between, or not readable.
    return ''
  }
}
