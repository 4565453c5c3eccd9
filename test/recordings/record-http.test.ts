// `viva test --record-http`: agents that Viva starts, run for real while their models are recorded and played back.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { readdirSync, readFileSync } from 'node:fs'
import { makeFolder, viva, writeFiles, type Files } from '../support/run-cli.js'
import { piecesIn } from './proxy-support.js'
import { resultsIn, tape, type Json } from './support.js'
import { KEYS, startUpstream, type Upstream } from './upstream.js'

const LIGHT = fileURLToPath(new URL('./clients/light.mjs', import.meta.url))
const ASK = fileURLToPath(new URL('./clients/ask.mjs', import.meta.url))
const ACP = fileURLToPath(new URL('./clients/acp.mjs', import.meta.url))
const SDK = fileURLToPath(new URL('./clients/sdk.mjs', import.meta.url))
const TOWNS = Array.from({ length: 50 }, (_, index) => `Town${index}`)

interface Ran {
  code: number | null
  results: Json[]
  summary: Json
  stderr: string
}

let runs = 0

async function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const file = `o-${++runs}.jsonl`
  const ran = await viva(['test', '-i', 'cases.jsonl', '-o', file, ...args], { cwd: dir, env })
  return { ...ran, ...(ran.code === 2 ? { results: [], summary: {} } : resultsIn(join(dir, file))) }
}

const pass = Object.keys(KEYS).flatMap((name) => ['--pass-env', name])

function casesFor(towns: string[]): object[] {
  return towns.map((town) => ({
    id: `T-${town}`,
    input: `The weather in ${town}?`,
    assert: { type: 'contains', value: `Rain in ${town}, café closed` },
  }))
}

/** Every interaction, by the case that it belongs to. */
function interactions(dir: string): Array<{ request: Json; response: Json }> {
  return (parse(tape(dir)) as { interactions: Array<{ request: Json; response: Json }> }).interactions
}

function expectAttributed(dir: string, towns: string[]): void {
  const all = interactions(dir)
  expect(all).toHaveLength(towns.length * 2)
  for (const { request, response } of all)
    expect(JSON.stringify(response)).toContain(String(request['case']).slice('T-'.length))
}

async function expectReplay(dir: string, upstream: Upstream, args: string[], before: Ran): Promise<void> {
  const asked = upstream.requests.length
  await upstream.close()
  const replayed = await run(dir, [...args, '--replay', 'tape.yaml'])
  expect(replayed.results.map(({ id, status, output }) => ({ id, status, output }))).toEqual(
    before.results.map(({ id, status, output }) => ({ id, status, output })),
  )
  expect(replayed.code).toBe(0)
  expect(replayed.summary['recording']).toMatchObject({ replayed: asked, recorded: 0, unused: 0 })
  expect(upstream.requests).toHaveLength(asked)
}

test('50 conversations at once: every call is recorded with its case, and replayed', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({ 'cases.jsonl': casesFor(TOWNS) })
  // None is answered before all have asked.
  const waiting: Array<() => void> = []
  upstream.hold = async () => {
    if (waiting.length >= TOWNS.length) return
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === TOWNS.length) for (const go of waiting) go()
    })
  }
  const agent = ['-n', `exec:node ${LIGHT}`, '--parallel', '50']
  const recorded = await run(dir, [...agent, ...pass, '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(waiting).toHaveLength(50)
  expect(recorded.code).toBe(0)
  expect(recorded.summary['recording']).toMatchObject({ recorded: 100 })
  expectAttributed(dir, TOWNS)
  await expectReplay(dir, upstream, agent, recorded)
}, 300_000)

