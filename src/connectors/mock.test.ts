import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { http } from '../../test/support/http.js'
import { failure } from '../../test/support/agent-request.js'
import type { CompletionRequest } from '../model/connector.js'
import { checkResponses } from './mock-file.js'
import { openConnectors } from './registry.js'

const appRoot = fileURLToPath(new URL('../../test/fixtures/connectors-app', import.meta.url))

async function open(id: string, callScript?: (ref: string, args: unknown[]) => Promise<unknown>) {
  const connector = await openConnectors({ appRoot, env: {}, http, ...(callScript && { callScript }) }).get(id)
  return (text: string, over: Partial<CompletionRequest> = {}) =>
    connector.complete({
      messages: [{ role: 'user', content: text }],
      options: {},
      call: { lane: 'agent', role: 'a' },
      conversation: 'one',
      signal: new AbortController().signal,
      ...over,
    })
}

test('responses come in order, and a pattern takes the first unused one that fits', async () => {
  const ask = await open('mock.inline')
  expect(await ask('hello')).toEqual({
    content: 'first',
    tool_calls: [],
    finish_reason: 'stop',
    refusal: false,
    usage: { input_tokens: 10, output_tokens: 5, total_tokens: 15 },
    cost_dollars: 10,
  })
  expect(await ask('what WEATHER is it?')).toMatchObject({
    content: 'sunny',
    tool_calls: [{ name: 'weather', args: { city: 'Paris' }, id: 'call_1_1' }],
    finish_reason: 'tool_calls',
  })
  expect(await ask('and then')).toMatchObject({
    content: '{"structured":true}',
    awaiting_input: true,
    input_hint: 'which day?',
  })
})

test('a scripted error is an agent error, of the kind it names', async () => {
  const ask = await open('mock.inline')
  for (let turn = 0; turn < 2; turn++) await ask('x')
  expect(await failure(ask('x'))).toMatchObject({ name: 'AgentError', code: 'rate_limit', message: 'slow down' })
  expect(await failure(ask('x'))).toMatchObject({ name: 'AgentError', code: 'failed', message: 'it broke' })
})

test('conversations do not disturb each other', async () => {
  const ask = await open('mock.from-file')
  const answers = await Promise.all(
    ['a', 'b', 'a', 'b'].map(async (conversation) => (await ask('x', { conversation })).content),
  )
  expect(answers).toEqual(['from a file', 'from a file', 'just text', 'just text'])
})

test('no response left is an error with the counts', async () => {
  const ask = await open('mock.from-file')
  await ask('x')
  await ask('x')
  expect(await failure(ask('x'))).toMatchObject({
    code: 'exhausted',
    message: 'the mock "mock.from-file" has no response left: all 2 were used in this conversation',
    hint: 'add a response to answers.yml',
  })
})

test('no response that fits is an error that says so', async () => {
  const ask = await open('mock.inline')
  for (let turn = 0; turn < 4; turn++) await ask('x').catch(() => {})
  expect(await failure(ask('x'))).toMatchObject({
    code: 'exhausted',
    message: expect.stringContaining('4 of 5 were used, and no trigger_pattern of the other 1 matches'),
  })
})

test('a delay ends when the signal aborts', async () => {
  const ask = await open('mock.slow')
  const controller = new AbortController()
  const pending = failure(ask('x', { signal: controller.signal }))
  await new Promise((resolve) => setImmediate(resolve))
  controller.abort(new Error('timeout after 1s'))
  expect(await pending).toMatchObject({ code: 'timeout', message: 'timeout after 1s' })
})

test('a script answers with text or a response', async () => {
  const seen: unknown[] = []
  const ask = await open('mock.from-script', async (ref, args) => {
    seen.push(ref, args)
    return seen.length > 2 ? { output: 'second', awaiting_input: true } : 'first'
  })
  expect(await ask('hi')).toMatchObject({ content: 'first' })
  expect(await ask('hi')).toMatchObject({ content: 'second', awaiting_input: true })
  expect(seen[0]).toBe('scripts.mock.Answer')
  expect(seen[1]).toMatchObject([{ messages: [{ role: 'user', content: 'hi' }], conversation: 'one' }])
})

test('a thousand conversations more than are kept do not fail', async () => {
  const ask = await open('mock.from-file')
  for (let n = 0; n < 11_000; n++) await ask('x', { conversation: `c${n}` })
  expect(await ask('x', { conversation: 'c10999' })).toMatchObject({ content: 'just text' })
})

test('mistakes in responses are all named', () => {
  const bad = [{ outptu: 'x' }, 7, { trigger_pattern: '(' }, { delay_ms: 'soon' }]
  try {
    checkResponses(bad, 'mock.yml')
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({
      code: 'BAD_MOCK_RESPONSES',
      problems: [
        { field: '[0].outptu', suggestion: 'output' },
        { field: '[1]' },
        { field: '[2].trigger_pattern' },
        { field: '[3].delay_ms', message: 'expected a number, found soon' },
      ],
    })
  }
  expect(() => checkResponses({ a: 1 }, 'mock.yml')).toThrow(/cannot be used/)
})
