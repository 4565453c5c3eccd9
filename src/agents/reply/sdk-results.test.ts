import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { expect, test } from 'vitest'
import { collectAnswer } from './collect-answer.js'
import { normalizeReply } from './normalize-reply.js'

const aiMessage = (fields: object) => new AIMessage(fields)
const usage = { inputTokens: 2, outputTokens: 1, totalTokens: 3 }

test('AI SDK: the tool calls of all steps, with results and errors; the usage of all', () => {
  const call = { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Ulm' } }
  const failed = { type: 'tool-call', toolCallId: 'b', toolName: 'burn', input: {} }
  const result = {
    text: 'fog',
    content: [{ type: 'text', text: 'fog' }],
    toolCalls: [],
    toolResults: [],
    finishReason: 'stop',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    totalUsage: usage,
    steps: [
      {
        toolCalls: [call, failed],
        toolResults: [{ toolCallId: 'a', output: 'fog' }],
        content: [call, failed, { type: 'tool-error', toolCallId: 'b', error: new Error('no fire') }],
      },
      { toolCalls: [], toolResults: [], content: [] },
    ],
  }
  expect(normalizeReply(result)).toEqual({
    content: 'fog',
    finish_reason: 'stop',
    usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 },
    tool_calls: [
      { id: 'a', name: 'weather', args: { city: 'Ulm' }, result: 'fog' },
      { id: 'b', name: 'burn', args: {}, error: 'no fire' },
    ],
  })
})

const run = {
  finalOutput: 'fog',
  newItems: [
    {
      type: 'tool_call_item',
      rawItem: { type: 'function_call', name: 'weather', callId: 'a', arguments: '{"city":"Ulm"}' },
    },
    { type: 'tool_call_output_item', rawItem: { type: 'function_call_result', callId: 'a' }, output: 'fog' },
    { type: 'message_output_item', rawItem: { type: 'message', role: 'assistant' } },
  ],
  rawResponses: [{ usage }, { usage }],
}
const fromRun = {
  content: 'fog',
  refusal: false,
  tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Ulm' }, result: 'fog' }],
  usage: { input_tokens: 4, output_tokens: 2, total_tokens: 6 },
}

test('OpenAI Agents SDK: final output, calls with their results, the sum of the usage', () => {
  expect(normalizeReply(run)).toEqual(fromRun)
  expect(normalizeReply({ ...run, rawResponses: [{ usage }, {}] }).usage).toBeUndefined()
  expect(normalizeReply({ ...run, finalOutput: { sky: 'fog' } }).content).toEqual({ sky: 'fog' })
})

test('OpenAI Agents SDK, streamed: text as it comes, then the result', async () => {
  const delta = (text: string) => ({ type: 'raw_model_stream_event', data: { type: 'output_text_delta', delta: text } })
  const streamed = {
    ...run,
    async *[Symbol.asyncIterator]() {
      yield { type: 'raw_model_stream_event', data: { type: 'response_started' } }
      yield delta('f')
      yield delta('og')
    },
  }
  const heard: string[] = []
  const reply = await collectAnswer(streamed, (text) => heard.push(text), new AbortController().signal)
  expect(reply).toEqual({ ...fromRun, first_chunk_ms: expect.any(Number) })
  expect(heard).toEqual(['f', 'og'])
})

test('LangGraph: what came after the last human message', () => {
  const tokens = { input_tokens: 2, output_tokens: 1, total_tokens: 3 }
  const calling = (id: string, name: string) =>
    aiMessage({ content: '', tool_calls: [{ id, name, args: { city: 'Ulm' } }], usage_metadata: tokens })
  const messages = [
    new HumanMessage('before'),
    calling('old', 'weather'),
    new AIMessage('yes'),
    new HumanMessage('weather?'),
    calling('a', 'weather'),
    new ToolMessage({ content: 'fog', tool_call_id: 'a' }),
    calling('b', 'burn'),
    new ToolMessage({ content: 'no fire', tool_call_id: 'b', status: 'error' }),
    aiMessage({
      content: [{ type: 'text', text: 'fog' }],
      usage_metadata: tokens,
      response_metadata: { finish_reason: 'stop' },
    }),
  ]
  expect(normalizeReply({ messages })).toEqual({
    content: 'fog',
    finish_reason: 'stop',
    usage: { input_tokens: 6, output_tokens: 3, total_tokens: 9 },
    tool_calls: [
      { id: 'a', name: 'weather', args: { city: 'Ulm' }, result: 'fog' },
      { id: 'b', name: 'burn', args: { city: 'Ulm' }, error: 'no fire' },
    ],
  })
})

