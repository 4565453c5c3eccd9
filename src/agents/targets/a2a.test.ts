// Against a real A2A server made with the protocol's own SDK.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { http } from '../../../test/support/http.js'
import { okAnswer, rawServer } from '../../../test/support/raw-server.js'
import { startA2aServer, type A2aServer } from '../../../test/support/a2a-server.js'
import { agentRequest, failure } from '../../../test/support/agent-request.js'
import type { Agent, AgentRequest } from '../../model/agent.js'
import { createA2aAgent } from './a2a.js'

let server: A2aServer
let agent: Agent
beforeEach(async () => {
  server = await startA2aServer()
  agent = createA2aAgent(`a2a:${server.url}`, { http, env: {}, retry_base_ms: 0.01 })
})
afterEach(() => server.close())

const ask = (text: string, over: Partial<AgentRequest> = {}) => agent.send(agentRequest(text, over))

test('a message is the answer', async () => {
  expect(await ask('hello')).toEqual({
    content: 'echo: hello',
    tool_calls: [],
    tool_evidence: 'unknown',
    finish_reason: 'stop',
  })
})

test('data is data', async () => expect(await ask('data')).toMatchObject({ content: { answer: 42 } }))

test('the artifact of a task is the answer', async () =>
  expect(await ask('task')).toMatchObject({ content: 'from a task', finish_reason: 'stop' }))

test('pieces are passed on as they come', async () => {
  const pieces: string[] = []
  const reply = await ask('pieces', { onChunk: (text) => pieces.push(text) })
  expect(reply.content).toBe('one two')
  expect(pieces).toEqual(['one ', 'two'])
  expect(reply.first_chunk_ms).toBeGreaterThanOrEqual(0)
})

test('an agent that asks is awaiting input, and the next message goes to the same context', async () => {
  const first = [{ role: 'user', content: 'ask' }]
  expect(await ask('', { messages: first })).toMatchObject({
    content: 'which city?',
    awaiting_input: true,
    input_hint: 'which city?',
  })
  const second = [...first, { role: 'assistant', content: 'which city?' }, { role: 'user', content: 'Paris' }]
  expect(await ask('', { messages: second })).toMatchObject({ content: 'echo: Paris' })
  const [before, after] = server.received
  expect(after).toEqual({ text: 'Paris', contextId: before?.contextId })
})

test('conversations have their own contexts', async () => {
  for (const chat of ['c1', 'c2']) await ask('hi', { context: { ...agentRequest('').context, chat_id: chat } })
  expect(server.received[0]?.contextId).not.toBe(server.received[1]?.contextId)
})

test('a history that the agent has not seen is sent to it', async () => {
  const messages = [
    { role: 'user', content: 'I am Ann' },
    { role: 'assistant', content: 'Hello Ann' },
    { role: 'user', content: 'who am I?' },
  ]
  await ask('', { messages })
  expect(server.received[0]?.text).toBe(
    'The conversation so far:\nuser: I am Ann\nassistant: Hello Ann\n\nuser: who am I?',
  )
})

test('a failed task is an error with its words', async () =>
  expect(await failure(ask('fail'))).toMatchObject({ code: 'failed', message: 'the task was failed: it is broken' }))

test('an agent that throws is an error', async () => {
  // The SDK's server prints it.
  vi.spyOn(console, 'error').mockImplementationOnce(() => {})
  expect(await failure(ask('throw'))).toMatchObject({ name: 'AgentError', message: expect.stringContaining('threw') })
})

test('abort ends the call', async () => {
  for (const onChunk of [undefined, () => {}]) {
    const controller = new AbortController()
    const pending = failure(ask('hang', { signal: controller.signal, ...(onChunk && { onChunk }) }))
    while (server.received.length === 0) await new Promise((resolve) => setImmediate(resolve))
    controller.abort(new Error('timeout after 2s'))
    expect(await pending).toMatchObject({ code: 'timeout', message: 'timeout after 2s' })
    server.received.length = 0
  }
})

test('user and password in the URL are sent as a header, and are not part of the id', async () => {
  const agent = createA2aAgent(`a2a:${server.url.replace('://', '://ann:secret@')}`, { http, env: {} })
  await agent.send(agentRequest('hi'))
  expect(agent.id).not.toContain('secret')
  const basic = `Basic ${Buffer.from('ann:secret').toString('base64')}`
  expect(new Set(server.headers.map((headers) => headers['authorization']))).toEqual(new Set([basic]))
})

test('a key is sent as a bearer token with every request', async () => {
  const asked = createA2aAgent({ target: `a2a:${server.url}`, key: '$ENV.T' }, { http, env: { T: 'secret-token' } })
  await asked.send(agentRequest('x'))
  expect(new Set(server.headers.map((headers) => headers['authorization']))).toEqual(new Set(['Bearer secret-token']))
})

test('headers are sent with every request', async () => {
  const asked = createA2aAgent(
    { target: `a2a:${server.url}`, headers: { Authorization: 'Bearer $ENV.T' } },
    { http, env: { T: 'secret-token' } },
  )
  await asked.send(agentRequest('x'))
  expect(server.headers.map((headers) => headers['authorization'])).toEqual([
    'Bearer secret-token',
    'Bearer secret-token',
  ])
})

test('a card that names another host gets an agent that is sent no credentials', async () => {
  const card = await (await fetch(`${server.url}/.well-known/agent-card.json`)).text()
  const other = await rawServer((socket) => socket.write(okAnswer(card)))
  server.headers.length = 0
  const agent = createA2aAgent(
    { target: `a2a:${other.url}`, headers: { Authorization: 'Bearer secret-token', 'x-api-key': 'secret-token' } },
    { http, env: {} },
  )
  expect(await agent.send(agentRequest('hi'))).toMatchObject({ content: 'echo: hi' })
  expect(other.requests[0]?.head).toContain('secret-token')
  expect(server.headers).toHaveLength(1)
  expect(JSON.stringify(server.headers)).not.toContain('secret-token')
})

test('a missing server and a missing card are distinguished from an answer', async () => {
  const gone = createA2aAgent('a2a:http://127.0.0.1:1', { http, env: {}, retry_base_ms: 0.01 })
  expect(await failure(gone.send(agentRequest('x')))).toMatchObject({
    code: 'connection',
    message: expect.stringMatching(/no agent card at http:\/\/127\.0\.0\.1:1: .*refused/),
  })
  expect(() => createA2aAgent('a2a:nothing', { http, env: {} })).toThrow(/is not the address/)
})
