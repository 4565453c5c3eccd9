// Writes `session.jsonl`: every line is in the file before anyone hears of it.
import { closeSync, fsyncSync, lstatSync, openSync, renameSync, writeSync } from 'node:fs'
import { basename, dirname, extname, join } from 'node:path'
import { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { FileGuard, inodeOf } from '../../files/file-guard.js'
import { isInside } from '../../files/inside.js'
import { makeFolders } from '../../files/make-folders.js'
import type { SessionRecord } from '../../model/session.js'
import type { Redactor } from '../../redact/redactor.js'

export interface SessionFile {
  path: string
  write(record: SessionRecord): void
  /** Throws a UserError if the file is no longer what was written: nothing could be concluded from it. */
  check(): Promise<void>
  close(): void
}

/** An existing session is kept under another name. */
export function openSession(path: string, redactor: Redactor): SessionFile {
  keepOld(path, dirname(path), 'sessions')
  let fd: number
  try {
    fd = openSync(path, 'wx+', 0o600)
  } catch (error) {
    throw cannotWrite(path, error, 'choose another place for the session')
  }
  const inode = inodeOf(fd, path)
  const guard = new FileGuard({ fd, path, ...(inode !== undefined && { inode }) })
  return {
    path,
    write(record) {
      const bytes = Buffer.from(`${redactor.line(record)}\n`)
      guard.writes()
      try {
        writeAll(fd, bytes)
      } catch (error) {
        throw cannotWrite(path, error, 'the session is complete up to here', 3)
      }
      guard.wrote(bytes)
    },
    async check() {
      fsyncSync(fd)
      const damage = await guard.check()
      if (damage) throw changed(damage.message)
    },
    close: () => closeSync(fd),
  }
}

/** `session.jsonl` becomes `sessions/session-001.jsonl`, and so on. A link is moved, never followed. */
export function keepOld(path: string, root: string, way: string): void {
  if (!lstatSync(path, { throwIfNoEntry: false })) return
  const folder = join(root, way)
  requireInside(root, folder)
  const extension = extname(path)
  const name = basename(path, extension)
  for (let number = 1; ; number++) {
    const other = join(folder, `${name}-${String(number).padStart(3, '0')}${extension}`)
    if (lstatSync(other, { throwIfNoEntry: false })) continue
    try {
      makeFolders(folder)
      renameSync(path, other)
    } catch (error) {
      throw cannotWrite(path, error, 'remove it, or choose another place')
    }
    return
  }
}

/** An agent of an earlier run may have swapped the folder for a link. */
export function requireInside(root: string, folder: string): void {
  if (isInside(root, folder)) return
  throw cannotWrite(folder, `it is a link that leads out of ${root}`, 'remove the link')
}

function writeAll(fd: number, bytes: Buffer): void {
  for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at)
}

function changed(message: string): UserError {
  return new UserError({
    code: 'SESSION_CHANGED',
    message,
    hint: 'an agent may have changed the session, so it no longer shows what the run did: run again',
    exitCode: 3,
  })
}
