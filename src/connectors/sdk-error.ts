// What a provider package throws → our error. Ours pass through: the transport underneath throws them.
import { readHeaders } from './option-errors.js'
import { AgentError, agentErrorIn } from '../errors.js'
import { defined } from '../base/defined.js'
import { errorInBody } from '../http/reported-error.js'
import { responseError } from '../http/response-error.js'
import { isRecord, readString } from '../base/record.js'
import { clip } from '../base/text.js'
import { withPartial } from './with-partial.js'

export interface SdkErrorContext {
  secrets: string[]
  /** Where the key is configured, or should be. */
  keySource: string
}

export function sdkError(error: unknown, { secrets, keySource }: SdkErrorContext, partial: unknown): unknown {
  const own = agentErrorIn(error)
  if (own) return withPartial(own, partial)
  const told = toldInStream(error, secrets)
  if (told) return withPartial(told, partial)
  if (!(error instanceof Error))
    return new AgentError({ code: 'failed', message: String(error), ...defined({ partial }) })
  const status = isRecord(error) ? error['statusCode'] : undefined
  if (typeof status === 'number' && status >= 300) return fromStatus(error, status, secrets)
  if (/JSONParse|TypeValidation|InvalidResponse|EmptyResponse|NoContent|APICall/.test(error.name)) {
    return new AgentError({
      code: 'bad_response',
      message: `the answer makes no sense: ${clip(error.message.split('\n')[0] ?? '', 200)}`,
      cause: error,
      ...defined({ partial }),
    })
  }
  if (/UnsupportedFunctionality|InvalidPrompt|InvalidArgument|LoadAPIKey|LoadSetting|NoSuchModel/.test(error.name)) {
    const hint = error.name.includes('LoadAPIKey') ? `set ${keySource}, e.g. "$ENV.…_API_KEY"` : undefined
    return new AgentError({ code: 'config', message: error.message, cause: error, ...defined({ hint }) })
  }
  return error
}

/** An error event in the middle of a stream, as the provider sent it: bare, or as the value that matched no schema. */
function toldInStream(error: unknown, secrets: string[]): AgentError | undefined {
  const sent = error instanceof Error ? ('value' in error ? error.value : undefined) : error
  if (!isRecord(sent)) return undefined
  const body = 'error' in sent || error instanceof Error ? sent : { error: sent }
  return errorInBody(body, new URL('http://the-stream'), secrets)
}

function fromStatus(error: Error, status: number, secrets: string[]): AgentError {
  const details: Record<string, unknown> = isRecord(error) ? error : {}
  return responseError({
    url: new URL(readString(details['url']) ?? 'http://provider'),
    status,
    headers: readHeaders(details['responseHeaders']),
    body: readString(details['responseBody']) ?? JSON.stringify({ error: { message: error.message } }),
    secrets,
  })
}
