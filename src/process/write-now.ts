// A line for the other end of a channel, past the stream where there is room: the stream doubles what a short line costs.
import { writeSync } from 'node:fs'
import type { Duplex } from 'node:stream'

export function writeNow(channel: Duplex, line: string): void {
  const bytes = Buffer.from(line)
  const written = channel.writableLength > 0 || channel.writableEnded ? 0 : writeSome(channel, bytes)
  // The other end is slower in reading than we are in writing, or the system has no descriptor to write to.
  if (written < bytes.length) channel.write(written === 0 ? bytes : bytes.subarray(written))
}

/** How many bytes there was room for. */
function writeSome(channel: Duplex, bytes: Buffer): number {
  const { fd = -1 } = (channel as { _handle?: { fd?: number } | null })._handle ?? {}
  if (fd < 0) return 0
  try {
    return writeSync(fd, bytes)
  } catch {
    return 0
  }
}
