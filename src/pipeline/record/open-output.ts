// Opens the event file before anything runs: names it, locks it, refuses what cannot be written.
import { closeSync, ftruncateSync, openSync, readSync, unlinkSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { randomBytes, type Hash } from 'node:crypto'
import { defined } from '../../base/defined.js'
import { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import { lockFile, removeQuietly } from '../../process/lock-file.js'
import { inodeOf, newHash } from '../../files/file-guard.js'
import type { OpenedFile } from './event-log.js'
import { fileTime } from './file-time.js'
import { setAside } from './set-aside.js'
import { statOf } from '../../files/stat.js'

export interface OutputFile extends OpenedFile {
  /** Removes the lock, and the file itself if it was only temporary. */
  release(): void
  temporary: boolean
}

export interface NamedOutput {
  /** Replace the existing content as soon as there is a first result. */
  force: boolean
  /** Where an older run in the file is moved to. */
  asideIn: string
  onAside(to: string): void
}

/** `-o x.jsonl`: a new file. An older run is set aside; anything else at that path stays, unless forced. */
export function openNamedOutput(path: string, named: NamedOutput): OutputFile {
  let info = statPath(path)
  if (info?.isDirectory()) throw cannotWrite(path, 'it is a folder', 'name a file in it')
  makeParent(path)
  const device = info !== undefined && !info.isFile()
  const unlock = device ? () => {} : lock(path)
  try {
    if (info && !device && info.size > 0 && !named.force) {
      requireSetAside(path, named)
      info = undefined
    }
    const fd = openSync(path, info && !device ? 'r+' : device ? 'w' : 'wx+')
    const file: OutputFile = { ...opened(fd, path, device), temporary: false, release: unlock }
    if (info && !device && info.size > 0) file.replaceOnFirstResult = true
    else probe(file, device)
    return file
  } catch (error) {
    unlock()
    throw error instanceof UserError ? error : cannotWrite(path, error, 'choose another place with -o')
  }
}

/** A copy of the events goes to this path: it is new, or held an older run that is set aside. */
export function requireSetAside(path: string, { force, asideIn, onAside }: NamedOutput): void {
  const info = statPath(path)
  if (force || !info?.isFile() || info.size === 0) return
  const aside = setAside(path, asideIn)
  if (aside === undefined) throw exists(path)
  onAside(aside)
}

/** With no `-o` in file mode: `{dir}/output-{YYYYMMDDHHMMSS}.jsonl`, a second one in the same second gets `-2`. */
export function openDefaultOutput(dir: string, now: Date): OutputFile {
  const stem = join(dir, `output-${fileTime(now)}`)
  for (let n = 1; ; n += 1) {
    const path = n === 1 ? `${stem}.jsonl` : `${stem}-${n}.jsonl`
    try {
      const fd = openSync(path, 'wx+')
      return { ...opened(fd, path), temporary: false, release: lock(path) }
    } catch (error) {
      if (error instanceof UserError) throw error
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw cannotWrite(path, error, 'choose another place with -o')
    }
  }
}

/** Events of a run whose user asked only for other formats: kept until the reports are written. */
export function openTemporaryOutput(): OutputFile {
  const path = join(tmpdir(), `viva-${randomBytes(8).toString('hex')}.jsonl`)
  const hint = 'set TMPDIR to a folder that can be written, or give -o events.jsonl'
  try {
    const fd = openSync(path, 'wx+', 0o600)
    const file: OutputFile = { ...opened(fd, path), temporary: true, release: () => removeQuietly(path) }
    probe(file, false, hint)
    return file
  } catch (error) {
    throw error instanceof UserError ? error : cannotWrite(path, error, hint)
  }
}

/** An interrupted run's file as it was read: what to keep of it, and the hash of it all. */
export interface ReadFile {
  path: string
  length: number
  digest: string
}

/** An interrupted run's file, truncated to `length` and ready to be continued. */
export function openForResume({ path, length, digest }: ReadFile): OutputFile {
  const unlock = lock(path)
  try {
    const fd = openSync(path, 'r+')
    const hash = hashOfStart(fd, length, digest)
    if (!hash) throw changedMeanwhile(path)
    // Remains of a torn line or an old summary would otherwise show up after a shorter new line.
    ftruncateSync(fd, length)
    return { ...opened(fd, path), offset: length, temporary: false, hash, release: unlock }
  } catch (error) {
    unlock()
    throw error instanceof UserError ? error : cannotWrite(path, error, 'the file must be writable to continue it')
  }
}

function opened(fd: number, path: string, device = false): OpenedFile {
  if (device) return { fd, path, offset: 0, device }
  return defined({ fd, path, offset: 0, inode: inodeOf(fd, path) })
}

/** The hash of the first `length` bytes; undefined if the whole is not what was read before. */
function hashOfStart(fd: number, length: number, digest: string): Hash | undefined {
  const hash = newHash()
  let start: Hash | undefined
  const block = Buffer.allocUnsafe(256 * 1024)
  for (let position = 0; ;) {
    if (position === length) start = hash.copy()
    const wanted = position < length ? Math.min(block.length, length - position) : block.length
    const count = readSync(fd, block, 0, wanted, position)
    if (count === 0) break
    hash.update(block.subarray(0, count))
    position += count
  }
  return hash.digest('hex') === digest ? start : undefined
}

/** Reports are written at the end; that they can be is checked at the start. */
export function requireWritable(path: string, flag = '-o'): void {
  if (statPath(path)?.isDirectory()) throw cannotWrite(path, 'it is a folder', 'name a file in it')
  makeParent(path, flag)
  const trial = join(dirname(path), `.${basename(path)}.${randomBytes(4).toString('hex')}`)
  try {
    closeSync(openSync(trial, 'wx'))
    unlinkSync(trial)
  } catch (error) {
    throw cannotWrite(path, error, `choose another place with ${flag}`)
  }
}

/** `hint` is for files that are not event files, which no run can continue. */
export function requireNew(path: string, force: boolean, hint?: string): void {
  const info = statPath(path)
  if (info?.isFile() && info.size > 0 && !force) throw exists(path, hint)
}

/** A full disk, and a device such as /dev/full, only refuse when written to. */
function probe(file: OutputFile, device: boolean, hint = 'choose another place with -o'): void {
  try {
    writeSync(file.fd, '\n')
    if (!device) ftruncateSync(file.fd, 0)
  } catch (error) {
    closeSync(file.fd)
    if (!device) removeQuietly(file.path)
    throw cannotWrite(file.path, error, hint)
  }
}

function lock(path: string): () => void {
  return lockFile(path, { flag: '-o' })
}

function makeParent(path: string, flag = '-o'): void {
  try {
    makeFolders(dirname(path))
  } catch (error) {
    throw cannotWrite(path, error, `choose another place with ${flag}`)
  }
}

function statPath(path: string): ReturnType<typeof statOf> {
  return statOf(path)
}

function exists(path: string, hint?: string): UserError {
  return new UserError({
    code: 'OUTPUT_EXISTS',
    message: `${path} already exists`,
    hint: hint ?? `resume it (viva test --resume ${path}), replace it (--force), or name another file with -o`,
  })
}

function changedMeanwhile(path: string): UserError {
  return new UserError({
    code: 'EVENTS_CHANGED',
    message: `${path} was changed while it was being read`,
    hint: 'another run may have continued it: try again',
  })
}
