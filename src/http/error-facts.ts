// What an error says about itself, wherever it came from: a status, a code, a wait, whether another try makes sense.
// SDKs, fetch, Node and JSON-RPC each put it elsewhere, and wrap one another's errors.
import { isRecord, isAmount } from '../base/record.js'
import { defined } from '../base/defined.js'
import type { AgentErrorCode } from '../errors.js'
import { TRANSIENT_CODES } from '../model/status.js'
import { codeOfKind, codeOfStatus } from './error-codes.js'
import { retryAfterMs } from './retry-after.js'

export interface ErrorFacts {
  code?: AgentErrorCode
  status?: number
  retry_after_ms?: number
  retry?: boolean
}

/** Empty for an error that says nothing but its message. */
export function errorFacts(error: unknown): ErrorFacts {
  const facts: ErrorFacts = {}
  const seen = new Set<object>()
  let wrapped: unknown[] = [error]
  for (let depth = 0; depth < MAX_DEPTH && wrapped.length > 0; depth++) {
    const errors = wrapped.filter(isRecord).filter((item) => !seen.has(item))
    for (const item of errors) {
      seen.add(item)
      addFacts(facts, item)
    }
    wrapped = errors.flatMap((item) => INNER.map((name) => read(item, name)))
  }
  return facts
}

const MAX_DEPTH = 6

/** Where the first error found is kept. */
const INNER = ['cause', 'error', 'lastError', 'data', 'response'] as const

/** Node and undici: the connection, as opposed to what was said over it. */
const CONNECTION_CODES = new Set([
  'ECONNRESET',
  'ECONNREFUSED',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_SOCKET',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'ERR_STREAM_PREMATURE_CLOSE',
])

/** The codes of our own that the library's `AgentError` has. The others describe a call of Viva's own. */
const OWN_CODES: readonly AgentErrorCode[] = [...TRANSIENT_CODES, 'auth', 'quota']

/** What comes first counts: the outer error knows more than the one it wraps. */
function addFacts(facts: ErrorFacts, error: Fields): void {
  const status = statusOf(error)
  const headers = headersOf(read(error, 'headers') ?? read(error, 'responseHeaders'))
  const own = defined({
    code: codeOf(error, status),
    status,
    retry_after_ms: waitOf(error) ?? retryAfterMs(headers),
    retry: retryOf(error, headers),
  })
  for (const [name, value] of Object.entries(own)) if (!(name in facts)) Object.assign(facts, { [name]: value })
}

function codeOf(error: Fields, status: number | undefined): AgentErrorCode | undefined {
  const code = read(error, 'code')
  if (typeof code === 'string' && CONNECTION_CODES.has(code)) return 'connection'
  if (read(error, 'name') === 'TimeoutError') return 'timeout'
  const own = OWN_CODES.find((word) => word === code)
  if (own !== undefined) return own
  const words = [read(error, 'type'), code, read(error, 'status')].filter((word) => typeof word === 'string')
  const message = read(error, 'message')
  // A message alone is only words: "billing" may be the agent's subject.
  const isTold = words.length > 0 || status !== undefined
  const kind = codeOfKind({
    kind: words.join(' '),
    ...(isTold && typeof message === 'string' && { message }),
  })
  if (status === undefined || (kind === 'quota' && status < 500)) return kind
  return codeOfStatus(status)
}

function statusOf(error: Fields): number | undefined {
  for (const name of ['status', 'statusCode', 'code'] as const) {
    const value = read(error, name)
    const status = typeof value === 'string' && /^[45]\d\d$/.test(value) ? Number(value) : value
    if (typeof status === 'number' && status >= 400 && status < 600) return status
  }
  return undefined
}

/** Seconds, as in the header, unless the name says otherwise. */
function waitOf(error: Fields): number | undefined {
  const ms = read(error, 'retry_after_ms') ?? read(error, 'retryAfterMs')
  if (isAmount(ms)) return ms
  const seconds = read(error, 'retry_after') ?? read(error, 'retryAfter')
  return isAmount(seconds) ? seconds * 1000 : undefined
}

function retryOf(error: Fields, headers: Record<string, string>): boolean | undefined {
  const said = read(error, 'isRetryable') ?? read(error, 'retryable')
  if (typeof said === 'boolean') return said
  const should = headers['x-should-retry']
  return should === 'true' ? true : should === 'false' ? false : undefined
}

/** From `fetch`, axios, or a plain object; names in lower case. */
function headersOf(headers: unknown): Record<string, string> {
  if (!isRecord(headers)) return {}
  const entries = headers instanceof Headers || headers instanceof Map ? [...headers] : Object.entries(headers)
  return Object.fromEntries(
    entries.flatMap(([name, value]) =>
      typeof name === 'string' && (typeof value === 'string' || typeof value === 'number')
        ? [[name.toLowerCase(), String(value)]]
        : [],
    ),
  )
}

type Fields = Record<string, unknown>

/** A foreign getter may throw. */
function read(error: Fields, name: string): unknown {
  try {
    return error[name]
  } catch {
    return undefined
  }
}
