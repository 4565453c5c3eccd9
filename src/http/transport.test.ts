// The transport against real servers: what arrives, which connections are used, and when they end.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { hasOpenssl, makeCertificate } from '../../test/support/certificate.js'
import { http } from '../../test/support/http.js'
import { listen, okAnswer, rawServer } from '../../test/support/raw-server.js'
import { openHttp } from './open-http.js'
import type { HttpClient, HttpRequest } from './types.js'

function send(url: string, over: Partial<HttpRequest> = {}, client: HttpClient = http) {
  return client.send({ url: new URL(url), headers: {}, signal: new AbortController().signal, ...over })
}

/** Answers with what it was sent, and counts connections. */
async function echoServer() {
  const record = { url: '', connections: 0, open: 0 }
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk))
    request.on('end', () => {
      response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.headers, body }))
    })
  }).on('connection', (socket) => {
    record.connections++
    record.open++
    socket.on('close', () => record.open--)
  })
  record.url = `http://127.0.0.1:${await listen(server)}`
  return record
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}

test('method, path, query, headers and body arrive; what belongs to the transport cannot be set', async () => {
  const { url } = await echoServer()
  const response = await send(`${url}/a/b?c=d`, {
    method: 'PUT',
    headers: { 'x-a': 'é', Host: 'other', 'content-length': '3', 'Transfer-Encoding': 'chunked', expect: 'x' },
    body: 'hello é👍',
  })
  expect(response.status).toBe(200)
  expect(JSON.parse((await response.text()).text)).toMatchObject({
    method: 'PUT',
    url: '/a/b?c=d',
    body: 'hello é👍',
    headers: { host: url.slice('http://'.length), 'content-length': '12' },
  })
  const bytes = await send(url, { body: Uint8Array.of(104, 105) })
  expect(JSON.parse((await bytes.text()).text)).toMatchObject({ method: 'POST', body: 'hi' })
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
  for (const value of ['a\r\nx-b: c', 'a\nb', 'a\rb', 'key\n', 'a\0b', '👍']) {
    await expect(send(url, { headers: { 'x-a': value } })).rejects.toThrow(
      /^the header "x-a" for .* line break or another/,
    )
  }
  await expect(send(url, { headers: { 'x-a\r\nx-b': 'c' } })).rejects.toThrow(/line break/)
})

