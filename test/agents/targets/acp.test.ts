// Against a real program that speaks ACP, made with the protocol's own SDK.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, test } from 'vitest'
import { agentRequest, failure } from '../../support/agent-request.js'
import { aliveIn, createProcesses } from '../../support/processes.js'
import type { Agent, AgentRequest } from '../../../src/model/agent.js'
import type { AgentEntry } from '../../../src/model/config.js'
import { createAcpAgent } from '../../../src/agents/targets/acp.js'
import { AcpAnswer } from '../../../src/agents/targets/acp-answer.js'

const cwd = fileURLToPath(new URL('../../support/', import.meta.url))
const processes = createProcesses()
const opened: Agent[] = []
afterEach(async () => {
  for (const agent of opened.splice(0)) await agent.close?.()
})

function create(entry: Partial<AgentEntry> = {}, grace_ms = 50) {
  const agent = createAcpAgent({ target: 'acp:node acp-agent.mjs', ...entry }, { processes, cwd, grace_ms })
  opened.push(agent)
  return (text: string, over: Partial<AgentRequest> = {}) => agent.send(agentRequest(text, over))
}

test('the pieces are the answer; thoughts are not', async () => {
  const pieces: string[] = []
  const reply = await create()('hello', { onChunk: (text) => pieces.push(text) })
  expect(reply).toMatchObject({ content: 'turn 1: hello', tool_calls: [], finish_reason: 'stop' })
  expect(pieces).toEqual(['turn 1: ', 'hello'])
})

test('the next turn of a conversation goes to the same session, another conversation to another', async () => {
  const ask = create()
  const first = [{ role: 'user', content: 'one' }]
  await ask('', { messages: first })
  const second = [...first, { role: 'assistant', content: 'x' }, { role: 'user', content: 'two' }]
  expect((await ask('', { messages: second })).content).toBe('turn 2: two')
  const other = { ...agentRequest('').context, chat_id: 'other' }
  expect((await ask('three', { context: other })).content).toBe('turn 1: three')
})

test('tool calls have name, arguments and result; permission is given once', async () => {
  expect(await create()('tools')).toMatchObject({
    content: 'permission: yes',
    tool_calls: [{ id: 't1', name: 'read_file', args: { path: 'a.txt' }, result: { text: 'contents' } }],
  })
})

test('calls that share an id do not replace each other; what changes about one does', async () => {
  const call = (over: object) => ({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'Working', ...over })
  const change = (over: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: '1', ...over })
  const callsOf = async (...updates: object[]) => (await create()(JSON.stringify(updates))).tool_calls
  const pay = { name: 'pay', rawInput: { amount: 5 } }
  expect(await callsOf(call(pay), call({ name: 'find', rawInput: {} }), change({ rawOutput: 'found' }))).toEqual([
    { id: '1', name: 'pay', title: 'Working', args: { amount: 5 } },
    { id: '1', name: 'find', title: 'Working', args: {}, result: 'found' },
  ])
  expect(await callsOf(call(pay), change({ name: 'find' }))).toMatchObject([{ name: 'pay' }, { name: 'find' }])
  expect(await callsOf(call({}), change({ title: 'Paying', name: 'pay' }), change({ title: 'Paid' }))).toMatchObject([
    { name: 'pay' },
  ])
})

test('a title is not the name of a tool', async () => {
  const call = (over: object) => ({ sessionUpdate: 'tool_call', toolCallId: '1', title: 'Writing a.txt', ...over })
  const change = (over: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: '1', ...over })
  const callsOf = async (...updates: object[]) => (await create()(JSON.stringify(updates))).tool_calls
  const unnamed = [{ id: '1', name: 'Writing a.txt', unnamed: true, args: {}, kind: 'edit', title: 'Wrote a.txt' }]
  for (const name of [undefined, null, ''])
    expect(await callsOf(call({ kind: 'edit', name }), change({ title: 'Wrote a.txt' }))).toEqual(unnamed)
  expect(await callsOf(call({}), change({ name: 'write_file' }))).toMatchObject([
    { id: '1', name: 'write_file', args: {} },
  ])
})

