// Connections that are kept for the next request to the same server.
import net from 'node:net'
import tls from 'node:tls'

/** Who the bytes are for at the moment. */
export interface ConnectionUser {
  /** The first `length` bytes of `data`, which are others' after the call. */
  onBytes(data: Buffer, length: number): void
  onClosed(error: Error | undefined): void
}

export interface Connection {
  socket: net.Socket
  user: ConnectionUser | undefined
}

/** Most servers close idle connections after five seconds or more: a little earlier, the race with that is won. */
const MAX_IDLE_MS = 4000
const READ_BYTES = 64 * 1024

interface Idle {
  connection: Connection
  /** `performance.now()` from which on it is no longer used. */
  until: number
}

const pools = new Map<string, Idle[]>()
/** The parts of a URL are computed anew at every look; the same object is used for every call of an agent. */
const poolOfUrl = new WeakMap<URL, Idle[]>()

let inUse = 0
let awake: NodeJS.Timeout | undefined

/** One that is free, else a new one. */
export function takeConnection(url: URL): Connection {
  const pool = poolOf(url)
  const connection = takeIdle(pool) ?? open(url, pool)
  stayAwake(1)
  return connection
}

/** `keepAlive` is the server's header of that name: `timeout=5` says how long it waits. */
export function returnConnection(url: URL, connection: Connection, keepAlive: string | undefined): void {
  connection.user = undefined
  stayAwake(-1)
  if (connection.socket.destroyed) return
  const seconds = keepAlive === undefined ? undefined : /timeout=(\d+)/.exec(keepAlive)?.[1]
  const allowed = seconds === undefined ? MAX_IDLE_MS : Math.min(MAX_IDLE_MS, Number(seconds) * 1000 - 1000)
  if (allowed <= 0) connection.socket.destroy()
  else poolOf(url).push({ connection, until: performance.now() + allowed })
}

/** It is not to be used again. */
export function endConnection(connection: Connection): void {
  connection.user = undefined
  stayAwake(-1)
  connection.socket.destroy()
}

/** An idle connection must not keep Viva alive, one in use must; telling each socket so, twice a call, costs more. */
function stayAwake(change: number): void {
  inUse += change
  if (inUse === 0) awake?.unref()
  else if (inUse === 1 && change === 1) {
    awake ??= setInterval(() => {}, 2 ** 30)
    awake.ref()
  }
}

function takeIdle(pool: Idle[]): Connection | undefined {
  for (;;) {
    const found = pool.pop()
    if (!found) return undefined
    const { connection, until } = found
    if (!connection.socket.destroyed && performance.now() < until) return connection
    connection.socket.destroy()
  }
}

function poolOf(url: URL): Idle[] {
  const known = poolOfUrl.get(url)
  if (known) return known
  const pool = pools.get(url.origin) ?? []
  pools.set(url.origin, pool)
  poolOfUrl.set(url, pool)
  return pool
}

/** All sockets read into it, one after another. */
let readBuffer: Buffer | undefined

function open(url: URL, pool: Idle[]): Connection {
  const secure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const port = Number(url.port) || (secure ? 443 : 80)
  const take = (data: Buffer, length: number): void => {
    // Bytes that nobody asked for: whatever they are, the connection is not to be trusted.
    if (connection.user) connection.user.onBytes(data, length)
    else socket.destroy()
  }
  const buffer = (readBuffer ??= Buffer.allocUnsafe(READ_BYTES))
  const onread = {
    buffer,
    callback: (length: number) => {
      take(buffer, length)
      return true
    },
  }
  const socket = secure
    ? tls.connect({ host, port, ALPNProtocols: ['http/1.1'], ...(net.isIP(host) === 0 && { servername: host }) })
    : net.connect({ host, port, onread })
  if (secure) socket.on('data', (data: Buffer) => take(data, data.length))
  const connection: Connection = { socket, user: undefined }
  socket.setNoDelay(true)
  socket.unref()
  let failure: Error | undefined
  socket.on('error', (error) => {
    failure = error
  })
  // A server that has said all it had to say: what is missing now will not come.
  socket.on('end', () => socket.destroy())
  socket.on('close', () => {
    connection.user?.onClosed(failure)
    const at = pool.findIndex((item) => item.connection === connection)
    if (at !== -1) pool.splice(at, 1)
  })
  return connection
}
