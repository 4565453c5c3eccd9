// MCP over the pipes of a program that is started, watched and ended like every other program of ours. Messages are
// passed on as they came, whether or not they follow the protocol.
import { serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import { parseJson } from '../base/json/parse-json.js'
import { isRecord } from '../base/record.js'
import type { Processes } from '../process/processes.js'
import type { ProcessEnd, ProcessSpec, RunningProcess } from '../process/start-process.js'

export interface StdioOptions {
  /** A longer message ends the program. */
  maxMessageBytes?: number | undefined
  /** How long the program may take to end by itself once its input has ended. */
  patienceMs?: number | undefined
  /** A line of standard output that is not a JSON object. */
  onStray?: ((line: string) => void) | undefined
}

export interface StdioConnection {
  transport: Transport
  /** The last lines of standard error. */
  stderrTail(): string
  /** Why Viva ended the program. */
  fault(): string | undefined
  /** How the program ended, if it has. */
  end(): ProcessEnd | undefined
}

export const MAX_MESSAGE_BYTES = 10 * 1024 * 1024

const STDERR_KEPT = 4000
const LINE_FEED = 10

export function createStdioTransport(
  processes: Processes,
  spec: ProcessSpec,
  { maxMessageBytes = MAX_MESSAGE_BYTES, patienceMs = 0, onStray }: StdioOptions = {},
): StdioConnection {
  let running: RunningProcess | undefined
  let ended: ProcessEnd | undefined
  let stderr = ''
  let fault: string | undefined
  /** The beginning of a message whose end has not arrived. */
  let open: Buffer[] = []
  let openBytes = 0

  const transport: Transport = {
    async start() {
      running = await processes.start(spec)
      running.stdout.on('data', take)
      running.stderr.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-STDERR_KEPT)))
      running.done.then(
        (end) => {
          ended = end
          transport.onclose?.()
        },
        (error: Error) => {
          transport.onerror?.(error)
          transport.onclose?.()
        },
      )
    },
    send(message: JSONRPCMessage) {
      const { stdin } = running ?? {}
      if (!stdin?.writable) return Promise.reject(new Error('the server has ended'))
      return new Promise((resolve, reject) =>
        stdin.write(serializeMessage(message), (error) => (error ? reject(error) : resolve())),
      )
    },
    async close() {
      if (!running) return
      const { done, stdin } = running
      // A server that follows the protocol ends when its input does; the others are ended.
      stdin.end()
      const timer = setTimeout(() => running?.end(), patienceMs)
      await done.catch(() => {})
      clearTimeout(timer)
      open = []
    },
  }

  /** What follows a message that is too long cannot be read: where the next one starts is unknown. */
  function take(chunk: Buffer): void {
    let rest = chunk
    while (fault === undefined) {
      const at = rest.indexOf(LINE_FEED)
      const piece = at === -1 ? rest : rest.subarray(0, at)
      openBytes += piece.byteLength
      if (openBytes > maxMessageBytes) {
        fault = `it sent a message of more than ${Math.round(maxMessageBytes / 1024 / 1024)} MB`
        open = []
        running?.kill()
        return
      }
      open.push(piece)
      if (at === -1) return
      rest = rest.subarray(at + 1)
      const line = Buffer.concat(open).toString()
      open = []
      openBytes = 0
      readLine(line.trim())
    }
  }

  function readLine(line: string): void {
    if (line === '') return
    const message = parseJson(line)?.value
    if (isRecord(message)) transport.onmessage?.(message as unknown as JSONRPCMessage)
    else onStray?.(line)
  }

  return {
    transport,
    stderrTail: () => lastWords(stderr),
    fault: () => fault,
    end: () => ended,
  }
}

/** Node prints the reason first and much after it. */
function lastWords(stderr: string): string {
  const lines = stderr
    .trim()
    .split('\n')
    .map((line) => line.trim())
    // Frames of a stack are not what it said.
    .filter((line) => line !== '' && !line.startsWith('at '))
  const reason = lines.slice(0, -5).findLast((line) => /\b\w*Error(?: \[\w+\])?: /.test(line))
  return [...(reason === undefined ? [] : [reason]), ...lines.slice(-5)].join(' | ')
}
