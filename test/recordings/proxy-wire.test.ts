// What can happen between a client, the recording proxy and a provider.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { makeFolder, viva, writeFiles } from '../support/run-cli.js'
import { chat, piecesIn, startProxy } from './proxy-support.js'
import { tape } from './support.js'
import { startUpstream, type Upstream } from './upstream.js'

const SDK = fileURLToPath(new URL('./clients/sdk.mjs', import.meta.url))
const MANY = fileURLToPath(new URL('./clients/many.mjs', import.meta.url))

/** Answers with these chunks; `cut`: and then drops the connection. */
function answering(
  upstream: Upstream,
  chunks: Array<string | Uint8Array>,
  {
    cut = false,
    headers = {},
    status = 200,
  }: { cut?: boolean; headers?: Record<string, string>; status?: number } = {},
): void {
  upstream.instead = (response) => {
    response.writeHead(status, { 'content-type': 'text/event-stream', ...headers })
    for (const chunk of chunks) response.write(chunk)
    if (cut) response.write('', () => response.destroy())
    else response.end()
    return true
  }
}

const said = (content: string): string => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`

/** What came, and whether it came to its end. */
async function read(response: Response): Promise<{ status: number; text: string; whole: boolean }> {
  let text = ''
  try {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk as Uint8Array).toString()
    return { status: response.status, text, whole: true }
  } catch {
    return { status: response.status, text, whole: false }
  }
}

test('only callers with the address that are not a browser page are answered', async () => {
  const upstream = await startUpstream()
  const proxy = await startProxy(makeFolder(), ['--record', 'tape.yaml'], upstream.env)
  const { port } = new URL(proxy.url)
  const ask = (headers: Record<string, string>, path = `${new URL(proxy.openai).pathname}/models`): Promise<number> =>
    new Promise((resolve, reject) => {
      httpRequest({ host: '127.0.0.1', port, path, headers }, (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
        .on('error', reject)
        .end()
    })
  expect(await ask({ host: `127.0.0.1:${port}` })).toBe(200)
  expect(await ask({ host: `localhost:${port}` })).toBe(200)
  expect(await ask({ host: `evil.example:${port}` })).toBe(403)
  expect(await ask({ host: `127.0.0.1:${port}`, origin: `http://127.0.0.1:${port}` })).toBe(403)
  expect(await ask({ host: `127.0.0.1:${port}`, 'sec-fetch-site': 'none' })).toBe(403)
  expect(await ask({ host: `127.0.0.1:${port}` }, '/openai/v1/models')).toBe(404)
  expect(await ask({ host: `127.0.0.1:${port}` }, `/${'x'.repeat(24)}/openai/v1/models`)).toBe(404)
  expect(await ask({ host: `127.0.0.1:${port}` }, `${new URL(proxy.url).pathname}/mistral/v1/models`)).toBe(404)
  expect(upstream.requests).toHaveLength(2)
  const upgraded = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1')
    let text = ''
    socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text))
    socket.write(`GET / HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`)
  })
  expect(upgraded).toContain('501')
  await proxy.stop()
})

test('lists, heads, forms and compressed answers are passed on and replayed', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], upstream.env)
  const form = (): RequestInit => {
    const body = new FormData()
    body.set('file', new Blob(['RIFF….']), 'a.wav')
    return { method: 'POST', body }
  }
  const askAll = async (base: string): Promise<unknown[]> => {
    const head = await fetch(`${base}/models`, { method: 'HEAD' })
    return [
      await read(await fetch(`${base}/models?limit=2`)),
      head.status,
      await read(await fetch(`${base}/audio/transcriptions`, form())),
      await read(await fetch(`${base}/chat/completions`, chat('zipped'))),
    ]
  }
  upstream.instead = (response, { path, body }) => {
    if (path.includes('/audio/')) return !response.end('{"text":"hello"}').destroyed
    if (!body.includes('zipped')) return false
    response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': 'gzip' })
    response.end(gzipSync(said('small')))
    return true
  }
  const live = await askAll(recording.openai)
  expect(live).toEqual([
    expect.objectContaining({ status: 200, text: expect.stringContaining('"gpt"') }),
    200,
    { status: 200, text: '{"text":"hello"}', whole: true },
    { status: 200, text: said('small'), whole: true },
  ])
  expect(upstream.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'HEAD /v1/models',
    'GET /v1/models?limit=2',
    'POST /v1/audio/transcriptions',
    'POST /v1/chat/completions',
  ])
  expect(upstream.requests[3]?.headers).toMatchObject({ 'accept-encoding': 'identity' })
  await recording.stop()
  await upstream.close()
  const replaying = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await askAll(replaying.openai)).toEqual(live)
  expect(await replaying.stop()).toMatchObject({ code: 0, stderr: expect.stringContaining('4 replayed') })
})

