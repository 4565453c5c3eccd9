// Payloads in pieces: Redis blocks while it copies a large value, but not for a list of small ones.
import type { Redis } from 'ioredis'

export const PIECE_BYTES = 256 * 1024

/** Cut between characters. At least one piece. */
export function piecesOf(text: string, bytes = PIECE_BYTES): string[] {
  if (text.length * 3 <= bytes) return [text]
  const buffer = Buffer.from(text)
  const pieces: string[] = []
  for (let start = 0; start < buffer.length || pieces.length === 0;) {
    let end = Math.min(buffer.length, start + bytes)
    // 10xxxxxx continues the character before it.
    while (end < buffer.length && ((buffer[end] ?? 0) & 0b1100_0000) === 0b1000_0000) end -= 1
    pieces.push(buffer.toString('utf8', start, end))
    start = end
  }
  return pieces
}

/** Replaces what was there, atomically. */
export async function putPieces(redis: Redis, key: string, text: string, expireMs: number): Promise<void> {
  const change = redis.multi().del(key)
  for (const piece of piecesOf(text)) change.rpush(key, piece)
  await change.pexpire(key, expireMs).exec()
}

export async function getPieces(redis: Redis, key: string): Promise<string | undefined> {
  const pieces = await redis.lrange(key, 0, -1)
  return pieces.length === 0 ? undefined : pieces.join('')
}
