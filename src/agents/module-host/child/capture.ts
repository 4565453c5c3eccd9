// What the agent prints: lines for the log of the case that printed them, never for Viva's own output.
import { Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { replaceStreams } from '../../../process/replace-streams.js'
import { sendNow } from './channel.js'
import { running, RunningCall } from './running-call.js'

/** Longer lines are cut. */
const MAX_LINE_CHARACTERS = 64 * 1024

/** Printed while the module is loading, or by code that no call started. */
const outside = new RunningCall(0)

export function installCapture(): void {
  replaceStreams(printStream)
}

/** An unfinished line still belongs to the call. */
export function flushPartial(call: RunningCall): void {
  if (call.partial !== '') sendNow('log', call.id, [call.partial])
  call.partial = ''
}

/** A real stream, because loggers pipe into it; it looks like a pipe, as in CI. */
function printStream(fd: number): Writable {
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string | Uint8Array, _encoding, done) {
      print(chunk)
      done()
    },
  })
  // Ending it would end the log: Node's own standard streams refuse that too.
  stream.destroy = () => stream
  stream.end = () => stream
  return Object.assign(stream, { fd, _type: 'pipe', _isStdio: true })
}

function print(chunk: string | Uint8Array): void {
  const call = running.getStore()
  const owner = call === undefined || call.over ? outside : call
  const text = typeof chunk === 'string' ? chunk : (owner.decoder ??= new StringDecoder()).write(Buffer.from(chunk))
  const lines = (owner.partial + text).split('\n')
  owner.partial = lines.pop() ?? ''
  if (owner.partial.length > MAX_LINE_CHARACTERS) {
    lines.push(owner.partial)
    owner.partial = ''
  }
  if (lines.length > 0) sendNow('log', owner.id, lines)
}
