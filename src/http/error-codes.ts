// What went wrong, by the status of an answer or the provider's own word for it.
import type { AgentErrorCode } from '../errors.js'

export function codeOfStatus(status: number): AgentErrorCode {
  if (status === 401 || status === 403) return 'auth'
  if (status === 402) return 'quota'
  if (status === 404) return 'not_found'
  if (status === 408) return 'timeout'
  if (status === 413) return 'too_large'
  if (status === 429) return 'rate_limit'
  if (status === 503 || status === 529) return 'overloaded'
  if (status >= 500) return 'server'
  if (status >= 400) return 'bad_request'
  return 'bad_response'
}

/** `kind` is the provider's `type` and `code`. */
export function codeOfKind({
  kind = '',
  message = '',
}: {
  kind?: string
  message?: string
}): AgentErrorCode | undefined {
  if (/insufficient_quota|billing/i.test(kind)) return 'quota'
  if (/exceeded your current quota|credit balance|billing/i.test(message)) return 'quota'
  if (/overloaded|unavailable/i.test(kind)) return 'overloaded'
  if (/rate_limit|resource_exhausted/i.test(kind)) return 'rate_limit'
  if (/auth|permission/i.test(kind)) return 'auth'
  if (/not_found/i.test(kind)) return 'not_found'
  if (/invalid_request|invalid_argument/i.test(kind)) return 'bad_request'
  if (/timeout|deadline/i.test(kind)) return 'timeout'
  if (/server_error|api_error|\binternal(_error)?\b/i.test(kind)) return 'server'
  return undefined
}

export function describeCode(code: AgentErrorCode, status?: number): string {
  switch (code) {
    case 'auth':
      return 'the key was not accepted'
    case 'quota':
      return 'the quota of the account is used up'
    case 'rate_limit':
      return 'rate limited'
    case 'overloaded':
      return 'the model is overloaded'
    case 'not_found':
      return 'not found'
    case 'bad_request':
      return 'the request was refused'
    case 'timeout':
      return 'the server gave up waiting'
    case 'too_large':
      return 'the request is too large'
    default:
      return status !== undefined && status >= 300 && status < 400 ? 'the server redirects' : 'the server failed'
  }
}
