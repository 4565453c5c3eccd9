// An HTTP error answer, or an error object inside a 200, → an AgentError that says what to change.
import { AgentError, type AgentErrorCode } from '../errors.js'
import { defined } from '../base/defined.js'
import { isRecord, readString } from '../base/record.js'
import { oneLine } from '../base/text.js'
import { inBrackets, type Places } from './places.js'
import { retryAfterMs } from './retry-after.js'

export interface ErrorAnswer {
  url: URL
  status: number
  headers: Record<string, string>
  body: string
  /** The model asked for, named in hints. */
  model?: string
  places?: Places
  /** Values that may not appear in a message, whatever the server echoes. */
  secrets?: string[]
}

export function responseError(answer: ErrorAnswer): AgentError {
  const { status, headers } = answer
  const told = readErrorObject(parseJson(answer.body))
  const code = codeOfAnswer(status, told)
  const text = hideSecrets(told?.message ?? preview(answer), answer.secrets)
  const should = headers['x-should-retry']
  return new AgentError({
    code,
    message: `${describeCode(code, status)} (HTTP ${status} from ${answer.url.host})${text ? `: ${text}` : ''}`,
    status,
    ...defined({
      hint: hintFor(code, answer),
      retry_after_ms: retryAfterMs(headers),
      retry: should === 'false' ? false : should === 'true' && code !== 'quota' ? true : undefined,
    }),
  })
}

/** Some gateways answer 200 with an error inside, and streams report errors as an event. */
export function errorInBody(body: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  if (isRecord(body) && ('choices' in body || 'content' in body)) return undefined
  const told = readErrorObject(body)
  if (!told) return undefined
  const code = codeOfKind(told) ?? 'server'
  const text = hideSecrets(told.message ?? told.kind ?? 'no details', secrets)
  return new AgentError({ code, message: `${describeCode(code)} (reported by ${url.host}): ${text}` })
}

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

interface ToldError {
  message?: string
  /** `type` and `code` as the provider spells them. */
  kind?: string
}

function codeOfAnswer(status: number, told: ToldError | undefined): AgentErrorCode {
  const code = codeOfStatus(status)
  const kind = told && codeOfKind(told)
  if (kind === 'quota' && status >= 400 && status < 500) return 'quota'
  // Gemini says 400 to a wrong key.
  return code === 'bad_request' && /api key not valid|api_key_invalid/i.test(told?.message ?? '') ? 'auth' : code
}

function codeOfKind({ kind = '', message = '' }: ToldError): AgentErrorCode | undefined {
  if (/insufficient_quota|billing/i.test(kind)) return 'quota'
  if (/exceeded your current quota|credit balance|billing/i.test(message)) return 'quota'
  if (/overloaded|unavailable/i.test(kind)) return 'overloaded'
  if (/rate_limit|resource_exhausted/i.test(kind)) return 'rate_limit'
  if (/auth|permission/i.test(kind)) return 'auth'
  if (/not_found/i.test(kind)) return 'not_found'
  if (/invalid_request|invalid_argument/i.test(kind)) return 'bad_request'
  if (/timeout|deadline/i.test(kind)) return 'timeout'
  return undefined
}

/** `{error: {message, type, code}}`, `{error: "…"}`, `{type: "…_error", message}`, `{message}`, `{detail}`, `[{error}]`. */
function readErrorObject(value: unknown): ToldError | undefined {
  const body: unknown = Array.isArray(value) ? value[0] : value
  if (!isRecord(body)) return undefined
  const error = body['error']
  if (typeof error === 'string') return { message: error }
  const from = isRecord(error) ? error : isErrorLike(body) ? body : undefined
  if (!from) return undefined
  const kinds = [from['type'], from['code'], from['status']].filter((item) => typeof item === 'string')
  const message = readString(from['message']) ?? readString(from['detail'])
  return defined({ message, kind: kinds.join(' ') || undefined })
}

function isErrorLike(body: Record<string, unknown>): boolean {
  const type = readString(body['type']) ?? ''
  return /error/.test(type) || typeof body['detail'] === 'string' || Object.keys(body).join() === 'message'
}

function describeCode(code: AgentErrorCode, status?: number): string {
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

function hintFor(code: AgentErrorCode, answer: ErrorAnswer): string | undefined {
  const { places = {} } = answer
  const path = `the path ${answer.url.pathname}${inBrackets(places.url)}`
  switch (code) {
    case 'auth':
      return `check the key${inBrackets(places.key)}: missing, expired, or of another provider`
    case 'quota':
      return 'the account needs credit; trying again does not help'
    case 'rate_limit':
      return 'lower --parallel, or set limits in the connector'
    case 'not_found':
      return answer.model
        ? `check the model name "${answer.model}"${inBrackets(places.model)} and ${path}`
        : `check ${path}`
    case 'bad_response':
      return answer.headers['location']
        ? `use ${answer.headers['location']} as the URL${inBrackets(places.url)}`
        : undefined
    default:
      return undefined
  }
}

function preview({ body, headers }: ErrorAnswer): string {
  const type = headers['content-type'] ?? ''
  const text = oneLine(body)
  return text === '' ? '' : `${text}${/json|plain/.test(type) ? '' : ` (${type || 'no content type'})`}`
}

function hideSecrets(text: string, secrets: string[] = []): string {
  let result = text
  for (const secret of secrets) if (secret.length >= 4) result = result.replaceAll(secret, '[API_KEY]')
  return result
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
