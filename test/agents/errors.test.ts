// What a person reads when a key is missing, a host wrong, a model unknown or nothing listens: which file or variable to change.
import { createServer } from 'node:http'
import { symlinkSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, ROOT, viva, type Files } from '../support/run-cli.js'

const TYPES = ['openai', 'anthropic', 'google', 'ai-sdk'] as const
const KEY = 'secret-key-4711'

/** Refuses keys that are not the right one and models it does not know, each in the provider's own form. */
async function startProvider(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (data) => (body += data))
    request.on('end', () => {
      const { url = '', headers } = request
      const key = String(headers.authorization ?? headers['x-api-key'] ?? headers['x-goog-api-key'])
      const send = (status: number, error: object): void => {
        response.writeHead(status, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ error }))
      }
      if (url.startsWith('/nowhere')) return send(404, { message: `no route for ${url}` })
      if (!key.includes('right')) {
        // Gemini says 400, the others 401; all like to repeat the key.
        const isGemini = url.includes('models/')
        const message = isGemini ? 'API key not valid. Please pass a valid API key.' : `bad key ${key}`
        return send(isGemini ? 400 : 401, { message, type: 'authentication_error', status: 'INVALID_ARGUMENT' })
      }
      send(404, { message: `no model in ${url} ${body.slice(0, 20)}`, type: 'not_found_error', status: 'NOT_FOUND' })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

function app(connectors: Record<string, object>, more: Files = {}): string {
  const files = Object.entries(connectors).map(([name, content]) => [`connectors/${name}.conn.yao`, content] as const)
  const dir = makeFolder({
    'app.yao': {},
    'assistants/a/package.yao': { name: 'A', connector: 'echo' },
    'assistants/a/prompts.yml': '- role: system\n  content: Hi.\n',
    ...Object.fromEntries(files),
    ...more,
  })
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  return dir
}

const connector = (type: string, options: object) => ({
  type,
  options: { ...(type === 'ai-sdk' && { package: '@ai-sdk/groq' }), ...options },
})

const FAULTS = ['key', 'model', 'refused', 'host', 'path'] as const

test('a call that fails names the option, its file and its variable', async () => {
  const url = await startProvider()
  const variables = { PROVIDER_KEY: `wrong-${KEY}`, PROVIDER_URL: `http://127.0.0.1:${await closedPort()}` }
  const options: Record<(typeof FAULTS)[number], object> = {
    key: { model: 'm', host: url, key: '$ENV.PROVIDER_KEY' },
    model: { model: 'no-such-model', host: url, key: `right-${KEY}` },
    refused: { model: 'm', host: '$ENV.PROVIDER_URL', key: `right-${KEY}` },
    host: { model: 'm', host: 'http://no-such-host.invalid', key: `right-${KEY}` },
    path: { model: 'm', host: `${url}/nowhere`, key: `right-${KEY}` },
  }
  const all = TYPES.flatMap((type) => FAULTS.map((fault) => ({ id: `${type}-${fault}`, type, fault })))
  const dir = app(Object.fromEntries(all.map(({ id, type, fault }) => [id, connector(type, options[fault])])), {
    'cases.jsonl': all.map(({ id }) => ({ id, input: 'hello', options: { connector: id } })),
  })
  const args = ['test', '-i', 'cases.jsonl', '-n', 'a', '--parallel', '20', '-o', 'events.jsonl']
  const { code, stdout, stderr } = await viva(args, { cwd: dir, env: variables })
  expect(code).toBe(1)
  const file = (id: string): string => `connectors/${id}.conn.yao`
  const { readFileSync } = await import('node:fs')
  const text = readFileSync(join(dir, 'events.jsonl'), 'utf8')
  const errors = Object.fromEntries(
    parseEvents(text)
      .filter((event) => event.type === 'result')
      .map((event) => [event['id'], String(event['error'])]),
  )
  for (const type of TYPES) {
    const key = `the variable PROVIDER_KEY, named by options.key in ${file(`${type}-key`)}`
    expect(errors[`${type}-key`]).toContain(`check the key (${key})`)
    const model = `the model name "no-such-model" (options.model in ${file(`${type}-model`)})`
    expect(errors[`${type}-model`]).toContain(model)
    const refused = `connection refused (start the server`
    expect(errors[`${type}-refused`]).toContain(refused)
    const address = `the variable PROVIDER_URL, named by options.host in ${file(`${type}-refused`)}`
    expect(errors[`${type}-refused`]).toContain(address)
    expect(errors[`${type}-host`]).toContain(`unknown host`)
    expect(errors[`${type}-host`]).toContain(`options.host in ${file(`${type}-host`)}`)
    expect(errors[`${type}-path`]).toMatch(/the path \/nowhere\/\S+ \(options\.host in connectors\//)
  }
  expect(stdout + stderr + text).not.toContain(KEY)
})

test.each(TYPES)('%s: what is missing is reported before anything runs, with the file', async (type) => {
  const names = ['variable', 'key', 'model', 'scheme'] as const
  const dir = app({
    variable: connector(type, { model: 'm', key: '$ENV.NOT_SET_ANYWHERE' }),
    key: connector(type, { model: 'm' }),
    model: connector(type, { key: 'k' }),
    scheme: connector(type, { model: 'm', key: 'k', host: 'localhost:8080/v1' }),
  })
  const runs = await Promise.all(
    names.map((name) => viva(['test', '-i', 'hello', '-n', 'a', '-c', name, '--timeout', '5s'], { cwd: dir })),
  )
  const [variable, key, model, scheme] = runs.map(({ code, stdout, stderr }) => ({ code, text: stdout + stderr }))
  expect(variable).toMatchObject({ code: 2, text: expect.stringContaining('NOT_SET_ANYWHERE is not set') })
  expect(variable?.text).toContain('connectors/variable.conn.yao')
  // A package of the AI SDK is the one to know whether it needs a key.
  expect(key).toMatchObject({ code: type === 'ai-sdk' ? 1 : 2, text: expect.stringMatching(/no key|key is missing/) })
  expect(key?.text).toContain('connectors/key.conn.yao')
  expect(model).toMatchObject({ code: 2, text: expect.stringContaining('names no model') })
  expect(model?.text).toContain('connectors/model.conn.yao')
  expect(scheme).toMatchObject({ code: 2, text: expect.stringContaining('options.host of connectors/scheme.conn.yao') })
})

test('an AI SDK package that is not installed, or is not one', async () => {
  const dir = app({
    absent: { type: 'ai-sdk', options: { package: '@ai-sdk/no-such', model: 'm', key: 'k' } },
    other: { type: 'ai-sdk', options: { package: 'picocolors', model: 'm', key: 'k' } },
  })
  const [absent, other] = await Promise.all(
    ['absent', 'other'].map((name) => viva(['test', '-i', 'hello', '-n', 'a', '-c', name], { cwd: dir })),
  )
  expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('npm install @ai-sdk/no-such') })
  expect(other).toMatchObject({ code: 2, stderr: expect.stringContaining('connectors/other.conn.yao') })
})

