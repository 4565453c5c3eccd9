// What functions, programs and JSON endpoints receive once a tool was called: chat completions, or Viva's own shape.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { runCase, type AgentMessage, type ResultEvent } from '../../src/index.js'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** Calls tools, then repeats what it was sent. */
const answer = (messages: unknown[]): object =>
  messages.length > 1
    ? { content: { messages }, tool_calls: [] }
    : {
        content: 'Looked up.',
        tool_calls: [
          { id: 'a', name: 'find_order', args: { number: 7 }, result: { state: 'sent' } },
          { id: '', name: 'find_order', args: { number: 8 }, error: 'no such order' },
          { name: 'log_request', args: {} },
        ],
      }
const AGENT = `
export const run = ${String(answer)}
if (process.argv[2] === 'program') {
  let text = ''
  for await (const chunk of process.stdin) text += chunk
  console.log(JSON.stringify(run(JSON.parse(text).messages)))
}`

const CASE = { id: 'orders', turns: [{ input: 'Where are orders 7 and 8?' }, { input: 'Thanks' }, { input: 'Bye' }] }

const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})
const CHAT = [
  { role: 'user', content: 'Where are orders 7 and 8?' },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      call('a', 'find_order', { number: 7 }),
      call('call_1_1', 'find_order', { number: 8 }),
      call('call_1_2', 'log_request', {}),
    ],
  },
  { role: 'tool', tool_call_id: 'a', content: '{"state":"sent"}' },
  { role: 'tool', tool_call_id: 'call_1_1', content: 'no such order' },
  { role: 'tool', tool_call_id: 'call_1_2', content: '(no result was reported)' },
  { role: 'assistant', content: 'Looked up.' },
  { role: 'user', content: 'Thanks' },
]
const VIVA = [
  CHAT[0],
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', name: 'find_order', args: { number: 7 }, result: { state: 'sent' } },
      { id: '', name: 'find_order', args: { number: 8 }, error: 'no such order' },
      { id: 'call_1_2', name: 'log_request', args: {} },
    ],
  },
  { role: 'tool', name: 'find_order', tool_call_id: 'a', content: '{"state":"sent"}' },
  { role: 'tool', name: 'find_order', tool_call_id: '', content: 'no such order' },
  { role: 'tool', name: 'log_request', tool_call_id: 'call_1_2', content: 'null' },
  CHAT[5],
  CHAT[6],
]

async function endpoint(): Promise<string> {
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => (body += chunk))
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(answer((JSON.parse(body) as { messages: unknown[] }).messages)))
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/agent`
}

/** What the agent was sent at its second and third turn. */
async function received(cwd: string, name: string): Promise<unknown[]> {
  const ran = await viva(['agent', 'test', '-i', 'cases.jsonl', '-n', name, '--json'], { cwd })
  expect([ran.code, ran.stderr]).toEqual([0, expect.any(String)])
  const events = parseEvents(ran.stdout)
  const [result] = events.filter((event) => event.type === 'result') as unknown as ResultEvent[]
  return (result?.turns ?? []).slice(1).map(({ output }) => (output as { messages: unknown }).messages)
}

test.each(['function', 'program', 'endpoint'])('a %s gets chat messages, or those of Viva if it asks', async (kind) => {
  const target = { function: './agent.mjs#run', program: 'exec:node agent.mjs program', endpoint: await endpoint() }[
    kind
  ]
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'cases.jsonl': [CASE],
    'viva.config.json': { agents: { plain: target, own: { target, messages: 'viva' } } },
  })
  const [second, third] = await received(cwd, 'plain')
  expect(second).toEqual(CHAT)
  // What was sent before is sent again, ids included.
  expect((third as unknown[]).slice(0, CHAT.length)).toEqual(CHAT)
  expect((await received(cwd, 'own'))[0]).toEqual(VIVA)
})

test('a function of a program gets chat messages too', async () => {
  const got: AgentMessage[][] = []
  const result = await runCase({ turns: [{ input: 'Find 7' }, { input: 'Thanks' }] }, (messages) => {
    got.push(messages)
    return { content: 'Sent.', tool_calls: [{ name: 'find', args: { number: 7 } }] }
  })
  expect(result.status).toBe('passed')
  expect(got[1]).toEqual([
    { role: 'user', content: 'Find 7' },
    { role: 'assistant', content: null, tool_calls: [call('call_1_0', 'find', { number: 7 })] },
    { role: 'tool', tool_call_id: 'call_1_0', content: '(no result was reported)' },
    { role: 'assistant', content: 'Sent.' },
    { role: 'user', content: 'Thanks' },
  ])
})

test('a simulator gets the conversation in the shape of Viva', async () => {
  const cwd = makeFolder({
    'agent.mjs': AGENT,
    'user.mjs': `
const has = (messages) => messages.some(({ tool_calls: [call] = [] }) => call?.args?.number === 7)
export const run = (messages) => (messages.length > 7 ? { goal_achieved: true } : { input: has(messages) ? 'seen' : 'unseen' })`,
    'cases.jsonl': [
      {
        id: 'T1',
        input: 'Where is order 7?',
        simulator: { use: './user.mjs#run', options: { metadata: { style: 'messages', max_turns: 3 } } },
        final_assertions: [{ type: 'json_path', path: '$.messages[6].content', value: 'seen' }],
      },
    ],
  })
  const ran = await viva(['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#run'], { cwd })
  expect([ran.code, ran.stdout]).toEqual([0, expect.stringMatching(/Passed: +1/)])
})

test.each([
  ['a typo', { target: './agent.mjs#run', messages: 'vivaa' }, 'messages must be "viva", found string "vivaa"'],
  ['an OpenAI-compatible endpoint', { target: 'http://127.0.0.1:9/v1' }, 'is none of them'],
  ['ACP', { target: 'acp:node agent.js' }, 'is none of them'],
  ['A2A', { target: 'a2a:http://127.0.0.1:9' }, 'is none of them'],
  ['echo', { target: 'builtin:echo' }, 'is none of them'],
  ['a package', { target: 'expense' }, 'is none of them'],
  ['a package by its folder', { target: './desk' }, 'is none of them'],
  ['a program that gets its input as an argument', { target: 'exec:echo', prompt_mode: 'arg' }, 'is none of them'],
])('"messages" where it cannot mean anything: %s', async (_what, entry, message) => {
  const cwd = makeFolder({
    'desk/package.yao': { name: 'Desk' },
    'cases.jsonl': [CASE],
    'viva.config.json': { agents: { x: { messages: 'viva', ...entry } } },
  })
  const ran = await viva(['agent', 'test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], { cwd })
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(message)])
  expect(ran.stderr).toContain('agents.x.messages')
})
