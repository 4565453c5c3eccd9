// An HTTP error answer → an AgentError that says what to change.
import { AgentError, type AgentErrorCode } from '../errors.js'
import { defined } from '../base/defined.js'
import { oneLine } from '../base/text.js'
import { parseJson } from '../base/json/parse-json.js'
import { codeOfKind, codeOfStatus, describeCode } from './error-codes.js'
import { inBrackets, type Places } from './places.js'
import { hideSecrets, readErrorObject, type ReportedError } from './reported-error.js'
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
  const reported = readErrorObject(parseJson(answer.body)?.value)
  const code = codeOfAnswer(status, reported)
  const text = hideSecrets(reported?.message ?? preview(answer), answer.secrets)
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

function codeOfAnswer(status: number, reported: ReportedError | undefined): AgentErrorCode {
  const code = codeOfStatus(status)
  const kind = reported && codeOfKind(reported)
  if (kind === 'quota' && status >= 400 && status < 500) return 'quota'
  // Gemini answers 400 to a wrong key.
  return code === 'bad_request' && /api key not valid|api_key_invalid/i.test(reported?.message ?? '') ? 'auth' : code
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
    case 'bad_request':
      return answer.model === undefined && places.model !== undefined && /\bmodel\b/i.test(answer.body)
        ? `no model was named${inBrackets(places.model)}`
        : undefined
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
