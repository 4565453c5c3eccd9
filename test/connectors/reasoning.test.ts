// Reasoning, thinking and signatures go back to the model they came from, unchanged: within a round of tools and in later
// turns. The model refuses what its vendor refuses.
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { startModelServer, type ModelServer, type ScriptedAnswer } from '../real/model/index.js'
import { makeFolder, parseEvents, ROOT, viva, type CliRun, type Files } from '../support/run-cli.js'

const APP: Files = {
  'app.yao': {},
  'assistants/a/package.yao': { name: 'A', connector: 'main', mcp: { servers: ['sky'] } },
  'assistants/a/prompts.yml': '- role: system\n  content: Be brief.\n',
  'assistants/a/mcps/sky.mcp.yao': { tools: { weather: 'agents.a.sky.Weather', wind: 'agents.a.sky.Wind' } },
  'assistants/a/src/sky.ts': `
export function Weather({ city }) { return 'fog in ' + city }
export function Wind() { throw new Error('no wind today') }
`,
  'dot.png': Buffer.from('iVBORw0KGgo=', 'base64'),
}

const SDK = { package: '@ai-sdk/openai-compatible', settings: { name: 'other', includeUsage: true } }
const CONNECTORS: Record<string, { type: string; options?: object }> = {
  openai: { type: 'openai' },
  'openai-responses': { type: 'openai-responses', options: { reasoning: { effort: 'low' } } },
  anthropic: {
    type: 'anthropic',
    options: { thinking: { type: 'enabled', budget_tokens: 1024 }, max_tokens: 4000 },
  },
  google: { type: 'google' },
  'ai-sdk': { type: 'ai-sdk', options: SDK },
}

let made = 0
const call = (name: string, args: object) => ({ id: `c${++made}`, name: `sky__${name}`, args: JSON.stringify(args) })
const usage = { input: 10, output: 5 }
const answers = (): ScriptedAnswer[] => [
  // Side by side, with nothing said.
  {
    kind: 'answer',
    thought: 'Two cities, <b>two</b> calls.',
    redacted: 'c2VjcmV0',
    calls: [call('weather', { city: 'Ulm' }), call('weather', { city: 'Bonn' })],
    usage,
  },
  // A tool that fails, and a line that says nothing.
  { kind: 'answer', thought: 'And the wind.', pieces: ['\n\n'], calls: [call('wind', {})], usage },
  { kind: 'answer', thought: 'Done.', pieces: ['Fog in both.'], usage },
  { kind: 'answer', thought: 'One more.', pieces: ['Let me see.'], calls: [call('weather', { city: 'Riga' })], usage },
  { kind: 'answer', pieces: ['Fog too.'], usage },
]
const CASES = [
  {
    id: 'T1',
    turns: [
      { input: 'Ulm and Bonn?', attachments: [{ type: 'image', source: 'file://dot.png' }] },
      { input: 'And Riga?', assertions: [{ type: 'equals', value: 'Fog too.' }] },
    ],
  },
]

async function startServer(): Promise<ModelServer> {
  const server = await startModelServer(...answers())
  onTestFinished(() => server.close())
  return server
}

function makeProject(server: ModelServer, { type, options }: { type: string; options?: object }): string {
  const dir = makeFolder({
    ...APP,
    'cases.jsonl': CASES,
    'connectors/main.conn.yao': { type, options: { model: 'm', host: server.url, key: 'a-key-4711', ...options } },
  })
  // Where the packages of a project are.
  symlinkSync(join(ROOT, 'node_modules'), join(dir, 'node_modules'))
  return dir
}

interface Ran extends CliRun {
  result: ResultEvent | undefined
  out: string
}

async function run(
  server: ModelServer,
  name: string,
  stream: boolean,
  args: string[] = [],
  cwd?: string,
): Promise<Ran> {
  const { type, options } = CONNECTORS[name] ?? { type: name }
  const dir = cwd ?? makeProject(server, { type, options: { stream, ...options } })
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '-o', 'out.jsonl', '-o', 'out.html', ...args], {
    cwd: dir,
  })
  const out = readFileSync(join(dir, 'out.jsonl'), 'utf8')
  const [result] = parseEvents(out).filter((event) => event.type === 'result') as unknown as ResultEvent[]
  return { ...ran, result, out, dir }
}

for (const name of Object.keys(CONNECTORS)) {
  for (const stream of [true, false]) {
    test(`${name}, ${stream ? 'streaming' : 'whole answers'}: no request is refused`, async () => {
      const server = await startServer()
      const { result, out, dir } = await run(server, name, stream)
      expect(server.refusals).toEqual([])
      expect(result).toMatchObject({ status: 'passed' })
      expect(result?.tool_calls).toMatchObject([
        { args: { city: 'Ulm' }, result: 'fog in Ulm' },
        { args: { city: 'Bonn' }, result: 'fog in Bonn' },
        { name: 'sky__wind', error: expect.stringContaining('no wind today') },
        { args: { city: 'Riga' } },
      ])
      expect(server.requests).toHaveLength(5)
      expect(KEPT[name]?.(server.requests.map(({ body }) => body as Body))).toBe(true)
      // Nobody else gets to see it.
      const html = readFileSync(join(dir, 'out.html'), 'utf8')
      for (const text of ['Two cities', 'c2VjcmV0'])
        expect([out.includes(text), html.includes(text)]).toEqual([false, false])
    })
  }
}

interface Body {
  messages: Array<{ role: string; content: unknown; reasoning_content?: string }>
  input: Array<{ type?: string; encrypted_content?: string; summary?: Array<{ text: string }> }>
  contents: Array<{ role: string; parts: Array<{ thoughtSignature?: string }> }>
}

