import { expect, test } from 'vitest'
import type { Completion, CompletionRequest, Connector } from '../../../model/connector.js'
import { createCall } from '../call.js'
import { replyOf } from '../reply.js'
import { createLoopRecord, runToolLoop } from './tool-loop.js'
import { toolBorder, type ToolRequest } from './tool-border.js'
import type { ToolOutcome } from '../../../mcp-client/tool-result.js'
import type { Toolbox } from './toolbox.js'

type Answer = Partial<Completion> & { calls?: string[] }

function scripted(answers: Answer[]): Connector & { requests: CompletionRequest[] } {
  const requests: CompletionRequest[] = []
  return {
    id: 'scripted',
    type: 'mock',
    requests,
    complete: (request) => {
      requests.push(request)
      const { calls = [], ...answer } = answers[Math.min(requests.length, answers.length) - 1] ?? {}
      return Promise.resolve({ content: '', tool_calls: calls.map((name) => ({ name, args: {} })), ...answer })
    },
  }
}

function tools(
  names: string[],
  answer: (request: ToolRequest) => Promise<ToolOutcome> = ({ name }) => Promise.resolve({ result: `${name} done` }),
): Toolbox {
  return {
    specs: names.map((name) => ({ name, input_schema: {} })),
    knows: (name) => names.includes(name),
    serverOf: () => undefined,
    call: toolBorder(answer, new AbortController().signal),
  }
}

async function run(answers: Answer[], toolbox: Toolbox, more: { loop?: boolean; maxTurn?: number } = {}) {
  const connector = scripted(answers)
  const record = createLoopRecord()
  const request = {
    messages: [{ role: 'user', content: 'go' }],
    options: {},
    call: { lane: 'agent' as const, role: 'a' },
    conversation: 'c',
    signal: AbortSignal.timeout(5000),
  }
  const failure: unknown = await runToolLoop(
    { connector, request, toolbox, loop: true, maxTurn: 5, ...more },
    record,
  ).catch((error: unknown) => error)
  const call = createCall({} as never, {} as never, {} as never)
  return { reply: replyOf({ record, call, next: null, waitedMs: 10 }), requests: connector.requests, failure, record }
}

test('results go back until the model answers', async () => {
  const { reply, requests } = await run(
    [{ calls: ['s__a'] }, { calls: ['s__b'] }, { content: 'done' }],
    tools(['s__a', 's__b']),
  )
  expect(reply.content).toBe('done')
  expect(reply.tool_calls).toEqual([
    { name: 's__a', args: {}, id: 'call_1_1', result: 's__a done' },
    { name: 's__b', args: {}, id: 'call_2_1', result: 's__b done' },
  ])
  expect(requests[2]?.messages).toEqual([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [{ name: 's__a', args: {}, id: 'call_1_1' }] },
    { role: 'tool', name: 's__a', tool_call_id: 'call_1_1', content: 's__a done' },
    { role: 'assistant', content: null, tool_calls: [{ name: 's__b', args: {}, id: 'call_2_1' }] },
    { role: 'tool', name: 's__b', tool_call_id: 'call_2_1', content: 's__b done' },
  ])
  expect(requests[0]?.messages).toHaveLength(1)
})

test('a model that never stops asking ends after max_turn rounds', async () => {
  const { failure, requests, record } = await run([{ calls: ['s__a'] }], tools(['s__a']), { maxTurn: 2 })
  expect(failure).toMatchObject({ message: 'the model still asks for tools (s__a) after 2 rounds' })
  expect(requests).toHaveLength(3)
  expect(record.tool_calls.map((call) => call.result)).toEqual(['s__a done', 's__a done', undefined])
})

test('without the loop the results are the end', async () => {
  const { reply, requests } = await run([{ calls: ['s__a'] }], tools(['s__a']), { loop: false })
  expect(requests).toHaveLength(1)
  expect(reply.tool_calls).toMatchObject([{ result: 's__a done' }])
})

