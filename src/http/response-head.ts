// The head of an HTTP/1.1 response: status, headers, and how its body is framed.

export interface ResponseHead {
  status: number
  headers: Record<string, string>
}

export interface ParsedHead extends ResponseHead {
  /** How the body ends: not there at all, after `length` bytes, in chunks, or with the connection. */
  framing: 'none' | 'length' | 'chunks' | 'close'
  length: number
  /** The connection may carry another request. */
  keepAlive: boolean
}

/** What the server sent is not HTTP as we can read it. */
export class ProtocolError extends Error {}

const LENGTH = /^\d{1,15}$/

/** Servers answer with the same head again and again. */
let last: { text: string; head: ParsedHead } | undefined

/** From the text before the empty line. The result may be shared with other responses. Throws a ProtocolError. */
export function parseHead(text: string): ParsedHead {
  if (last?.text === text) return last.head
  const match = /^HTTP\/1\.([01]) (\d{3})(?: |\r|$)/.exec(text)
  if (!match) throw new ProtocolError('the answer is not HTTP')
  const status = Number(match[2])
  const headers = parseHeaders(text)
  const connection = headers['connection']?.toLowerCase()
  const keepAlive = match[1] === '1' ? connection !== 'close' : connection === 'keep-alive'
  const head: ParsedHead = { status, headers, keepAlive, ...framingOf(status, headers) }
  last = { text, head }
  return head
}

function framingOf(status: number, headers: Record<string, string>): Pick<ParsedHead, 'framing' | 'length'> {
  if (status === 204 || status === 304) return { framing: 'none', length: 0 }
  const encoding = headers['transfer-encoding']
  if (encoding !== undefined) {
    if (!/(^|,)\s*chunked\s*$/i.test(encoding)) return { framing: 'close', length: 0 }
    if (encoding.trim().toLowerCase() !== 'chunked') throw new ProtocolError(`transfer-encoding ${encoding}`)
    return { framing: 'chunks', length: 0 }
  }
  const length = headers['content-length']
  if (length === undefined) return { framing: 'close', length: 0 }
  // The same length twice is joined as `5, 5`.
  const [first = '', ...others] = length.split(',').map((item) => item.trim())
  if (!LENGTH.test(first) || others.some((item) => item !== first)) throw new ProtocolError(`content-length ${length}`)
  return { framing: 'length', length: Number(first) }
}

/** Names in lower case; a name given twice has its values joined, as the standard says. */
function parseHeaders(text: string): Record<string, string> {
  const headers: Record<string, string> = {}
  let start = text.indexOf('\r\n')
  while (start !== -1) {
    start += 2
    const next = text.indexOf('\r\n', start)
    const end = next === -1 ? text.length : next
    const colon = text.indexOf(':', start)
    if (colon <= start || colon >= end) throw new ProtocolError('a header has no name')
    const name = text.slice(start, colon).toLowerCase()
    const value = text.slice(colon + 1, end).trim()
    start = next
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    headers[name] = before === undefined ? value : `${before}, ${value}`
  }
  return headers
}
