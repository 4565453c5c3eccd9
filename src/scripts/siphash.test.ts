import { expect, test } from 'vitest'
import { createKeyedHash, KEY_BYTES } from './siphash.js'

const key = Uint8Array.from({ length: KEY_BYTES }, (_, at) => at)
const bytesOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256)

/** First number, further bytes, and the hash as OpenSSL has it. */
const KNOWN: [number, number, string][] = [
  [0, 0, 'c293ab68efe6f296bd92a49d6257801d'],
  [0, 1, 'b6172c002fd0fbd3e31188f572249452'],
  [0, 3, 'eb80f3ce246d775c854a171bae2b7070'],
  [0, 7, 'e7823cd022cf312b3778639c1460a924'],
  [0, 8, '62594fad73e2878ed335dfd97d905c03'],
  [0, 9, 'a93a5650f1c73a14cb8ee29fa957f2bd'],
  [0, 15, 'c45f8648bbd1d64286e30b40d1d02853'],
  [0, 16, 'e128061d822efc4675f10ff7cc7a5c36'],
  [0, 63, '6a1a0e9ff74cbdb6effea287cf7aac52'],
  [0, 64, '088df0e693c05ae229f2ce28a0102fe5'],
  [0, 300, '23d7b7ee346d8f4e19e43bf14cc0e518'],
  [1, 0, 'f270b484f072aabc016488cb6f60a4d4'],
  [1, 1, '192281ba13e7176e5d436eff98f367d2'],
  [1, 3, '968908b56c806d8f2f54f8f2badaf7c0'],
  [1, 7, '486b5f7146510f8d233b076c0de8b8af'],
  [1, 8, 'adaf1451d074bfc57f60a983fa327000'],
  [1, 9, '666b6c923def600614d178e8a5b51832'],
  [1, 15, '07c103e32e6b26a37dd2521308293ed1'],
  [1, 16, 'e22012cc9b288f9a93a6e0f29520e8c2'],
  [1, 63, 'f3aa43599cf68e22c2de93aa26ca23d9'],
  [1, 64, 'd2c14e20b15e0d5d3c587316f9153fee'],
  [1, 300, '72da4c0de5c4ba108f11d6e066a1fce6'],
  [4294967301, 0, 'a39e1f02c4687553ccd5eda4eb5b00b2'],
  [4294967301, 1, 'ebaeb39d5ddd21df8ee66d0a0c72001c'],
  [4294967301, 3, '8c596afd2642f7c8652b6448fb21a77e'],
  [4294967301, 7, 'e08f612e872acdc6f71a1cb4f260dade'],
  [4294967301, 8, '016b4f445ca1af226a6c3c0c10c2ba8b'],
  [4294967301, 9, 'cfec4831c282f30a1143b932b8a25f7b'],
  [4294967301, 15, '08980391a0e1920c258a3fd6ae0aaeff'],
  [4294967301, 16, '27f673fa469e1039714a1365c700e81c'],
  [4294967301, 63, '78d126c5ca0c24258af79ec91bac2dd3'],
  [4294967301, 64, 'ba0e2c1ae212f921c2f7b92677dfbd34'],
  [4294967301, 300, '8d8b00f787fe1cae12b93db195f38d31'],
]

test.each(KNOWN)('hashes %i and %i bytes as OpenSSL does', (first, length, known) => {
  const hash = createKeyedHash(key)
  // The second time as the first: nothing is left over from a message.
  expect([hash(first, bytesOf(length), length), hash(first, bytesOf(length), length)]).toEqual([known, known])
})

test('what is beyond the length does not count, and everything else does', () => {
  const hash = createKeyedHash(key)
  const bytes = bytesOf(200)
  const known = hash(3, bytes, 130)
  bytes[130] = 99
  expect(hash(3, bytes, 130)).toBe(known)
  const others = [hash(4, bytes, 130), hash(3, bytes, 129), hash(3, bytes, 131)]
  for (let at = 0; at < 130; at++) {
    const other = bytes.slice()
    other[at] = (other[at] ?? 0) ^ 1
    others.push(hash(3, other, 130))
  }
  for (let at = 0; at < KEY_BYTES; at++) {
    const other = key.slice()
    other[at] = (other[at] ?? 0) ^ 0x80
    others.push(createKeyedHash(other)(3, bytes, 130))
  }
  expect(new Set([known, ...others]).size).toBe(1 + others.length)
})
