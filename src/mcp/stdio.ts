// A server on a pair of streams: one client, for as long as they are open.
import type { Readable, Writable } from 'node:stream'
import type { Server } from '@modelcontextprotocol/server'
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'

export interface StdioServer {
  /** The client has gone. */
  ended: Promise<void>
  close(): Promise<void>
}

export function serveStreams(
  create: () => Server,
  input: Readable,
  output: Writable,
  warn: (text: string) => void,
): StdioServer {
  const transport = new WatchedTransport(input, output)
  const ended = new Promise<void>((resolve) => {
    transport.onEnd = resolve
    input.once('end', resolve)
    input.once('close', resolve)
    output.once('error', () => resolve())
    output.once('close', resolve)
  })
  const { close } = serveStdio(create, { transport, onerror: (error) => warn(error.message) })
  return { ended, close }
}

/** It also closes itself: after a message too long to be read, nothing that follows could be understood. */
class WatchedTransport extends StdioServerTransport {
  onEnd: () => void = () => {}

  override async close(): Promise<void> {
    await super.close()
    this.onEnd()
  }
}
