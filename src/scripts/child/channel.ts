// The child's end of the private channel: blocking reads, whole writes. Taken before any user code runs, so that a
// script that replaces `fs.writeSync` or the serialiser's methods neither sees the nonce nor changes a verdict.
import fs from 'node:fs'
import v8 from 'node:v8'
import { CHANNEL_FD } from '../../process/channel-fd.js'
import {
  HEADER_BYTES,
  NONCE_BYTES,
  type ChildMessage,
  type HostMessage,
  type InvokeMessage,
  type ReplyMessage,
  type RequestOp,
} from '../protocol.js'

const { readSync, writeSync } = fs
const { serialize, deserialize } = v8
for (const own of [v8.Serializer, v8.Deserializer, v8.DefaultSerializer, v8.DefaultDeserializer]) {
  Object.freeze(own.prototype)
}

// Node's own last step: no handler of the script is asked.
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process)
const allocate = Buffer.allocUnsafe.bind(Buffer)
/* oxlint-disable typescript/unbound-method -- bound to whatever they are called with */
const setBytes = Function.prototype.call.bind(Uint8Array.prototype.set) as (
  target: Uint8Array,
  source: Uint8Array,
  offset: number,
) => void
const cut = Function.prototype.call.bind(Uint8Array.prototype.subarray) as (
  source: Uint8Array,
  start: number,
  end: number,
) => Uint8Array
/* oxlint-enable typescript/unbound-method */
const sleeper = new Int32Array(new SharedArrayBuffer(4))
const sleep = Atomics.wait.bind(Atomics)

let nonce: Uint8Array = new Uint8Array(NONCE_BYTES)
let buffer: Uint8Array = allocate(64 * 1024)
let filled = 0
let lastRequest = 0
const replies = new Map<number, ReplyMessage>()
export { exit as exitNow }

let onInvoke: (message: InvokeMessage) => void = () => {}
let beforeWrite: () => void = () => {}

export function openChannel(options: { nonce: Uint8Array }): void {
  nonce = options.nonce
}

export function onMockInvoked(handler: (message: InvokeMessage) => void): void {
  onInvoke = handler
}

/** Called before every message but logs: what was printed first arrives first. */
export function onBeforeSend(flush: () => void): void {
  beforeWrite = flush
}

/** Blocks until the host says something. The host's end ends this process too. */
export function receive(): HostMessage {
  while (filled < HEADER_BYTES) fill()
  const length = readLength()
  while (filled < HEADER_BYTES + length) fill()
  // A copy: what is read may point into its bytes, and the buffer is used again.
  const body = allocate(length)
  setBytes(body, cut(buffer, HEADER_BYTES, HEADER_BYTES + length), 0)
  const message = deserialize(body) as HostMessage
  const rest = filled - HEADER_BYTES - length
  if (rest > 0) setBytes(buffer, cut(buffer, HEADER_BYTES + length, filled), 0)
  filled = rest
  return message
}

export function send(message: ChildMessage): void {
  if (message.k !== 'log') beforeWrite()
  const body = serialize(message)
  const frame = allocate(HEADER_BYTES + NONCE_BYTES + body.length)
  const length = NONCE_BYTES + body.length
  for (let byte = 0; byte < HEADER_BYTES; byte++) frame[byte] = (length >>> (8 * byte)) & 0xff
  setBytes(frame, nonce, HEADER_BYTES)
  setBytes(frame, body, HEADER_BYTES + NONCE_BYTES)
  writeAll(frame)
}

/** Asks the host and blocks until it answers. Meanwhile the host may call mocks of the running test. */
export function request(op: RequestOp, args: unknown[], contextArgs: number[] = []): ReplyMessage {
  const id = ++lastRequest
  send({ k: 'request', id, op, args, context_args: contextArgs })
  for (;;) {
    const known = replies.get(id)
    if (known) {
      replies.delete(id)
      return known
    }
    const message = receive()
    if (message.k === 'reply') {
      if (message.id === id) return message
      replies.set(message.id, message)
    } else if (message.k === 'invoke') onInvoke(message)
  }
}

function readLength(): number {
  let length = 0
  for (let byte = HEADER_BYTES - 1; byte >= 0; byte--) length = length * 256 + (buffer[byte] ?? 0)
  return length
}

function fill(): void {
  const needed = filled < HEADER_BYTES ? HEADER_BYTES : HEADER_BYTES + readLength()
  if (needed > buffer.length) {
    const larger = allocate(needed)
    setBytes(larger, cut(buffer, 0, filled), 0)
    buffer = larger
  }
  for (;;) {
    try {
      const count = readSync(CHANNEL_FD, buffer, filled, buffer.length - filled, null)
      if (count === 0) exit(0)
      filled += count
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit(0)
      sleep(sleeper, 0, 0, 1)
    }
  }
}

function writeAll(frame: Uint8Array): void {
  let written = 0
  while (written < frame.length) {
    try {
      written += writeSync(CHANNEL_FD, frame, written, frame.length - written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit(0)
      sleep(sleeper, 0, 0, 1)
    }
  }
}