test('what cannot be read is an error: a call or a piece that is dropped would never have been', async () => {
  for (const update of [
    { sessionUpdate: 'tool_call', title: 'Paying', name: 'pay' },
    { sessionUpdate: 'tool_call', toolCallId: 7, title: 'Paying', name: 'pay' },
    { sessionUpdate: 'agent_message_chunk', content: [{ type: 'text', text: 'x' }] },
    { sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: 5 } },
  ]) {
    const message = expect.stringContaining('an update that cannot be read: {') as string
    expect(await failure(create()(JSON.stringify([update])))).toMatchObject({ code: 'bad_response', message })
  }
  expect(await failure(create()('no reason'))).toMatchObject({ code: 'bad_response' })
  const other = { sessionUpdate: 'of_tomorrow', content: 5 }
  expect(await create()(JSON.stringify([other]))).toMatchObject({ content: 'done' })
})

test('calls count towards the size of an answer, each as it is in the end', async () => {
  const change = (length: number, toolCallId = '1') => ({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    rawOutput: 'x'.repeat(length),
  })
  const answer = new AcpAnswer(undefined)
  for (let length = 0; length < 9_000_000; length += 1_000_000) answer.take(change(length))
  expect(() => answer.take(change(9_000_000, '2'))).toThrow('larger than 16 MB')
})

test('it works in the workspace of the case', async () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'viva-acp-')))
  try {
    expect((await create()('where', { workspace })).content).toBe(workspace)
  } finally {
    rmSync(workspace, { recursive: true })
  }
})

test('an answer cut for length says so', async () =>
  expect(await create()('cut')).toMatchObject({ content: 'only this much', finish_reason: 'length' }))

test('a refusal is one, and what is said in another session is not heard', async () => {
  const ask = create()
  expect(await ask('refuse')).toMatchObject({ content: 'I would rather not', finish_reason: 'refusal' })
  const other = { ...agentRequest('').context, chat_id: 'other' }
  expect(await ask('elsewhere', { context: other })).toMatchObject({ content: '', tool_calls: [] })
})

test('abort ends the program and what it left, and keeps what had come', async () => {
  const controller = new AbortController()
  const onChunk = (text: string) => {
    if (text === ' an answer') controller.abort(new Error('timeout after 2s'))
  }
  const error = await failure(create()('hang', { signal: controller.signal, onChunk }))
  expect(error).toMatchObject({
    code: 'timeout',
    message: 'timeout after 2s',
    partial: { content: 'half an answer', leaked: ['sleep 86408'] },
  })
  expect(aliveIn(cwd, 'sleep 86408')).toEqual([])
})

test('a program that ends is an error with its code and last words', async () => {
  expect(await failure(create()('crash'))).toMatchObject({
    code: 'crashed',
    message: 'the program ended before it answered (exit code 9): out of luck',
  })
})

test('a program that speaks something else is an error', async () => {
  const ask = create({
    target: 'acp:node -e "process.stdin.once(`data`, () => console.log(`hello`) || process.exit(3))"',
  })
  expect(await failure(ask('x'))).toMatchObject({ code: 'crashed', message: expect.stringContaining('exit code 3') })
})

test('an error of the agent is reported in its words', async () =>
  expect(await failure(create()('fail'))).toMatchObject({ code: 'failed', message: 'Internal error: it is broken' }))

test('an agent that requires a login says how', async () =>
  expect(await failure(create({ env: { NEEDS_LOGIN: '1' } })('x'))).toMatchObject({
    code: 'auth',
    hint: expect.stringContaining('log in'),
  }))

test('few programs stay, and none after close', async () => {
  const ask = create({}, 500)
  const say = (text: string, chat: string) => ask(text, { context: { ...agentRequest('').context, chat_id: chat } })
  // Those that make room for the others need longer to end than the ones that stay.
  for (const chat of ['a', 'b', 'c']) await say('stubborn', chat)
  await Promise.all(['d', 'e', 'f', 'g'].map((chat) => say('hi', chat)))
  expect(aliveIn(cwd, 'acp-agent.mjs')).not.toEqual([])
  await opened[0]?.close?.()
  expect(aliveIn(cwd, 'acp-agent.mjs')).toEqual([])
})