const CALL = { id: 'a', name: 'weather', args: { city: 'Ulm' }, result: 'fog' }
const ANSWER = { content: 'It is foggy', tool_calls: [CALL] }
const user = { role: 'user', content: 'weather?' }
const chat = [
  user,
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'a', function: { name: 'weather', arguments: '{"city":"Ulm"}' } }],
  },
  { role: 'tool', tool_call_id: 'a', content: 'fog' },
  { role: 'assistant', content: 'It is foggy' },
]

test.each([
  ['as chat completions have them', chat],
  [
    'as Anthropic has them',
    [
      user,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'weather', input: { city: 'Ulm' } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'fog' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'It is foggy' }] },
    ],
  ],
  [
    'as LangChain writes them',
    JSON.parse(
      JSON.stringify([
        new HumanMessage('weather?'),
        aiMessage({ content: '', tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Ulm' } }] }),
        new ToolMessage({ content: 'fog', tool_call_id: 'a' }),
        new AIMessage('It is foggy'),
      ]),
    ) as unknown[],
  ],
])('the messages of the conversation, %s: the answer is what came last, with every call', (_name, messages) => {
  expect(normalizeReply({ messages })).toMatchObject(ANSWER)
  expect(normalizeReply(messages)).toMatchObject(ANSWER)
  expect(normalizeReply({ content: 'Fog', messages })).toMatchObject({ ...ANSWER, content: 'Fog' })
})

test('messages without an answer are not an answer; the question sent back is data', () => {
  expect(normalizeReply({ messages: [user] })).toEqual({ content: null, tool_calls: [] })
  const request = { messages: [user], context: {}, options: {} }
  expect(normalizeReply(request).content).toEqual(request)
})

test('what the Responses API returns', () => {
  const response = {
    object: 'response',
    status: 'completed',
    output: [
      { type: 'reasoning', summary: [] },
      { type: 'function_call', id: 'fc', call_id: 'a', name: 'weather', arguments: '{"city":"Ulm"}' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'foggy' }] },
    ],
    usage: { input_tokens: 2, output_tokens: 1 },
  }
  expect(normalizeReply(response)).toEqual({
    content: 'foggy',
    refusal: false,
    tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Ulm' } }],
    usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 },
  })
  const refusal = { type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }
  expect(normalizeReply({ ...response, output: [refusal] })).toMatchObject({ content: 'No.', finish_reason: 'refusal' })
  expect(normalizeReply({ ...response, output: [] })).toMatchObject({ content: null, tool_calls: [] })
  expect(
    normalizeReply({ ...response, status: 'incomplete', incomplete_details: { reason: 'max_tool_calls' } }).error,
  ).toBe('the status of the response is incomplete, reason "max_tool_calls"')
  expect(normalizeReply({ ...response, status: 'failed' }).error).toBe('the status of the response is failed')
  expect(normalizeReply({ ...response, incomplete_details: { reason: 'content_filter' } }).finish_reason).toBe(
    'content_filter',
  )
})

test('what Gemini gives', () => {
  const parts = [
    { text: 'hm', thought: true },
    { functionCall: { name: 'weather', args: { city: 'Ulm' } } },
    { text: 'foggy' },
  ]
  const usageMetadata = { promptTokenCount: 2, candidatesTokenCount: 1 }
  expect(normalizeReply({ candidates: [{ content: { parts }, finishReason: 'STOP' }], usageMetadata })).toEqual({
    content: 'foggy',
    tool_calls: [{ name: 'weather', args: { city: 'Ulm' } }],
    finish_reason: 'stop',
    usage: { input_tokens: 2, output_tokens: 1, total_tokens: 3 },
  })
  const blocked = { candidates: [], promptFeedback: { blockReason: 'SAFETY' } }
  expect(normalizeReply(blocked)).toEqual({ content: null, tool_calls: [], finish_reason: 'content_filter' })
})

test('a single message of LangChain keeps its usage', () => {
  const message = aiMessage({
    content: 'hi',
    usage_metadata: { input_tokens: 2, output_tokens: 1, total_tokens: 3 },
  })
  expect(normalizeReply(message)).toMatchObject({ content: 'hi', tool_calls: [], usage: { total_tokens: 3 } })
})

test('data that only looks a little like a result stays data', () => {
  for (const data of [{ messages: ['a', 'b'] }, { messages: [{ role: 'user' }] }, { text: 'x' }, { finalOutput: 1 }]) {
    expect(normalizeReply(data)).toEqual({ content: data, tool_calls: [] })
  }
})
