// Which ids were seen, and on which line: twelve bytes per id, so that a million of them fit in a few megabytes.

/** An id is kept as a 64-bit hash; with a million ids, two different ones collide in one file out of 37 million. */
export class IdTable {
  #size = 0
  #high = new Uint32Array(SMALLEST)
  #low = new Uint32Array(SMALLEST)
  /** 0 = free. */
  #lines = new Uint32Array(SMALLEST)

  /** Makes room for that many ids in one go. */
  reserve(count: number): void {
    if (count * FULL_INVERSE > this.#lines.length) this.#resize(Math.ceil(count * FULL_INVERSE))
  }

  /** The line on which this id was seen before, or 0. */
  add(id: string, line: number): number {
    if (this.#size * FULL_INVERSE >= this.#lines.length) this.#resize(this.#lines.length * 2)
    hashId(id)
    const slot = this.#find(hashHigh, hashLow)
    const earlier = this.#lines[slot] ?? 0
    if (earlier > 0) return earlier
    this.#high[slot] = hashHigh
    this.#low[slot] = hashLow
    this.#lines[slot] = line
    this.#size++
    return 0
  }

  has(id: string): boolean {
    return this.lineOf(id) !== 0
  }

  /** 0 if it was never seen. */
  lineOf(id: string): number {
    hashId(id)
    return this.#lines[this.#find(hashHigh, hashLow)] ?? 0
  }

  #find(high: number, low: number): number {
    const capacity = this.#lines.length
    let slot = Math.floor((low / 0x1_0000_0000) * capacity)
    while (this.#lines[slot] !== 0 && (this.#high[slot] !== high || this.#low[slot] !== low)) {
      slot = slot + 1 === capacity ? 0 : slot + 1
    }
    return slot
  }

  #resize(capacity: number): void {
    const [high, low, lines] = [this.#high, this.#low, this.#lines]
    this.#high = new Uint32Array(capacity)
    this.#low = new Uint32Array(capacity)
    this.#lines = new Uint32Array(capacity)
    for (let old = 0; old < lines.length; old++) {
      if (lines[old] === 0) continue
      const slot = this.#find(high[old] ?? 0, low[old] ?? 0)
      this.#high[slot] = high[old] ?? 0
      this.#low[slot] = low[old] ?? 0
      this.#lines[slot] = lines[old] ?? 0
    }
  }
}

const SMALLEST = 1024
/** The table is at most four fifths full. */
const FULL_INVERSE = 1.25

// Two results without an object per call.
let hashHigh = 0
let hashLow = 0

/** Two 32-bit multiply-and-mix streams over the characters, each finished with the other's bits. */
function hashId(id: string): void {
  let a = 0xdeadbeef
  let b = 0x41c6ce57
  for (let i = 0; i < id.length; i++) {
    const code = id.charCodeAt(i)
    a = Math.imul(a ^ code, 0x9e3779b1)
    b = Math.imul(b ^ code, 0x5f356495)
    a = (a << 13) | (a >>> 19)
    b = (b << 17) | (b >>> 15)
  }
  a = Math.imul(a ^ (a >>> 16), 0x85ebca6b) ^ Math.imul(b ^ (b >>> 13), 0xc2b2ae35)
  b = Math.imul(b ^ (b >>> 16), 0x85ebca6b) ^ Math.imul(a ^ (a >>> 13), 0xc2b2ae35)
  hashHigh = (a ^ (a >>> 16)) >>> 0
  hashLow = (b ^ (b >>> 15)) >>> 0
}