test('without any tool the calls themselves are the answer', async () => {
  const { reply, requests } = await run(
    [{ calls: ['ask_user'], content: 'Which one?', finish_reason: 'tool_calls' }],
    tools([]),
  )
  expect(requests).toHaveLength(1)
  expect(requests[0]).not.toHaveProperty('tools')
  expect(reply).toMatchObject({
    content: 'Which one?',
    finish_reason: 'tool_calls',
    tool_calls: [{ name: 'ask_user' }],
  })
})

test('a tool’s error goes back as text, and calls of one answer run side by side in order', async () => {
  const started: string[] = []
  let release = (): void => {}
  const both = new Promise<void>((resolve) => (release = resolve))
  const toolbox = tools(['s__a', 's__b'], async (call) => {
    started.push(call.name)
    if (started.length === 2) release()
    await both
    return call.name === 's__a' ? { error: 'broken' } : { result: { n: 1 } }
  })
  const { requests } = await run([{ calls: ['s__a', 's__b'] }, { content: 'ok' }], toolbox)
  expect(requests[1]?.messages.slice(2).map((message) => message.content)).toEqual(['Error: broken', '{"n":1}'])
})

test('usage and cost are sums; the cost is unknown if one call does not report it', async () => {
  const usage = { input_tokens: 1, output_tokens: 2, total_tokens: 3 }
  const known = await run(
    [
      { calls: ['s__a'], usage, cost_dollars: 0.5, first_chunk_ms: 5 },
      { content: 'x', usage, cost_dollars: 0.25 },
    ],
    tools(['s__a']),
  )
  expect(known.reply).toMatchObject({
    usage: { input_tokens: 2, output_tokens: 4, total_tokens: 6 },
    cost_dollars: 0.75,
    first_chunk_ms: 15,
  })
  const unknown = await run([{ calls: ['s__a'], cost_dollars: 0.5 }, { content: 'x' }], tools(['s__a']))
  expect(unknown.reply).not.toHaveProperty('cost_dollars')
})

test('an answer that awaits the user ends the rounds', async () => {
  const { reply, requests } = await run(
    [{ calls: ['s__a'], content: 'Shall I?', awaiting_input: true }],
    tools(['s__a']),
  )
  expect(requests).toHaveLength(1)
  expect(reply).toMatchObject({ awaiting_input: true, content: 'Shall I?' })
})

test('what was done before a failure is kept', async () => {
  const connector = scripted([{ calls: ['s__a'] }])
  const record = createLoopRecord()
  const failing = {
    ...connector,
    complete: (request: CompletionRequest) =>
      connector.requests.length === 0 ? connector.complete(request) : Promise.reject(new Error('gone')),
  }
  const request = {
    messages: [],
    options: {},
    call: { lane: 'agent' as const, role: 'a' },
    conversation: 'c',
    signal: AbortSignal.timeout(5000),
  }
  await expect(
    runToolLoop({ connector: failing, request, toolbox: tools(['s__a']), loop: true, maxTurn: 5 }, record),
  ).rejects.toThrow('gone')
  expect(record.tool_calls).toMatchObject([{ result: 's__a done' }])
  expect(record.trace.map(({ kind, error }) => [kind, error])).toEqual([
    ['model', undefined],
    ['tool', undefined],
    ['model', 'gone'],
  ])
})

test.each(['tool_calls', 'tool_use'])(
  'calls that a model promises (%s) and does not make are no answer',
  async (word) => {
    const { failure, record } = await run(
      [{ calls: ['s__a'] }, { content: 'Let me see.', finish_reason: word }],
      tools(['s__a']),
    )
    expect(failure).toMatchObject({
      code: 'bad_response',
      message: `the model gave no answer: finish reason "${word}" without tool calls: "Let me see."`,
    })
    expect(record.tool_calls).toMatchObject([{ name: 's__a', result: 's__a done' }])
  },
)
