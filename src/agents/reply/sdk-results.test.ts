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
