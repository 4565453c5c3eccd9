// Serving on a port of this machine: the one way to open and to close a server.
import type { ErrorCode } from '../model/error-codes.js'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { UserError } from '../errors.js'

export interface ListenOptions {
  /** 0: a free one. */
  port: number
  /** Default: loopback. */
  host?: string
  /** The code of the error if the port is not available. */
  code: ErrorCode
}

/** Returns the port. Throws a UserError if it is not available. */
export async function listenOn(server: Server, { port, host = '127.0.0.1', code }: ListenOptions): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(cannotListen(code, host, port, cause)))
    server.listen(port, host, resolve)
  })
  return (server.address() as AddressInfo).port
}

/** Open connections are cut off. */
export async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeAllConnections()
  await closed
}

function cannotListen(code: ErrorCode, host: string, port: number, cause: NodeJS.ErrnoException): UserError {
  const isTaken = cause.code === 'EADDRINUSE'
  return new UserError({
    code,
    message: isTaken ? `port ${port} is in use` : `cannot listen on ${host}:${port}: ${cause.message}`,
    hint: 'leave the port out to get a free one',
    cause,
  })
}
