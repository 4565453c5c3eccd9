// Errors that an endpoint reports inside an answer that looks successful: in a body with status 200, or in a stream.
import { AgentError } from '../errors.js'
import { defined } from '../base/defined.js'
import { isRecord, readString } from '../base/record.js'
import { asText, oneLine } from '../base/text.js'
import { codeOfKind, describeCode } from './error-codes.js'
import { errorFacts, type ErrorFacts } from './error-facts.js'

export interface ReportedError {
  message?: string
  /** `type` and `code` as the provider spells them. */
  kind?: string
  /** What else it says. */
  facts?: ErrorFacts
}

/** Some gateways answer 200 with an error inside. Beside an answer only `error` counts, not what merely looks like one. */
export function errorInBody(body: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  if (isRecord(body) && ('choices' in body || 'content' in body))
    return errorBeside([body['error'], errorInChoice(body)].find(isError), url, secrets)
  const reported = readErrorObject(body)
  return reported && reportedError(reported, url, secrets)
}

/** An error in a stream is an error whatever else its event holds and whatever came before it. `name` is the event's. */
export function errorInEvent(name: string, body: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  const found = errorInPiece(body) ?? (name === 'error' ? { error: body } : undefined)
  return found && reportedError(readErrorObject(found) ?? plainError(found.error), url, secrets)
}

/**
 * What a piece of a stream says went wrong: its own `error`, or all of it if its kind is `error`. A tool that failed is
 * part of the answer.
 */
export function errorInPiece(piece: unknown): { error: unknown } | undefined {
  if (!isRecord(piece)) return undefined
  const { type, event, error } = piece
  const kind = readString(type) ?? ''
  if (isError(error) && !/tool/i.test(kind)) return { error }
  const inside = errorInChoice(piece)
  if (isError(inside)) return { error: inside }
  if (kind === 'error') return { error: withoutKind(piece) }
  // As clients of server-sent events pass them on.
  if (event === 'error') return { error: piece['data'] }
  // The OpenAI Responses API.
  if (kind === 'response.failed' && isRecord(piece['response'])) return { error: piece['response']['error'] }
  return errorInRun(piece)
}

/** Gateways put what went wrong with one of several answers beside it. */
function errorInChoice({ choices }: Record<string, unknown>): unknown {
  const first: unknown = Array.isArray(choices) ? choices[0] : undefined
  return isRecord(first) ? first['error'] : undefined
}

/** How a run of an agent SDK ended: `{"type": "result", "subtype": "error_max_turns", "is_error": true}`. */
export function errorInRun(value: unknown): { error: unknown } | undefined {
  if (!isRecord(value) || value['type'] !== 'result') return undefined
  const { subtype = 'success', is_error, result, errors } = value
  // Without the flag it may be any other data, unless it gave up by name.
  const isRun = isFlag(is_error) || (typeof subtype === 'string' && subtype.startsWith('error'))
  // Some give up (`error_max_turns`) and claim it is not an error.
  const isFailed = isRun && (saysError(value) || subtype !== 'success')
  return isFailed ? { error: defined({ subtype, is_error, result, errors }) } : undefined
}

/** `is_error` as Anthropic spells it, `isError` as MCP does; some programs write flags as text. */
export function saysError({ is_error, isError }: Record<string, unknown>): boolean {
  return [is_error, isError].some((flag) => isFlag(flag) && String(flag).toLowerCase() === 'true')
}

function isFlag(value: unknown): boolean {
  return typeof value === 'boolean' || (typeof value === 'string' && /^(?:true|false)$/i.test(value))
}

/** `error: null`, `false`, `""`, `{}` and `[]` say that there was none. */
export function isError(error: unknown): boolean {
  if (typeof error === 'object' && error !== null) return error instanceof Error || Object.keys(error).length > 0
  return error !== undefined && error !== null && error !== false && error !== ''
}

function withoutKind({ type: _type, ...rest }: Record<string, unknown>): unknown {
  return rest
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
  return defined({ message, kind: kinds.join(' ') || undefined, facts: errorFacts(from) })
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

function errorBeside(error: unknown, url: URL, secrets?: string[]): AgentError | undefined {
  return isError(error) ? reportedError(readErrorObject({ error }) ?? plainError(error), url, secrets) : undefined
}

function plainError(error: unknown): ReportedError {
  return { message: oneLine(asText(error)) }
}

function reportedError(reported: ReportedError, url: URL, secrets?: string[]): AgentError {
  const { facts = {} } = reported
  const code = facts.code ?? codeOfKind(reported)
  const text = hideSecrets(reported.message || reported.kind || 'no details', secrets)
  return new AgentError({
    // If an error says nothing about itself, there is no telling whether another try would help.
    ...(code === undefined && { retry: false }),
    ...facts,
    code: code ?? 'server',
    message: `${describeCode(code ?? 'server')} (reported by ${url.host}): ${text}`,
  })
}
