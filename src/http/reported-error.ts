// Errors that an endpoint reports inside an answer that looks like a good one: in a body with status 200, or in a stream.
import { AgentError } from '../errors.js'
import { defined } from '../base/defined.js'
import { isRecord, readString } from '../base/record.js'
import { asText, oneLine } from '../base/text.js'
import { codeOfKind, describeCode } from './error-codes.js'

export interface ReportedError {
  message?: string
  /** `type` and `code` as the provider spells them. */
  kind?: string
}

/** Some gateways answer 200 with an error inside. Beside an answer only `error` counts, not what merely looks like one. */
export function errorInBody(body: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  if (isRecord(body) && ('choices' in body || 'content' in body)) return errorBeside(body['error'], url, secrets)
  const reported = readErrorObject(body)
  return reported && reportedError(reported, url, secrets)
}

/** An error in a stream is one whatever else its event holds and whatever came before it. `name` is the event's. */
export function errorInEvent(name: string, body: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  if (hasError(body)) return errorBeside(body['error'], url, secrets)
  return name === 'error'
    ? reportedError(readErrorObject({ error: body }) ?? plainError(body), url, secrets)
    : undefined
}

/** Whether a piece of a stream says that the stream failed. A tool that failed is part of the answer. */
export function hasError(piece: unknown): piece is Record<string, unknown> {
  return isRecord(piece) && isError(piece['error']) && !/tool/i.test(readString(piece['type']) ?? '')
}

/** `{error: {message, type, code}}`, `{error: "…"}`, `{type: "…_error", message}`, `{message}`, `{detail}`, `[{error}]`. */
export function readErrorObject(value: unknown): ReportedError | undefined {
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

export function hideSecrets(text: string, secrets: string[] = []): string {
  let result = text
  for (const secret of secrets) if (secret.length >= 4) result = result.replaceAll(secret, '[API_KEY]')
  return result
}

function isErrorLike(body: Record<string, unknown>): boolean {
  const type = readString(body['type']) ?? ''
  return /error/.test(type) || typeof body['detail'] === 'string' || Object.keys(body).join() === 'message'
}

/** `error: null`, `false`, `""` and `{}` say that there was none. */
function isError(error: unknown): boolean {
  if (typeof error === 'object' && error !== null) return Object.keys(error).length > 0
  return error !== undefined && error !== null && error !== false && error !== ''
}

function errorBeside(error: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  return isError(error) ? reportedError(readErrorObject({ error }) ?? plainError(error), url, secrets) : undefined
}

function plainError(error: unknown): ReportedError {
  return { message: oneLine(asText(error)) }
}

function reportedError(reported: ReportedError, url: URL, secrets?: string[]): AgentError {
  const code = codeOfKind(reported) ?? 'server'
  const text = hideSecrets(reported.message || reported.kind || 'no details', secrets)
  return new AgentError({ code, message: `${describeCode(code)} (reported by ${url.host}): ${text}` })
}