test('an error that makes the client try again is recorded as it was, and its wait is not repeated', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  let tries = 0
  upstream.instead = (response) => {
    if (++tries > 1) return false
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after-ms': '1' })
    response.end('{"error":{"message":"slow down"}}')
    return true
  }
  const command = [process.execPath, SDK, 'openai', 'The weather in Rome?']
  const live = await viva(['proxy', '--record', 'tape.yaml', '--', ...command], { cwd: dir, env: upstream.env })
  expect(live).toMatchObject({ code: 0, stderr: expect.stringContaining('3 calls recorded') })
  expect(tape(dir)).toContain('status: 429')
  const waits = tape(dir).replace(/(?<=status: 429\n +headers: \{)/, ' "retry-after": "50",')
  expect(waits).toContain('retry-after')
  writeFiles(dir, { 'tape.yaml': waits })
  const replayed = await viva(['proxy', '--replay', 'tape.yaml', '--', ...command], { cwd: dir })
  expect(replayed).toMatchObject({ code: 0, stdout: live.stdout, stderr: expect.stringContaining('3 replayed') })
}, 30_000)

test('an answer that was cut off is never one that is whole', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], upstream.env)
  answering(upstream, [said('one'), said('two')], { cut: true })
  const cut = { status: 200, text: said('one') + said('two'), whole: false }
  expect(await read(await fetch(`${recording.openai}/chat/completions`, chat('go on')))).toEqual(cut)
  await upstream.close()
  const gone = await read(await fetch(`${recording.openai}/chat/completions`, chat('still there?')))
  expect(gone).toMatchObject({ status: 502, whole: true })
  await recording.stop()
  expect(tape(dir)).toContain('code: cut_off')
  const replaying = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await read(await fetch(`${replaying.openai}/chat/completions`, chat('go on')))).toEqual(cut)
  expect(await read(await fetch(`${replaying.openai}/chat/completions`, chat('still there?')))).toEqual(gone)
  await replaying.stop()
})

test('a client that goes away ends the call, and what it had heard is what is replayed', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], upstream.env)
  let ended: (() => void) | undefined
  const hasEnded = new Promise<void>((resolve) => (ended = resolve))
  upstream.instead = (response) => {
    response.on('close', () => ended?.())
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write(said('one'))
    return true
  }
  const leave = new AbortController()
  const response = await fetch(`${recording.openai}/chat/completions`, { ...chat('go on'), signal: leave.signal })
  for await (const chunk of response.body ?? []) {
    expect(Buffer.from(chunk as Uint8Array).toString()).toBe(said('one'))
    break
  }
  leave.abort()
  await hasEnded
  await recording.stop()
  expect(tape(dir)).toContain('the client closed the connection')
  const replaying = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await read(await fetch(`${replaying.openai}/chat/completions`, chat('go on')))).toEqual({
    status: 200,
    text: said('one'),
    whole: false,
  })
  await replaying.stop()
})

