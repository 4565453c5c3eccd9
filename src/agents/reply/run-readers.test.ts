// Runs as the SDKs stream them: each call once, the last answer, nothing that failed taken for one.
import { AIMessage, AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { expect, test } from 'vitest'
import type { AgentReply } from '../../model/agent.js'
import { collectAnswer } from './collect-answer.js'
import { normalizeReply } from './normalize-reply.js'

async function* stream(pieces: unknown[]): AsyncGenerator {
  yield* pieces
}

async function read(pieces: unknown[], heard: string[] = []): Promise<AgentReply> {
  return collectAnswer(stream(pieces), (text) => heard.push(text), new AbortController().signal)
}

const CALL = { id: 'a', name: 'weather', args: { city: 'Ulm' }, result: 'fog' }
const TOKENS = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
const BOTH = { input_tokens: 20, output_tokens: 10, total_tokens: 30 }

// LangGraph.

const asked = new HumanMessage({ content: 'Weather?', id: 'h' })
const aiMessage = (fields: object) => new AIMessage(fields)
const calling = aiMessage({
  id: 'm1',
  content: 'Let me look.',
  tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Ulm' } }],
  usage_metadata: TOKENS,
  response_metadata: { finish_reason: 'tool_calls' },
})
const result = new ToolMessage({ id: 't', content: 'fog', tool_call_id: 'a' })
const said = aiMessage({
  id: 'm2',
  content: 'It is fog.',
  usage_metadata: TOKENS,
  response_metadata: { finish_reason: 'stop' },
})
const values = [[asked], [asked, calling], [asked, calling, result], [asked, calling, result, said]].map(
  (messages) => ({
    messages,
  }),
)
const updates = [{ agent: { messages: [calling] } }, { tools: { messages: [result] } }, { agent: { messages: [said] } }]
const metadata = { langgraph_step: 1, langgraph_node: 'agent' }
const chunk = (fields: object) => new AIMessageChunk(fields)
const messages = [
  [chunk({ id: 'm1', content: 'Let me ' }), metadata],
  [chunk({ id: 'm1', content: 'look.' }), metadata],
  [
    chunk({ id: 'm1', content: '', tool_call_chunks: [{ index: 0, id: 'a', name: 'weather', args: '{"city":' }] }),
    metadata,
  ],
  [
    chunk({ id: 'm1', content: '', tool_call_chunks: [{ index: 0, args: '"Ulm"}' }], usage_metadata: TOKENS }),
    metadata,
  ],
  [result, metadata],
  [chunk({ id: 'm2', content: 'It is ' }), metadata],
  [
    chunk({ id: 'm2', content: 'fog.', usage_metadata: TOKENS, response_metadata: { finish_reason: 'stop' } }),
    metadata,
  ],
]
const task = (value: object) => ({
  step: 1,
  type: 'task_result',
  payload: { id: 'x', name: 'n', result: value, interrupts: [] },
})
const debug = updates.flatMap((update) => [
  { step: 1, type: 'task', payload: { id: 'x', name: 'n', input: { messages: [asked, calling] } } },
  ...Object.values(update).map(task),
])
const modes = (mode: string, pieces: unknown[]) => pieces.map((piece) => [mode, piece])

test.each<[string, unknown[]]>([
  ['values', values],
  ['updates', updates],
  [
    'updates as a list, with a node that says nothing',
    [...updates.map((update) => ({ node: Object.values(update) })), { other: null }],
  ],
  ['messages', messages],
  ['debug', debug],
  [
    'several at once',
    [
      ...modes('values', values),
      ...modes('updates', updates),
      ...modes('messages', messages),
      ...modes('debug', debug),
      ['custom', { done: 1 }],
    ],
  ],
  [
    'several at once, with graphs inside',
    [
      ...modes('updates', updates).map((pair) => [['inner:1'], ...pair]),
      ...modes('updates', updates).map((pair) => [[], ...pair]),
    ],
  ],
  [
    'updates, with graphs inside',
    [...updates.map((update) => [['inner:1'], update]), ...updates.map((update) => [[], update])],
  ],
])('LangGraph, %s: each call once, the last answer', async (_mode, pieces) => {
  expect(await read(pieces)).toMatchObject({
    content: 'It is fog.',
    tool_calls: [CALL],
    usage: BOTH,
    finish_reason: 'stop',
  })
  expect((await read(pieces)).tool_calls).toHaveLength(1)
})

test('LangGraph: texts before and after a tool call stay apart as they come', async () => {
  const heard: string[] = []
  await read(messages, heard)
  expect(heard.join('')).toBe('Let me look.\n\nIt is fog.')
})

test('LangGraph: a graph that waits for a person says so; custom data alone says nothing about calls', async () => {
  const waiting = [{ agent: { messages: [calling] } }, { __interrupt__: [{ value: 'Approve?' }] }]
  expect(await read(waiting)).toMatchObject({ awaiting_input: true, input_hint: 'Approve?' })
  expect(
    await read([
      ['custom', 'half'],
      ['custom', ' done'],
    ]),
  ).toMatchObject({ content: 'half done', tool_evidence: 'unknown' })
})

test('LangChain: a call with arguments that are not JSON was made', () => {
  const broken = new AIMessage({
    content: '',
    invalid_tool_calls: [{ id: 'a', name: 'refund', args: '{"amount":', error: 'x', type: 'invalid_tool_call' }],
  })
  expect(normalizeReply({ messages: [asked, broken] }).tool_calls).toMatchObject([
    { name: 'refund', args: '{"amount":' },
  ])
})

// Claude's agent SDK.

const own = { session_id: 's', uuid: 'u', parent_tool_use_id: null }
const assistant = (id: string, ...content: object[]) => ({
  ...own,
  type: 'assistant',
  message: { id, role: 'assistant', content },
})
const text = (value: string) => ({ type: 'text', text: value })
const claude = [
  { ...own, type: 'system', subtype: 'init' },
  { ...own, type: 'system', subtype: 'api_retry', error: 'rate_limit' },
  assistant('1', { type: 'thinking', thinking: 'hm' }),
  assistant('1', text('Let me look.')),
  assistant('1', { type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Ulm' } }),
  {
    ...own,
    type: 'user',
    message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: [text('fog')] }] },
  },
  assistant('2', text('It is fog.')),
]
const ending = {
  ...own,
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'It is fog.',
  stop_reason: 'end_turn',
  usage: { input_tokens: 20, output_tokens: 10 },
  total_cost_usd: 0.25,
}
const CLAUDE = {
  content: 'It is fog.',
  tool_calls: [CALL],
  usage: BOTH,
  cost_dollars: 0.25,
  finish_reason: 'stop',
  refusal: false,
}

