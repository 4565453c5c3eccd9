// Which proxy a URL is reached through, and what a proxy sees; against real sockets.
import { expect, test } from 'vitest'
import { failure } from '../../test/support/agent-request.js'
import { okAnswer, rawAnswer, rawServer } from '../../test/support/raw-server.js'
import { openHttp } from './open-http.js'
import { proxyFor, proxySecrets, type ProxyEnvironment } from './proxy.js'

const PROXY = { HTTP_PROXY: 'http://proxy.test:3128' }

function chosen(url: string, env: ProxyEnvironment): string | undefined {
  return proxyFor(new URL(url), env)?.url.origin
}

test('each scheme has its variable, https falls back to that of http, lower case wins', () => {
  const both = { HTTP_PROXY: 'http://plain.test', HTTPS_PROXY: 'http://secure.test' }
  expect(chosen('http://agent.test', both)).toBe('http://plain.test')
  expect(chosen('https://agent.test', both)).toBe('http://secure.test')
  expect(chosen('https://agent.test', PROXY)).toBe('http://proxy.test:3128')
  expect(chosen('http://agent.test', { HTTPS_PROXY: 'http://secure.test' })).toBeUndefined()
  expect(chosen('http://agent.test', { ...both, http_proxy: 'http://lower.test' })).toBe('http://lower.test')
  expect(chosen('http://agent.test', { ...both, http_proxy: '' })).toBeUndefined()
  expect(chosen('http://agent.test', {})).toBeUndefined()
  expect(chosen('http://agent.test', { HTTP_PROXY: 'proxy.test:8080' })).toBe('http://proxy.test:8080')
})

test('loopback is never proxied', () => {
  for (const host of [
    'localhost',
    'agent.localhost',
    '127.0.0.1',
    '127.1.2.3',
    '127.1',
    '0.0.0.0',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
  ])
    expect({ host, proxy: chosen(`http://${host}:8080/`, PROXY) }).toEqual({ host, proxy: undefined })
  for (const host of ['localhost.test', '128.0.0.1', '10.0.0.1', '[::2]', '[::ffff:10.0.0.1]'])
    expect({ host, proxy: chosen(`http://${host}/`, PROXY) }).toEqual({ host, proxy: 'http://proxy.test:3128' })
})

for (const [noProxy, direct, proxied] of [
  ['agent.test', ['http://agent.test', 'http://a.agent.test', 'http://AGENT.test'], ['http://otheragent.test']],
  ['.agent.test', ['http://agent.test', 'http://a.agent.test'], ['http://xagent.test']],
  ['*.agent.test', ['http://a.agent.test'], ['http://agent.testing']],
  ['a.test, b.test\tc.test', ['http://a.test', 'http://b.test', 'http://c.test'], ['http://d.test']],
  ['agent.test:8080', ['http://agent.test:8080'], ['http://agent.test', 'http://agent.test:81']],
  ['agent.test:443', ['https://agent.test'], ['http://agent.test']],
  ['*', ['http://agent.test', 'https://10.0.0.1'], []],
  ['10.0.0.0/8', ['http://10.200.3.4'], ['http://11.0.0.1', 'http://ten.test']],
  ['fd00::/8', ['http://[fd12::1]'], ['http://[fe80::1]', 'http://10.0.0.1']],
  ['fd00::1', ['http://[fd00::1]'], ['http://[fd00::2]']],
  ['10.0.0.0/99, ,', [], ['http://10.0.0.1']],
] as const) {
  test(`NO_PROXY=${JSON.stringify(noProxy)}`, () => {
    for (const url of direct) expect({ url, proxy: chosen(url, { ...PROXY, NO_PROXY: noProxy }) }).toEqual({ url })
    for (const url of proxied) expect(chosen(url, { ...PROXY, no_proxy: noProxy }), url).toBe('http://proxy.test:3128')
  })
}

test('a variable that holds no proxy is an error which does not show it', () => {
  for (const [value, message] of [
    ['socks5://ann:s3cret@proxy.test', 'HTTP_PROXY: a socks5:// proxy is not supported'],
    ['http://ann:s3cret@', 'HTTP_PROXY is not the URL of a proxy'],
  ] as const)
    expect(() => proxyFor(new URL('http://agent.test'), { HTTP_PROXY: value })).toThrow(message)
})

test('user and password are secrets in every spelling', () => {
  const env = { https_proxy: 'http://ann:p%40ss-word@proxy.test:3128', HTTP_PROXY: 'bob:other-word@proxy.test:1' }
  expect(proxySecrets(env)).toEqual(
    expect.arrayContaining([
      'p%40ss-word',
      'p@ss-word',
      'other-word',
      Buffer.from('ann:p@ss-word').toString('base64'),
      Buffer.from('bob:other-word').toString('base64'),
    ]),
  )
})

async function ask(url: string, env: ProxyEnvironment, headers: Record<string, string> = {}) {
  const http = openHttp({ env })
  try {
    const signal = new AbortController().signal
    const response = await http.send({ url: new URL(url), headers, body: '{}', signal })
    return { status: response.status, text: (await response.text()).text }
  } finally {
    await http.close()
  }
}

