// What shows that a frame comes from our own code: a hash, with a key, over the frame's number and its body.
// The key lies in memory that no code of the user's can get hold of: not in a pool, in no object, in no text.

import { createKeyedHash } from './blake2s.js'

const SEAL_BYTES = 16
/** In hex. */
export const SEAL_LENGTH = 2 * SEAL_BYTES

/** The seal of the next frame, which has this body. */
export type Seal = (body: Uint8Array, length: number) => string

const COUNT_BYTES = 6
const KEPT_BYTES = 64 * 1024

// oxlint-disable-next-line typescript/unbound-method -- bound to whatever it is called with
const setBytes = Function.prototype.call.bind(Uint8Array.prototype.set) as (
  to: Uint8Array,
  from: Uint8Array,
  at: number,
) => void
// A view made with `subarray` asks the script which class to make, and hands it the memory.
const Bytes = Uint8Array
const Memory = ArrayBuffer

export function createSeal(key: Uint8Array): Seal {
  const hash = createKeyedHash(key, SEAL_BYTES)
  const kept = new Bytes(new Memory(KEPT_BYTES))
  let count = 0
  return (body, length) => {
    const size = COUNT_BYTES + length
    const text = size <= KEPT_BYTES ? kept : new Bytes(new Memory(size))
    writeCount(text, count++)
    setBytes(text, body, COUNT_BYTES)
    return hash(text, size)
  }
}

function writeCount(text: Uint8Array, count: number): void {
  let rest = count
  for (let byte = 0; byte < COUNT_BYTES; byte++) {
    text[byte] = rest % 256
    rest = (rest - (rest % 256)) / 256
  }
}
