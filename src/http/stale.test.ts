// Kept connections that the server has closed: one more try on a fresh one, and never a second POST once it was answered.
import { createServer } from 'node:http'
import { createServer as createNetServer, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { http } from '../../test/support/http.js'
import { listen, okAnswer, rawServer } from '../../test/support/raw-server.js'

async function post(url: string, body = '{}'): Promise<string> {
  const response = await http.send({ url: new URL(url), headers: {}, body, signal: new AbortController().signal })
  return (await response.text()).text
}

/** Answers, and closes the connection without having said so; what comes in between is lost. */
async function closesAfterEach(close: (socket: Socket) => void): Promise<{ url: string; answered: string[] }> {
  const answered: string[] = []
  const { url } = await rawServer((socket, { number, body }) => {
    if (number > 1) return
    answered.push(body)
    socket.write(okAnswer(body), () => close(socket))
  })
  return { url, answered }
}

for (const [how, close] of [
  ['ends', (socket: Socket) => void socket.end()],
  ['resets', (socket: Socket) => void socket.resetAndDestroy()],
] as const) {
  test(`a server that ${how} after each answer: 60 calls in a row and 8 at once all pass, each answered once`, async () => {
    const server = await closesAfterEach(close)
    for (let call = 0; call < 60; call++) expect(await post(server.url, `${call}`)).toBe(`${call}`)
    let next = 60
    const worker = async (): Promise<void> => {
      while (next < 140) {
        const call = `${next++}`
        expect(await post(server.url, call)).toBe(call)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(server.answered.map(Number).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 140 }, (_, call) => call),
    )
  })
}

test('a server that closes as the next request arrives: it is sent again on a fresh connection', async () => {
  for (const close of ['end', 'resetAndDestroy'] as const) {
    const server = await rawServer((socket, { number, body }) => {
      if (number === 1) socket.write(okAnswer(body))
      else socket[close]()
    })
    expect(await post(server.url, 'first')).toBe('first')
    expect(await post(server.url, 'second')).toBe('second')
    expect(server.requests.map(({ body, number }) => `${body} ${number}`)).toEqual(['first 1', 'second 2', 'second 1'])
  }
})

test('all idle connections closed at once: each next request is sent again', async () => {
  const server = await rawServer((socket, { number, body }) => {
    if (number === 1) setImmediate(() => socket.write(okAnswer(body)))
    else socket.destroy()
  })
  const calls = ['a', 'b', 'c', 'd']
  expect(await Promise.all(calls.map((call) => post(server.url, call)))).toEqual(calls)
  expect(await Promise.all(calls.map((call) => post(server.url, call)))).toEqual(calls)
})

test('a fresh connection that is closed without an answer is an error at once', async () => {
  const server = await rawServer((socket) => void socket.end())
  expect(await failure(post(server.url))).toMatchObject({
    code: 'connection',
    message: expect.stringContaining('reset'),
  })
  expect(server.requests).toHaveLength(1)
})

test('no second POST once a byte of the answer has come', async () => {
  for (const part of ['H', 'HTTP/1.1 200 OK\r\n', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf']) {
    const server = await rawServer((socket, { number, body }) => {
      if (number === 1) socket.write(okAnswer(body))
      else socket.write(part, () => setImmediate(() => socket.end()))
    })
    await post(server.url, 'first')
    expect(await failure(post(server.url, 'second'))).toMatchObject({ code: 'cut_off' })
    expect(server.requests.map(({ body }) => body)).toEqual(['first', 'second'])
  }
})

test('a fresh connection that is refused after a stale one is an error that says so', async () => {
  const server = createNetServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      server.close()
      socket.write(okAnswer('{}'))
      socket.once('data', () => socket.destroy())
    })
  })
  const url = `http://127.0.0.1:${await listen(server)}`
  await post(url)
  expect(await failure(post(url))).toMatchObject({
    code: 'connection',
    message: expect.stringContaining('connection refused'),
  })
})

test('connection: close, alone or in a list, is believed', async () => {
  for (const value of ['close', 'close, foo', 'foo, Close']) {
    const server = await rawServer((socket, { body }) => socket.write(okAnswer(body, `connection: ${value}\r\n`)))
    await post(server.url, 'first')
    await post(server.url, 'second')
    expect({ value, connections: server.connections }).toEqual({ value, connections: 2 })
  }
})

test('a kept connection is used again, at the pace of the calls', async () => {
  let connections = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => response.end('{}'))
  }).on('connection', () => connections++)
  const url = `http://127.0.0.1:${await listen(server)}`
  for (let call = 0; call < 20; call++) await post(url)
  expect(connections).toBe(1)
})
