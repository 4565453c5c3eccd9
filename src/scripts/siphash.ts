// SipHash-2-4 with 128 bits: a hash that only the holder of the key can compute, meant for short messages. Not from
// `node:crypto`, which takes longer to load than most test files take to run. It uses nothing that a script could have
// replaced: no method, no iterator, only numbers and its own memory.

export const KEY_BYTES = 16

const HEX = '0123456789abcdef'
const SECOND_HALF = 0xdd
const LONG = 0xee

/** Four 64-bit numbers, low half first. */
const v = new Int32Array(8)
const out = new Int32Array(4)

/** Of the message that starts with a number and continues with the first `length` bytes; in lower-case hex. */
export type KeyedHash = (first: number, bytes: Uint8Array, length: number) => string

export function createKeyedHash(key: Uint8Array): KeyedHash {
  const start = new Int32Array([
    word(key, 0) ^ 0x70736575,
    word(key, 4) ^ 0x736f6d65,
    word(key, 8) ^ 0x6e646f6d ^ LONG,
    word(key, 12) ^ 0x646f7261,
    word(key, 0) ^ 0x6e657261,
    word(key, 4) ^ 0x6c796765,
    word(key, 8) ^ 0x79746573,
    word(key, 12) ^ 0x74656462,
  ])
  return (first, bytes, length) => {
    for (let at = 0; at < 8; at++) v[at] = start[at] as number
    add(first | 0, (first / 2 ** 32) | 0)
    addBytes(bytes, length)
    v[4] = (v[4] as number) ^ LONG
    mix(4)
    keep(0)
    v[2] = (v[2] as number) ^ SECOND_HALF
    mix(4)
    keep(2)
    return hexOf(out)
  }
}

/** In steps of eight; the last one holds the remainder, and at its end the length of the message. */
function addBytes(bytes: Uint8Array, length: number): void {
  const whole = length - (length % 8)
  for (let at = 0; at < whole; at += 8) add(word(bytes, at), word(bytes, at + 4))
  let low = 0
  let high = (length + 8) << 24
  for (let at = whole; at < length; at++) {
    const byte = (bytes[at] as number) << (8 * (at % 4))
    if (at - whole < 4) low |= byte
    else high |= byte
  }
  add(low, high)
}

function word(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  )
}

function add(low: number, high: number): void {
  v[6] = (v[6] as number) ^ low
  v[7] = (v[7] as number) ^ high
  mix(2)
  v[0] = (v[0] as number) ^ low
  v[1] = (v[1] as number) ^ high
}

function keep(at: number): void {
  out[at] = (v[0] as number) ^ (v[2] as number) ^ (v[4] as number) ^ (v[6] as number)
  out[at + 1] = (v[1] as number) ^ (v[3] as number) ^ (v[5] as number) ^ (v[7] as number)
}

/** `a`, `b`, `c`, `d` are v0 to v3 of the specification, each in two halves. */
function mix(rounds: number): void {
  let a = v[0] as number
  let aa = v[1] as number
  let b = v[2] as number
  let bb = v[3] as number
  let c = v[4] as number
  let cc = v[5] as number
  let d = v[6] as number
  let dd = v[7] as number
  let low = 0
  for (let round = 0; round < rounds; round++) {
    // a += b; b = rotate(b, 13) ^ a; a = rotate(a, 32)
    low = (a + b) | 0
    aa = (aa + bb + (low >>> 0 < a >>> 0 ? 1 : 0)) | 0
    a = low
    low = ((b << 13) | (bb >>> 19)) ^ a
    bb = ((bb << 13) | (b >>> 19)) ^ aa
    b = low
    low = a
    a = aa
    aa = low
    // c += d; d = rotate(d, 16) ^ c
    low = (c + d) | 0
    cc = (cc + dd + (low >>> 0 < c >>> 0 ? 1 : 0)) | 0
    c = low
    low = ((d << 16) | (dd >>> 16)) ^ c
    dd = ((dd << 16) | (d >>> 16)) ^ cc
    d = low
    // a += d; d = rotate(d, 21) ^ a
    low = (a + d) | 0
    aa = (aa + dd + (low >>> 0 < a >>> 0 ? 1 : 0)) | 0
    a = low
    low = ((d << 21) | (dd >>> 11)) ^ a
    dd = ((dd << 21) | (d >>> 11)) ^ aa
    d = low
    // c += b; b = rotate(b, 17) ^ c; c = rotate(c, 32)
    low = (c + b) | 0
    cc = (cc + bb + (low >>> 0 < c >>> 0 ? 1 : 0)) | 0
    c = low
    low = ((b << 17) | (bb >>> 15)) ^ c
    bb = ((bb << 17) | (b >>> 15)) ^ cc
    b = low
    low = c
    c = cc
    cc = low
  }
  v[0] = a
  v[1] = aa
  v[2] = b
  v[3] = bb
  v[4] = c
  v[5] = cc
  v[6] = d
  v[7] = dd
}

function hexOf(words: Int32Array): string {
  let hex = ''
  for (let at = 0; at < 16; at++) {
    const byte = (words[at >> 2] as number) >>> (8 * (at & 3))
    hex += `${HEX[(byte >>> 4) & 15]}${HEX[byte & 15]}`
  }
  return hex
}