test('Claude agent SDK: messages streamed, in a list, and the last one alone', async () => {
  const heard: string[] = []
  expect(await read([...claude, ending], heard)).toEqual({ ...CLAUDE, first_chunk_ms: expect.any(Number) })
  expect(heard.join('')).toBe('Let me look.\n\nIt is fog.')
  expect(normalizeReply([...claude, ending])).toEqual(CLAUDE)
  expect(normalizeReply(ending)).toEqual({ ...CLAUDE, tool_calls: [] })
  expect(await collectAnswer(ending, () => {}, new AbortController().signal)).toMatchObject({
    tool_evidence: 'unknown',
  })
})

test('Claude agent SDK: a refusal is one', async () => {
  expect(await read([...claude, { ...ending, stop_reason: 'refusal' }])).toMatchObject({
    finish_reason: 'refusal',
    refusal: true,
  })
})

test.each([
  [
    'max turns',
    [{ ...own, type: 'result', subtype: 'error_max_turns', is_error: false, errors: [] }],
    'error_max_turns',
  ],
  ['an error that calls itself a success', [{ ...ending, is_error: true, result: 'API Error: 400' }], 'API Error: 400'],
  [
    'an error in the place of an answer',
    [{ ...assistant('3', text('API Error: 500')), error: 'server_error' }, ending],
    'API Error: 500',
  ],
  ['no end', [], 'before the run was over'],
])('Claude agent SDK, %s: no answer', async (_name, last, message) => {
  await expect(read([...claude, ...last])).rejects.toThrow(message)
})

// ADK.

