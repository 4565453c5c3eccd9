// What proves that a frame comes from our own code: a keyed hash over the frame's number and its body.
// The key is in memory that user code cannot reach: not in a pool, in no object, in no string.
import { createKeyedHash } from './siphash.js'

/** 128 bits in hex. */
export const SEAL_LENGTH = 32

/** The seal of the next frame, which has this body. */
export type Seal = (body: Uint8Array, length: number) => string

export function createSeal(key: Uint8Array): Seal {
  const hash = createKeyedHash(key)
  let count = 0
  return (body, length) => hash(count++, body, length)
}
