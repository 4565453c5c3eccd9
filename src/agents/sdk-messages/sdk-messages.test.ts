import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import type { BaseMessageLike } from '@langchain/core/messages'
import type { AgentInputItem } from '@openai/agents'
import type { ModelMessage } from 'ai'
import { expect, test } from 'vitest'
import type { AgentMessage } from '../../model/message.js'
import { toAgentInput } from './to-agent-input.js'
import { toLangChain } from './to-lang-chain.js'
import { toModelMessages } from './to-model-messages.js'

const call = (id: string, name: string, args: object) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: JSON.stringify(args) },
})
const MESSAGES: AgentMessage[] = [
  { role: 'developer', content: 'Be brief.' },
  { role: 'user', content: 'Weather in Ulm?' },
  { role: 'assistant', content: 'I will look.', tool_calls: [call('a', 'weather', { city: 'Ulm' })] },
  { role: 'tool', tool_call_id: 'a', content: 'fog' },
  { role: 'assistant', content: 'Fog.' },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'And here?' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } },
    ],
  },
]

test('AI SDK: calls and results in parts, results with the name of their tool', () => {
  const converted: ModelMessage[] = toModelMessages(MESSAGES)
  expect(converted).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Weather in Ulm?' },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I will look.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Ulm' } },
      ],
    },
    {
      role: 'tool',
      content: [{ type: 'tool-result', toolCallId: 'a', toolName: 'weather', output: { type: 'text', value: 'fog' } }],
    },
    { role: 'assistant', content: 'Fog.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'And here?' },
        { type: 'image', image: 'data:image/png;base64,AA==' },
      ],
    },
  ])
})

test('OpenAI Agents: an item for each message, call and result', () => {
  const converted: AgentInputItem[] = toAgentInput(MESSAGES)
  const said = (text: string) => ({
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [{ type: 'output_text', text }],
  })
  expect(converted).toEqual([
    { type: 'message', role: 'system', content: 'Be brief.' },
    { type: 'message', role: 'user', content: 'Weather in Ulm?' },
    said('I will look.'),
    { type: 'function_call', callId: 'a', name: 'weather', arguments: '{"city":"Ulm"}', status: 'completed' },
    {
      type: 'function_call_result',
      callId: 'a',
      name: 'weather',
      status: 'completed',
      output: { type: 'text', text: 'fog' },
    },
    said('Fog.'),
    {
      type: 'message',
      role: 'user',
      content: [
        { type: 'input_text', text: 'And here?' },
        { type: 'input_image', image: 'data:image/png;base64,AA==' },
      ],
    },
  ])
})

test('LangChain: arguments parsed, results with the name of their tool', () => {
  const converted: BaseMessageLike[] = toLangChain(MESSAGES)
  expect(converted).toMatchObject([
    { role: 'developer' },
    { role: 'user' },
    { role: 'assistant', content: 'I will look.', tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Ulm' } }] },
    { role: 'tool', tool_call_id: 'a', name: 'weather', content: 'fog' },
    { role: 'assistant', content: 'Fog.' },
    { role: 'user', content: [{ type: 'text' }, { type: 'image_url' }] },
  ])
})

// What a vendor wants back is not in the messages: signatures, reasoning items, ids of its own.
const CONVERTERS = {
  'AI SDK': {
    convert: toModelMessages,
    reply: (own: unknown[], id = 'a') => ({
      text: 'Fog.',
      finishReason: 'stop',
      steps: [{ toolCalls: [{ toolCallId: id, toolName: 'weather', input: {} }], toolResults: [], content: [] }],
      response: { messages: own },
    }),
  },
  'AI SDK 7': {
    convert: toModelMessages,
    reply: (own: unknown[], id = 'a') => ({
      text: 'Fog.',
      finishReason: 'stop',
      steps: [{ toolCalls: [{ toolCallId: id, toolName: 'weather', input: {} }], toolResults: [], content: [] }],
      response: { messages: [{ role: 'assistant', content: 'only the last step' }] },
      responseMessages: own,
    }),
  },
  'OpenAI Agents': {
    convert: toAgentInput,
    reply: (own: unknown[], callId = 'a') => ({
      finalOutput: 'Fog.',
      newItems: [
        { type: 'tool_call_item', rawItem: { type: 'function_call', callId, name: 'weather', arguments: '{}' } },
      ],
      output: own,
      rawResponses: [],
    }),
  },
}

test.each(Object.entries(CONVERTERS))('%s: an earlier answer goes back as it was returned', (_name, sdk) => {
  const own = [{ type: 'reasoning', content: 'signed' }, { said: 'Fog.' }]
  const converted: unknown[] = sdk.convert(MESSAGES, [sdk.reply(own)])
  const plain: unknown[] = sdk.convert(MESSAGES)
  expect(converted.slice(0, 2)).toEqual(plain.slice(0, 2))
  expect(converted.slice(2)).toEqual([...own, plain.at(-1)])
  // An answer with other calls is another one; text and `null` are what agents without an SDK leave.
  for (const other of [sdk.reply(own, 'b'), null, 'Fog.', { tool_calls: 7 }])
    expect(sdk.convert(MESSAGES, [other])).toEqual(plain)
})

test('LangChain: messages of an earlier answer go back as they were returned', () => {
  const calling = new AIMessage({
    content: '',
    tool_calls: [{ id: 'a', name: 'weather', args: { city: 'Ulm' } }],
    additional_kwargs: { signature: 'signed' },
  })
  const own = [calling, new ToolMessage({ content: 'fog', tool_call_id: 'a' }), new AIMessage('Fog.')]
  const converted = toLangChain(MESSAGES, [{ messages: [new HumanMessage('Weather in Ulm?'), ...own] }])
  expect(converted).toHaveLength(6)
  for (const [index, message] of own.entries()) expect(converted[index + 2]).toBe(message)
})

test('without calls, the words tell which answer it was', () => {
  const said = (content: string): AgentMessage => ({ role: 'assistant', content })
  const asked: AgentMessage = { role: 'user', content: 'Go on' }
  const result = (text: string) => ({ text, finishReason: 'stop', response: { messages: [{ own: text }] } })
  expect(toModelMessages([asked, said('written'), asked, said('two'), asked], [null, result('two')])).toEqual([
    asked,
    { role: 'assistant', content: 'written' },
    asked,
    { own: 'two' },
    asked,
  ])
})

test('arguments that are not JSON stay text; an unknown part is not lost', () => {
  const [first] = toModelMessages([
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ ...call('a', 'x', {}), function: { name: 'x', arguments: '{"a"' } }],
    },
  ])
  expect(first).toMatchObject({ content: [{ input: '{"a"' }] })
  const [second] = toModelMessages([{ role: 'user', content: [{ type: 'poem', lines: 4 }] }])
  expect(second).toMatchObject({ content: [{ type: 'text', text: '{"type":"poem","lines":4}' }] })
})