const event = (fields: object) => ({
  id: 'e',
  invocationId: 'i',
  author: 'agent',
  actions: {},
  timestamp: 1,
  ...fields,
})
const model = (...parts: object[]) => ({ content: { role: 'model', parts } })
const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 5, totalTokenCount: 15 }
const stop = { usageMetadata, finishReason: 'STOP' }
const functionCall = { id: 'a', name: 'weather', args: { city: 'Ulm' } }
const answered = event({
  content: { role: 'user', parts: [{ functionResponse: { id: 'a', name: 'weather', response: { result: 'fog' } } }] },
})
const adk = [
  event({ ...model({ text: 'Let me look.' }, { functionCall }), ...stop }),
  answered,
  event({ ...model({ text: 'It is fog.' }), ...stop }),
]
const partial = (value: string) => event({ ...model({ text: value }), partial: true })
const adkStreamed = [
  partial('Let me look.'),
  event({ ...model({ text: 'Let me look.' }), usageMetadata, partial: false }),
  event({ ...model({ functionCall }), ...stop, partial: false }),
  answered,
  event({ ...stop, partial: false }),
  partial('It is '),
  partial('fog.'),
  event({ ...model({ text: 'hm', thought: true }, { text: 'It is fog.' }), ...stop, partial: false }),
]

test.each([
  ['whole', adk],
  ['streamed', adkStreamed],
])('ADK, %s: each call once, the last answer, the tokens of each call of the model once', async (_name, events) => {
  const heard: string[] = []
  expect(await read(events, heard)).toMatchObject({
    content: 'It is fog.',
    tool_calls: [CALL],
    usage: BOTH,
    finish_reason: 'stop',
  })
  expect(heard.join('')).toMatch(/It is fog\.$/)
  expect(normalizeReply(events)).toMatchObject({ content: 'It is fog.', tool_calls: [CALL] })
})

test('ADK: an event with an error code is an error, whatever was said before', async () => {
  const failed = event({ errorCode: '400', errorMessage: 'no such model' })
  await expect(read([...adk, failed])).rejects.toThrow('400: no such model')
  expect(normalizeReply([...adk, failed]).error).toBe('400: no such model')
  const cut = event({ ...model({ text: 'It is' }), finishReason: 'MALFORMED_FUNCTION_CALL' })
  expect(await read([cut])).toMatchObject({ error: 'finish reason "MALFORMED_FUNCTION_CALL"' })
})

test('ADK: a tool that failed', async () => {
  const failed = event({
    content: { parts: [{ functionResponse: { id: 'a', name: 'weather', response: { error: 'no reports' } } }] },
  })
  expect((await read([adk[0], failed, adk[2]])).tool_calls).toEqual([
    { id: 'a', name: 'weather', args: { city: 'Ulm' }, error: 'no reports' },
  ])
})

// Mastra.

const wrap = (type: string, payload: object) => ({ type, runId: 'r', from: 'AGENT', payload })
const made = wrap('tool-call', { toolCallId: 'a', toolName: 'weather', args: { city: 'Ulm' } })
const gave = wrap('tool-result', { toolCallId: 'a', toolName: 'weather', args: { city: 'Ulm' }, result: 'fog' })
const usage = { inputTokens: 20, outputTokens: 10, totalTokens: 30 }
const mastra = {
  text: 'Let me look.It is fog.',
  toolCalls: [made],
  toolResults: [gave],
  finishReason: 'stop',
  steps: [
    { text: 'Let me look.', toolCalls: [made], toolResults: [gave] },
    { text: 'It is fog.', toolCalls: [], toolResults: [] },
  ],
  totalUsage: usage,
  error: undefined,
  tripwire: undefined,
}

test('Mastra: calls in payloads, the answer of the last step', () => {
  const read = { content: 'It is fog.', tool_calls: [CALL], usage: BOTH, finish_reason: 'stop' }
  expect(normalizeReply(mastra)).toEqual(read)
  // Version 0 lists results only.
  const [first, last] = mastra.steps
  const older = {
    ...mastra,
    toolCalls: [],
    steps: [{ ...first, toolCalls: [] }, last],
    tripwire: false,
    tripwireReason: '',
  }
  expect(normalizeReply(older)).toEqual(read)
})

test.each([
  ['a tripwire', { tripwire: { reason: 'not polite' } }, 'tripwire: not polite'],
  ['a tripwire of version 0', { tripwire: true, tripwireReason: 'not polite' }, 'tripwire: not polite'],
  ['an error', { error: new Error('no such model') }, 'no such model'],
])('Mastra, %s: no answer', (_name, fields, error) => {
  expect(normalizeReply({ ...mastra, ...fields }).error).toBe(error)
})

