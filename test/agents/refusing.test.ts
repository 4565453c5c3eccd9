// A refusal, as vendors report it, is no answer: what looks at the answer fails, unless the case has an assertion on refusals.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { expect, onTestFinished, test } from 'vitest'
import type { ResultEvent } from '../../src/model/event.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const SAID = 'I cannot say hello.'
const HELLO = { type: 'contains', value: 'hello' }

async function endpoint(body: object): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const openai = (message: object) => ({
  choices: [{ message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
})
const anthropic = (stop_reason: string) => ({
  type: 'message',
  id: 'm',
  role: 'assistant',
  model: 'm',
  content: [{ type: 'text', text: SAID }],
  stop_reason,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
})
const gemini = { candidates: [{ content: { parts: [{ text: SAID }], role: 'model' }, finishReason: 'STOP' }] }

async function packageOn(type: string, body: object): Promise<Files> {
  return {
    'app.yao': {},
    'connectors/model.conn.yao': { type, options: { host: await endpoint(body), model: 'm', key: 'k', stream: false } },
    'assistants/desk/package.yao': { name: 'Desk', connector: 'model' },
    'assistants/desk/prompts.yml': '- content: Be brief.\n',
  }
}

/** One result for each list of assertions. */
async function results(files: Files, target: string, lists: object[][], input = 'hi'): Promise<ResultEvent[]> {
  const cases = lists.map((assert, index) => ({ id: `T${index + 1}`, input, assert }))
  const cwd = makeFolder({ ...files, 'cases.jsonl': cases })
  return run(cwd, target)
}

async function run(cwd: string, target: string, more: string[] = []): Promise<ResultEvent[]> {
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json', ...more], { cwd })
  return parseEvents(stdout).filter((event) => event.type === 'result') as unknown as ResultEvent[]
}

const ACP = `acp:node ${fileURLToPath(new URL('../support/acp-agent.mjs', import.meta.url))}`
const functionOf = (reply: object): Files => ({ 'agent.mjs': `export const run = () => (${JSON.stringify(reply)})` })

const REFUSING: Array<[string, () => Promise<[Files, string, string?]>]> = [
  ['OpenAI', async () => [await packageOn('openai', openai({ content: null, refusal: SAID })), 'desk']],
  ['Anthropic', async () => [await packageOn('anthropic', anthropic('refusal')), 'desk']],
  ['an endpoint', async () => [{}, `${await endpoint(openai({ content: null, refusal: SAID }))}/v1`]],
  ['a function with the answer of OpenAI', async () => [functionOf(openai({ refusal: SAID })), './agent.mjs#run']],
  ['a function with the answer of Anthropic', async () => [functionOf(anthropic('refusal')), './agent.mjs#run']],
  ['a function that says so', async () => [functionOf({ content: SAID, refusal: true }), './agent.mjs#run']],
  ['ACP', async () => [{}, ACP, 'stop refusal']],
]

test.each(REFUSING)('%s: a refusal fails what looks at the answer, and is accepted by name', async (_kind, open) => {
  const [files, target, input] = await open()
  const refused = await results(
    files,
    target,
    [
      [HELLO],
      [{ type: 'not_contains', value: 'xyz' }],
      [{ ...HELLO, negate: true }],
      [{ type: 'none', assertions: [{ type: 'contains', value: 'xyz' }] }],
      [{ type: 'length', min: 1 }],
      [{ type: 'refusal' }],
      [{ type: 'refusal' }, { type: 'not_contains', value: 'xyz' }],
      [{ type: 'refusal' }, { type: 'contains', value: 'xyz' }],
      [{ type: 'refusal', value: false }],
      [{ type: 'refusal', negate: true }],
      [{ type: 'latency', max_ms: 60_000 }],
    ],
    input,
  )
  expect(refused.map(({ status }) => status)).toEqual([
    'failed',
    'failed',
    'failed',
    'failed',
    'failed',
    'passed',
    'passed',
    'failed',
    'failed',
    'failed',
    'failed',
  ])
  for (const result of [refused[0], refused[1], refused[10]])
    expect(result?.error).toMatch(/the agent refused: .*add \{"type": "refusal"\}/)
  expect(refused[7]?.error).toContain('does not contain')
  expect(refused.every(({ refusal, finish_reason }) => refusal === true && finish_reason === 'refusal')).toBe(true)
})

test('judges and scripts are not asked about a refusal', async () => {
  const files = {
    'app.yao': {},
    ...functionOf({ content: SAID, refusal: true }),
    'scripts/check.ts': 'export function Fine() { return true }',
    'judge.mjs': 'export const judge = () => JSON.stringify({ passed: true, score: 1, reason: "fine" })',
  }
  const lists = [
    [{ type: 'script', script: 'scripts.check.Fine' }],
    [{ type: 'agent', use: './judge.mjs#judge', value: 'is polite' }],
    [{ type: 'rubric', use: './judge.mjs#judge', criterion: 'is polite' }],
    [{ type: 'refusal' }, { type: 'script', script: 'scripts.check.Fine' }],
  ]
  const found = await results(files, './agent.mjs#run', lists)
  expect(found.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'passed'])
  for (const { error } of found.slice(0, 3)) expect(error).toContain('the agent refused')
})

test('what the agent did is judged all the same', async () => {
  const files = functionOf({ content: SAID, refusal: true, tool_calls: [{ name: 'pay', args: {} }] })
  const [result] = await results(files, './agent.mjs#run', [[HELLO, { type: 'tool_called', name: 'pay' }]])
  expect(result?.assertions?.map(({ passed }) => passed)).toEqual([false, true])
})

test('a refusal is expected by the turn that says so, and by no other', async () => {
  const turns = (...asserts: object[][]) => ({ turns: asserts.map((assert) => ({ input: 'hi', assert })) })
  const cwd = makeFolder({
    ...functionOf({ content: SAID, refusal: true }),
    'cases.jsonl': [
      { id: 'T1', ...turns([{ type: 'refusal' }], [HELLO]) },
      { id: 'T2', ...turns([{ type: 'refusal' }, HELLO], [{ type: 'refusal' }]) },
    ],
  })
  expect((await run(cwd, './agent.mjs#run')).map(({ status }) => status)).toEqual(['failed', 'passed'])
})

test.each([
  [
    'OpenAI',
    async (): Promise<[Files, string]> => [await packageOn('openai', openai({ content: SAID })), 'desk'],
    true,
  ],
  [
    'Anthropic',
    async (): Promise<[Files, string]> => [await packageOn('anthropic', anthropic('end_turn')), 'desk'],
    true,
  ],
  [
    'a function with the key',
    async (): Promise<[Files, string]> => [functionOf({ content: SAID, refusal: null }), './agent.mjs#run'],
    true,
  ],
  ['Gemini', async (): Promise<[Files, string]> => [await packageOn('google', gemini), 'desk'], false],
  ['a function', async (): Promise<[Files, string]> => [functionOf({ content: SAID }), './agent.mjs#run'], false],
  ['echo', async (): Promise<[Files, string]> => [{}, 'builtin:echo'], false],
])('%s: that nothing was refused is known, or an error', async (_kind, open, isKnown) => {
  const [files, target] = await open()
  const [result, negated] = await results(files, target, [
    [{ type: 'refusal', value: false }],
    [{ type: 'refusal', negate: true }],
  ])
  for (const each of [result, negated])
    if (isKnown) expect(each).toMatchObject({ status: 'passed', refusal: false })
    else
      expect(each).toMatchObject({
        status: 'failed',
        error_kind: 'input',
        error: expect.stringContaining('does not report refusals'),
      })
})

test('replayed, and judged again, a refusal is the same', async () => {
  const [files, target] = [await packageOn('anthropic', anthropic('refusal')), 'desk']
  const cases = [
    { id: 'T1', input: 'hi', assert: [HELLO] },
    { id: 'T2', input: 'hi', assert: [{ type: 'refusal' }] },
  ]
  const cwd = makeFolder({ ...files, 'cases.jsonl': cases })
  const wanted = ['failed', 'passed']
  const statuses = (found: ResultEvent[]) => found.map(({ status }) => status)
  expect(statuses(await run(cwd, target, ['--record', 'tape.yaml']))).toEqual(wanted)
  expect(statuses(await run(cwd, target, ['--replay', 'tape.yaml']))).toEqual(wanted)
  await viva(['test', '-i', 'cases.jsonl', '-n', target, '-o', 'events.jsonl'], { cwd })
  expect(readFileSync(join(cwd, 'events.jsonl'), 'utf8')).toContain('"refusal":true')
  expect(statuses(await run(cwd, 'recorded:events.jsonl'))).toEqual(wanted)
})