test('answers come immediately, or with their original timing', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], upstream.env)
  const live = await read(await fetch(`${recording.openai}/chat/completions`, chat('The weather in Rome?')))
  await recording.stop()
  // All but the first piece came after ten minutes.
  const late = tape(dir).replace(
    /(?<=chunk_ms: \[ ?)\d+(.*)(?=\])/,
    (_, rest: string) => `0${rest.replaceAll(/\d+/g, '600000')}`,
  )
  expect(late).toContain('600000')
  writeFiles(dir, { 'tape.yaml': late })
  const atOnce = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await read(await fetch(`${atOnce.openai}/chat/completions`, chat('The weather in Rome?')))).toEqual(live)
  await atOnce.stop()
  const realtime = await startProxy(dir, ['--replay', 'tape.yaml', '--realtime'])
  const response = await fetch(`${realtime.openai}/chat/completions`, chat('The weather in Rome?'))
  const reader = response.body?.getReader()
  const first = Buffer.from((await reader?.read())?.value ?? []).toString()
  expect(first).toBe(`${live.text.split('\n\n')[0]}\n\n`)
  await realtime.stop()
  await expect(reader?.read()).rejects.toThrow()
})

test('whatever was answered is there after a kill', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], upstream.env)
  const live = await read(await fetch(`${recording.openai}/chat/completions`, chat('The weather in Rome?')))
  await recording.kill()
  expect(existsSync(join(dir, 'tape.yaml'))).toBe(false)
  await upstream.close()
  const replaying = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await read(await fetch(`${replaying.openai}/chat/completions`, chat('The weather in Rome?')))).toEqual(live)
  await replaying.stop()
  expect(readdirSync(dir).filter((name) => name.endsWith('.journal'))).toEqual([])
})

test('calls that run side by side may come in any order, and one that differs is the only one recorded again', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const ask = async (base: string, towns: string[]): Promise<string[]> => {
    const texts: string[] = []
    for (const town of towns)
      texts.push((await read(await fetch(`${base}/chat/completions`, chat(`The weather in ${town}?`)))).text)
    return texts
  }
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], upstream.env)
  const [rome, oslo, bern] = await ask(recording.openai, ['Rome', 'Oslo', 'Bern'])
  await recording.stop()
  const replaying = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await ask(replaying.openai, ['Bern', 'Rome', 'Oslo'])).toEqual([bern, rome, oslo])
  expect(await replaying.stop()).toMatchObject({ code: 0 })

  writeFiles(dir, { 'tape.yaml': tape(dir).replace('interactions:\n', 'interactions:\n  # Rome is first\n') })
  const before = upstream.requests.length
  const adding = await startProxy(dir, ['--replay', 'tape.yaml', '--record-new'], upstream.env)
  const [, , kyiv] = await ask(adding.openai, ['Bern', 'Rome', 'Kyiv'])
  const added = await adding.stop()
  expect(added).toMatchObject({ code: 0, stderr: expect.stringContaining('1 call recorded, 2 replayed') })
  expect(added.stderr).toContain('command: recorded again from call 2')
  expect(upstream.requests).toHaveLength(before + 1)
  expect(tape(dir)).toContain('# Rome is first')
  expect(tape(dir)).not.toContain('Oslo')
  await upstream.close()
  const again = await startProxy(dir, ['--replay', 'tape.yaml'])
  expect(await ask(again.openai, ['Rome', 'Kyiv', 'Bern'])).toEqual([rome, kyiv, bern])
  expect(await again.stop()).toMatchObject({ code: 0 })
})

test('a command that makes do with an error has not run as it was recorded', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({
    'ask.mjs': `await fetch(process.env.OPENAI_BASE_URL + '/chat/completions', { method: 'POST', body: JSON.stringify({ messages: [process.argv[2]] }) })`,
  })
  const command = (word: string): string[] => ['--', process.execPath, 'ask.mjs', word]
  await viva(['proxy', '--record', 'tape.yaml', ...command('one')], { cwd: dir, env: upstream.env })
  expect(await viva(['proxy', '--replay', 'tape.yaml', ...command('one')], { cwd: dir })).toMatchObject({ code: 0 })
  const other = await viva(['proxy', '--replay', 'tape.yaml', ...command('two')], { cwd: dir })
  expect(other.code).toBe(1)
  expect(other.stderr).toContain('+ two')
})

