// Requests on undici's connections.
import { Connections } from './connections.js'
import { Exchange } from './exchange.js'
import type { ProxyEnvironment } from './proxy.js'
import type { Transport } from './types.js'

export function openTransport(env: ProxyEnvironment): Transport {
  const connections = new Connections(env)
  return {
    send(request) {
      if (request.signal.aborted) return Promise.reject(request.signal.reason)
      try {
        return new Exchange(request, connections.target(request.url)).head
      } catch (error) {
        return Promise.reject(error)
      }
    },
    close: () => connections.close(),
  }
}