const base64 = (text: string): string => Buffer.from(text).toString('base64')
const thoughts = (body: Body | undefined): unknown[] =>
  body?.messages.flatMap((each) => each.reasoning_content ?? []) ?? []
const blocks = (body: Body | undefined): Array<Record<string, unknown>> =>
  (body?.messages ?? []).flatMap((each) =>
    Array.isArray(each.content) ? (each.content as Array<Record<string, unknown>>) : [],
  )
const equal = (found: unknown, wanted: unknown): boolean => {
  expect(found).toEqual(wanted)
  return true
}

/** Whether the requests have what the model wants back. */
const KEPT: Record<string, (requests: Body[]) => boolean> = {
  // Until the user speaks again.
  openai: (requests) =>
    equal(requests.map(thoughts), [
      [],
      ['Two cities, <b>two</b> calls.'],
      ['Two cities, <b>two</b> calls.', 'And the wind.'],
      [],
      ['One more.'],
    ]),
  'openai-responses': (requests) =>
    equal(
      requests.at(-1)?.input.flatMap((item) => (item.type === 'reasoning' ? [item.encrypted_content] : [])),
      ['Two cities, <b>two</b> calls.', 'And the wind.', 'Done.', 'One more.'].map(base64),
    ),
  anthropic: (requests) =>
    equal(
      blocks(requests.at(-1)).flatMap(({ type, thinking, data }) =>
        /thinking/.test(String(type)) ? [thinking ?? data] : [],
      ),
      ['Two cities, <b>two</b> calls.', 'c2VjcmV0', 'And the wind.', 'Done.', 'One more.'],
    ),
  google: (requests) =>
    equal(
      requests.at(-1)?.contents.flatMap(({ parts }) => parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? [])),
      ['Two cities, <b>two</b> calls.', 'And the wind.', 'One more.'].map(base64),
    ),
  'ai-sdk': (requests) =>
    equal(thoughts(requests.at(-1)), ['Two cities, <b>two</b> calls.', 'And the wind.', 'Done.', 'One more.']),
}

// Google sends arguments as data, so they cannot be malformed there.
test.each(['openai', 'openai-responses', 'anthropic', 'ai-sdk'])(
  '%s: a call whose arguments are not JSON is answered with what is wrong',
  async (name) => {
    const server = await startServer()
    const bad = { id: 'c1', name: 'sky__weather', args: '{"city": "Ul' }
    const more = answers().slice(2)
    server.behave({ kind: 'answer', thought: 'Hm.', calls: [bad], usage }, ...more)
    const { result } = await run(server, name, true)
    expect(server.refusals).toEqual([])
    expect(result).toMatchObject({ status: 'passed' })
    expect(result?.tool_calls?.[0]).toMatchObject({ args: bad.args, error: expect.stringContaining('not JSON') })
  },
)

test('a recording keeps it without secrets, and replays', async () => {
  const [opening, ...rest] = answers()
  const server = await startModelServer({ ...opening, kind: 'answer', thought: 'The key is a-key-4711.' }, ...rest)
  onTestFinished(() => server.close())
  const first = await run(server, 'anthropic', true, ['--record', 'tape.yaml'])
  expect(first.result).toMatchObject({ status: 'passed' })
  const path = join(first.dir, 'tape.yaml')
  const tape = readFileSync(path, 'utf8')
  expect(tape).toContain('reasoning:')
  expect(tape).toContain('signature')
  expect(tape).toContain('And the wind.')
  expect(tape).not.toContain('a-key-4711')
  const again = await run(server, 'anthropic', true, ['--replay', 'tape.yaml'], first.dir)
  expect([again.code, again.result?.status, server.requests.length]).toEqual([0, 'passed', 5])
})

test.each([
  ['openai:gpt-5-mini', 'OPENAI', '/v1'],
  ['anthropic:claude-sonnet-4-5', 'ANTHROPIC', ''],
  ['deepseek:deepseek-reasoner', 'DEEPSEEK', '/v1'],
])('%s as the agent: a later turn is one that the vendor takes', async (target, vendor, path) => {
  const server = await startModelServer(
    { kind: 'answer', thought: 'Hm.', pieces: ['Fog.'], usage },
    { kind: 'answer', thought: 'Aha.', pieces: ['Fog too.'], usage },
  )
  onTestFinished(() => server.close())
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'T1', turns: [{ input: 'Ulm?' }, { input: 'Riga?' }] }] })
  const env = { [`${vendor}_BASE_URL`]: `${server.url}${path}`, [`${vendor}_API_KEY`]: 'a-key-of-the-test-4711' }
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', target], { cwd, env })
  expect([code, server.refusals, server.requests.length]).toEqual([0, [], 2])
})

test('another connector does not get it', async () => {
  const server = await startServer()
  const dir = makeFolder({
    ...APP,
    'connectors/main.conn.yao': { type: 'openai-responses', options: { model: 'm', host: server.url, key: 'k-4711' } },
    'connectors/other.conn.yao': { type: 'openai', options: { model: 'm', host: server.url, key: 'k-4711' } },
    'cases.jsonl': [
      { id: 'T1', turns: [{ input: 'Ulm and Bonn?' }, { input: 'And Riga?', options: { connector: 'other' } }] },
    ],
  })
  const { code } = await viva(['test', '-i', 'cases.jsonl', '-n', 'a'], { cwd: dir })
  expect([code, server.refusals]).toEqual([0, []])
  expect(JSON.stringify(server.requests.slice(3).map(({ body }) => body as unknown))).not.toContain('Two cities')
})
