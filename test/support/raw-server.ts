// Servers on bare sockets, which answer with exactly the bytes they are told to, or misbehave.
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

export interface RawRequest {
  /** The request line and the headers, as they came. */
  head: string
  body: string
  /** 1 for the first request of its connection. */
  number: number
}

export interface RawServer {
  port: number
  url: string
  requests: RawRequest[]
  connections: number
  /** How many are open now. */
  open: number
}

/** `answer` is called for every complete request. */
export async function rawServer(answer: (socket: Socket, request: RawRequest) => void): Promise<RawServer> {
  const record: RawServer = { port: 0, url: '', requests: [], connections: 0, open: 0 }
  const server = net.createServer((socket) => {
    record.connections++
    record.open++
    let number = 0
    socket.on('error', () => {}).on('close', () => record.open--)
    readRequests(socket, (head, body) => {
      const request = { head, body, number: ++number }
      record.requests.push(request)
      answer(socket, request)
    })
  })
  record.port = await listen(server)
  record.url = `http://127.0.0.1:${record.port}`
  return record
}

/** Answers every request with these bytes, then ends, resets or waits. */
export function rawAnswer(bytes: string | Uint8Array, then: 'end' | 'reset' | 'wait' = 'wait'): Promise<RawServer> {
  return rawServer((socket) => {
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, () => {
      if (then === 'end') socket.end()
      if (then === 'reset') socket.resetAndDestroy()
    })
  })
}

/** `OK` with a body of known length. */
export function okAnswer(body: string | Uint8Array, headers = ''): Buffer {
  const bytes = Buffer.from(body as string)
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`
  return Buffer.concat([Buffer.from(head, 'latin1'), bytes])
}

/** On loopback, closed with all its connections when the test is over. */
export async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

function readRequests(socket: Socket, take: (head: string, body: string) => void): void {
  let seen = ''
  const onData = (data: Buffer): void => {
    seen += data.toString('latin1')
    for (;;) {
      const end = seen.indexOf('\r\n\r\n')
      if (end === -1) return
      const head = seen.slice(0, end)
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1] ?? 0)
      if (seen.length < end + 4 + length) return
      const body = seen.slice(end + 4, end + 4 + length)
      seen = seen.slice(end + 4 + length)
      take(head, body)
      // What follows belongs to the tunnelled server.
      if (head.startsWith('CONNECT')) {
        socket.off('data', onData)
        return
      }
    }
  }
  socket.on('data', onData)
}
