// The HTTP client of a run: its connections belong to it and end with it.
import { liveRefused } from '../errors.js'
import type { ProxyEnvironment } from './proxy.js'
import { createEndpoints } from './endpoints.js'
import type { HttpClient, SharePace, Transport } from './types.js'

export interface HttpInit {
  /** For HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  env: ProxyEnvironment
  /** `--keep-going`. */
  keepGoing?: boolean
  sharePace?: SharePace | undefined
  /** False: no connection is opened. */
  live?: boolean | undefined
}

export function openHttp({ env, keepGoing = false, sharePace, live = true }: HttpInit): HttpClient {
  let opened: Transport | undefined
  let opening: Promise<Transport> | undefined
  let isClosed = false
  const requireLive = (what: string): void => {
    if (!live) throw liveRefused(what)
  }
  return {
    requireLive,
    endpoints: createEndpoints(keepGoing),
    sharePace,
    async send(request) {
      requireLive(request.url.origin)
      if (opened) return opened.send(request)
      if (isClosed) throw new Error(`${request.url.origin} was called after the run had ended`)
      // Loaded with the first request: a run without one does not pay for it.
      opening ??= import('./transport.js').then(({ openTransport }) => (opened = openTransport(env)))
      return opening.then((transport) => transport.send(request))
    },
    async close() {
      isClosed = true
      await (await opening)?.close()
    },
  }
}
