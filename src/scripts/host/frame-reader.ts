// Cuts the bytes from a script's process into messages. A frame without the right seal is not from our own code.
import { deserialize, serialize } from 'node:v8'
import { plainForPeople } from '../child/plain.js'
import { HEADER_BYTES, type ChildMessage, type HostMessage } from '../protocol.js'
import { createSeal, SEAL_LENGTH, type Seal } from '../seal.js'

const MAX_FRAME_BYTES = 512 * 1024 * 1024

/** Something other than our own code wrote to the private channel. */
export class ForgedFrameError extends Error {}

export class FrameReader {
  readonly #seal: Seal
  #chunks: Buffer[] = []
  #size = 0

  constructor(key: Uint8Array) {
    this.#seal = createSeal(key)
  }

  push(chunk: Buffer): ChildMessage[] {
    this.#chunks.push(chunk)
    this.#size += chunk.length
    const messages: ChildMessage[] = []
    for (;;) {
      const length = this.#nextLength()
      if (length === undefined || this.#size < HEADER_BYTES + length) return messages
      const all = this.#joined()
      messages.push(this.#decode(all.subarray(HEADER_BYTES, HEADER_BYTES + length)))
      this.#chunks = [all.subarray(HEADER_BYTES + length)]
      this.#size = all.length - HEADER_BYTES - length
    }
  }

  #nextLength(): number | undefined {
    if (this.#size < HEADER_BYTES) return undefined
    const [first] = this.#chunks
    const start = first && first.length >= HEADER_BYTES ? first : this.#joined()
    const length = start.readUInt32LE(0)
    if (length < SEAL_LENGTH || length > MAX_FRAME_BYTES) throw new ForgedFrameError(`a frame of ${length} bytes`)
    return length
  }

  /** Only when a frame is complete: joining at every chunk would be quadratic. */
  #joined(): Buffer {
    const [first] = this.#chunks
    if (this.#chunks.length === 1 && first) return first
    const all = Buffer.concat(this.#chunks, this.#size)
    this.#chunks = [all]
    return all
  }

  #decode(frame: Buffer): ChildMessage {
    const body = frame.subarray(SEAL_LENGTH)
    if (frame.toString('latin1', 0, SEAL_LENGTH) !== this.#seal(body, body.length)) {
      throw new ForgedFrameError('a frame without our seal')
    }
    return deserialize(body) as ChildMessage
  }
}

/** What cannot be sent as it is, such as a function in an agent's reply, is sent as text. */
function serializeAny(message: HostMessage): Buffer {
  try {
    return serialize(message)
  } catch {
    return serialize(plainForPeople(message))
  }
}

export function encodeFrame(message: HostMessage): Buffer {
  const body = serializeAny(message)
  const frame = Buffer.allocUnsafe(HEADER_BYTES + body.length)
  frame.writeUInt32LE(body.length, 0)
  body.copy(frame, HEADER_BYTES)
  return frame
}
