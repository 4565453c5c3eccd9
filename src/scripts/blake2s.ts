// BLAKE2s with a key (RFC 7693): a hash that only who has the key can make. Not from `node:crypto`, which takes longer to
// load than most files of tests take to run. It uses nothing that a script could have replaced: no method, no iterator,
// only numbers and memory of its own.

export const KEY_BYTES = 32

const BLOCK = 64
const ROUNDS = 10
const HEX = '0123456789abcdef'

const IV = new Int32Array([
  0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
])
/** The order of the words of a block, by round. */
const ORDER = new Uint8Array([
  0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3, 11, 8, 12,
  0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4, 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8, 9, 0, 5, 7, 2, 4, 10,
  15, 14, 1, 11, 12, 6, 8, 3, 13, 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9, 12, 5, 1, 15, 14, 13, 4, 10, 0,
  7, 6, 3, 9, 2, 8, 11, 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10, 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7,
  1, 4, 10, 5, 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0,
])

const state = new Int32Array(8)
const v = new Int32Array(16)
const m = new Int32Array(16)
const last = new Uint8Array(BLOCK)

/** Of the first `length` bytes, of which there is at least one; in lower-case hex. */
export type KeyedHash = (bytes: Uint8Array, length: number) => string

/** `key`: 32 bytes. `size`: how many bytes the hash has. */
export function createKeyedHash(key: Uint8Array, size: number): KeyedHash {
  const start = new Int32Array(8)
  for (let at = 0; at < 8; at++) state[at] = IV[at] as number
  state[0] = (state[0] as number) ^ 0x01010000 ^ (KEY_BYTES << 8) ^ size
  // The key is a block of its own, and the same for all texts.
  fillLast(key, 0, KEY_BYTES)
  addBlock(last, 0, BLOCK, false)
  for (let at = 0; at < 8; at++) start[at] = state[at] as number
  return (bytes, length) => {
    for (let at = 0; at < 8; at++) state[at] = start[at] as number
    addText(bytes, length)
    return hexOf(size)
  }
}

function addText(bytes: Uint8Array, length: number): void {
  let at = 0
  for (; length - at > BLOCK; at += BLOCK) addBlock(bytes, at, BLOCK + at + BLOCK, false)
  fillLast(bytes, at, length - at)
  addBlock(last, 0, BLOCK + length, true)
}

function fillLast(bytes: Uint8Array, from: number, count: number): void {
  for (let at = 0; at < BLOCK; at++) last[at] = at < count ? (bytes[from + at] as number) : 0
}

/** `total`: how many bytes there are up to and with this block. */
function addBlock(bytes: Uint8Array, from: number, total: number, isLast: boolean): void {
  for (let at = 0; at < 16; at++) {
    const byte = from + 4 * at
    m[at] =
      (bytes[byte] as number) |
      ((bytes[byte + 1] as number) << 8) |
      ((bytes[byte + 2] as number) << 16) |
      ((bytes[byte + 3] as number) << 24)
  }
  for (let at = 0; at < 8; at++) {
    v[at] = state[at] as number
    v[at + 8] = IV[at] as number
  }
  v[12] = (v[12] as number) ^ (total | 0)
  v[13] = (v[13] as number) ^ ((total / 2 ** 32) | 0)
  if (isLast) v[14] = ~(v[14] as number)
  for (let at = 0; at < 16 * ROUNDS; at += 16) {
    mix(0, 4, 8, 12, at)
    mix(1, 5, 9, 13, at + 2)
    mix(2, 6, 10, 14, at + 4)
    mix(3, 7, 11, 15, at + 6)
    mix(0, 5, 10, 15, at + 8)
    mix(1, 6, 11, 12, at + 10)
    mix(2, 7, 8, 13, at + 12)
    mix(3, 4, 9, 14, at + 14)
  }
  for (let at = 0; at < 8; at++) state[at] = (state[at] as number) ^ (v[at] as number) ^ (v[at + 8] as number)
}

function mix(a: number, b: number, c: number, d: number, order: number): void {
  let va = v[a] as number
  let vb = v[b] as number
  let vc = v[c] as number
  let vd = v[d] as number
  va = (va + vb + (m[ORDER[order] as number] as number)) | 0
  vd ^= va
  vd = (vd >>> 16) | (vd << 16)
  vc = (vc + vd) | 0
  vb ^= vc
  vb = (vb >>> 12) | (vb << 20)
  va = (va + vb + (m[ORDER[order + 1] as number] as number)) | 0
  vd ^= va
  vd = (vd >>> 8) | (vd << 24)
  vc = (vc + vd) | 0
  vb ^= vc
  v[a] = va
  v[b] = (vb >>> 7) | (vb << 25)
  v[c] = vc
  v[d] = vd
}

function hexOf(size: number): string {
  let hex = ''
  for (let at = 0; at < size; at++) {
    const byte = (state[at >> 2] as number) >>> (8 * (at & 3))
    hex += `${HEX[(byte >>> 4) & 15]}${HEX[byte & 15]}`
  }
  return hex
}
