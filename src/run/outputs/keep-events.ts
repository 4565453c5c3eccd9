// Temporary events whose report failed: they are the only record of the run, so they stay where the report was wanted.
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openDefaultOutput, type OutputFile } from '../../pipeline/record/open-output.js'

/** Where the events are now; where they were, when they cannot be written beside the report. */
export async function keepEvents(from: string, dir: string, now: Date): Promise<string> {
  let file: OutputFile | undefined
  try {
    file = openDefaultOutput(dir, now)
    await pipeline(createReadStream(from), createWriteStream(file.path, { fd: file.fd, flush: true }))
    return file.path
  } catch {
    // The disk may be full, which is why there is no report either.
    if (file) await rm(file.path, { force: true }).catch(() => {})
    return from
  } finally {
    file?.release()
  }
}
