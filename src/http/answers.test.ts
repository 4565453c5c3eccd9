// What servers send, from real sockets: framing as llhttp takes or refuses it, compression, bombs, cuts.
import type { Socket } from 'node:net'
import { constants, brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib'
import * as zlib from 'node:zlib'
import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { http } from '../../test/support/http.js'
import { okAnswer, rawAnswer, rawServer } from '../../test/support/raw-server.js'
import type { HttpResponse } from './types.js'

const OK = 'HTTP/1.1 200 OK\r\n'
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n'

function send(url: string): Promise<HttpResponse> {
  return http.send({ url: new URL(url), headers: {}, body: '{}', signal: new AbortController().signal })
}

async function read(url: string): Promise<string> {
  return (await (await send(url)).text()).text
}

for (const [name, bytes, expected] of [
  ['a length', `${OK}Content-Length: 2\r\n\r\nhi`, 'hi'],
  [
    'chunks with extensions and trailers',
    `${OK}transfer-encoding: chunked\r\n\r\n1;x=1\r\nh\r\n1\r\ni\r\n0\r\nT: 1\r\n\r\n`,
    'hi',
  ],
  [
    'early hints before the answer',
    `HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n${OK}content-length: 2\r\n\r\nhi`,
    'hi',
  ],
  ['100 Continue, which was not asked for', `${CONTINUE}${OK}content-length: 2\r\n\r\nhi`, 'hi'],
  [
    'several answers before the answer',
    `${CONTINUE}HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\nHTTP/1.1 100\r\nX-A: b\r\n\r\n${OK}content-length: 2\r\n\r\nhi`,
    'hi',
  ],
  ['a body that looks like one', `${OK}content-length: 25\r\n\r\n${CONTINUE}`, CONTINUE],
  ['HTTP/1.0 with a length', 'HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nhi', 'hi'],
  ['no content', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ['no reason phrase', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nhi', 'hi'],
  ['more than its length', `${OK}content-length: 2\r\n\r\nhi and more`, 'hi'],
] as const)
  test(`takes ${name}`, async () => expect(await read((await rawAnswer(bytes)).url)).toBe(expected))

test('takes 100 Continue byte by byte, on a connection that is used again', async () => {
  const bytes = Buffer.concat([Buffer.from(CONTINUE), okAnswer('hi')])
  const drip = (socket: Socket, at = 0): unknown =>
    at < bytes.length && socket.write(bytes.subarray(at, at + 1), () => drip(socket, at + 1))
  const server = await rawServer((socket) => void drip(socket))
  for (let call = 0; call < 3; call++) expect(await read(server.url)).toBe('hi')
  expect(server.connections).toBe(1)
})

test('100 Continue alone is no answer', async () => {
  const { url } = await rawAnswer(CONTINUE, 'end')
  expect(await failure(read(url))).toMatchObject({ code: 'cut_off' })
})

for (const [name, bytes] of [
  ['HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nhi'],
  ['HTTP/1.1 without a length', `${OK}\r\nhi`],
] as const)
  test(`takes ${name}: the end of the connection is the end of the body`, async () =>
    expect(await read((await rawAnswer(bytes, 'end')).url)).toBe('hi'))

for (const [name, bytes, reason] of [
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'Expected HTTP/'],
  ['a TLS alert', '\u0015\u0003\u0001\u0000\u0002\u0002F', 'Expected HTTP/'],
  ['HTTP/2', 'HTTP/2 200 OK\r\ncontent-length: 2\r\n\r\nhi', 'Expected dot'],
  ['bare line feeds', 'HTTP/1.1 200 OK\ncontent-length: 2\n\nhi', 'Missing expected CR'],
  ['bare line feeds between chunks', `${OK}transfer-encoding: chunked\r\n\r\n2\nhi\n0\n\n`, 'Missing expected CR'],
  ['a space before a colon', `${OK}content-length : 2\r\n\r\nhi`, 'Invalid header field char'],
  ['a folded header', `${OK}a: b\r\n c\r\ncontent-length: 2\r\n\r\nhi`, 'Unexpected whitespace'],
  ['a header without a name', `${OK}: x\r\n\r\n`, 'Invalid header token'],
  ['a bad status line', 'HTTP/1.1 OK\r\n\r\n', 'Invalid status code'],
  ['a length that is not a number', `${OK}content-length: -5\r\n\r\n`, 'Content-Length'],
  ['two lengths', `${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nhi`, 'more than one content-length'],
  ['a length beside chunks', `${OK}transfer-encoding: chunked\r\ncontent-length: 2\r\n\r\n0\r\n\r\n`, 'Content-Length'],
  ['a chunk without a size', `${OK}transfer-encoding: chunked\r\n\r\nzz\r\n`, 'chunk size'],
  ['a chunk size that overflows', `${OK}transfer-encoding: chunked\r\n\r\n10000000000000000\r\nhi`, 'overflow'],
  ['a chunk longer than its size', `${OK}transfer-encoding: chunked\r\n\r\n2\r\nabc\r\n`, 'chunk data'],
  [
    'a transfer coding that was not asked for',
    `${OK}transfer-encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
    'gzip, chunked',
  ],
  ['headers without end', `${OK}a: ${'x'.repeat(70_000)}`, 'larger than 64 kB'],
  ['a switch of protocols', 'HTTP/1.1 101 Switching\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n', 'another protocol'],
] as const)
  test(`refuses ${name}`, async () => {
    const { url } = await rawAnswer(bytes)
    expect(await failure(read(url))).toMatchObject({
      name: 'AgentError',
      code: 'bad_response',
      message: expect.stringMatching(/^the answer of 127\.0\.0\.1:\d+ is not valid HTTP\/1\.1: /),
    })
    expect(await failure(read(url))).toMatchObject({ message: expect.stringContaining(reason) })
  })

for (const [name, bytes, then] of [
  ['half a head', 'HTTP/1.1 200', 'end'],
  ['half a body', `${OK}content-length: 9\r\n\r\nhalf`, 'end'],
  ['half a body of a connection that closes', `${OK}connection: close\r\ncontent-length: 9\r\n\r\nhalf`, 'end'],
  ['half a chunk', `${OK}transfer-encoding: chunked\r\n\r\n9\r\nhalf`, 'end'],
  ['half a chunk, then a reset', `${OK}transfer-encoding: chunked\r\n\r\n9\r\nhalf`, 'reset'],
  ['chunks without the last one', `${OK}transfer-encoding: chunked\r\n\r\n4\r\nhalf\r\n`, 'end'],
] as const)
  test(`cut off: ${name}`, async () =>
    expect(await failure(read((await rawAnswer(bytes, then)).url))).toMatchObject({
      code: 'cut_off',
      message: expect.stringContaining('in the middle of its answer'),
    }))

test('an unsolicited answer does not reach the next request', async () => {
  const { url } = await rawAnswer(Buffer.concat([okAnswer('a'), okAnswer('forged')]))
  for (let call = 0; call < 3; call++) expect(await read(url)).toBe('a')
})

test('headers: names in lower case, several values joined, cookies apart', async () => {
  const { url } = await rawAnswer(
    `HTTP/1.1 201 Made it\r\nX-A: 1\r\nx-a: 2\r\nSet-Cookie: a=1\r\nset-cookie: b=2\r\n__proto__: x\r\ncontent-length: 0\r\n\r\n`,
  )
  const { status, statusText, headers, cookies } = await send(url)
  expect({ status, statusText, cookies }).toEqual({ status: 201, statusText: 'Made it', cookies: ['a=1', 'b=2'] })
  expect(headers['x-a']).toBe('1, 2')
})

const TEXT = JSON.stringify({ content: 'hello é👍'.repeat(1000) })
const encodings: Array<[string, Uint8Array]> = [
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['GZIP', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
]
const zstd = (zlib as { zstdCompressSync?: (text: string) => Uint8Array }).zstdCompressSync
if (zstd) encodings.push(['zstd', zstd(TEXT)])

for (const [encoding, body] of encodings) {
  test(`${encoding}: decompressed, whole or in single bytes`, async () => {
    const head = `${OK}content-encoding: ${encoding}\r\ncontent-length: ${body.length}\r\n\r\n`
    const server = await rawServer((socket) => {
      socket.write(head)
      if (server.requests.length % 2 === 1) return socket.write(body)
      const drip = (at: number): void => {
        if (at < body.length) socket.write(body.subarray(at, at + 1), () => setImmediate(drip, at + 1))
      }
      drip(0)
    })
    for (let call = 0; call < 2; call++) {
      const response = await send(server.url)
      expect(response.headers).not.toHaveProperty('content-encoding')
      expect((await response.text()).text).toBe(TEXT)
    }
    expect(server.connections).toBe(1)
    expect(server.requests[0]?.head).toContain(`accept-encoding: gzip, deflate, br${zstd ? ', zstd' : ''}`)
  })
}

test('an encoded answer without a body is empty', async () => {
  const { url } = await rawAnswer(`HTTP/1.1 200 OK\r\ncontent-encoding: gzip\r\ncontent-length: 0\r\n\r\n`)
  expect(await read(url)).toBe('')
})

test('compressed data that ends too early is cut off, and data that is not compressed is a bad answer', async () => {
  const half = gzipSync(TEXT).subarray(0, 60)
  const cut = await rawAnswer(okAnswer(half, 'content-encoding: gzip\r\n'))
  expect(await failure(read(cut.url))).toMatchObject({
    code: 'cut_off',
    message: expect.stringContaining('compressed'),
  })
  for (const encoding of ['gzip', 'br', 'deflate']) {
    const { url } = await rawAnswer(
      okAnswer('{"content":"not compressed at all"}', `content-encoding: ${encoding}\r\n`),
    )
    expect(await failure(read(url))).toMatchObject({
      code: 'bad_response',
      message: expect.stringContaining(`is not valid ${encoding}`),
    })
  }
})

for (const [encoding, compress] of [
  ['gzip', gzipSync],
  // The highest quality, which is the default, takes minutes on a busy machine.
  ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
] as const) {
  test(`a ${encoding} bomb stops at the limit, however it is read, and closes the connection`, async () => {
    const bomb = compress(Buffer.alloc(200 * 1024 * 1024))
    expect(bomb.length).toBeLessThan(1024 * 1024)
    const server = await rawAnswer(okAnswer(bomb, `content-encoding: ${encoding}\r\n`))
    const before = process.memoryUsage.rss()
    expect(await failure(read(server.url))).toMatchObject({
      code: 'too_large',
      message: expect.stringContaining('larger than 16 MB'),
    })
    const chunks = async (): Promise<void> => {
      for await (const chunk of (await send(server.url)).chunks())
        expect(chunk.byteLength).toBeLessThan(3 * 1024 * 1024)
    }
    expect(await failure(chunks())).toMatchObject({ code: 'too_large' })
    expect(process.memoryUsage.rss() - before).toBeLessThan(150 * 1024 * 1024)
  })
}

test('a reader that stops closes the connection, compressed or not', async () => {
  for (const encoding of ['', 'content-encoding: gzip\r\n']) {
    const body = encoding === '' ? Buffer.alloc(1000) : gzipSync(Buffer.alloc(1000), { finishFlush: 2 })
    const server = await rawServer((socket) => {
      socket.write(`${OK}content-length: 100000\r\n${encoding}\r\n`)
      socket.write(body)
    })
    for await (const chunk of (await send(server.url)).chunks()) {
      expect(chunk.byteLength).toBe(1000)
      break
    }
    while (server.open > 0) await new Promise((resolve) => setImmediate(resolve))
  }
})
