import { expect, test } from 'vitest'
import type { AgentMessage, Message } from '../model/message.js'
import { refusalOf } from '../../test/real/model/rules/openai-chat.js'
import { chatMessages } from './chat-messages.js'

const user = { role: 'user', content: 'Where is order 7?' }
const calling = (...calls: object[]): Message => ({ role: 'assistant', content: null, tool_calls: calls as never })
const find = { name: 'find', args: { number: 7 } }

/** Whatever is written, OpenAI would take what comes out. */
function converted(...messages: Message[]): AgentMessage[] {
  const chat = chatMessages(messages)
  expect(refusalOf({ model: 'm', messages: chat })).toBeUndefined()
  return chat
}

const callsIn = (chat: AgentMessage[]) =>
  chat.flatMap((message) => (message.role === 'assistant' ? (message.tool_calls ?? []) : []))
const resultsIn = (chat: AgentMessage[]) =>
  chat.flatMap((message) => (message.role === 'tool' ? [[message.tool_call_id, message.content]] : []))

test('a conversation as Viva keeps it', () => {
  const call = { ...find, id: 'a', server: 'orders', result: { state: 'sent' } }
  const result = { role: 'tool', name: 'find', tool_call_id: 'a', content: '{"state":"sent"}' }
  expect(converted(user, calling(call), result, { role: 'assistant', content: 'Sent.' }, user)).toEqual([
    user,
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'find', arguments: '{"number":7}' } }],
    },
    { role: 'tool', tool_call_id: 'a', content: '{"state":"sent"}' },
    { role: 'assistant', content: 'Sent.' },
    user,
  ])
})

test('messages without tools are the same objects, with the keys of their author', () => {
  const messages = [
    { ...user, metadata: { a: 1 } },
    { role: 'assistant', content: 'Sent.' },
  ]
  expect(chatMessages(messages)).toBe(messages)
  expect(converted(user, { role: 'assistant', content: null })[1]).toEqual({ role: 'assistant', content: '' })
})

test.each([
  ['as the API has it', { id: 'a', type: 'function', function: { name: 'find', arguments: '{"number":7}' } }],
  ['with arguments', { id: 'a', name: 'find', arguments: { number: 7 } }],
  ['with args', { id: 'a', ...find }],
])('a call in a history, written %s', (_how, written) => {
  const chat = converted(user, calling(written), { role: 'tool', tool_call_id: 'a', content: 'sent' })
  expect(callsIn(chat)).toEqual([{ id: 'a', type: 'function', function: { name: 'find', arguments: '{"number":7}' } }])
})

test('words beside a call stay; arguments that are not JSON become JSON', () => {
  const call = { id: 'a', name: 'find', args: 'order 7', args_error: 'not JSON' }
  const [, said] = converted(user, { ...calling(call), content: 'Let me see.' })
  expect(said).toMatchObject({ content: 'Let me see.' })
  expect(callsIn(converted(user, calling(call)))[0]?.function.arguments).toBe('"order 7"')
})

test('ids are never empty, no two calls share one, and later turns change none', () => {
  const messages = [
    user,
    calling(find, { ...find, id: '' }, { ...find, id: 'a' }, { ...find, id: 'a' }),
    ...['1', '2'].map((content) => ({ role: 'tool', name: 'find', tool_call_id: '', content })),
    ...['3', '4'].map((content) => ({ role: 'tool', name: 'find', tool_call_id: 'a', content })),
    user,
    calling({ ...find, id: 'a' }),
    { role: 'tool', tool_call_id: 'a', content: '5' },
  ]
  const ids = callsIn(converted(...messages)).map(({ id }) => id)
  expect(ids).toEqual(['call_1_0', 'call_1_1', 'a', 'a_2', 'a_3'])
  expect(resultsIn(converted(...messages))).toEqual(ids.map((id, index) => [id, String(index + 1)]))
  expect(callsIn(converted(...messages.slice(0, 7))).map(({ id }) => id)).toEqual(ids.slice(0, 4))
})

test.each([
  ['not reported', { ...find, id: 'a' }, '(no result was reported)'],
  ['null', { ...find, id: 'a', result: null }, 'null'],
  ['null, in a history', { id: 'a', function: { name: 'find', arguments: '{}' } }, 'null'],
  ['an error', { ...find, id: 'a', error: 'no such order' }, 'null'],
])('a result that the conversation has as "null": %s', (_what, call, text) => {
  const result = { role: 'tool', name: 'find', tool_call_id: 'a', content: 'null' }
  expect(resultsIn(converted(user, calling(call), result))).toEqual([['a', text]])
})

test('a call without a tool message gets one, before anything else is said', () => {
  const calls = [{ ...find, result: [1] }, { ...find, error: 'no such order' }, find, { ...find, id: 'd' }]
  const chat = converted(user, calling(...calls), { role: 'tool', tool_call_id: 'd', content: 'sent' }, user)
  expect(chat.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'tool', 'tool', 'tool', 'user'])
  expect(resultsIn(chat)).toEqual([
    ['d', 'sent'],
    ['call_1_0', '[1]'],
    ['call_1_1', 'no such order'],
    ['call_1_2', '(no result was reported)'],
  ])
})

test.each([
  [[{ type: 'text', text: 'sent' }], 'sent'],
  [[{ type: 'image_url', image_url: { url: 'data:,' } }], '[{"type":"image_url","image_url":{"url":"data:,"}}]'],
  [null, ''],
])('a result is text: %j', (content, text) => {
  const result = { role: 'tool', tool_call_id: 'a', content }
  expect(resultsIn(converted(user, calling({ ...find, id: 'a' }), result))).toEqual([['a', text]])
})

test('no calls, written down, are none', () => {
  expect(converted(user, { role: 'assistant', content: 'Sent.', tool_calls: [] })[1]).toEqual({
    role: 'assistant',
    content: 'Sent.',
  })
  expect(converted(user, { role: 'assistant', content: 'Sent.', tool_calls: null as never })).toHaveLength(2)
})