test('50 concurrent conversations of one process are told apart by their addresses', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const towns = Array.from({ length: 50 }, (_, index) => `Town${index}`)
  const command = ['--', process.execPath, MANY, ...towns]
  const live = await viva(['proxy', '--record', 'tape.yaml', ...command], { cwd: dir, env: upstream.env })
  expect(live.code).toBe(0)
  expect(live.stdout).toBe(towns.map((town) => `${JSON.stringify({ town })}\n`).join(''))
  const cases = [...tape(dir).matchAll(/ case: (T-\w+)[^]*?call_(\w+)/g)].map(([, id, town]) => [id, `T-${town}`])
  expect(cases).toHaveLength(50)
  for (const [id, town] of cases) expect(id).toBe(town)
  await upstream.close()
  const replayed = await viva(['proxy', '--replay', 'tape.yaml', ...command], { cwd: dir })
  expect(replayed).toMatchObject({ code: 0, stdout: live.stdout, stderr: expect.stringContaining('50 replayed') })
}, 60_000)

const PLANTED = {
  header: 'sk-proj-header0123456789abcdef',
  prompt: 'sk-ant-api03-prompt0123456789abcdefghij',
  answer: 'ghp_answer0123456789abcdefghijABCDEFGHIJ',
  split: 'sk-proj-split0123456789abcdefABCDEF',
  argument: 'AKIAIOSFODNN7ARGUMEN',
  query: 'sk-proj-query0123456789abcdefABCDEF',
  failure: 'xoxb-1234567890-failure0123456789abcdef',
  cookie: 'cookie-value-0123456789',
  variable: 'hunter2-but-much-longer',
  partial: 'sk-proj-partial0123456789abcdefABCD',
}

test('no secret is in any byte that a recorded session leaves, whatever pieces it came in', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder()
  const env = { ...upstream.env, DB_PASSWORD: PLANTED.variable }
  const recording = await startProxy(dir, ['--record', 'tape.yaml'], env)
  const post = async (content: string): Promise<string> =>
    (await read(await fetch(`${recording.openai}/chat/completions?api_key=${PLANTED.query}`, chat(content)))).text
  const args = JSON.stringify({ key: PLANTED.argument })
  const pieces = (text: string): string[] => text.match(/.{1,5}/gs) ?? []
  const toolPiece = (text: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { tool_calls: [{ index: 0, function: { arguments: text } }] } }] })}\n\n`
  const whole = [
    said(`it is ${PLANTED.answer}, `),
    ...pieces(`and ${PLANTED.split} and ${PLANTED.variable}.`).map(said),
    ...pieces(args).map(toolPiece),
    'data: [DONE]\n\n',
  ].join('')
  // In chunks that end anywhere.
  answering(upstream, whole.match(/.{1,37}/gs) ?? [], { headers: { 'set-cookie': PLANTED.cookie } })
  expect(await post(`my key is ${PLANTED.prompt}`)).toBe(whole)
  answering(upstream, [`{"error":{"message":"bad key ${PLANTED.failure}"}}`], { status: 401 })
  await post('again')
  answering(upstream, pieces(PLANTED.partial).map(said), { cut: true })
  await post('and again')
  const journal = readFileSync(join(dir, 'tape.yaml.journal'), 'utf8')
  const { stderr, stdout } = await recording.stop()
  const text = tape(dir)
  for (const [name, secret] of Object.entries(PLANTED)) {
    for (const left of [journal, text, stderr, stdout]) expect(left, name).not.toContain(secret)
  }
  // Nor in the pieces of a stream.
  const joined = piecesIn(text)
  expect(joined).toContain('it is')
  for (const secret of [PLANTED.split, PLANTED.variable, PLANTED.argument, PLANTED.partial])
    expect(joined).not.toContain(secret.slice(8))
  const replaying = await startProxy(dir, ['--replay', 'tape.yaml'])
  const replayed = await read(
    await fetch(`${replaying.openai}/chat/completions?api_key=${PLANTED.query}`, chat(`my key is ${PLANTED.prompt}`)),
  )
  const events = replayed.text.split('\n\n').filter((event) => event.startsWith('data: {'))
  expect(events.map((event) => (JSON.parse(event.slice(6)) as { choices: object[] }).choices)).toHaveLength(
    whole.split('\n\n').length - 2,
  )
  await replaying.stop()
})
