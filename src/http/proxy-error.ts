// What can go wrong on the way to a proxy, and what a proxy refuses.
import { AgentError } from '../errors.js'
import type { Proxy } from './proxy.js'

/** The proxy itself could not be reached, as opposed to the server behind it. */
export class ProxyFailure extends Error {
  readonly proxy: Proxy

  constructor(proxy: Proxy, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause })
    this.name = 'ProxyFailure'
    this.proxy = proxy
  }
}

/** The proxy answered, but would not pass the request on. */
export function proxyRefused(proxy: Proxy, status: number, target: string): AgentError {
  if (status === 407) return proxyAuth(proxy)
  return new AgentError({
    code: 'connection',
    message: `the proxy ${proxy.url.origin} would not connect to ${target} (HTTP ${status})`,
    hint: `ask the administrator of the proxy; ${proxySource(proxy)}`,
    status,
    retry: status === 408 || status === 429 || status >= 500,
  })
}

export function proxySource({ variable }: Proxy): string {
  return `the proxy is set by ${variable}, and NO_PROXY lists the hosts to reach directly`
}

function proxyAuth({ url, authorization, variable }: Proxy): AgentError {
  const isGiven = authorization !== undefined
  return new AgentError({
    code: 'auth',
    message: isGiven
      ? `the proxy ${url.origin} did not accept the user and password in ${variable} (HTTP 407)`
      : `the proxy ${url.origin} requires a user and password (HTTP 407)`,
    hint: isGiven
      ? `correct ${variable}; special characters in a password must be percent-encoded`
      : `set ${variable} to ${url.protocol}//user:password@${url.host}, or list the host in NO_PROXY`,
    status: 407,
    retry: false,
  })
}
