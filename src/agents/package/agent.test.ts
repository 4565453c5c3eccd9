// A package with hooks, a preset, locales, a process tool, a real MCP server and a delegate, driven end to end.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { agentContext } from '../../../test/support/agent-request.js'
import { http } from '../../../test/support/http.js'
import { openConnectors } from '../../connectors/registry.js'
import type { AgentContext, AgentReply, AgentRequest } from '../../model/agent.js'
import type { CompletionRequest } from '../../model/connector.js'
import type { Message } from '../../model/message.js'
import { openScripts } from '../../scripts/host/runtime.js'
import { createProcesses } from '../../../test/support/processes.js'
import { openAgents } from '../resolve.js'

const appRoot = fileURLToPath(new URL('../../../test/fixtures/packages/shop', import.meta.url))
const golden = fileURLToPath(new URL('../../../test/fixtures/packages/shop.golden.json', import.meta.url))
const env = { ...process.env, DESK_CONNECTOR: 'mock', SHOP_CITY: 'Ulm' }

const sent: Record<string, unknown>[] = []
const processes = createProcesses({ env })
const scripts = openScripts({ appRoot, http, processes, poolSize: 1, handlers: { process: refuse } })
const connectors = openConnectors({ appRoot, env, http })
const agents = openAgents({
  http,
  appRoot,
  cwd: appRoot,
  config: {},
  connectors: { get: async (id, from) => recording(await connectors.get(id, from)) },
  scripts,
  processes,
  callProcess: refuse,
  pass_env: [],
  env,
  clock: () => ({ now: new Date(2026, 6, 4, 9, 5, 7) }),
})

afterAll(async () => {
  await agents.close()
  await scripts.close()
})

function refuse(): Promise<never> {
  return Promise.reject(new Error('not part of this test'))
}

/** The real connector; every request that reaches it is kept as it was. */
function recording(connector: Awaited<ReturnType<typeof connectors.get>>) {
  return {
    ...connector,
    complete: (request: CompletionRequest) => {
      const { messages, tools, options, conversation, metadata } = structuredClone({
        ...request,
        signal: undefined,
        onWait: undefined,
        onChunk: undefined,
        timeless: undefined,
      })
      sent.push({ connector: connector.id, conversation, options, metadata, tools, messages })
      return connector.complete(request)
    },
  }
}

function context(chat_id: string): AgentContext {
  return agentContext({ chat_id, assistant_id: '', authorized: { user_id: 'u-1', team_id: 't-1' } })
}

async function say(
  id: string,
  chat: string,
  text: string | Message[],
  more: Partial<AgentRequest> = {},
): Promise<AgentReply> {
  const agent = await agents.get(id)
  const messages: Message[] = typeof text === 'string' ? [{ role: 'user', content: text }] : text
  return agent.send({
    messages,
    context: context(chat),
    options: {},
    call: { lane: 'agent', role: id },
    signal: AbortSignal.timeout(30_000),
    ...more,
  })
}

const withoutTimes = (reply: AgentReply): unknown =>
  reply.trace?.map(({ kind, name, error }) => [kind, name, ...(error ? [error] : [])])

test('a conversation of five turns sends the model exactly what the golden file says', async () => {
  sent.length = 0
  const history: Message[] = []
  const replies: AgentReply[] = []
  for (const text of ['Hi', 'Where is order 7?', 'Is there tea left?', 'And order 404?', 'I want a refund']) {
    history.push({ role: 'user', content: text })
    const reply = await say('shop.desk', 'chat-1', history)
    history.push(...(reply.messages ?? []))
    replies.push(reply)
  }
  const [hello, order, tea, missing, refund] = replies
  expect(hello).toMatchObject({ content: 'Guten Tag!', finish_reason: 'stop', tool_calls: [] })
  expect(order).toMatchObject({
    content: 'Order 7 is packed.',
    usage: { input_tokens: 50, output_tokens: 11, total_tokens: 61 },
    tool_calls: [
      { name: 'orders__find', server: 'orders', id: 'call_a', result: { number: 7, source: 'shop', user: 'u-1' } },
    ],
  })
  expect(order?.messages?.map((message) => message.role)).toEqual(['assistant', 'tool', 'assistant'])
  expect(tea?.tool_calls).toMatchObject([
    { server: 'stock', result: { article: 'tea', count: 3, shelf: 'Ulm' } },
    { server: 'orders', result: { number: 8 } },
  ])
  expect(missing?.next).toEqual({
    failed: [
      'orders/find: no such order',
      'orders/find: argument validation failed: /order must be object',
      'stock/burn: there is no tool "stock__burn"; there are: orders__find, stock__count',
    ],
  })
  expect(missing?.content).toBe('I could not find it.')
  expect(withoutTimes(tea as AgentReply)).toEqual([
    ['hook', 'Create'],
    ['model', 'mock'],
    ['tool', 'stock__count'],
    ['tool', 'orders__find'],
    ['model', 'mock'],
    ['hook', 'Next'],
  ])
  expect(refund).toMatchObject({ content: 'Refund granted.', usage: { total_tokens: 7 } })
  expect(withoutTimes(refund as AgentReply)).toEqual([
    ['hook', 'Create'],
    ['delegate', 'shop.refunds'],
    ['model', 'mock'],
  ])

  const text = `${JSON.stringify(sent, null, 2)}\n`
  if (process.env['UPDATE_GOLDEN']) writeFileSync(golden, text)
  expect(text).toBe(readFileSync(golden, 'utf8'))
})

