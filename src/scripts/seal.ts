// What shows that a frame comes from our own code: a hash over a key, the frame's number and its body.
// The key lies in memory that no code of the user's can get hold of: not in a pool, in no object, in no text.
import { sha256 } from '../process/sha256.js'

export const KEY_BYTES = 32
/** Half of the hash, so that nobody can go on from it to the hash of a longer body. In hex. */
export const SEAL_LENGTH = 32

/** The seal of the next frame, which has this body. */
export type Seal = (body: Uint8Array, length: number) => string

const COUNT_BYTES = 6
const HEAD_BYTES = KEY_BYTES + COUNT_BYTES
const KEPT_BYTES = 64 * 1024

/* oxlint-disable typescript/unbound-method -- bound to whatever they are called with */
const { call } = Function.prototype
const setBytes = call.bind(Uint8Array.prototype.set) as (to: Uint8Array, from: Uint8Array, at: number) => void
const cut = call.bind(String.prototype.slice) as (text: string, start: number, end: number) => string
/* oxlint-enable typescript/unbound-method */
// A view made with `subarray` asks the script which class to make, and hands it the memory.
const Bytes = Uint8Array
const Memory = ArrayBuffer

export function createSeal(key: Uint8Array): Seal {
  const kept = new Memory(KEPT_BYTES)
  const head = new Bytes(kept)
  setBytes(head, key, 0)
  let count = 0
  return (body, length) => {
    writeCount(head, count++)
    const size = HEAD_BYTES + length
    const memory = size <= KEPT_BYTES ? kept : new Memory(size)
    const text = new Bytes(memory, 0, size)
    if (memory !== kept) setBytes(text, new Bytes(kept, 0, HEAD_BYTES), 0)
    setBytes(text, body, HEAD_BYTES)
    return cut(sha256(text), 0, SEAL_LENGTH)
  }
}

function writeCount(head: Uint8Array, count: number): void {
  let rest = count
  for (let byte = 0; byte < COUNT_BYTES; byte++) {
    head[KEY_BYTES + byte] = rest % 256
    rest = (rest - (rest % 256)) / 256
  }
}
