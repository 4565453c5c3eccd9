// Connections that are kept for the next request to the same server.
import net from 'node:net'
import tls from 'node:tls'

export interface Connection {
  socket: net.Socket
  /** What the present request does with bytes, and when the connection ends. */
  onData: ((data: Buffer) => void) | undefined
  onClose: ((error: Error | undefined) => void) | undefined
}

/** Most servers close idle connections after five seconds or more: a little earlier, the race with that is won. */
const MAX_IDLE_MS = 4000

interface Idle {
  connection: Connection
  /** `performance.now()` from which on it is no longer used. */
  until: number
}

const idle = new Map<string, Idle[]>()

/** One that is free, else a new one. */
export function takeConnection(url: URL): Connection {
  const free = idle.get(url.origin)
  for (;;) {
    const found = free?.pop()
    if (!found) return open(url)
    const { connection, until } = found
    if (!connection.socket.destroyed && performance.now() < until) {
      connection.socket.ref()
      return connection
    }
    connection.socket.destroy()
  }
}

/** `keepAlive` is the server's header of that name: `timeout=5` says how long it waits. */
export function returnConnection(url: URL, connection: Connection, keepAlive: string | undefined): void {
  connection.onData = undefined
  connection.onClose = undefined
  if (connection.socket.destroyed) return
  const seconds = keepAlive === undefined ? undefined : /timeout=(\d+)/.exec(keepAlive)?.[1]
  const allowed = seconds === undefined ? MAX_IDLE_MS : Math.min(MAX_IDLE_MS, Number(seconds) * 1000 - 1000)
  if (allowed <= 0) {
    connection.socket.destroy()
    return
  }
  // An idle connection must not keep Viva alive.
  connection.socket.unref()
  const item = { connection, until: performance.now() + allowed }
  const list = idle.get(url.origin)
  if (list) list.push(item)
  else idle.set(url.origin, [item])
}

function open(url: URL): Connection {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port) || (secure ? 443 : 80)
  const socket = secure
    ? tls.connect({ host, port, ALPNProtocols: ['http/1.1'], ...(net.isIP(host) === 0 && { servername: host }) })
    : net.connect({ host, port })
  socket.setNoDelay(true)
  const connection: Connection = { socket, onData: undefined, onClose: undefined }
  let failure: Error | undefined
  socket.on('data', (data: Buffer) => {
    // Bytes that nobody asked for: whatever they are, the connection is not to be trusted.
    if (connection.onData) connection.onData(data)
    else socket.destroy()
  })
  socket.on('error', (error) => {
    failure = error
  })
  // A server that has said all it had to say: what is missing now will not come.
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    connection.onClose?.(failure)
    forget(url.origin, connection)
  })
  return connection
}

function forget(origin: string, connection: Connection): void {
  const list = idle.get(origin)
  const at = list?.findIndex((item) => item.connection === connection) ?? -1
  if (at !== -1) list?.splice(at, 1)
}
