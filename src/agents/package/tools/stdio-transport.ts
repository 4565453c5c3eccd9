// MCP over the pipes of a program that is started, watched and ended like every other program of ours.
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { Processes } from '../../../process/processes.js'
import type { ProcessSpec, RunningProcess } from '../../../process/start-process.js'

const STDERR_KEPT = 2000
const MAX_MESSAGE_MB = 10

export function createStdioTransport(
  processes: Processes,
  spec: ProcessSpec,
): { transport: Transport; stderrTail: () => string; fault: () => string | undefined } {
  let running: RunningProcess | undefined
  let stderr = ''
  let fault: string | undefined
  const buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_MB * 1024 * 1024 })

  const transport: Transport = {
    async start() {
      running = await processes.start(spec)
      running.stdout.on('data', take)
      running.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)))
      running.done.then(
        () => transport.onclose?.(),
        (error: Error) => transport.onerror?.(error),
      )
    },
    send(message: JSONRPCMessage) {
      const { stdin } = running ?? {}
      if (!stdin?.writable) return Promise.reject(new Error('the tool server has ended'))
      return new Promise((resolve, reject) =>
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
      )
    },
    async close() {
      // A server that follows the protocol ends when its input does; the others are killed.
      running?.stdin.end()
      running?.end()
      await running?.done.catch(() => {})
      buffer.clear()
    },
  }

  /** The rest of a message that is too large cannot be told from the next one: the server is of no more use. */
  function take(chunk: Buffer): void {
    if (fault !== undefined) return
    try {
      buffer.append(chunk)
    } catch {
      fault = `it sent a message of more than ${MAX_MESSAGE_MB} MB`
      running?.kill()
    }
    readMessages()
  }

  function readMessages(): void {
    for (;;) {
      try {
        const message = buffer.readMessage()
        if (message === null) return
        transport.onmessage?.(message)
      } catch (error) {
        transport.onerror?.(error as Error)
      }
    }
  }

  return { transport, stderrTail: () => stderr.trim().split('\n').slice(-5).join(' | '), fault: () => fault }
}
