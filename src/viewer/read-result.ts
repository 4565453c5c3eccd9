// One result out of an event file, by the byte at which its line starts, cut to what a browser should get.
import { open } from 'node:fs/promises'
import type { ResultEvent } from '../model/event.js'
import { cappedLine } from '../pipeline/report/html/cap.js'

const BLOCK = 64 * 1024
const LONGEST = 64 * 1024 * 1024

/** Undefined where no result starts. */
export async function readResult(path: string, at: number): Promise<string | undefined> {
  if (!Number.isSafeInteger(at) || at < 0) return undefined
  const line = await readLine(path, at)
  try {
    const event = JSON.parse(line) as ResultEvent | null
    return event?.type === 'result' ? cappedLine(event) : undefined
  } catch {
    return undefined
  }
}

async function readLine(path: string, at: number): Promise<string> {
  const file = await open(path, 'r')
  try {
    const parts: Buffer[] = []
    for (let size = 0; size < LONGEST;) {
      const buffer = Buffer.alloc(BLOCK)
      const { bytesRead } = await file.read(buffer, 0, BLOCK, at + size)
      const part = buffer.subarray(0, bytesRead)
      const newline = part.indexOf(10)
      parts.push(newline < 0 ? part : part.subarray(0, newline))
      if (newline >= 0 || bytesRead === 0) break
      size += bytesRead
    }
    return Buffer.concat(parts).toString('utf8')
  } finally {
    await file.close()
  }
}
