// The child's end of the channel. Lines are assembled from pieces of JSON, so that a `toJSON` of the agent's changes
// nothing but its own answer, and are sent once per tick.
import fs from 'node:fs'
import { Socket, type ConnectOpts, type SocketConstructorOpts } from 'node:net'
import { answerTooLarge } from '../../../errors.js'
import { CHANNEL_FD } from '../../../process/channel-fd.js'
import { createSeal, LineReader, LineWriter } from '../../../process/sealed-lines.js'
import type { ChildMessage, HostMessage } from '../protocol.js'

/** This much per tick is sent immediately if it must not be lost in a crash or an endless loop; the rest with the others. */
const EAGER_BYTES = 64 * 1024
const BATCH_CHARACTERS = 1024 * 1024
/** Beyond what an answer may hold (collect-answer.ts), tool calls and all. */
const INCOMING_BYTES = 64 * 1024
const MAX_CHARACTERS = 64 * 1024 * 1024

// Captured before the agent can replace them.
const { stringify } = JSON
const { writeSync } = fs
const { byteLength, from: bytesOf } = Buffer
const { nextTick } = process
const nextTurn = setImmediate
/** Reused for every read: a stream would allocate memory for every message. */
const incoming = Buffer.alloc(INCOMING_BYTES)
let onIncoming: (length: number) => void = () => {}
const options: SocketConstructorOpts & Pick<ConnectOpts, 'onread'> = {
  fd: CHANNEL_FD,
  readable: true,
  writable: true,
  onread: {
    buffer: incoming,
    callback(length) {
      onIncoming(length)
      return true
    },
  },
}
const socket = new Socket(options)
let writer = new LineWriter()
let waiting = ''
let eager = 0
let scheduled = false

export function openChannel(onMessage: (message: Exclude<HostMessage, { k: 'hello' }>) => void): void {
  const reader = new LineReader()
  onIncoming = (length) => {
    for (const batch of reader.push(incoming.subarray(0, length)))
      for (const message of batch as HostMessage[]) accept(message)
  }
  // Viva is done with us, or dead.
  socket.on('close', () => process.exit(0))
  socket.on('error', () => process.exit(0))
  const accept = (message: HostMessage): void => {
    if (message.k !== 'hello') return onMessage(message)
    writer = new LineWriter(createSeal(message.key))
    // The agent could find the memory that the key came through.
    incoming.fill(0)
  }
}

/** `urgent`: nothing else is going on that could share its line. */
export function send(k: ChildMessage['k'], id: number, value?: unknown, urgent = false): void {
  const json = value === undefined ? 'null' : (stringify(value) ?? 'null')
  if (json.length > MAX_CHARACTERS) throw answerTooLarge(MAX_CHARACTERS)
  waiting += `${waiting === '' ? '' : ','}{"k":"${k}","id":${id},"value":${json}}`
  if (waiting.length > BATCH_CHARACTERS) flush()
  if (scheduled) return
  scheduled = true
  const schedule = urgent ? nextTick : nextTurn
  schedule(leave)
}

function leave(): void {
  scheduled = false
  eager = 0
  flush()
}

/** For what was printed: a busy loop may follow. */
export function sendNow(k: ChildMessage['k'], id: number, value: unknown): void {
  send(k, id, value)
  if (eager > EAGER_BYTES) return
  eager += waiting.length
  flush()
}

function flush(): void {
  if (waiting === '') return
  const line = writer.encode(`[${waiting}]`)
  waiting = ''
  const written = socket.writableLength > 0 ? 0 : writeNow(line)
  // Viva reads more slowly than we write.
  if (written < byteLength(line)) socket.write(bytesOf(line).subarray(written))
}

/** Bypasses the stream, which would double the cost. Returns how many bytes there was room for. */
function writeNow(line: string): number {
  try {
    return writeSync(CHANNEL_FD, line)
  } catch {
    return 0
  }
}
