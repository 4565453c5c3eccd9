// Why no answer came, or only part of one, in words: refused, unknown host, certificate, reset, not HTTP.
import { AgentError } from '../errors.js'
import { inBrackets } from './places.js'
import { ProxyFailure, proxySource } from './proxy-error.js'

/** Who was being called, for error messages. */
export interface Reached {
  url: URL
  /** Where the address is configured. */
  place?: string | undefined
}

/** No byte of an answer came. */
export function connectionError(reached: Reached, cause: unknown): AgentError {
  if (cause instanceof AgentError) return cause
  const proxy = cause instanceof ProxyFailure ? cause.proxy : undefined
  const { url } = proxy ?? reached
  const why = whyUnreadable(proxy && cause instanceof Error ? cause.cause : cause)
  if (why !== undefined) return unreadable(proxy ? { url, place: proxy.variable } : reached, why, cause)
  const code = errorCode(cause)
  const [what, advice] = explain(url, code, cause)
  const message = `cannot reach ${proxy ? 'the proxy ' : ''}${url.origin}: ${what}`
  const hint = proxy ? `${advice}; ${proxySource(proxy)}` : withPlace(advice, reached.place)
  // A certificate will be the same next time.
  return new AgentError({ code: 'connection', message, hint, cause, ...(isCertificate(code) && { retry: false }) })
}

/** An answer began and did not end properly. `hasHead`: its headers have been read. */
export function answerError(reached: Reached, cause: unknown, hasHead: boolean): AgentError {
  if (cause instanceof AgentError) return cause
  // Two lengths cause undici's mismatch as well, before there is a body.
  const isMismatch = !hasHead && errorCode(cause) === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'
  const why = isMismatch ? 'it has more than one content-length' : whyUnreadable(cause)
  if (why !== undefined) return unreadable(reached, why, cause)
  return new AgentError({
    code: 'cut_off',
    message: `${reached.url.host} closed the connection in the middle of its answer`,
    hint: 'the server or a proxy in between gave up: check its log, or try again',
    cause,
  })
}

/** Nothing listens there or the host does not exist, as opposed to a connection that broke. */
export function isNeverReached(error: AgentError): boolean {
  return (
    error.code === 'connection' &&
    ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'].includes(errorCode(error.cause))
  )
}

/** The connection ended, as opposed to something being wrong with what was sent over it. */
export function isClosed(cause: unknown): boolean {
  return CLOSED.has(errorCode(cause)) && whyUnreadable(cause) === undefined
}

const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'ECONNABORTED', 'EPIPE'])

function explain(url: URL, code: string, cause: unknown): [string, string] {
  switch (code) {
    case 'ECONNREFUSED':
      return ['connection refused', `start the server, or correct the host and port`]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['unknown host', `check the spelling of "${url.hostname}" and the network`]
    case 'ECONNRESET':
    case 'ECONNABORTED':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return ['the connection was reset before an answer came', "check the server's log"]
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['host unreachable', 'check the host, the network and the firewall']
    case 'UND_ERR_DESTROYED':
      return ['the run ended before the call was answered', 'nothing is wrong with the server']
    default:
      if (isCertificate(code)) return [`the certificate is not trusted (${code})`, certificateAdvice(code)]
      if (/SSL|TLS|EPROTO/.test(code)) return [`TLS handshake failed (${code})`, 'check the port, and http or https']
      return [cause instanceof Error && cause.message ? cause.message : code, 'check the URL and the network']
  }
}

function withPlace(advice: string, place: string | undefined): string {
  return place === undefined ? advice : `${advice}; the address is in ${place}`
}

/** Names that Node and OpenSSL give to a certificate that was inspected and refused. */
function isCertificate(code: string): boolean {
  // ERR_SSL_… is what the server objects to about us.
  if (code.startsWith('ERR_SSL')) return false
  return /CERT|CRL|SELF_SIGNED|ISSUER|VERIFY_LEAF|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/.test(code)
}

function certificateAdvice(code: string): string {
  if (/EXPIRED|NOT_YET_VALID|ALTNAME|HOSTNAME|REVOKED/.test(code))
    return 'the server needs another certificate, or the URL another name: NODE_EXTRA_CA_CERTS helps only with an unknown authority'
  return "set NODE_EXTRA_CA_CERTS to the file with the certificate of the server's authority"
}

/** Undefined: the connection was at fault, not what came over it. */
function whyUnreadable(cause: unknown): string | undefined {
  if (!(cause instanceof Error)) return undefined
  const code = errorCode(cause)
  if (cause.name === 'HTTPParserError' || code.startsWith('HPE_'))
    return /\((.+)\)$/s.exec(cause.message)?.[1] ?? cause.message
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'the headers are larger than 64 kB'
  // undici's words for an answer that nobody waits for, and for an unsolicited `101 Switching Protocols`.
  if (cause.message === 'bad response') return 'it came before the request was sent'
  if (cause.message === 'bad upgrade') return 'it switches to another protocol'
  return undefined
}

export function unreadable({ url, place }: Reached, why: string, cause?: unknown): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the answer of ${url.host} is not valid HTTP/1.1: ${why}`,
    hint: `check the port, and http or https${inBrackets(place)}`,
    cause,
  })
}

/** Connecting to a name with two addresses fails with an AggregateError, which holds one error per address. */
function errorCode(cause: unknown): string {
  if (cause instanceof AgentError || cause instanceof ProxyFailure) return errorCode(cause.cause)
  if (cause instanceof AggregateError && cause.errors.length > 0) return errorCode(cause.errors[0])
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return 'unknown'
}
