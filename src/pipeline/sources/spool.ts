// A stream that can be read only once → a temporary file that can be read twice.
import { mkdtemp, open, rm, type FileHandle } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { cannotWrite } from '../../files/cannot-write.js'

export interface Spooled {
  handle: FileHandle
  close(): Promise<void>
}

export async function spool(stream: Readable): Promise<Spooled> {
  const dir = await orFull(mkdtemp(join(tmpdir(), 'viva-input-')))
  let handle: FileHandle | undefined
  const close = async (): Promise<void> => {
    const opened = handle
    handle = undefined
    await opened?.close()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    handle = await orFull(open(join(dir, 'input'), 'wx+', 0o600))
    for await (const chunk of stream) await orFull(handle.writeFile(toBytes(chunk)))
    // If the system allows it the name is removed immediately, so that not even a killed run leaves the file behind.
    await rm(dir, { recursive: true, force: true }).catch(() => {})
    return { handle, close }
  } catch (error) {
    await close()
    throw error
  }
}

async function orFull<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    throw cannotWrite(
      tmpdir(),
      error,
      'the input is copied there first: set TMPDIR to a folder with room, or name a file',
    )
  }
}

function toBytes(chunk: unknown): Uint8Array | string {
  return typeof chunk === 'string' || chunk instanceof Uint8Array ? chunk : String(chunk)
}