const parts = [
  wrap('start', {}),
  wrap('text-delta', { id: '1', text: 'Let me look.' }),
  made,
  gave,
  wrap('step-finish', { output: { usage: { inputTokens: 1, outputTokens: 1 } } }),
  wrap('text-delta', { id: '2', text: 'It is fog.' }),
  wrap('finish', { stepResult: { reason: 'stop' }, output: { usage } }),
]

test('Mastra: the parts of a stream, passed on', async () => {
  expect(await read(parts)).toMatchObject({
    content: 'Let me look.\n\nIt is fog.',
    tool_calls: [CALL],
    usage: BOTH,
    finish_reason: 'stop',
  })
  await expect(read([...parts.slice(0, 2), wrap('tripwire', { reason: 'not polite' })])).rejects.toThrow(
    'tripwire: not polite',
  )
  await expect(read([wrap('error', { error: new Error('boom') })])).rejects.toThrow('boom')
})

test('Mastra: a stream with its steps', async () => {
  const output = { ...mastra, textStream: stream([]), fullStream: stream(parts) }
  const heard: string[] = []
  const reply = await collectAnswer(output, (piece) => heard.push(piece), new AbortController().signal)
  expect(reply).toMatchObject({ content: 'It is fog.', tool_calls: [CALL], usage: BOTH })
  expect(heard.join('')).toBe('Let me look.\n\nIt is fog.')
})

// AI SDK, OpenAI.

test('AI SDK: the parts of a stream, passed on, have the tokens of all steps', async () => {
  const step = { type: 'finish-step', finishReason: 'stop', usage: { inputTokens: 1, outputTokens: 1 } }
  const last = { type: 'finish', finishReason: 'stop', totalUsage: usage }
  expect(await read([{ type: 'text-delta', id: '1', text: 'hi' }, step, last])).toMatchObject({
    content: 'hi',
    usage: BOTH,
  })
})

test('OpenAI: several completions one after another each have tokens', async () => {
  const piece = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  })
  const tokens = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 5 } }
  const call = { index: 0, id: 'a', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }
  const one = [piece({ content: 'Let me look.' }), piece({ tool_calls: [call] }), piece({}, 'tool_calls')]
  const two = [piece({ content: 'It is fog.' }), piece({}, 'stop')]
  expect(await read([...one, tokens, ...two, tokens])).toMatchObject({
    content: 'Let me look.\n\nIt is fog.',
    usage: BOTH,
  })
  // A sum that leaves something out is wrong.
  expect((await read([...one, ...two, tokens])).usage).toBeUndefined()
  expect((await read([...two, tokens])).usage).toEqual(TOKENS)
})

test('OpenAI Agents: a run that waits for approval, or has no output, is no answer', () => {
  const rawItem = { type: 'function_call', name: 'refund', callId: 'a', arguments: '{}' }
  const waiting = { type: 'tool_approval_item', rawItem }
  const run = {
    finalOutput: undefined,
    newItems: [{ type: 'tool_call_item', rawItem }, waiting],
    interruptions: [waiting],
    rawResponses: [],
  }
  expect(normalizeReply(run)).toMatchObject({
    error: 'the run waits for approval: refund',
    tool_calls: [{ name: 'refund' }],
  })
  expect(normalizeReply(run).tool_calls).toHaveLength(1)
  expect(normalizeReply({ ...run, interruptions: [] }).error).toBe('the run has no final output')
})

test.each([
  [
    'Anthropic',
    {
      content: [
        text('Let me look.'),
        { type: 'server_tool_use', id: 'a', name: 'search', input: {} },
        text('It is '),
        text('fog.'),
      ],
    },
  ],
  [
    'Responses',
    {
      object: 'response',
      status: 'completed',
      output: ['Let me look.', 'It is fog.'].map((value) => ({
        type: 'message',
        content: [{ type: 'output_text', text: value }],
      })),
    },
  ],
  [
    'Gemini',
    {
      candidates: [
        {
          content: { parts: [{ text: 'Let me look.' }, { functionCall }, { text: 'It is fog.' }] },
          finishReason: 'STOP',
        },
      ],
    },
  ],
])('%s: texts before and after a tool call stay apart', (_name, value) => {
  expect(normalizeReply(value).content).toBe('Let me look.\n\nIt is fog.')
})
