// Agents behind a proxy, through the command line: what the proxy sees, and what stays hidden.
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { createServer as createTlsServer } from 'node:tls'
import { expect, test } from 'vitest'
import { hasOpenssl, makeCertificate } from '../support/certificate.js'
import { listen, okAnswer, rawServer, type RawServer } from '../support/raw-server.js'
import { makeFolder, viva } from '../support/run-cli.js'

const TOKEN = Buffer.from('ann:s3cret-word').toString('base64')
const SECRETS = ['s3cret-word', TOKEN]

/** A proxy that requires a password, answers plain requests itself and leads every tunnel to `port`. */
function startProxy(port?: number): Promise<RawServer> {
  return rawServer((socket, { head }) => {
    if (!head.includes(`proxy-authorization: Basic ${TOKEN}`)) {
      const wanted = 'proxy-authenticate: Basic realm="s3cret-word is wrong"'
      return socket.write(`HTTP/1.1 407 Who are you\r\n${wanted}\r\ncontent-length: 0\r\n\r\n`)
    }
    if (!head.startsWith('CONNECT') || port === undefined) return socket.write(okAnswer('{"content":"via the proxy"}'))
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
    tunnel(socket, connect(port, '127.0.0.1'))
  })
}

function tunnel(one: Socket, other: Socket): void {
  one.pipe(other).on('error', () => one.destroy())
  other.pipe(one).on('error', () => other.destroy())
}

function withPassword({ port }: RawServer): string {
  return `http://ann:s3cret-word@127.0.0.1:${port}`
}

const CASES = { 'cases.jsonl': [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'via the proxy' } }] }
const OUTPUTS = ['-o', 'o.jsonl', '-o', 'o.html', '-o', 'o.xml', '--verbose']

/** Everything that was printed or written. */
function shown(dir: string, stdout: string, stderr: string): string {
  const files = readdirSync(dir).filter((name) => name.startsWith('o.'))
  return [stdout, stderr, ...files.map((name) => readFileSync(join(dir, name), 'utf8'))].join('\n')
}

test('a proxy that requires a password gets it; a wrong or missing one is an immediate error; it is shown nowhere', async () => {
  const proxy = await startProxy()
  const dir = makeFolder(CASES)
  const run = (address: string) =>
    viva(['test', '-i', 'cases.jsonl', '-n', 'http://agent.test/agent', ...OUTPUTS, '--force'], {
      cwd: dir,
      env: { http_proxy: address },
    })
  const good = await run(withPassword(proxy))
  expect({ code: good.code, stderr: good.stderr }).toMatchObject({ code: 0 })
  expect(proxy.requests.map(({ head }) => head.split('\r\n')[0])).toEqual(['POST http://agent.test/agent HTTP/1.1'])
  const texts = [shown(dir, good.stdout, good.stderr)]

  const none = await run(proxy.url)
  expect(none.code).toBe(1)
  expect(none.stdout).toContain(`the proxy ${proxy.url} requires a user and password (HTTP 407)`)
  expect(none.stdout).toContain('http_proxy')
  expect(proxy.requests).toHaveLength(2)

  const wrong = await run(`http://bob:s3cret-word@127.0.0.1:${proxy.port}`)
  expect(wrong.stdout).toContain('did not accept the user and password in http_proxy')
  expect(proxy.requests).toHaveLength(3)
  texts.push(shown(dir, wrong.stdout, wrong.stderr))
  for (const text of texts) for (const secret of SECRETS) expect(text).not.toContain(secret)
})

test('loopback and what NO_PROXY lists are reached directly', async () => {
  const proxy = await startProxy()
  const server = await rawServer((socket) => socket.write(okAnswer('{"content":"directly"}')))
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'T1', input: 'hi', assert: { type: 'contains', value: 'directly' } }],
  })
  const env = { HTTP_PROXY: withPassword(proxy), HTTPS_PROXY: withPassword(proxy), NO_PROXY: '.invalid,10.0.0.0/8' }
  for (const host of ['127.0.0.1', 'localhost']) {
    const args = ['test', '-i', 'cases.jsonl', '-n', `http://${host}:${server.port}/agent`]
    expect(await viva(args, { cwd: dir, env })).toMatchObject({ code: 0 })
  }
  const absent = await viva(['test', '-i', 'cases.jsonl', '-n', 'http://agent.invalid/agent'], { cwd: dir, env })
  expect(absent.stdout).toContain('cannot reach http://agent.invalid: unknown host')
  expect(proxy.requests).toHaveLength(0)
})

