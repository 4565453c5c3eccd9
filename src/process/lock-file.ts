// A file that one run writes at a time: `FILE.lock` names the process that has it.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { hostname } from 'node:os'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { isoNow } from '../time/iso-now.js'
import { currentPlatform } from './platform/current.js'

/** Returns what removes the lock. `flag` is how the user named the file. */
export function lockFile(path: string, { flag }: { flag: string }): () => void {
  const lockPath = `${path}.lock`
  const mine = JSON.stringify({
    pid: process.pid,
    host: hostname(),
    started: isoNow(),
    process_start: currentPlatform.startTime(process.pid),
  })
  for (let tries = 0; ; tries += 1) {
    try {
      writeLock(lockPath, mine)
      return () => removeQuietly(lockPath)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw cannotWrite(path, error, `choose another place with ${flag}`)
      const holder = readHolder(lockPath)
      if (tries > 2 || (holder !== undefined && isAlive(holder))) throw locked(path, holder, flag)
      removeQuietly(lockPath)
    }
  }
}

/** A lock that stays behind is found to be stale by the next run; it is no reason to fail this one. */
export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true })
  } catch {
    // It stays.
  }
}

function writeLock(lockPath: string, holder: string): void {
  const fd = openSync(lockPath, 'wx')
  try {
    writeSync(fd, holder)
  } catch (error) {
    removeQuietly(lockPath)
    throw error
  } finally {
    closeSync(fd)
  }
}

interface Holder {
  pid: number
  host: string
  /** Tells a process from a later one with the same id; absent where the system does not say. */
  process_start?: string
}

function readHolder(lockPath: string): Holder | undefined {
  try {
    const holder = JSON.parse(readFileSync(lockPath, 'utf8')) as Partial<Holder>
    if (typeof holder.pid === 'number' && typeof holder.host === 'string') return holder as Holder
  } catch {
    // A lock without a readable holder was left by a crash: it is taken over.
  }
  return undefined
}

function isAlive(holder: Holder): boolean {
  if (holder.host !== hostname()) return true
  return currentPlatform.isRunning(holder.pid, holder.process_start)
}

function locked(path: string, holder: { pid: number } | undefined, flag: string): UserError {
  return new UserError({
    code: 'OUTPUT_LOCKED',
    message: `another run${holder ? ` (process ${holder.pid})` : ''} is writing ${path}`,
    hint: `wait for it, or name another file with ${flag}; if that run is gone for good, remove ${path}.lock`,
  })
}
