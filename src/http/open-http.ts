// The HTTP client of a run: its connections belong to it and end with it.
import type { ProxyEnvironment } from './proxy.js'
import { createEndpoints } from './endpoints.js'
import type { HttpClient, SharePace, Transport } from './types.js'

export interface HttpInit {
  /** For HTTP_PROXY, HTTPS_PROXY and NO_PROXY. */
  env: ProxyEnvironment
  /** `--keep-going`. */
  keepGoing?: boolean
  sharePace?: SharePace | undefined
}

export function openHttp({ env, keepGoing = false, sharePace }: HttpInit): HttpClient {
  let opened: Transport | undefined
  let opening: Promise<Transport> | undefined
  let isClosed = false
  return {
    endpoints: createEndpoints(keepGoing),
    sharePace,
    send(request) {
      if (opened) return opened.send(request)
      if (isClosed) return Promise.reject(new Error(`${request.url.origin} was called after the run had ended`))
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
