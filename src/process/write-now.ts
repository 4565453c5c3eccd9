// A line for the other end of a channel, bypassing the stream if there is room: the stream doubles the cost of a short line.
import { writeSync } from 'node:fs'
import type { Duplex } from 'node:stream'

export function writeNow(channel: Duplex, line: string): void {
  const written = channel.writableLength > 0 || channel.writableEnded ? 0 : writeSome(channel, line)
  // The other end reads more slowly than we write, or the system has no descriptor to write to.
  if (written < Buffer.byteLength(line)) channel.write(written === 0 ? line : Buffer.from(line).subarray(written))
}

/** How many bytes there was room for. */
function writeSome(channel: Duplex, line: string): number {
  const { fd = -1 } = (channel as { _handle?: { fd?: number } | null })._handle ?? {}
  if (fd < 0) return 0
  try {
    return writeSync(fd, line)
  } catch {
    return 0
  }
}
