// MCP over the pipes of a program that is started, watched and ended like every other program of ours.
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { Processes } from '../../../process/processes.js'
import type { ProcessSpec, RunningProcess } from '../../../process/start-process.js'

const STDERR_KEPT = 2000

export function createStdioTransport(
  processes: Processes,
  spec: ProcessSpec,
): { transport: Transport; stderrTail: () => string } {
  let running: RunningProcess | undefined
  let stderr = ''
  const buffer = new ReadBuffer()

  const transport: Transport = {
    async start() {
      running = await processes.start(spec)
      running.stdout.on('data', (chunk: Buffer) => {
        buffer.append(chunk)
        readMessages()
      })
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

  return { transport, stderrTail: () => stderr.trim().split('\n').slice(-5).join(' | ') }
}
