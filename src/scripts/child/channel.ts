// The child's end of the private channel: blocking reads, whole writes. Everything it uses is captured before any user code
// runs, so that a script that replaces built-ins learns nothing of the key and changes no message.
import fs from 'node:fs'
import v8 from 'node:v8'
import { CHANNEL_FD } from '../../process/channel-fd.js'
import {
  HEADER_BYTES,
  type ChildMessage,
  type HostMessage,
  type InvokeMessage,
  type ReplyMessage,
  type RequestOp,
} from '../protocol.js'
import { createSeal, SEAL_LENGTH, type Seal } from '../seal.js'

const { readSync, writeSync } = fs
const { serialize, deserialize } = v8
for (const own of [v8.Serializer, v8.Deserializer, v8.DefaultSerializer, v8.DefaultDeserializer]) {
  Object.freeze(own.prototype)
}

// Node's own last step: no handler of the script runs.
const exit = (process as unknown as { reallyExit(code: number): never }).reallyExit.bind(process)
/* oxlint-disable typescript/unbound-method -- bound to whatever they are called with */
const { call } = Function.prototype
const setBytes = call.bind(Uint8Array.prototype.set) as (to: Uint8Array, from: Uint8Array, at: number) => void
const clearBytes = call.bind(Uint8Array.prototype.fill) as (bytes: Uint8Array, value: number) => void
const charCode = call.bind(String.prototype.charCodeAt) as (text: string, at: number) => number
const lengthOf = call.bind(lengthGetter()) as (bytes: Uint8Array) => number
/* oxlint-enable typescript/unbound-method */
// Never from Buffer's pool, which scripts share. Not `subarray` either: it asks the script which class to create.
const Bytes = Uint8Array
const Memory = ArrayBuffer
const sleeper = new Int32Array(new SharedArrayBuffer(4))
const sleep = Atomics.wait.bind(Atomics)

/** Reused: allocating memory costs more than filling it. */
const KEPT_BYTES = 16 * 1024
const keptFrame = new Bytes(new Memory(KEPT_BYTES))
let seal: Seal = () => ''
let capacity = 64 * 1024
let memory = new Memory(capacity)
let buffer = new Bytes(memory)
let filled = 0
let lastRequest = 0
/** Not a Map, whose methods a script can replace. */
const replies = Object.create(null) as Record<number, ReplyMessage>
export { exit as exitNow }

let onInvoke: (message: InvokeMessage) => void = () => {}
let beforeWrite: () => void = () => {}

/** Wipes what is left of the key outside the seal: reads hand the buffer to Node's `fs`, which scripts can watch. */
export function openChannel(key: Uint8Array): void {
  seal = createSeal(key)
  clearBytes(key, 0)
}

export function onMockInvoked(handler: (message: InvokeMessage) => void): void {
  onInvoke = handler
}

/** Called before every message except logs: what was printed first arrives first. */
export function onBeforeSend(flush: () => void): void {
  beforeWrite = flush
}

/** Blocks until the host says something. If the host ends, this process ends too. */
export function receive(): HostMessage {
  while (filled < HEADER_BYTES) fill()
  const length = readLength()
  while (filled < HEADER_BYTES + length) fill()
  // A copy: the message may point into these bytes, and the buffer is reused.
  const body = new Bytes(new Memory(length))
  setBytes(body, new Bytes(memory, HEADER_BYTES, length), 0)
  const rest = filled - HEADER_BYTES - length
  const used = new Bytes(memory, rest, HEADER_BYTES + length)
  if (rest > 0) setBytes(buffer, new Bytes(memory, HEADER_BYTES + length, rest), 0)
  clearBytes(used, 0)
  filled = rest
  return deserialize(body) as HostMessage
}

export function send(message: ChildMessage): void {
  if (message.k !== 'log') flushFirst()
  const body = serialize(message)
  const size = lengthOf(body)
  const mark = seal(body, size)
  const total = HEADER_BYTES + SEAL_LENGTH + size
  const frame = total <= KEPT_BYTES ? keptFrame : new Bytes(new Memory(total))
  const length = SEAL_LENGTH + size
  for (let byte = 0; byte < HEADER_BYTES; byte++) frame[byte] = (length >>> (8 * byte)) & 0xff
  for (let at = 0; at < SEAL_LENGTH; at++) frame[HEADER_BYTES + at] = charCode(mark, at)
  setBytes(frame, body, HEADER_BYTES + SEAL_LENGTH)
  writeAll(frame, total)
}

/** A script that breaks what printing needs loses its output, not its verdict. */
function flushFirst(): void {
  try {
    beforeWrite()
  } catch {
    // Nothing more can be done for it.
  }
}

/** Asks the host and blocks until it answers. Meanwhile the host may call mocks of the running test. */
export function request(op: RequestOp, args: unknown[], contextArgs: number[] = []): ReplyMessage {
  const id = ++lastRequest
  send({ k: 'request', id, op, args, context_args: contextArgs })
  for (;;) {
    const known = replies[id]
    if (known) {
      delete replies[id]
      return known
    }
    const message = receive()
    if (message.k === 'reply') {
      if (message.id === id) return message
      replies[message.id] = message
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
  if (needed > capacity) {
    const larger = new Memory(needed)
    setBytes(new Bytes(larger), new Bytes(memory, 0, filled), 0)
    capacity = needed
    memory = larger
    buffer = new Bytes(memory)
  }
  for (;;) {
    try {
      const count = readSync(CHANNEL_FD, buffer, filled, capacity - filled, null)
      if (count === 0) exit(0)
      filled += count
      return
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit(0)
      sleep(sleeper, 0, 0, 1)
    }
  }
}

function writeAll(frame: Uint8Array, total: number): void {
  let written = 0
  while (written < total) {
    try {
      written += writeSync(CHANNEL_FD, frame, written, total - written)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') exit(0)
      sleep(sleeper, 0, 0, 1)
    }
  }
}

function lengthGetter(): () => number {
  const found = Object.getOwnPropertyDescriptor(Object.getPrototypeOf(Uint8Array.prototype), 'length')
  return found?.get as () => number
}
