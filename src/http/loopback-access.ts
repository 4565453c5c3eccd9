// Who may call: checked on every request before anything else. The key is in the path; a browser page, whatever it
// knows, and a name that was made to point here get nothing.
import type { IncomingMessage } from 'node:http'

/** Undefined if the request may be answered; else why not. */
export function refusal({ headers }: IncomingMessage, port: number): string | undefined {
  const { host = '', origin } = headers
  if (host !== `127.0.0.1:${port}` && host !== `localhost:${port}`) return `unknown Host: ${host}`
  if (origin !== undefined || headers['sec-fetch-site'] !== undefined) return 'pages in a browser are not answered'
  return undefined
}