test('targets: what was given with -n, or the place in the configuration', async () => {
  const port = await closedPort()
  const provider = await startProvider()
  const config = {
    agents: {
      desk: { target: `http://127.0.0.1:${port}/desk` },
      locked: { target: `${provider}/v1`, headers: { authorization: 'Bearer $ENV.DESK_TOKEN' } },
      tool: 'exec:no-such-program',
      func: './no-such.ts#run',
    },
  }
  const dir = makeFolder({
    'viva.config.json': config,
    'agent.mjs': 'export function run() {\n  throw new TypeError("boom")\n}\n',
    'fails.mjs': 'import "./nothing.mjs"\n',
  })
  const ask = async (name: string, env: Record<string, string> = {}) => {
    const { code, stdout, stderr } = await viva(['test', '-i', 'hello', '-n', name, '--timeout', '20s'], {
      cwd: dir,
      env,
    })
    return { code, text: stdout + stderr }
  }
  const said = (text: string, code = 1) => ({ code, text: expect.stringContaining(text) })
  const checks: Array<[Promise<{ code: number | null; text: string }>, ReturnType<typeof said>]> = [
    [ask(`http://127.0.0.1:${port}/x`), said('the address is in the target given with -n')],
    [ask('desk'), said('the address is in the target of agents.desk in viva.config.json')],
    [ask('locked', { DESK_TOKEN: 'wrong' }), said('check the key (the headers of agents.locked in viva.config.json)')],
    [ask('locked'), said('DESK_TOKEN is not set', 2)],
    [ask(`${provider}/nowhere`), said('check the path /nowhere (the target given with -n)')],
    [ask('tool'), said('agents.tool in viva.config.json: cannot run "no-such-program"', 2)],
    [ask('func'), said('agents.func in viva.config.json: no file', 2)],
    [ask('./agent.mjs#ruin'), said('did you mean #run?', 2)],
    [ask('./agent.mjs#run'), said('TypeError: boom (at agent.mjs:2:9)')],
    [ask('exec:node fails.mjs'), said('Cannot find module')],
    [ask('exec:'), said('names no command', 2)],
    [ask('acp:no-such-program'), said('cannot run "no-such-program"', 2)],
    [ask(`a2a:http://127.0.0.1:${port}`), said('the address is in the target given with -n')],
  ]
  for (const [run, expected] of checks) expect(await run).toMatchObject(expected)
})
