// What a body may be wrapped in: an encoding that cannot be decoded, a byte order mark.
import { AgentError } from '../errors.js'
import type { HttpResponse } from './types.js'

/** Counted after decompression. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024

/** Throws for an encoding that was not asked for: its bytes would be taken for what the agent said. */
export function requireIdentity(url: URL, response: HttpResponse): void | Promise<never> {
  const encoding = response.headers['content-encoding']
  if (encoding !== undefined && encoding !== '' && encoding.toLowerCase() !== 'identity')
    return refuse(url, response, encoding)
}

export function parseBody(text: string): unknown {
  return JSON.parse(text.charCodeAt(0) === 0xfeff ? text.slice(1) : text)
}

async function refuse(url: URL, response: HttpResponse, encoding: string): Promise<never> {
  try {
    // Over the limit with its first byte, which ends the connection.
    await response.text(0)
  } catch {
    // The encoding is the reason, whatever else is wrong.
  }
  throw new AgentError({
    code: 'bad_response',
    message: `the answer of ${url.host} has an encoding that was not asked for (content-encoding: ${encoding})`,
    hint: 'the server or a proxy in between must obey the header accept-encoding: gzip, deflate, br',
    retry: false,
  })
}
