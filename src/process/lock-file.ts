// A file that one run writes at a time: `FILE.lock` names the process that has it.
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { isoNow } from '../time/iso-now.js'
import { currentHolder, isHolderAlive, readHolder } from './holder.js'

/** Returns a function that removes the lock. `flag` is the flag with which the user named the file, if any. */
export function lockFile(path: string, { flag }: { flag: string }): () => void {
  const lockPath = `${path}.lock`
  const mine = JSON.stringify({ ...currentHolder(), started: isoNow() })
  for (let tries = 0; ; tries += 1) {
    try {
      writeLock(lockPath, mine)
      return () => removeQuietly(lockPath)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST')
        throw cannotWrite(path, error, flag === '' ? 'choose another place' : `choose another place with ${flag}`)
      const holder = readHolder(lockPath)
      if (tries > 2 || (holder !== undefined && isHolderAlive(holder))) throw locked(path, holder, flag)
      removeQuietly(lockPath)
    }
  }
}

/** A lock left behind is recognised as stale by the next run; no reason to fail this one. */
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

function locked(path: string, holder: { pid: number } | undefined, flag: string): UserError {
  return new UserError({
    code: 'OUTPUT_LOCKED',
    message: `another run${holder ? ` (process ${holder.pid})` : ''} is writing ${path}`,
    hint: `wait for it${flag === '' ? '' : `, or name another file with ${flag}`}; if that run is gone for good, remove ${path}.lock`,
  })
}
