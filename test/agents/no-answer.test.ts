// No answer is no answer, for every kind of agent alike; a case that asks for emptiness or an error by name still gets it.
import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** What each case's agent returns, as a function; programs and endpoints return the same as text. */
const ANSWERS: Record<string, string> = {
  undefined: 'undefined',
  null: 'null',
  empty: '""',
  blank: '"  \\n "',
  invisible: '"\\u200b\\u2060"',
  'only thinking': '"<think>I could say xy.</think>\\n"',
  'thinking that never ends': '"<think>I could say"',
  'empty reply': '({ content: "", tool_calls: [] })',
  'bare error': '({ error: "boom" })',
  'error beside': '({ content: "half", error: "boom" })',
  'thrown away': 'new Error("boom")',
  refused: '({ content: null, refusal: "I cannot help with that." })',
  'refused beside words': '({ content: "Well", refusal: "I cannot help with that." })',
  'refused in a part': '({ content: [{ type: "refusal", refusal: "I cannot help with that." }] })',
  filtered: '({ content: "Well, th", finish_reason: "content_filter" })',
  'filtered, as SDKs say it': '({ text: "Well, th", finishReason: "content-filter", toolCalls: [] })',
  'a message of nothing': '({ role: "assistant", content: [] })',
  'the question alone': '({ messages: [{ role: "user", content: "x" }] })',
  coloured: '"\\u001b[32m\\u001b[0m"',
}

async function statuses(cwd: string, target: string): Promise<Record<string, string>> {
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', target, '--json'], { cwd })
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result') as unknown as Array<{
    id: string
    status: string
    error?: string
    error_kind?: string
  }>
  for (const { status, error, error_kind } of results) {
    // What a refusal fails is the assertions on the answer.
    const kind = error?.includes('assertion failed: the agent refused') ? 'assertion' : 'agent'
    if (status === 'failed')
      expect([error_kind, error]).toEqual([
        kind,
        expect.stringMatching(/^(?:agent error: |(?:turn 1: )?assertion failed: the agent refused)/),
      ])
  }
  return Object.fromEntries(results.map(({ id, status }) => [id, status]))
}

const NOTHING = { type: 'not_contains', value: 'xyz' }

test('a function', async () => {
  const cwd = makeFolder({
    'agent.mjs': `const answers = {${Object.entries(ANSWERS)
      .map(([id, code]) => `${JSON.stringify(id)}: () => ${code}`)
      .join(', ')}}
export const run = ([{ content }]) => answers[content]()`,
    'cases.jsonl': [
      ...Object.keys(ANSWERS).map((id) => ({ id, input: id, assert: NOTHING })),
      ...Object.keys(ANSWERS).map((id) => ({ id: `turns ${id}`, turns: [{ input: id, assert: NOTHING }] })),
      ...Object.keys(ANSWERS).map((id) => ({ id: `bare ${id}`, input: id })),
    ],
  })
  const found = await statuses(cwd, './agent.mjs#run')
  expect(Object.values(found)).toHaveLength(Object.keys(ANSWERS).length * 3)
  for (const [id, status] of Object.entries(found)) expect([id, status]).toEqual([id, 'failed'])
})

test('a program', async () => {
  const cwd = makeFolder({
    'agent.mjs': `let text = ''
for await (const chunk of process.stdin) text += chunk
process.stdout.write(JSON.parse(text).messages[0].content)`,
    'cases.jsonl': [
      { id: 'empty', input: '', assert: NOTHING },
      { id: 'blank', input: ' \n', assert: NOTHING },
      { id: 'null', input: 'null\n', assert: NOTHING },
      { id: 'error', input: '{"error": "boom"}', assert: NOTHING },
      { id: 'beside', input: '{"content": "half", "error": "boom"}', assert: NOTHING },
    ],
  })
  const found = await statuses(cwd, 'exec:node agent.mjs')
  expect(found).toEqual({ empty: 'failed', blank: 'failed', null: 'failed', error: 'failed', beside: 'failed' })
})

test('endpoints: a JSON one and an OpenAI-compatible one', async () => {
  const server = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    const message = { role: 'assistant', content: '' }
    response.end(
      request.url === '/v1/chat/completions'
        ? JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }] })
        : JSON.stringify({ content: '' }),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const cwd = makeFolder({ 'cases.jsonl': [{ id: 'empty', input: 'hi', assert: NOTHING }] })
  expect(await statuses(cwd, `http://127.0.0.1:${port}/agent`)).toEqual({ empty: 'failed' })
  expect(await statuses(cwd, `http://127.0.0.1:${port}/v1`)).toEqual({ empty: 'failed' })
})

test('what one turn expects excuses no other', async () => {
  const turns = [
    { input: 'one', assert: NOTHING },
    { input: 'two', assert: { type: 'equals', value: '' } },
  ]
  const cwd = makeFolder({
    'agent.mjs': `export const run = () => ''
export const second = (messages) => (messages.length > 1 ? '' : 'one')`,
    'cases.jsonl': [{ id: 'T1', turns }],
  })
  expect(await statuses(cwd, './agent.mjs#run')).toEqual({ T1: 'failed' })
  expect(await statuses(cwd, './agent.mjs#second')).toEqual({ T1: 'passed' })
})

test('with a response_path the answer is there, whatever else the document holds', async () => {
  const document = { answer: 'right', next: '/pages/2', messages: [{ role: 'user', content: 'hi' }] }
  const server = createServer((_, response) => {
    response.setHeader('content-type', 'application/json').end(JSON.stringify(document))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const cwd = makeFolder({
    'viva.config.json': { agents: { desk: { target: `http://127.0.0.1:${port}/`, response_path: '$.answer' } } },
    'cases.jsonl': [{ id: 'T1', input: 'hi', expected: 'right' }],
  })
  expect(await statuses(cwd, 'desk')).toEqual({ T1: 'passed' })
})

describe('what the case asks for by name', () => {
  test.each([
    ['""', { assert: { type: 'equals', value: '' } }],
    ['""', { assert: { type: 'length', max: 0 } }],
    ['""', { expected: '' }],
    ['null', { assert: { type: 'equals', value: null } }],
    [
      '({ error: "missing_query" })',
      { assert: { type: 'json_path', path: 'error', value: ['missing_schema', 'missing_query'] } },
    ],
    ['({ error: "boom" })', { expected: { error: 'boom' } }],
    ['({ content: { error: "boom" } })', { assert: { type: 'json_path', path: '$.error', exists: true } }],
    ['({ content: "error: none" })', { assert: NOTHING }],
    ['({ content: "", tool_calls: [{ name: "f" }] })', { assert: { type: 'tool_called', name: 'f' } }],
    [
      '({ refusal: "No.", content: "I cannot" })',
      { assert: [{ type: 'refusal' }, { type: 'contains', value: 'cannot' }] },
    ],
    [
      '({ refusal: "I cannot help with that." , content: null })',
      { assert: [{ type: 'refusal' }, { type: 'contains', value: 'cannot help' }] },
    ],
  ])('%s passes', async (code, fields) => {
    const cwd = makeFolder({
      'agent.mjs': `export const run = () => ${code}`,
      'cases.jsonl': [{ id: 'T1', input: 'hi', ...fields }],
    })
    expect(await statuses(cwd, './agent.mjs#run')).toEqual({ T1: 'passed' })
  })
})