test('a large answer comes whole, however slowly it is read', async () => {
  const size = 8 * 1024 * 1024
  const server = createServer((_, response) => response.end(Buffer.alloc(size, 'x')))
  const url = `http://127.0.0.1:${await listen(server)}`
  let bytes = 0
  for await (const chunk of (await send(url)).chunks()) {
    bytes += chunk.byteLength
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(bytes).toBe(size)
  expect((await (await send(url)).text()).text.length).toBe(size)
})

test('the limit is a limit', async () => {
  const { url } = await rawServer((socket) => socket.write(okAnswer('x'.repeat(2000))))
  expect(await failure(send(url).then((response) => response.text(1000)))).toMatchObject({ code: 'too_large' })
  expect((await (await send(url)).text(2000)).text).toHaveLength(2000)
})

test('an abort ends connecting, waiting and reading, and the server hears of it', async () => {
  const reason = new Error('enough')
  const half = await rawServer((socket) => socket.write('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhalf'))
  expect(await failure(send(half.url, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  expect(half.connections).toBe(0)

  const reading = new AbortController()
  const response = await send(half.url, { signal: reading.signal })
  const text = failure(Promise.resolve(response.text()))
  reading.abort(reason)
  expect(await text).toBe(reason)
  await until(() => half.open === 0)

  // The second shakes no hands: TLS is still connecting.
  for (const [scheme, isReached] of [
    ['http', (server: { requests: unknown[] }) => server.requests.length === 1],
    ['https', (server: { open: number }) => server.open === 1],
  ] as const) {
    const silent = await rawServer(() => {})
    const waiting = new AbortController()
    const asked = failure(send(silent.url.replace('http:', `${scheme}:`), { signal: waiting.signal }))
    await until(() => isReached(silent))
    waiting.abort(reason)
    expect(await asked).toBe(reason)
    await until(() => silent.open === 0)
  }
})

test('two clients share no connection, and a closed one has none', async () => {
  const server = await echoServer()
  const [first, second] = [openHttp({ env: {} }), openHttp({ env: {} })]
  for (const client of [first, second, first, second]) await (await send(server.url, {}, client)).text()
  expect(server.connections).toBe(2)
  await first.close()
  await until(() => server.open === 1)
  await (await send(server.url, {}, second)).text()
  expect(server.connections).toBe(2)
  await expect(send(server.url, {}, first)).rejects.toThrow(/after the run had ended/)
  await second.close()
  await until(() => server.open === 0)
})

test('closing ends what is under way, and a client that was never used closes', async () => {
  const silent = await rawServer(() => {})
  const client = openHttp({ env: {} })
  const asked = failure(send(silent.url, {}, client))
  await until(() => silent.requests.length === 1)
  await client.close()
  expect(await asked).toMatchObject({ code: 'connection', message: expect.stringContaining('the run ended') })
  const unused = openHttp({ env: {} })
  await unused.close()
  await expect(send(silent.url, {}, unused)).rejects.toThrow(/after the run had ended/)
})

// From here on in a separate process: certificates are read at its start, and it must end on its own.
const folder = mkdtempSync(join(tmpdir(), 'viva-http-'))
const script = join(folder, 'client.cjs')

beforeAll(async () => {
  const source = `import { openHttp } from ${JSON.stringify(fileURLToPath(new URL('./open-http.ts', import.meta.url)))}
    const signal = new AbortController().signal
    const http = openHttp({ env: process.env })
    const [calls, close, url] = process.argv.slice(2)
    void (async () => {
      for (let call = 0; call < Number(calls); call++) {
        try {
          const response = await http.send({ url: new URL(url), headers: {}, signal })
          console.log(response.status, (await response.text()).text)
        } catch (error) {
          console.log(error.message)
        }
      }
      if (close === 'close') {
        await http.close()
        console.log(process.getActiveResourcesInfo().filter((name) => /tcp|tls|timeout/i.test(name)).length, 'left')
      }
    })()`
  writeFileSync(join(folder, 'client.ts'), source)
  await build({
    entryPoints: [join(folder, 'client.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    nodePaths: [fileURLToPath(new URL('../../node_modules', import.meta.url))],
    outfile: script,
    logLevel: 'error',
  })
  return () => rmSync(folder, { recursive: true })
})

async function runClient(args: string[], env: Record<string, string> = {}): Promise<string> {
  const child = spawn(process.execPath, [script, ...args], { env: { ...process.env, ...env } })
  onTestFinished(() => void child.kill())
  let output = ''
  child.stdout.on('data', (chunk) => (output += chunk))
  child.stderr.on('data', (chunk) => (output += chunk))
  await once(child, 'close')
  return output
}

test('a kept connection does not keep the process alive, and closing leaves no handle', async () => {
  const { url } = await rawServer((socket) => socket.write(okAnswer('hi')))
  expect(await runClient(['2', 'leave', url])).toBe('200 hi\n200 hi\n')
  expect(await runClient(['2', 'close', url])).toBe('200 hi\n200 hi\n0 left\n')
})

test.skipIf(!hasOpenssl)('https: NODE_EXTRA_CA_CERTS, names that do not fit, and no HTTP/2', async () => {
  const { key, cert, file } = makeCertificate(folder, 'localhost')
  const offered: unknown[] = []
  const server = createTlsServer({ key, cert, ALPNProtocols: ['h2', 'http/1.1'] }, (socket) => {
    offered.push(socket.alpnProtocol)
    socket.on('error', () => {}).on('data', () => socket.write(okAnswer('secret')))
  })
  const port = await listen(server)
  expect(await failure(send(`https://localhost:${port}`))).toMatchObject({
    code: 'connection',
    retry: false,
    message: expect.stringContaining('the certificate is not trusted'),
    hint: expect.stringContaining('NODE_EXTRA_CA_CERTS'),
  })
  const trusted = { NODE_EXTRA_CA_CERTS: file }
  expect(await runClient(['2', 'close', `https://localhost:${port}`], trusted)).toBe('200 secret\n200 secret\n0 left\n')
  expect(offered).toEqual(['http/1.1'])
  expect(await runClient(['1', 'close', `https://127.0.0.1:${port}`], trusted)).toBe(
    `cannot reach https://127.0.0.1:${port}: the certificate is not trusted (ERR_TLS_CERT_ALTNAME_INVALID)\n0 left\n`,
  )
})