test('a module has a process for each conversation, so that its calls can be told apart', async () => {
  const upstream = await startUpstream()
  const towns = TOWNS.slice(0, 4)
  const dir = makeFolder({ 'cases.jsonl': casesFor(towns) })
  const agent = ['-n', `${SDK}#openaiAgent`, '--parallel', '4']
  const recorded = await run(dir, [...agent, '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(recorded.code).toBe(0)
  expectAttributed(dir, towns)
  await expectReplay(dir, upstream, agent, recorded)
}, 120_000)

test('variants: each has its own calls, under its own address', async () => {
  const upstream = await startUpstream()
  const towns = TOWNS.slice(0, 3)
  const dir = makeFolder({ 'cases.jsonl': casesFor(towns) })
  const agent = ['de', 'fr'].flatMap((name) => ['--variant', `${name}=exec:node ${LIGHT},locale=${name}`])
  const all = [...agent, '--parallel', '4']
  const recorded = await run(dir, [...all, ...pass, '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(recorded.code).toBe(0)
  const whose = interactions(dir).map(({ request }) => `${String(request['case'])} ${String(request['variant'])}`)
  expect(whose.toSorted()).toEqual(
    towns.flatMap((town) => ['de', 'fr'].flatMap((name) => [`T-${town} ${name}`, `T-${town} ${name}`])).toSorted(),
  )
  await expectReplay(dir, upstream, all, recorded)
}, 120_000)

test('an ACP agent: every turn of a conversation, from the one process it has', async () => {
  const upstream = await startUpstream()
  const towns = ['Rome', 'Oslo']
  const dir = makeFolder({
    'cases.jsonl': towns.map((town) => ({
      id: `T-${town}`,
      turns: [1, 2].map((turn) => ({
        input: `The weather in ${town}, ${turn}?`,
        assert: { type: 'contains', value: `Rain in ${town}` },
      })),
    })),
  })
  const agent = ['-n', `acp:node ${ACP}`, '--parallel', '2']
  const recorded = await run(dir, [...agent, ...pass, '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(recorded.code).toBe(0)
  expect(interactions(dir)).toHaveLength(8)
  await expectReplay(dir, upstream, agent, recorded)
}, 60_000)

test('scripts of a package: what a hook asks with an SDK of its own belongs to its case', async () => {
  const upstream = await startUpstream()
  const dir = app(['Rome', 'Oslo'], {
    'assistants/desk/src/index.ts': `
      import { ask } from '${ASK}'
      export async function Next(ctx, payload) {
        const text = payload.messages.findLast(({ role }) => role === 'user').content
        const deltas = await ask([{ role: 'user', content: text }])
        return { data: { looked: deltas.flatMap(({ tool_calls }) => tool_calls ?? [])[0].id } }
      }`,
  })
  const recorded = await run(
    dir,
    ['-n', 'desk', '--parallel', '2', ...pass, '--record', 'tape.yaml', '--record-http'],
    upstream.env,
  )
  expect(recorded.results.map(({ output }) => output)).toEqual([{ looked: 'call_Oslo' }, { looked: 'call_Rome' }])
  const hats = interactions(dir).map(({ request }) => [request['case'], request['hat']])
  expect(hats).toEqual(
    ['Oslo', 'Rome'].flatMap((town) => [
      [`T-${town}`, 'agent:desk'],
      [`T-${town}`, 'agent:model:desk'],
    ]),
  )
  await upstream.close()
  const replayed = await run(dir, ['-n', 'desk', '--replay', 'tape.yaml'])
  expect(replayed.results.map(({ output }) => output)).toEqual(recorded.results.map(({ output }) => output))
  expect(replayed.summary['recording']).toMatchObject({ replayed: 4, unused: 0 })
}, 60_000)

function app(towns: string[], files: Files): string {
  return makeFolder({
    'app.yao': {},
    'assistants/desk/package.yao': { name: 'Desk', connector: 'echo' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
    'cases.jsonl': towns.map((town) => ({ id: `T-${town}`, input: `The weather in ${town}?` })),
    ...files,
  })
}

const ONE = [{ id: 'T1', input: 'The weather in Rome?', assert: { type: 'contains', value: 'o' } }]

test('a changed request has the last word, even if the agent makes do with the error', async () => {
  const upstream = await startUpstream()
  const agent = (word: string): string => `
    import { ask } from '${ASK}'
    export default async (messages) => {
      await ask([{ role: 'system', content: '${word}' }, ...messages]).catch(() => {})
      return 'so be it'
    }`
  const dir = makeFolder({ 'cases.jsonl': ONE, 'agent.mjs': agent('kind') })
  expect(await run(dir, ['-n', './agent.mjs', '--record', 'tape.yaml', '--record-http'], upstream.env)).toMatchObject({
    code: 0,
  })
  writeFiles(dir, { 'agent.mjs': agent('curt') })
  const replayed = await run(dir, ['-n', './agent.mjs', '--replay', 'tape.yaml'])
  expect(replayed.code).toBe(1)
  expect(replayed.results[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('+ system: curt') })

  const added = await run(dir, ['-n', './agent.mjs', '--replay', 'tape.yaml', '--record-new'], upstream.env)
  expect(added.code).toBe(0)
  expect(JSON.stringify(added.results[0])).toContain('recorded again from call 1')
  await upstream.close()
  expect(await run(dir, ['-n', './agent.mjs', '--replay', 'tape.yaml'])).toMatchObject({ code: 0 })
}, 60_000)

test('a call that belongs to no case is refused, and the run is not green', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({
    'cases.jsonl': ONE,
    'agent.mjs': `
      import { ask } from '${ASK}'
      await ask([{ role: 'user', content: 'warm up' }]).catch(() => {})
      export default () => 'so be it'`,
  })
  const ran = await run(dir, ['-n', './agent.mjs', '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(ran.code).toBe(1)
  expect(
    readFileSync(
      join(dir, readdirSync(dir).find((name) => name.endsWith('.jsonl') && name.startsWith('o-')) ?? ''),
      'utf8',
    ),
  ).toContain('it belongs to no case')
  expect(upstream.requests).toHaveLength(0)
}, 60_000)

test('an agent that takes no address from its environment is warned of; one that Viva does not start is recorded whole', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({ 'cases.jsonl': ONE, 'agent.mjs': `export default () => 'so be it'` })
  const args = ['--record', 'tape.yaml', '--record-http']
  expect((await run(dir, ['-n', './agent.mjs', ...args], upstream.env)).stderr).toContain('no call of a model was seen')
  const whole = await run(dir, ['-n', 'builtin:echo', ...args], upstream.env)
  expect(whole.stderr).toContain('recorded as a whole')
  expect(tape(dir)).toContain('hat: agent:builtin:echo')
  expect((await viva(['test', '-i', 'x', '--record-http'], { cwd: dir })).stderr).toContain(
    '--record-http needs --record',
  )
}, 60_000)

test('the same answers recorded again leave the file as it is; latency assertions see the recorded times', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({ 'cases.jsonl': [{ ...ONE[0], assert: { type: 'latency', max_ms: 50_000 } }] })
  const agent = ['-n', `exec:node ${LIGHT}`]
  const record = [...agent, ...pass, '--record', 'tape.yaml', '--record-http']
  expect(await run(dir, record, upstream.env)).toMatchObject({ code: 0 })
  const first = tape(dir)
  await run(dir, record, upstream.env)
  expect(tape(dir)).toBe(first)
  expect(await run(dir, [...agent, '--replay', 'tape.yaml'])).toMatchObject({ code: 0 })
  writeFiles(dir, { 'tape.yaml': first.replace(/duration_ms: \d+/, 'duration_ms: 60000') })
  const slow = await run(dir, [...agent, '--replay', 'tape.yaml'])
  expect(slow.code).toBe(1)
  expect(slow.results[0]).toMatchObject({ error: expect.stringContaining('at most 50000 ms') })
}, 60_000)

test('no secret is in any byte that a verbose, failing run leaves or prints', async () => {
  const upstream = await startUpstream()
  const secrets = {
    prompt: 'sk-ant-api03-prompt0123456789abcdefghij',
    answer: 'ghp_answer0123456789abcdefghijABCDEFGHIJ',
    split: 'sk-proj-split0123456789abcdefABCDEF',
    failure: 'xoxb-1234567890-failure0123456789abcdef',
    variable: 'hunter2-but-much-longer',
    ...KEYS,
  }
  const piece = (content: string): string =>
    `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`
  upstream.instead = (response, { body }) => {
    if (body.includes('fail')) {
      response.writeHead(401, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ error: { message: `bad key ${secrets.failure}` } }))
      return true
    }
    response.writeHead(200, { 'content-type': 'text/event-stream', 'set-cookie': secrets.variable })
    for (const part of [`${secrets.answer} `, ...(`${secrets.split} ${secrets.variable}.`.match(/.{1,4}/g) ?? [])])
      response.write(piece(part))
    response.end()
    return true
  }
  const dir = makeFolder({
    'cases.jsonl': ['say', 'fail'].map((word) => ({
      id: word,
      input: `${word}: my key is ${secrets.prompt}`,
      assert: { type: 'equals', value: 'nothing' },
    })),
    'agent.mjs': `
      import { ask } from '${ASK}'
      export default async (messages) => {
        console.log(process.env.DB_PASSWORD, process.env.OPENAI_API_KEY)
        return (await ask(messages)).map(({ content }) => content ?? '').join('')
      }`,
  })
  const env = { ...upstream.env, DB_PASSWORD: secrets.variable }
  const args = ['-n', './agent.mjs', '-v', '--record', 'tape.yaml', '--record-http']
  const file = 'o-secret.jsonl'
  const ran = await viva(['test', '-i', 'cases.jsonl', '-o', file, '-o', 'r.html', ...args], { cwd: dir, env })
  expect(ran.code).toBe(1)
  expect(tape(dir)).toContain('status: 401')
  const left = readdirSync(dir).filter((name) => name !== 'cases.jsonl')
  const texts = [ran.stdout, ran.stderr, ...left.map((name) => readFileSync(join(dir, name), 'utf8'))]
  for (const [name, secret] of Object.entries(secrets))
    for (const text of texts) expect(text, name).not.toContain(secret)
  const joined = piecesIn(tape(dir))
  expect(joined).toContain('.')
  for (const secret of [secrets.split, secrets.variable]) expect(joined).not.toContain(secret.slice(8))
}, 60_000)

test('a model that had not answered when the time was over: replayed, the case still has no verdict', async () => {
  const upstream = await startUpstream()
  upstream.instead = () => true
  const dir = makeFolder({
    'cases.jsonl': [{ ...ONE[0], timeout: '2s' }],
    'agent.mjs': `
      import { ask } from '${ASK}'
      export default (messages) => ask(messages).then(() => 'so be it', () => 'so be it')`,
  })
  const recorded = await run(dir, ['-n', './agent.mjs', '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(recorded.results[0]).toMatchObject({ status: 'failed', error: 'timeout after 2s' })
  const replayed = await run(dir, ['-n', './agent.mjs', '--replay', 'tape.yaml'])
  expect(replayed.results[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('timeout after 2s') })
}, 60_000)
