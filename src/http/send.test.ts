// The transport against real servers: Node's own, and sockets that misbehave.
import { execFileSync, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import net, { type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { sendHttp, type HttpRequest } from './send.js'

const servers: Array<Server | net.Server> = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

async function listen<T extends Server | net.Server>(server: T): Promise<T & { url: string }> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return Object.assign(server, { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })
}

const send = (url: string, over: Partial<HttpRequest> = {}) =>
  sendHttp({ url: new URL(url), headers: {}, signal: new AbortController().signal, ...over })

/** Answers with what it was sent, and counts connections. */
async function echoServer() {
  const server = await listen(
    createServer((request, response) => {
      let body = ''
      request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
      request.on('end', () => {
        response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
      })
    }),
  )
  const record = { url: server.url, connections: 0 }
  server.on('connection', () => record.connections++)
  return record
}

test('method, path, query, headers and body arrive', async () => {
  const { url } = await echoServer()
  const response = await send(`${url}/a/b?c=d`, { method: 'PUT', headers: { 'x-a': 'é' }, body: 'hello é👍' })
  expect(response.status).toBe(200)
  expect(JSON.parse((await response.text()).text)).toMatchObject({
    method: 'PUT',
    url: '/a/b?c=d',
    body: 'hello é👍',
    headers: { host: url.slice('http://'.length), 'content-length': '12' },
  })
})

test('a connection is used again, and two calls at once have two', async () => {
  const server = await echoServer()
  for (let call = 0; call < 5; call++) await (await send(server.url)).text()
  expect(server.connections).toBe(1)
  await Promise.all([1, 2].map(async () => (await send(server.url)).text()))
  expect(server.connections).toBe(2)
})

test('a header cannot carry another header, and the body cannot become one', async () => {
  const { url } = await echoServer()
  for (const value of ['a\r\nx-b: c', 'a\nb', 'a\rb', 'key\n', 'a\0b']) {
    await expect(send(url, { headers: { 'x-a': value } })).rejects.toThrow(/line break or a control character/)
  }
  await expect(send(url, { headers: { 'x-a\r\nx-b': 'c' } })).rejects.toThrow(/line break/)
})

test('a large answer comes whole, however slowly it is read', async () => {
  const size = 8 * 1024 * 1024
  const server = await listen(createServer((_, response) => response.end(Buffer.alloc(size, 'x'))))
  let bytes = 0
  for await (const chunk of (await send(server.url)).chunks()) {
    bytes += chunk.byteLength
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(bytes).toBe(size)
  expect((await (await send(server.url)).text()).text.length).toBe(size)
})

test('who stops reading closes the connection', async () => {
  const server = await listen(
    createServer((_, response) => {
      response.write('first')
    }),
  )
  const connected = once(server, 'connection')
  const response = await send(server.url)
  const [socket] = (await connected) as [net.Socket]
  const closed = once(socket, 'close')
  for await (const chunk of response.chunks()) {
    expect(Buffer.from(chunk).toString()).toBe('first')
    break
  }
  await closed
})

test('the limit is a limit', async () => {
  const server = await listen(createServer((_, response) => response.end('x'.repeat(2000))))
  expect(await failure(send(server.url).then((response) => response.text(1000)))).toMatchObject({ code: 'too_large' })
  expect((await (await send(server.url)).text(2000)).text).toHaveLength(2000)
})

/** A server that sends these bytes to whoever connects, and then ends, resets or waits. */
async function rawServer(bytes: string, then: 'end' | 'reset' | 'wait') {
  return listen(
    net.createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write(bytes, 'latin1', () => {
          if (then === 'end') socket.end()
          if (then === 'reset') socket.resetAndDestroy()
        })
      })
    }),
  )
}

const read = async (url: string) => (await send(url)).text()

for (const [name, bytes, then, code] of [
  ['nothing', '', 'end', 'connection'],
  ['half a head', 'HTTP/1.1 200', 'end', 'cut_off'],
  ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', 'end', 'cut_off'],
  ['half a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n9\r\nhalf', 'reset', 'cut_off'],
  ['another protocol', 'SSH-2.0-OpenSSH\r\n', 'wait', 'bad_response'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'wait', 'bad_response'],
] as const) {
  test(`a server that sends ${name}`, async () => {
    const { url } = await rawServer(bytes, then)
    expect(await failure(read(url))).toMatchObject({ name: 'AgentError', code })
  })
}

test('a body without a length ends with the connection', async () => {
  const { url } = await rawServer('HTTP/1.1 200 OK\r\n\r\nall of it', 'end')
  expect(await read(url)).toEqual({ text: 'all of it' })
})

test('an answer nobody asked for does not reach the next request', async () => {
  const { url } = await rawServer(
    'HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\naHTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nforged',
    'wait',
  )
  expect(await read(url)).toEqual({ text: 'a' })
  expect(await read(url)).toEqual({ text: 'a' })
})

test('an abort ends connecting, waiting and reading', async () => {
  const { url } = await rawServer('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf', 'wait')
  const reason = new Error('enough')
  const early = AbortSignal.abort(reason)
  expect(await failure(send(url, { signal: early }))).toBe(reason)
  const controller = new AbortController()
  const response = await send(url, { signal: controller.signal })
  const reading = failure(Promise.resolve(response.text()))
  controller.abort(reason)
  expect(await reading).toBe(reason)
})

const hasOpenssl = spawnSync('openssl', ['version']).status === 0
test.skipIf(!hasOpenssl)('https: a trusted certificate works, an untrusted one is explained', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'viva-tls-'))
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost']
  execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '1', '-keyout', key, '-out', cert, ...subject],
    {
      stdio: 'ignore',
    },
  )
  const server = createSecureServer({ key: readFileSync(key), cert: readFileSync(cert) }, (_, response) =>
    response.end('secret'),
  )
  const { port } = new URL((await listen(server)).url)
  try {
    expect(await failure(read(`https://localhost:${port}`))).toMatchObject({
      code: 'connection',
      message: expect.stringContaining('the certificate is not trusted'),
      hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
    })
    const script = join(folder, 'client.mjs')
    const { build } = await import('esbuild')
    const entry = fileURLToPath(new URL('./send.ts', import.meta.url))
    const stdin = `import { sendHttp } from ${JSON.stringify(entry)}
      const signal = new AbortController().signal
      for (let call = 0; call < 2; call++) {
        const response = await sendHttp({ url: new URL(process.argv[2]), headers: {}, signal })
        console.log(response.status, (await response.text()).text)
      }`
    writeFileSync(join(folder, 'client.ts'), stdin)
    await build({
      entryPoints: [join(folder, 'client.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      outfile: script,
    })
    const env = { ...process.env, NODE_EXTRA_CA_CERTS: cert }
    const { spawn } = await import('node:child_process')
    const child = spawn(process.execPath, [script, `https://localhost:${port}`], { env })
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    await once(child, 'close')
    expect(output).toBe('200 secret\n200 secret\n')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
