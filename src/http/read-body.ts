// What an answer may be wrapped in although nobody asked for it: a compression, a byte order mark.
import { AgentError } from '../errors.js'
import type { HttpResponse } from './send.js'

/** Throws for a compressed answer: we ask for none, and its bytes would pass for what the agent said. */
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
    // Over the limit with its first byte, which gives the connection back.
    await response.text(0)
  } catch {
    // The encoding is the reason, whatever else is wrong.
  }
  throw new AgentError({
    code: 'bad_response',
    message: `the answer of ${url.host} is compressed (content-encoding: ${encoding}), although it was asked for as it is`,
    hint: 'the server or a proxy before it must obey "accept-encoding: identity": switch its compression off',
    retry: false,
  })
}
