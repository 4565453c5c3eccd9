// Azure, Bedrock and Vertex through their AI SDK packages, as published. On loopback there is no cloud to log in to: keys
// are sent as each package sends them, and what only a cloud has (signed requests, tokens of a service account) is not run.
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { parseEvents, viva, writeFiles, type Files } from '../support/run-cli.js'
// @ts-expect-error -- plain JavaScript, shared with the installer
import { CACHE } from './install.mjs'
import { say, startModelServer, type Behaviour } from './model/index.js'

const EXAMPLES = new URL('../../examples/connectors/connectors/cloud/', import.meta.url)
const KEY = 'a-key-of-a-cloud'
const ENV = { AZURE_API_KEY: KEY, AWS_BEARER_TOKEN_BEDROCK: KEY, GOOGLE_VERTEX_API_KEY: KEY, AZURE_RESOURCE: 'desk' }

const APP: Files = {
  'app.yao': {},
  'assistants/a/package.yao': { name: 'A', connector: 'main', mcp: { servers: ['sky'] } },
  'assistants/a/prompts.yml': '- role: system\n  content: Be brief.\n',
  'assistants/a/mcps/sky.mcp.yao': { tools: { weather: 'agents.a.sky.Weather' } },
  'assistants/a/src/sky.ts': "export function Weather({ city }) { return 'fog in ' + city }\n",
  'dot.png': Buffer.from('iVBORw0KGgo=', 'base64'),
  'cases.jsonl': [
    {
      id: 'T1',
      turns: [
        {
          input: 'Ulm?',
          attachments: [{ type: 'image', source: 'file://dot.png' }],
          assertions: [{ type: 'tool_called', name: 'sky__weather', arguments: { city: 'Ulm' } }],
        },
        { input: 'Thanks', assertions: [{ type: 'equals', value: 'You are welcome.' }] },
      ],
    },
  ],
}

/** The shipped file, led to the loopback model by its host alone. */
function exampleAt(name: string, host: string, stream: boolean): object {
  const text = readFileSync(new URL(`${name}.conn.yao`, EXAMPLES), 'utf8')
  const { options, ...rest } = JSON.parse(text.replace(/,(\s*})/g, '$1')) as { options: object }
  return { ...rest, options: { ...options, host, stream } }
}

async function run(connector: object, folder = 'cloud'): Promise<ResultEvent | undefined> {
  const cwd = mkdtempSync(join(tmpdir(), 'viva-cloud-'))
  onTestFinished(() => rmSync(cwd, { recursive: true }))
  writeFiles(cwd, { ...APP, 'connectors/main.conn.yao': connector })
  symlinkSync(join(CACHE as string, folder, 'node_modules'), join(cwd, 'node_modules'))
  const ran = await viva(['test', '-i', 'cases.jsonl', '-n', 'a', '-o', 'out.jsonl'], { cwd, env: ENV })
  if (ran.code === 2) throw new Error(ran.stderr)
  const events = parseEvents(readFileSync(join(cwd, 'out.jsonl'), 'utf8'))
  return events.find((event) => event.type === 'result') as unknown as ResultEvent
}

const calls = [{ id: 'c1', name: 'sky__weather', args: '{"city":"Ulm"}' }]
const usage = { input: 10, output: 5 }
const ANSWERS: Behaviour[] = [
  { kind: 'answer', thought: 'Let me look.', calls, usage },
  { kind: 'answer', thought: 'Fog.', pieces: ['Fog.'], usage },
  say('You are welcome.'),
]

for (const stream of [true, false]) {
  test.each([
    ['azure', '/openai/v1', '/openai/v1/responses', 'api-key'],
    ['vertex', '/v1/publishers/google', /\/v1\/publishers\/google\/models\/[\w.-]+:\w+/, 'x-goog-api-key'],
  ])(`%s, ${stream ? 'streaming' : 'whole answers'}`, async (name, path, asked, header) => {
    const server = await startModelServer(...ANSWERS)
    onTestFinished(() => server.close())
    const result = await run(exampleAt(name, `${server.url}${path}`, stream))
    expect([result?.error, server.refusals]).toEqual([undefined, []])
    expect(result).toMatchObject({ status: 'passed', usage: { input_tokens: 30, output_tokens: 15 } })
    expect(server.requests).toHaveLength(3)
    for (const request of server.requests) {
      expect(request.path).toMatch(asked)
      expect(request.headers[header]).toBe(KEY)
    }
  })
}

/** The provider interface of AI SDK 7 has another shape for files. */
for (const stream of [true, false]) {
  test.each([
    ['openai', '/v1', { reasoningEffort: 'low' }],
    ['anthropic', '/v1', { thinking: { type: 'enabled', budgetTokens: 1024 }, max_tokens: 4000 }],
  ])(`%s of AI SDK 7, ${stream ? 'streaming' : 'whole answers'}`, async (name, path, parameters) => {
    const server = await startModelServer(...ANSWERS)
    onTestFinished(() => server.close())
    const options = { package: `@ai-sdk/${name}`, model: 'gpt-5-mini', key: KEY, host: `${server.url}${path}`, stream }
    const result = await run({ type: 'ai-sdk', options: { ...options, ...parameters } }, 'ai-7')
    expect([result?.error, server.refusals]).toEqual([undefined, []])
    expect(JSON.stringify(server.requests[0]?.body)).toContain('iVBORw0KGgo=')
  })
}

const converse = (content: object[], stopReason: string): Behaviour => ({
  kind: 'raw',
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({
    output: { message: { role: 'assistant', content } },
    stopReason,
    usage: { inputTokens: 10, outputTokens: 5, totalTokens: 15 },
    metrics: { latencyMs: 1 },
  }),
})

test('bedrock, whole answers', async () => {
  const thought = { reasoningContent: { reasoningText: { text: 'Let me look.', signature: 'c2lnbmVk' } } }
  const server = await startModelServer(
    converse([thought, { toolUse: { toolUseId: 'c1', name: 'sky__weather', input: { city: 'Ulm' } } }], 'tool_use'),
    converse([{ text: 'Fog.' }], 'end_turn'),
    converse([{ text: 'You are welcome.' }], 'end_turn'),
  )
  onTestFinished(() => server.close())
  const result = await run(exampleAt('bedrock', server.url, false))
  expect(result?.error).toBeUndefined()
  expect(result).toMatchObject({ status: 'passed', usage: { input_tokens: 30, output_tokens: 15 } })
  expect(server.requests.map(({ path }) => path)).toEqual(
    Array(3).fill(expect.stringMatching(/\/model\/[^/]+\/converse$/)),
  )
  expect(server.requests[0]?.headers['authorization']).toBe(`Bearer ${KEY}`)
  // What was thought goes back with the result, signed as it came.
  expect(JSON.stringify(server.requests[1]?.body)).toContain('c2lnbmVk')
})

test('bedrock: an ending that is none fails the case', async () => {
  const server = await startModelServer(converse([{ text: 'You are welcome.' }], 'malformed_model_output'))
  onTestFinished(() => server.close())
  const result = await run(exampleAt('bedrock', server.url, false))
  expect(result).toMatchObject({ status: 'failed', error: expect.stringContaining('malformed_model_output') })
})