test('a missing command is found when the agent is made', () => {
  expect(() => createAcpAgent('acp:', { processes })).toThrow(/names no command/)
  expect(() => createAcpAgent('acp:no-such-command-at-all', { processes })).toThrow(/not on PATH/)
})

const chunk = (text: string) => ({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } })
const call = (over: object) => ({ sessionUpdate: 'tool_call', toolCallId: '1', name: 'run', kind: 'execute', ...over })

function replyOf(updates: object[], ended: object, about: { agent?: string; spent?: number } = { spent: 0 }) {
  const answer = new AcpAnswer(undefined)
  for (const update of updates) answer.take(update)
  return answer.reply({ stopReason: 'end_turn', ...ended }, about)
}

test('what was said before and after a call does not run together', () => {
  const said = [chunk('Writing '), chunk('it.'), call({}), chunk('All '), chunk('done.')]
  expect(replyOf(said, {}).content).toBe('Writing it.\n\nAll done.')
})

test('a command that failed is an error although its call is reported as completed', () => {
  const ended = { sessionUpdate: 'tool_call_update', toolCallId: '1', status: 'completed' }
  const exit = (exit_code: number) => ({ ...ended, _meta: { terminal_exit: { exit_code } } })
  expect(replyOf([call({}), exit(2), chunk('done')], {}).tool_calls).toMatchObject([{ error: 'the tool failed' }])
  expect(replyOf([call({}), exit(0), chunk('done')], {}).tool_calls[0]).not.toHaveProperty('error')
})

test.each<[string, object, object | undefined]>([
  [
    'the protocol',
    { usage: { inputTokens: 120, outputTokens: 40, cachedReadTokens: 80, cachedWriteTokens: 0, totalTokens: 240 } },
    { input_tokens: 200, output_tokens: 40, total_tokens: 240 },
  ],
  [
    'gemini',
    { _meta: { quota: { token_count: { input_tokens: 200, output_tokens: 40 } } } },
    { input_tokens: 200, output_tokens: 40, total_tokens: 240 },
  ],
  ['nobody', { usage: { inputTokens: 0, outputTokens: 0, totalTokens: 0 } }, undefined],
  ['nothing that can be read', { usage: { inputTokens: '7' }, _meta: { quota: 5 } }, undefined],
])('tokens as %s counts them', (_name, ended, usage) => {
  expect(replyOf([chunk('x')], ended).usage).toEqual(usage)
})

test('counts that leave out the messages before a call are not the counts of the turn', () => {
  const usage = { inputTokens: 60, outputTokens: 20, totalTokens: 80 }
  expect(replyOf([call({}), chunk('x')], { usage }, { agent: 'OpenCode' })).not.toHaveProperty('usage')
  expect(replyOf([chunk('x')], { usage }, { agent: 'OpenCode' }).usage).toMatchObject({ total_tokens: 80 })
})

test('the cost of a turn is what the session cost more than before; 0 is not a price', () => {
  const cost = (amount: number, currency = 'USD') => ({ sessionUpdate: 'usage_update', cost: { amount, currency } })
  expect(replyOf([cost(0.01), chunk('x'), cost(0.05)], {}, { spent: 0.02 }).cost_dollars).toBeCloseTo(0.03)
  for (const updates of [[cost(0)], [cost(5, 'EUR')], [cost(-1)], []])
    expect(replyOf([...updates, chunk('x')], {})).not.toHaveProperty('cost_dollars')
  expect(replyOf([cost(0.05), chunk('x')], {}, {})).not.toHaveProperty('cost_dollars')
})

test('an error that an adapter reports beside its answer is one; a warning, or one that is over, is not', () => {
  const failed = (failure: object | null) => ({
    sessionUpdate: 'session_info_update',
    _meta: { jetbrains: { air: { sessionFailure: failure } } },
  })
  const error = { severity: 'error', title: 'no such model' }
  expect(() => replyOf([chunk('x'), failed(error)], {})).toThrow('no such model')
  expect(() => replyOf([chunk('x')], { _meta: failed(error)._meta })).toThrow('no such model')
  expect(replyOf([failed(error), failed(null), chunk('x')], {}).content).toBe('x')
  expect(replyOf([failed({ severity: 'warning', title: 'odd' }), chunk('x')], {}).content).toBe('x')
})
