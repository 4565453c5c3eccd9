// Writes a report so that its file is either the old one or the new one, never half of either.
import { open, realpath, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import { temporaryFor } from '../../files/temporary.js'
import type { Recording, Reporter, Screen } from './recording.js'

const BUFFERED = 64 * 1024
const PLAIN: Screen = { columns: 80, color: false, verbose: false }

export async function writeReport(
  reporter: Reporter,
  recording: Recording,
  path: string,
  screen: Screen = PLAIN,
): Promise<void> {
  // A file has no colours, whatever the terminal has.
  await writeChunks(path, reporter(recording, { ...screen, color: false }))
}

export async function writeText(path: string, text: string): Promise<void> {
  await writeChunks(path, [text])
}

/** Replaces a symbolic link instead of following it: for folders in which others may have left one. */
export async function writeTextHere(path: string, text: string): Promise<void> {
  await replace(path, path, [text])
}

export async function writeChunks(path: string, chunks: AsyncIterable<string> | Iterable<string>): Promise<void> {
  // Through a symbolic link the file it points at is replaced, not the link.
  const target = await realpath(path).catch(() => path)
  const old = await stat(target).catch(() => undefined)
  if (old?.isDirectory()) throw notWritten(path, 'it is a folder')
  if (old && !old.isFile()) return writeInto(path, target, 'w', chunks)
  await replace(path, target, chunks, old?.mode)
}

async function replace(
  path: string,
  target: string,
  chunks: AsyncIterable<string> | Iterable<string>,
  mode?: number,
): Promise<void> {
  makeParent(path, target)
  const temporary = temporaryFor(target)
  try {
    await writeInto(path, temporary, 'wx', chunks, mode)
    await rename(temporary, target)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function makeParent(path: string, target: string): void {
  try {
    makeFolders(dirname(target))
  } catch (error) {
    throw notWritten(path, error)
  }
}

async function writeInto(
  path: string,
  target: string,
  flags: string,
  chunks: AsyncIterable<string> | Iterable<string>,
  mode?: number,
): Promise<void> {
  const file = await open(target, flags).catch((error: unknown) => {
    throw notWritten(path, error)
  })
  try {
    if (mode !== undefined) await file.chmod(mode & 0o777)
    let buffered = ''
    for await (const chunk of chunks) {
      buffered += chunk
      if (buffered.length < BUFFERED) continue
      await append(file, path, buffered)
      buffered = ''
    }
    await append(file, path, buffered)
    // A device or pipe cannot be synced; a file must be before it replaces the old one.
    if (flags === 'wx') await file.sync()
  } finally {
    await file.close()
  }
}

async function append(file: FileHandle, path: string, text: string): Promise<void> {
  try {
    await file.appendFile(text)
  } catch (error) {
    throw notWritten(path, error)
  }
}

function notWritten(path: string, reason: unknown): UserError {
  const hint = 'make room or choose another place with -o; the event file is kept, so `viva report` can write it later'
  return cannotWrite(path, reason, hint, 3)
}
