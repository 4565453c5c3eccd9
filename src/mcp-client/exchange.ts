// One request and what became of it.
import { isRecord, readString } from '../base/record.js'

export interface JsonRpcRequest {
  jsonrpc: '2.0'
  id: number
  method: string
  params?: Record<string, unknown>
}

/** The answer as it came: `error` need not be what JSON-RPC says it is. */
export type RawAnswer = { result: unknown } | { error: unknown }

/**
 * `answered`: with a result or an error. `timeout`, `aborted`: we stopped waiting. `closed`: the server ended, or the
 * stream of this answer did. `too_large`: the answer passed the limit of bytes, and the connection was ended, or that of
 * levels. `failed`: it could not be sent, or the answer could not be read.
 */
export type ExchangeEnd = 'answered' | 'timeout' | 'aborted' | 'closed' | 'too_large' | 'failed'

export interface Exchange {
  request: JsonRpcRequest
  answer?: RawAnswer
  ended: ExchangeEnd
  /** For people, unless it was answered. */
  why?: string
  /** Of a response over HTTP that was not a success. */
  status?: number
  ms: number
  /** The size of the answer, as JSON. */
  bytes: number
  /** `params` of the progress notifications of this request. */
  progress: unknown[]
}

export interface RequestOptions {
  signal?: AbortSignal | undefined
  timeoutMs?: number | undefined
  /** Asks for progress, with a token. */
  onProgress?: ((params: unknown) => void) | undefined
}

export type SendRequest = (
  method: string,
  params?: Record<string, unknown>,
  options?: RequestOptions,
) => Promise<Exchange>

/** The result of an exchange, if it has one that is an object. */
export function resultOf({ answer }: Exchange): Record<string, unknown> | undefined {
  return answer && 'result' in answer && isRecord(answer.result) ? answer.result : undefined
}

/** One sentence about an exchange that has no result, for people. */
export function describeEnd({ request, answer, why = '' }: Exchange): string {
  if (answer === undefined) return `no answer to ${request.method}: ${why}`
  if ('result' in answer) return `the result of ${request.method} is not an object`
  const { error } = answer
  const message = isRecord(error) ? readString(error['message']) : undefined
  const code = isRecord(error) && typeof error['code'] === 'number' ? ` (${error['code']})` : ''
  return `${request.method} was refused: ${message ?? JSON.stringify(error)}${code}`
}
