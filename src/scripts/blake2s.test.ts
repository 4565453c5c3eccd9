import { expect, test } from 'vitest'
import { createKeyedHash, KEY_BYTES } from './blake2s.js'

const key = Uint8Array.from({ length: KEY_BYTES }, (_, at) => at)
const textOf = (length: number): Uint8Array => Uint8Array.from({ length }, (_, at) => (at * 7 + length) % 256)

/** By length of the text: of 16 bytes and of 32, as another implementation has them. */
const KNOWN: [number, string, string][] = [
  [1, '09592f9cc501fa68e20d2d4c6eddb4d6', '09bc37a9299f3c678db55bc9964eaae34f83b16a5dca296eb36c95a6837a5924'],
  [2, 'a5b299419ac626d42cc09487a53f2c73', '066079cce2f4ff34cc96c24e4453cce27577b5f2aabbad9c22ba75558b62c6e4'],
  [3, '3a1c561fc35d607a752c8b807fc5826e', 'dcbc3792526c5476e8a50d531bd25474e64d39845134a6743182e9f10f55cc94'],
  [63, '9451c45219c16aea00f764a122188a72', 'a2c71d2d4c147a03cba3cb956359d81fc7727d9446b522de7ea7408d54efba0b'],
  [64, 'a98bd19ee44f86595e699274b7c20141', '553903ba3e4bde49f11fd6e52fd44a979fda065191baf3d24aa86224309f3f15'],
  [65, '932e312affdbb0e4cdbe528d374cc65e', '6ca63e65668ea7df8ca89635b08c71e09734af02d13963fdcfd0dc5d2c305189'],
  [127, 'd83459ba9ac86557e8b53626fb5207c2', '5de4cb15af5ec9c1ae564bd184349976e7f7022fd5c6e5efc1f3c4478b1439ac'],
  [128, '36a944d1c56b95e223bf3965a3de6d18', '42faca8ba5fbf3ee4a803ed44db2763f4e5202f4dc49b03dc5f2331aab756569'],
  [129, 'd48a90e07a10d4c47f65fcd9d60a4b9c', 'e182b491da69632da247d387f65649149802cf35800242f0b05d85643db12336'],
  [255, 'e7ce471761397e1cd44d881ea21c3b2f', 'c0bf048136132d97cfae2a1b066c3fd0a308eafca5ac8249cfe97de8ff5610c3'],
  [1000, 'c0e56194df379157c0d512ad6b9d5d0a', 'b3037fd89cc26644536a281cf0e6da7c8d87011ed1683e51578c0191d183264f'],
]

test.each(KNOWN)('hashes %i bytes as others do', (length, short, long) => {
  const text = textOf(length)
  // The second time as the first: nothing is left over from a text.
  for (const hash of [createKeyedHash(key, 16), createKeyedHash(key, 16)]) {
    expect([hash(text, length), hash(text, length)]).toEqual([short, short])
  }
  expect(createKeyedHash(key, 32)(text, length)).toBe(long)
})

test('what lies beyond the length does not count, and every byte before it does', () => {
  const hash = createKeyedHash(key, 16)
  const text = textOf(200)
  const known = hash(text, 130)
  text[130] = 99
  expect(hash(text, 130)).toBe(known)
  for (let at = 0; at < 130; at++) {
    const other = text.slice()
    other[at] = (other[at] ?? 0) ^ 1
    expect(hash(other, 130)).not.toBe(known)
  }
  const otherKey = key.slice()
  otherKey[31] = 0
  expect(createKeyedHash(otherKey, 16)(text, 130)).not.toBe(known)
})
