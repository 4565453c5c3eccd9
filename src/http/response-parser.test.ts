import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ProtocolError } from './response-head.js'
import { readWhole, ResponseParser } from './response-parser.js'

interface Parsed {
  status?: number
  headers?: Record<string, string>
  body: string
  /** Undefined: the response is not complete. */
  reusable?: boolean
  ended?: boolean
}

/** Feeds the bytes in pieces, then ends the connection. */
function parse(text: string, cuts: number[] = [], close = false): Parsed {
  const result: Parsed = { body: '' }
  const parser = new ResponseParser({
    onHead: ({ status, headers }) => Object.assign(result, { status, headers }),
    onData: (chunk) => (result.body += Buffer.from(chunk).toString('latin1')),
    onEnd: (reusable) => (result.reusable = reusable),
  })
  const bytes = Buffer.from(text, 'latin1')
  let from = 0
  for (const cut of [...cuts.map((at) => at % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]) {
    if (cut > from) parser.write(bytes.subarray(from, cut))
    from = Math.max(from, cut)
  }
  if (close) result.ended = parser.end()
  return result
}

const OK = 'HTTP/1.1 200 OK\r\n'

test('a body of known length', () =>
  expect(parse(`${OK}Content-Length: 5\r\nX-A: b\r\n\r\nhello`)).toEqual({
    status: 200,
    headers: { 'content-length': '5', 'x-a': 'b' },
    body: 'hello',
    reusable: true,
  }))
test('chunks, with extensions and trailers', () =>
  expect(parse(`${OK}transfer-encoding: chunked\r\n\r\n5;x=1\r\nhello\r\n1\r\n!\r\n0\r\nT: 1\r\n\r\n`)).toMatchObject({
    body: 'hello!',
    reusable: true,
  }))
test('a body that ends with the connection', () => {
  expect(parse(`${OK}\r\nhel`)).toMatchObject({ body: 'hel' })
  expect(parse(`${OK}\r\nhello`, [], true)).toMatchObject({ body: 'hello', reusable: false, ended: true })
})
test('no body at all', () => {
  expect(parse('HTTP/1.1 204 No Content\r\n\r\n')).toMatchObject({ status: 204, body: '', reusable: true })
  expect(parse(`${OK}content-length: 0\r\n\r\n`)).toMatchObject({ body: '', reusable: true })
})
test('what comes before the answer is passed over', () =>
  expect(
    parse(`HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 1\r\n\r\na`),
  ).toMatchObject({ status: 200, body: 'a' }))
test('a server that closes is believed', () => {
  expect(parse(`${OK}connection: close\r\ncontent-length: 1\r\n\r\na`)).toMatchObject({ reusable: false })
  expect(parse('HTTP/1.0 200 OK\r\ncontent-length: 1\r\n\r\na')).toMatchObject({ reusable: false })
  expect(parse('HTTP/1.0 200 OK\r\nconnection: keep-alive\r\ncontent-length: 1\r\n\r\na')).toMatchObject({
    reusable: true,
  })
})
test('a header given twice is joined', () =>
  expect(parse(`${OK}a: 1\r\nA: 2\r\ncontent-length: 0\r\n\r\n`).headers).toMatchObject({ a: '1, 2' }))
test('a connection that ends too early is told', () => {
  for (const text of [
    '',
    'HTTP/1.1 200',
    `${OK}content-length: 5\r\n\r\nhel`,
    `${OK}transfer-encoding: chunked\r\n\r\n5\r\nhel`,
  ]) {
    expect(parse(text, [], true).ended).toBe(false)
  }
})

for (const [name, text] of [
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
  ['a TLS alert', '\u0015\u0003\u0001\u0000\u0002\u0002F'],
  ['a bad status line', 'HTTP/1.1 OK\r\n\r\n'],
  ['a header without a name', `${OK}: x\r\n\r\n`],
  ['a header that is folded', `${OK}a: b\r\n c\r\n\r\n`],
  ['a length that is no number', `${OK}content-length: -5\r\n\r\n`],
  ['two lengths that differ', `${OK}content-length: 5\r\ncontent-length: 6\r\n\r\n`],
  ['a coding we did not ask for', `${OK}transfer-encoding: gzip, chunked\r\n\r\n`],
  ['a chunk without a size', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`],
  ['a chunk longer than its size', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nabc\r\n`],
  ['bytes after the end', `${OK}content-length: 1\r\n\r\nab`],
  ['headers without end', `${OK}a: ${'x'.repeat(70_000)}`],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\n\r\n'],
] as const) {
  test(`refuses ${name}`, () => expect(() => parse(text)).toThrow(ProtocolError))
}

test('the cuts between pieces do not matter', () => {
  const body = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '0', ';') })
  const whole = body.map((text) => `${OK}content-length: ${text.length}\r\n\r\n${text}`)
  const chunked = fc
    .array(body.filter((text) => text !== ''))
    .map((parts) => parts.map((part) => `${part.length.toString(16)}\r\n${part}\r\n`).join(''))
    .map((chunks) => `HTTP/1.1 100 Continue\r\n\r\n${OK}transfer-encoding: chunked\r\n\r\n${chunks}0\r\n\r\n`)
  fc.assert(
    fc.property(fc.oneof(whole, chunked), fc.array(fc.nat(400), { maxLength: 30 }), (text, cuts) => {
      const expected = parse(text)
      expect(expected.reusable).toBe(true)
      expect(parse(text, cuts)).toEqual(expected)
    }),
  )
})

test('the quick way reads what the parser reads, or leaves it to the parser', () => {
  const status = fc.constantFrom('200 OK', '404 Not Found', '204 No Content', '103 Early Hints')
  const length = fc.constantFrom('', 'content-length: 5\r\n', 'Content-Length: 5\r\nconnection: close\r\n')
  const body = fc.constantFrom('hello', 'h\u00e9llo', 'hell', 'hello!', '')
  fc.assert(
    fc.property(status, length, body, (code, header, text) => {
      const bytes = Buffer.from(`HTTP/1.1 ${code}\r\n${header}x: y\r\n\r\n${text}`, 'latin1')
      const whole = readWhole(bytes, bytes.length)
      if (!whole) return
      const { status: seen, headers, keepAlive } = whole.head
      expect({ status: seen, headers, body: whole.body, reusable: keepAlive }).toEqual(parse(bytes.toString('latin1')))
    }),
  )
  const usual = Buffer.from(`${OK}content-length: 5\r\n\r\nhello, and what another answer left behind`)
  expect(readWhole(usual, usual.indexOf(','))?.body).toBe('hello')
})
