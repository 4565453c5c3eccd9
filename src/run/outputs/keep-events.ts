// Events whose file is about to go, or has gone: they are the only record of the run, so they are kept where it was wanted.
import { createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { openDefaultOutput, type OutputFile } from '../../pipeline/record/open-output.js'

/** Where the events are now; `from`, where they were, if they cannot be written into `dir`. */
export async function keepEvents(events: Lines, from: string, dir: string, now: Date): Promise<string> {
  let file: OutputFile | undefined
  try {
    file = openDefaultOutput(dir, now)
    await pipeline(withNewlines(events), createWriteStream(file.path, { fd: file.fd, flush: true }))
    return file.path
  } catch {
    // The disk may be full, which is why there is no report either.
    if (file) await rm(file.path, { force: true }).catch(() => {})
    return from
  } finally {
    file?.release()
  }
}

interface Lines {
  lines(): AsyncIterable<string>
}

async function* withNewlines(events: Lines): AsyncGenerator<string> {
  for await (const line of events.lines()) yield `${line}\n`
}
