// Which proxy a URL is reached through: HTTP_PROXY, HTTPS_PROXY and NO_PROXY as undici's EnvHttpProxyAgent reads them,
// plus address ranges in NO_PROXY. Loopback addresses are never proxied.
import { BlockList, isIP } from 'node:net'
import { AgentError } from '../errors.js'
import { takeCredentials } from './credentials.js'

export type ProxyEnvironment = Record<string, string | undefined>

export interface Proxy {
  /** Without user and password: safe to show. */
  url: URL
  /** The value of `proxy-authorization`. */
  authorization?: string
  /** The variable it was read from. */
  variable: string
}

/** Throws an AgentError if the variable does not hold a proxy's URL. */
export function proxyFor(url: URL, env: ProxyEnvironment): Proxy | undefined {
  if (isLoopback(url.hostname)) return undefined
  const names = url.protocol === 'https:' ? ['https_proxy', 'http_proxy'] : ['http_proxy']
  const found = names.map((name) => read(env, name)).find((variable) => variable.value !== '')
  if (!found || isExempt(url, read(env, 'no_proxy').value)) return undefined
  return parseProxy(found)
}

/** What must never be shown of the proxy variables. */
export function proxySecrets(env: ProxyEnvironment): string[] {
  return ['http_proxy', 'https_proxy'].flatMap((name) =>
    [env[name], env[name.toUpperCase()]].flatMap((value) => {
      const address = withScheme(value ?? '')
      return URL.canParse(address) ? (takeCredentials(new URL(address))?.secrets ?? []) : []
    }),
  )
}

interface Variable {
  name: string
  value: string
}

/** The lower-case name wins. */
function read(env: ProxyEnvironment, name: string): Variable {
  const spelling = env[name] === undefined ? name.toUpperCase() : name
  return { name: spelling, value: (env[spelling] ?? '').trim() }
}

/** 0.0.0.0 and [::] are what servers print when they listen everywhere: a request to them stays on this machine too. */
function isLoopback(hostname: string): boolean {
  if (hostname === 'localhost' || hostname.endsWith('.localhost')) return true
  return /^127\.|^0\.0\.0\.0$|^\[::1?\]$|^\[::ffff:7f[\da-f]{2}:/.test(hostname)
}

function isExempt(url: URL, noProxy: string): boolean {
  const port = Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
  const host = bare(url.hostname)
  return noProxy
    .split(/[,\s]+/)
    .some((entry) => entry !== '' && (entry === '*' || covers(entry.toLowerCase(), host, port)))
}

function covers(entry: string, host: string, port: number): boolean {
  const range = /^(.+)\/(\d{1,3})$/.exec(entry)
  if (range) return isInRange(host, bare(range[1] ?? ''), Number(range[2]))
  // A bare IPv6 address ends in what looks like a port.
  const withPort = isIP(entry) === 0 ? /^(.+):(\d+)$/.exec(entry) : undefined
  if (withPort && Number(withPort[2]) !== port) return false
  const name = bare(withPort?.[1] ?? entry).replace(/^\*?\./, '')
  return host === name || host.endsWith(`.${name}`)
}

function isInRange(host: string, network: string, prefix: number): boolean {
  const family = isIP(network)
  if (family === 0 || isIP(host) !== family || prefix > (family === 4 ? 32 : 128)) return false
  const type = family === 4 ? 'ipv4' : 'ipv6'
  const range = new BlockList()
  range.addSubnet(network, prefix, type)
  return range.check(host, type)
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1')
}

function parseProxy({ name, value }: Variable): Proxy {
  const address = withScheme(value)
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (!url || (url.protocol !== 'http:' && url.protocol !== 'https:')) throw badProxy(name, url)
  const credentials = takeCredentials(url)
  return { url, variable: name, ...(credentials && { authorization: credentials.authorization }) }
}

/** `proxy.example:8080`, as most tools accept it. */
function withScheme(value: string): string {
  return value.includes('://') ? value : `http://${value}`
}

/** The value may contain a password: it is not shown. */
function badProxy(variable: string, url: URL | undefined): AgentError {
  return new AgentError({
    code: 'config',
    message: url ? `${variable}: a ${url.protocol}// proxy is not supported` : `${variable} is not the URL of a proxy`,
    hint: 'write it as http://user:password@host:port, or list the host in NO_PROXY to reach it directly',
  })
}
