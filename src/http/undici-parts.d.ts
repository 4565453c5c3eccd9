// The parts of undici that are needed, by themselves: its index also loads fetch, WebSocket, caches and mocks, three times as much.
declare module 'undici/lib/dispatcher/client.js' {
  import { Client } from 'undici'
  export default Client
}

declare module 'undici/lib/core/connect.js' {
  import type { Socket } from 'node:net'
  import type { buildConnector } from 'undici'

  type Connect = (options: buildConnector.Options, callback: buildConnector.Callback) => Socket
  export default function build(options?: buildConnector.BuildOptions): Connect
}