test('another conversation starts from the first answer and its own memory', async () => {
  sent.length = 0
  expect((await say('shop.desk', 'chat-2', 'Hi')).content).toBe('Guten Tag!')
  expect(sent[0]).toMatchObject({ options: { temperature: 0.2, max_tokens: 101 }, metadata: { shop: 'Kiosk 1' } })
})

test('testing.tools answers for tools, by full name, by bare name and by script; nothing real is called', async () => {
  const history: Message[] = [{ role: 'user', content: 'Hi' }]
  const tools = { count: { count: 99 }, 'orders.find': { script: 'scripts:orders.fake' } }
  await say('shop.desk', 'chat-3', history)
  const order = await say('shop.desk', 'chat-3', 'order 7', { tools: { orders__find: 'a fixed text' } })
  expect(order.tool_calls[0]).toMatchObject({ result: 'a fixed text', server: 'orders' })
  const tea = await say('shop.desk', 'chat-3', 'tea', { tools })
  expect(tea.tool_calls.map((call) => call.result)).toMatchObject([{ count: 99 }, { faked: 8, for: 'u-1' }])
})

test('with neither prompts nor tools no model is called: the hooks are the agent', async () => {
  sent.length = 0
  const reply = await say('shop.hooks-only', 'chat-4', 'hello')
  expect(reply).toMatchObject({ content: null, next: { completion: null, heard: 1 }, tool_calls: [] })
  expect(await say('shop.hooks-only', 'chat-4', 'say')).toMatchObject({ content: 'said by the hook' })
  expect(sent).toEqual([])
})

test.each([
  ['throw', 'the Create hook of shop.hooks-only failed: boom'],
  ['bad', 'the Create hook returned "nonsense"; expected an object or null'],
  ['loop', 'agents delegate to each other endlessly (10 times, last to shop.hooks-only)'],
])('a hook that goes wrong (%s) is the agent’s error', async (text, message) => {
  await expect(say('shop.hooks-only', 'chat-5', text)).rejects.toThrow(message)
})

test('the model’s failure reaches the Next hook, and is thrown when the hook says nothing', async () => {
  const used: Message[] = [{ role: 'user', content: 'again' }]
  for (let turn = 0; turn < 4; turn++) await say('shop.desk', 'chat-6', used)
  const reply = await say('shop.desk', 'chat-6', used)
  expect(reply.next).toMatchObject({ apology: expect.stringContaining('mock') })
  await say('shop.refunds', 'chat-6', 'once')
  await expect(say('shop.refunds', 'chat-6', 'twice')).rejects.toThrow(/mock/)
})

test('a mistake in the set-up is not handed to the Next hook', async () => {
  await expect(say('shop.desk', 'chat-7', 'Hi', { options: { connector: 'no.such.connector' } })).rejects.toThrow(
    'no.such.connector',
  )
})

test('an agent reports its name, connector and tools', async () => {
  expect(await agents.get('shop.desk')).toMatchObject({
    id: 'shop.desk',
    description: 'Answers questions about orders',
    connector: 'mock',
    tools: ['orders__find', 'stock__count'],
    path: `${appRoot}/assistants/shop/desk`,
  })
})
