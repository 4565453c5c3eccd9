// The lines one test printed: the first 64 kB and the last of 1 MB are kept, the rest is counted.
import { clip } from '../../base/text.js'

const HEAD_BYTES = 64 * 1024
const TOTAL_BYTES = 1024 * 1024

export class LogKeeper {
  #head: string[] = []
  #headBytes = 0
  #tail: string[] = []
  #tailStart = 0
  #tailBytes = 0
  /** Lines beyond the limit, which were dropped. */
  dropped = 0

  add(line: string): void {
    const text = line.length > TOTAL_BYTES - HEAD_BYTES ? clip(line, HEAD_BYTES) : line
    const size = Buffer.byteLength(text) + 1
    if (this.#tail.length === 0 && this.#headBytes + size <= HEAD_BYTES) {
      this.#head.push(text)
      this.#headBytes += size
      return
    }
    this.#tail.push(text)
    this.#tailBytes += size
    while (this.#tailBytes > TOTAL_BYTES - HEAD_BYTES) this.#dropOldest()
  }

  lines(): string[] {
    return [...this.#head, ...this.#tail.slice(this.#tailStart)]
  }

  #dropOldest(): void {
    const oldest = this.#tail[this.#tailStart] ?? ''
    this.#tail[this.#tailStart] = ''
    this.#tailStart++
    this.#tailBytes -= Buffer.byteLength(oldest) + 1
    this.dropped++
    // Shifting a long list at every line would be quadratic.
    if (this.#tailStart < 4096) return
    this.#tail = this.#tail.slice(this.#tailStart)
    this.#tailStart = 0
  }
}
