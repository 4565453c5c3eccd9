// Why no answer came at all, in words: refused, unknown host, certificate, reset.
import { AgentError } from '../errors.js'

/** `place` is where the address is written. */
export function connectionError(url: URL, cause: unknown, place?: string): AgentError {
  const code = errorCode(cause)
  const [what, advice] = explain(url, code, cause)
  const hint = place === undefined ? advice : `${advice}; the address is in ${place}`
  const message = `cannot reach ${url.origin}: ${what}`
  // A certificate is the same at the next try.
  return new AgentError({ code: 'connection', message, hint, cause, ...(isCertificate(code) && { retry: false }) })
}

/** Nobody is there at all, as opposed to a connection that broke. */
export function isNeverReached(error: AgentError): boolean {
  return (
    error.code === 'connection' &&
    ['ECONNREFUSED', 'ENOTFOUND', 'EHOSTUNREACH', 'ENETUNREACH'].includes(errorCode(error.cause))
  )
}

function explain(url: URL, code: string, cause: unknown): [string, string] {
  switch (code) {
    case 'ECONNREFUSED':
      return ['connection refused', `nothing listens there: start the server, or correct the host and port`]
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return ['the host name is unknown', `check the spelling of "${url.hostname}" and the network`]
    case 'ECONNRESET':
    case 'EPIPE':
      return ['the connection was reset before an answer came', 'look at the log of the server']
    case 'ETIMEDOUT':
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return ['the network does not lead there', 'check the host, the network and the firewall']
    default:
      if (isCertificate(code)) return [`the certificate is not trusted (${code})`, certificateAdvice(code)]
      if (/SSL|TLS|EPROTO/.test(code))
        return [`no secure connection came about (${code})`, 'check the port, and http or https']
      return [cause instanceof Error && cause.message ? cause.message : code, 'check the URL and the network']
  }
}

/** The names that Node and OpenSSL have for a certificate that was looked at and refused. */
function isCertificate(code: string): boolean {
  // ERR_SSL_… is what the server has to say about us.
  if (code.startsWith('ERR_SSL')) return false
  return /CERT|CRL|SELF_SIGNED|ISSUER|VERIFY_LEAF|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH|HOSTNAME_MISMATCH/.test(code)
}

function certificateAdvice(code: string): string {
  if (/EXPIRED|NOT_YET_VALID|ALTNAME|HOSTNAME|REVOKED/.test(code))
    return 'the server needs another certificate, or another name in the URL: NODE_EXTRA_CA_CERTS helps only with an unknown authority'
  return 'set NODE_EXTRA_CA_CERTS to the file with the authority of the server'
}

/** Connecting to a name with two addresses fails with an AggregateError, which holds one error per address. */
function errorCode(cause: unknown): string {
  if (cause instanceof AgentError) return errorCode(cause.cause)
  if (cause instanceof AggregateError && cause.errors.length > 0) return errorCode(cause.errors[0])
  if (cause instanceof Error && 'code' in cause) return String(cause.code)
  return 'unknown'
}
