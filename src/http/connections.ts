// Connections that are kept for the next request to the same place. undici's client holds one socket; who gets it next is
// decided here, so that a request knows whether its connection has been used before.
import type { Duplex } from 'node:stream'
import type { Socket } from 'node:net'
import type { buildConnector, Dispatcher } from 'undici'
import Client from 'undici/lib/dispatcher/client.js'
import buildConnect from 'undici/lib/core/connect.js'
import { InterimAnswers } from './interim.js'
import { proxyFor, type Proxy, type ProxyEnvironment } from './proxy.js'
import { ProxyFailure, proxyRefused } from './proxy-error.js'

type ConnectOptions = buildConnector.Options
type ConnectCallback = buildConnector.Callback

const MAX_HEAD_BYTES = 64 * 1024

/** Our deadlines apply: undici's own timers are off. */
const NO_TIMEOUTS = { headersTimeout: 0, bodyTimeout: 0 }

export class Connections {
  readonly #env: ProxyEnvironment
  readonly #routes = new Map<string, Route>()
  /** An agent uses the same URL object for every call, and taking a URL apart costs more than looking it up. */
  readonly #known = new WeakMap<URL, Target>()
  #isClosed = false

  constructor(env: ProxyEnvironment) {
    this.#env = env
  }

  /** Throws an AgentError when the proxy's variable cannot be used. */
  target(url: URL): Target {
    if (this.#isClosed) throw new Error(`${url.origin} was called after the run had ended`)
    let target = this.#known.get(url)
    if (!target) this.#known.set(url, (target = this.#find(url)))
    return target
  }

  /** Ends every connection, including those in use. */
  async close(): Promise<void> {
    this.#isClosed = true
    const open = [...this.#routes.values()].flatMap((route) => [...route.open])
    await Promise.all(open.map((connection) => connection.end()))
  }

  #find(url: URL): Target {
    const proxy = proxyFor(url, this.#env)
    const path = `${url.pathname}${url.search}`
    // A proxy forwards plain HTTP itself; TLS goes through a tunnel, which belongs to one server.
    if (proxy && url.protocol === 'http:') {
      const headers = ['host', url.host, ...authorization(proxy)]
      const route = this.#route(`proxy ${proxy.url.origin}`, () => new Route(proxy.url.origin, viaProxy(proxy)))
      return { route, path: `${url.origin}${path}`, headers, proxy }
    }
    const connect = proxy ? tunnel(proxy) : direct
    return { route: this.#route(url.origin, () => new Route(url.origin, connect)), path, headers: [], proxy }
  }

  #route(key: string, make: () => Route): Route {
    let route = this.#routes.get(key)
    if (!route) this.#routes.set(key, (route = make()))
    return route
  }
}

/** Where and how to send a request for a URL. */
export interface Target {
  route: Route
  path: string
  /** Sent in addition to those of the request. */
  headers: string[]
  proxy: Proxy | undefined
}

/** The connections that lead to one place. */
export class Route {
  /** Those that exist, and those of them that are idle, the latest last. */
  readonly open = new Set<Connection>()
  readonly free: Connection[] = []
  readonly #origin: string
  readonly #connect: Connect

  constructor(origin: string, connect: Connect) {
    this.#origin = origin
    this.#connect = connect
  }

  take(): Connection {
    return this.free.pop() ?? this.create()
  }

  create(): Connection {
    const connection = new Connection(this, this.#origin, this.#connect)
    this.open.add(connection)
    return connection
  }
}

export class Connection {
  /** An earlier request was answered on the socket it has now. */
  used = false
  readonly #route: Route
  readonly #client: Client
  readonly #interim = new InterimAnswers()
  readonly #sockets = new Set<Duplex>()
  #ended: Promise<void> | undefined

  constructor(route: Route, origin: string, connect: Connect) {
    this.#route = route
    this.#client = new Client(origin, {
      ...NO_TIMEOUTS,
      maxHeaderSize: MAX_HEAD_BYTES,
      connect: (options, callback) => {
        this.used = false
        const opened: ConnectCallback = (...result) => {
          if (result[1]) this.#interim.watch(result[1])
          callback(...result)
        }
        connect(options, opened, (socket) => this.#keep(socket))
      },
    })
  }

  send(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#interim.expect()
    this.#client.dispatch(options, handler)
  }

  /** The answer is complete: the next request can use it. */
  release(): void {
    this.used = true
    this.#route.free.push(this)
  }

  /** Must not be used again. A socket that is still connecting is ours to end: undici would wait for it. */
  end(): Promise<void> {
    this.#ended ??= this.#destroy()
    return this.#ended
  }

  async #destroy(): Promise<void> {
    const closed = [...this.#sockets].map((socket) => new Promise((resolve) => socket.once('close', resolve)))
    const destroyed = this.#client.destroy()
    for (const socket of this.#sockets) socket.destroy()
    await Promise.all([destroyed, ...closed])
    this.#route.open.delete(this)
  }

  #keep(socket: Duplex): void {
    this.#sockets.add(socket)
    // The current user of a socket sees its errors; between two users there is no one.
    socket.on('error', () => {}).once('close', () => this.#sockets.delete(socket))
  }
}

/** `keep` receives every socket that is opened along the way. */
type Connect = (options: ConnectOptions, callback: ConnectCallback, keep: (socket: Duplex) => void) => void

/** HTTP/1.1 only: HTTP/2 is not offered. */
const open = buildConnect({ timeout: 0 })

const direct: Connect = (options, callback, keep) => {
  keep(open(options, callback))
}

function viaProxy(proxy: Proxy): Connect {
  return (options, callback, keep) => {
    keep(
      open(options, (error, socket) =>
        error ? callback(new ProxyFailure(proxy, error), null) : callback(null, socket),
      ),
    )
  }
}

function tunnel(proxy: Proxy): Connect {
  return (options, callback, keep) => {
    const target = `${options.hostname.includes(':') ? `[${options.hostname}]` : options.hostname}:${options.port || 443}`
    const client = new Client(proxy.url.origin, {
      ...NO_TIMEOUTS,
      connect: (proxyOptions, done) => keep(open(proxyOptions, done)),
    })
    const fail = (error: Error): void => {
      client.destroy().catch(() => {})
      callback(error, null)
    }
    const headers = ['host', target, ...authorization(proxy)]
    client.dispatch(
      { method: 'CONNECT', path: target, headers },
      {
        onRequestStart() {},
        onRequestUpgrade(_controller, status, _headers, socket) {
          if (status < 200 || status >= 300) {
            socket.destroy()
            fail(proxyRefused(proxy, status, target))
          } else keep(open({ ...options, httpSocket: socket as Socket }, callback))
        },
        onResponseError: (_controller, error) => fail(new ProxyFailure(proxy, error)),
      },
    )
  }
}

function authorization({ authorization: value }: Proxy): string[] {
  return value === undefined ? [] : ['proxy-authorization', value]
}
