// `http.*` of scripts against real sockets: redirects, credentials, limits.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { failure } from '../../../test/support/agent-request.js'
import { http } from '../../../test/support/http.js'
import { okAnswer, rawAnswer, rawServer } from '../../../test/support/raw-server.js'
import { performHttp } from './http-request.js'

function ask(request: Record<string, unknown>, signal = new AbortController().signal) {
  return performHttp({ method: 'GET', ...request }, { http, root: process.cwd(), signal })
}

const redirect = (status: number, location: string): string =>
  `HTTP/1.1 ${status} Over there\r\nlocation: ${location}\r\ncontent-length: 4\r\n\r\nover`

test('compressed answers are read; cookies stay apart', async () => {
  const cookies = 'set-cookie: a=1\r\nset-cookie: b=2\r\n'
  const { url } = await rawAnswer(okAnswer(gzipSync('{"a":1}'), `content-encoding: gzip\r\n${cookies}`))
  expect(await ask({ url })).toMatchObject({
    status: 200,
    code: 200,
    message: 'OK',
    data: { a: 1 },
    headers: { 'Set-Cookie': ['a=1', 'b=2'], 'Content-Type': ['application/json'] },
  })
})

test('user and password in the URL are a header', async () => {
  const server = await rawAnswer(okAnswer('{}'))
  await ask({ url: server.url.replace('://', '://ann:s3cret@') })
  expect(server.requests[0]?.head).toContain(`authorization: Basic ${Buffer.from('ann:s3cret').toString('base64')}`)
})

test('a redirect on the same host keeps the headers; one to another host carries no credentials', async () => {
  const other = await rawAnswer(okAnswer('"other"'))
  const server = await rawServer((socket, { head }) => {
    if (head.startsWith('GET /one ')) return socket.write(redirect(302, '/two'))
    if (head.startsWith('GET /two ')) return socket.write(redirect(301, `${other.url}/three`))
    socket.write(okAnswer('{}'))
  })
  const headers = { authorization: 'Bearer k', 'x-api-key': 'k', cookie: 'c=1', accept: 'application/json' }
  expect(await ask({ url: `${server.url}/one`, headers })).toMatchObject({ status: 200, data: 'other' })
  expect(server.requests[1]?.head).toMatch(/^authorization: Bearer k\r$/m)
  const [last] = other.requests
  expect(last?.head).toMatch(/^accept: application\/json\r$/m)
  expect(last?.head).not.toMatch(/authorization|x-api-key|cookie/)
  expect(server.connections).toBe(1)
})

for (const [status, method, expected] of [
  [301, 'POST', 'GET '],
  [302, 'POST', 'GET '],
  [303, 'POST', 'GET '],
  [303, 'PUT', 'GET '],
  [302, 'PUT', 'PUT body'],
  [307, 'POST', 'POST body'],
  [308, 'POST', 'POST body'],
] as const) {
  test(`${status} after ${method} is followed by ${expected}`, async () => {
    const server = await rawServer((socket, { head }) =>
      socket.write(head.includes(' /next ') ? okAnswer('{}') : redirect(status, '/next')),
    )
    expect(await ask({ method, url: server.url, payload: 'body' })).toMatchObject({ status: 200 })
    const [, next] = server.requests
    expect(`${next?.head.split(' ')[0]} ${next?.body}`).toBe(expected)
  })
}

test('a redirect that never ends is the answer in the end, and one that leads nowhere too', async () => {
  const server = await rawServer((socket) => socket.write(redirect(302, '/again')))
  expect(await ask({ url: server.url })).toMatchObject({ status: 302, data: 'over' })
  expect(server.requests).toHaveLength(11)
  const odd = await rawServer((socket) => socket.write(redirect(302, 'file:///etc/passwd')))
  expect(await ask({ url: odd.url })).toMatchObject({ status: 302 })
})

test('failures of the network are answers', async () => {
  expect(await ask({ url: 'http://127.0.0.1:1/' })).toMatchObject({
    status: 0,
    code: 500,
    message: 'cannot reach http://127.0.0.1:1: connection refused',
    data: null,
  })
  for (const url of ['nonsense', 'file:///etc/passwd', 'data:text/plain,x'])
    expect(await ask({ url })).toMatchObject({ status: 0, data: null })
  const { url } = await rawAnswer('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', 'end')
  expect(await ask({ url })).toMatchObject({ status: 0, message: expect.stringContaining('in the middle') })
})

test('a bomb and an endless body are errors, not answers', async () => {
  const bomb = await rawAnswer(okAnswer(gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'content-encoding: gzip\r\n'))
  const message = /^the answer of 127\.0\.0\.1:\d+ is larger than 64 MB$/
  expect(await failure(ask({ url: bomb.url }))).toMatchObject({ message: expect.stringMatching(message) })
  const endless = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const more = (): void => void (socket.destroyed || (socket.write(piece) ? setImmediate(more) : undefined))
    socket.on('drain', more)
    more()
  })
  expect(await failure(ask({ url: endless.url }))).toMatchObject({ message: expect.stringMatching(message) })
  while (endless.open > 0) await new Promise((resolve) => setImmediate(resolve))
})

test('a body that drips ends with the time of the test', async () => {
  const server = await rawServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n')
    const timer = setInterval(() => socket.write('x'), 5)
    socket.on('close', () => clearInterval(timer))
  })
  const controller = new AbortController()
  const asked = failure(ask({ url: server.url }, controller.signal))
  while (server.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('timeout after 2s'))
  expect(await asked).toMatchObject({ message: 'timeout after 2s' })
  while (server.open > 0) await new Promise((resolve) => setImmediate(resolve))
})