test('a proxy that is not there, and one that cannot be used, are named with their variable', async () => {
  const dir = makeFolder(CASES)
  const run = (HTTPS_PROXY: string) =>
    viva(['test', '-i', 'cases.jsonl', '-n', 'https://agent.test/', '--timeout', '20s'], {
      cwd: dir,
      env: { HTTPS_PROXY },
    })
  const gone = await run('http://ann:s3cret-word@127.0.0.1:1')
  expect(gone.stdout).toContain('cannot reach the proxy http://127.0.0.1:1: connection refused')
  expect(gone.stdout).toContain('the proxy is set by HTTPS_PROXY')
  const socks = await run('socks5://ann:s3cret-word@127.0.0.1:1')
  expect(socks.stdout).toContain('HTTPS_PROXY: a socks5:// proxy is not supported')
  for (const { code, stdout, stderr } of [gone, socks]) {
    expect(code).toBe(1)
    for (const secret of SECRETS) expect(stdout + stderr).not.toContain(secret)
  }
})

test.skipIf(!hasOpenssl)('https goes through a tunnel, in which the password of the proxy is not', async () => {
  const dir = makeFolder(CASES)
  const { key, cert, file } = makeCertificate(dir, 'agent.test')
  const heard: string[] = []
  const server = createTlsServer({ key, cert }, (socket) => {
    socket
      .on('error', () => {})
      .on('data', (data) => {
        heard.push(data.toString('latin1'))
        socket.write(okAnswer('{"content":"via the proxy"}'))
      })
  })
  const proxy = await startProxy(await listen(server))
  const args = ['test', '-i', 'cases.jsonl', '-n', 'https://agent.test/agent', '--runs', '3', ...OUTPUTS, '--force']
  const env = { HTTPS_PROXY: withPassword(proxy), NODE_EXTRA_CA_CERTS: file }
  const { code, stdout, stderr } = await viva(args, { cwd: dir, env })
  expect({ code, stderr }).toMatchObject({ code: 0 })
  // One tunnel for all of them.
  expect(proxy.requests.map(({ head }) => head.split('\r\n')[0])).toEqual(['CONNECT agent.test:443 HTTP/1.1'])
  const inside = heard.join('\n')
  expect(inside.match(/^POST \/agent HTTP\/1\.1\r$/gm)).toHaveLength(3)
  expect(inside).toMatch(/^host: agent\.test\r$/m)
  for (const text of [inside, shown(dir, stdout, stderr)])
    for (const secret of SECRETS) expect(text).not.toContain(secret)

  // The same without trust in its certificate: the server is to blame, not the proxy.
  const untrusted = await viva(args, { cwd: dir, env: { HTTPS_PROXY: withPassword(proxy) } })
  expect(untrusted.stdout).toContain('cannot reach https://agent.test: the certificate is not trusted')
})

test('a redirect to another host is not followed, and no credentials leave', async () => {
  const other = await rawServer((socket) => socket.write(okAnswer('{"content":"via the proxy"}')))
  const server = await rawServer((socket) =>
    socket.write(`HTTP/1.1 307 Elsewhere\r\nlocation: ${other.url}/agent\r\ncontent-length: 0\r\n\r\n`),
  )
  const dir = makeFolder(CASES)
  const target = server.url.replace('://', '://ann:s3cret-word@')
  const { code, stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', `${target}/agent`], { cwd: dir })
  expect(code).toBe(1)
  expect(stdout).toContain(`use ${other.url}/agent as the URL`)
  expect(server.requests).toHaveLength(1)
  expect(other.connections).toBe(0)
})