test('http: the proxy gets the whole URL, the host of the server and its own password', async () => {
  const proxy = await rawServer((socket) => socket.write(okAnswer('"via"')))
  const address = proxy.url.replace('://', '://ann:s3cret@')
  expect(await ask('http://agent.test:8080/a?b=c', { HTTP_PROXY: address }, { authorization: 'Bearer k' })).toEqual({
    status: 200,
    text: '"via"',
  })
  const [request] = proxy.requests
  expect(request?.head.split('\r\n')).toEqual(
    expect.arrayContaining([
      'POST http://agent.test:8080/a?b=c HTTP/1.1',
      'host: agent.test:8080',
      `proxy-authorization: Basic ${Buffer.from('ann:s3cret').toString('base64')}`,
      'authorization: Bearer k',
    ]),
  )
})

test('http: two servers behind one proxy share its connections, and direct ones are not proxied', async () => {
  const proxy = await rawServer((socket) => socket.write(okAnswer('"via"')))
  const server = await rawServer((socket) => socket.write(okAnswer('"direct"')))
  const http = openHttp({ env: { http_proxy: proxy.url, NO_PROXY: 'internal.test' } })
  const signal = new AbortController().signal
  for (const url of ['http://one.test/', 'http://two.test/', server.url]) {
    await (await http.send({ url: new URL(url), headers: {}, body: '{}', signal })).text()
  }
  await http.close()
  expect(proxy.requests.map(({ head }) => head.split(' ')[1])).toEqual(['http://one.test/', 'http://two.test/'])
  expect(proxy.connections).toBe(1)
  expect(server.requests).toHaveLength(1)
})

const REFUSED = 'HTTP/1.1 407 Proxy Authentication Required\r\nproxy-authenticate: Basic\r\ncontent-length: 0\r\n\r\n'

for (const scheme of ['http', 'https']) {
  test(`${scheme}: a proxy that requires a password says where to write it, and is asked once`, async () => {
    const proxy = await rawAnswer(REFUSED)
    expect(await failure(ask(`${scheme}://agent.test/`, { HTTP_PROXY: proxy.url }))).toMatchObject({
      code: 'auth',
      status: 407,
      retry: false,
      message: `the proxy ${proxy.url} requires a user and password (HTTP 407)`,
      hint: `set HTTP_PROXY to http://user:password@127.0.0.1:${proxy.port}, or list the host in NO_PROXY`,
    })
    const wrong = await failure(
      ask(`${scheme}://agent.test/`, { HTTP_PROXY: proxy.url.replace('://', '://ann:s3cret@') }),
    )
    expect(wrong).toMatchObject({
      message: `the proxy ${proxy.url} did not accept the user and password in HTTP_PROXY (HTTP 407)`,
    })
    expect(JSON.stringify([wrong, String(wrong)])).not.toContain('s3cret')
    expect(proxy.requests).toHaveLength(2)
    if (scheme === 'https')
      expect(proxy.requests[1]?.head.split('\r\n')).toEqual(
        expect.arrayContaining([
          'CONNECT agent.test:443 HTTP/1.1',
          `proxy-authorization: Basic ${Buffer.from('ann:s3cret').toString('base64')}`,
        ]),
      )
  })

  test(`${scheme}: a proxy that is not there is named with its variable`, async () => {
    expect(await failure(ask(`${scheme}://agent.test/`, { HTTP_PROXY: 'http://127.0.0.1:1' }))).toMatchObject({
      code: 'connection',
      message: 'cannot reach the proxy http://127.0.0.1:1: connection refused',
      hint: expect.stringContaining('the proxy is set by HTTP_PROXY'),
    })
  })

  test(`${scheme}: a proxy that hangs up or speaks something else ends in an error`, async () => {
    const mute = await rawServer((socket) => void socket.end())
    expect(await failure(ask(`${scheme}://agent.test/`, { HTTP_PROXY: mute.url }))).toMatchObject({
      code: 'connection',
    })
    expect(mute.requests).toHaveLength(1)
    const other = await rawAnswer('SSH-2.0-OpenSSH\r\n')
    expect(await failure(ask(`${scheme}://agent.test/`, { HTTP_PROXY: other.url }))).toMatchObject({
      code: 'bad_response',
    })
  })

  test(`${scheme}: an abort ends waiting for the proxy, and its connection`, async () => {
    const silent = await rawServer(() => {})
    const http = openHttp({ env: { HTTP_PROXY: silent.url } })
    const controller = new AbortController()
    const url = new URL(`${scheme}://agent.test/`)
    const asked = failure(http.send({ url, headers: {}, body: '{}', signal: controller.signal }))
    while (silent.requests.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error('enough'))
    expect(await asked).toMatchObject({ message: 'enough' })
    while (silent.open > 0) await new Promise((resolve) => setImmediate(resolve))
    await http.close()
  })
}

test('https: a proxy that refuses to connect is quoted with its status', async () => {
  const proxy = await rawAnswer('HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n')
  expect(await failure(ask('https://agent.test:8443/', { HTTPS_PROXY: proxy.url }))).toMatchObject({
    code: 'connection',
    retry: false,
    message: `the proxy ${proxy.url} would not connect to agent.test:8443 (HTTP 403)`,
  })
  const broken = await rawAnswer('HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n')
  expect(await failure(ask('https://[fd00::1]/', { HTTPS_PROXY: broken.url }))).toMatchObject({
    retry: true,
    message: expect.stringContaining('[fd00::1]:443 (HTTP 502)'),
  })
})
