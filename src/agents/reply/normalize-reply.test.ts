import { expect, test } from 'vitest'
import { normalizeReply, parseReplyText } from './normalize-reply.js'

function check(value: unknown, expected: Record<string, unknown>) {
  expect(normalizeReply(value)).toEqual({ tool_calls: [], ...expected })
}

test('text is content', () => check('hi', { content: 'hi' }))
test('nothing is null', () => check(undefined, { content: null }))
test('data without our fields is content', () => check({ answer: 42 }, { content: { answer: 42 } }))
test('a list is content', () => check([1, 2], { content: [1, 2] }))
test('our own reply keeps its fields', () => {
  const reply = {
    content: 'x',
    awaiting_input: true,
    input_hint: 'date?',
    next: { a: 1 },
    finish_reason: 'stop',
    cost_dollars: 0.5,
  }
  check({ ...reply }, reply)
})
test('tool calls in the OpenAI spelling', () =>
  check(
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }],
    },
    { content: null, tool_calls: [{ id: 'c', name: 'f', args: { a: 1 } }] },
  ))
test('arguments that are not JSON are kept, with the reason', () => {
  const [call] = normalizeReply({ tool_calls: [{ name: 'f', arguments: '{bad' }] }).tool_calls
  expect(call).toMatchObject({ name: 'f', args: '{bad', args_error: expect.stringContaining('not JSON') })
})
test('a whole OpenAI response', () =>
  check(
    {
      choices: [{ message: { content: 'hi' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1, completion_tokens: 2 },
    },
    {
      content: 'hi',
      finish_reason: 'stop',
      refusal: false,
      usage: { input_tokens: 1, output_tokens: 2, total_tokens: 3 },
    },
  ))
test('an Anthropic message', () =>
  check(
    {
      role: 'assistant',
      stop_reason: 'tool_use',
      content: [
        { type: 'text', text: 'a' },
        { type: 'tool_use', id: 't', name: 'f', input: { b: 1 } },
      ],
    },
    {
      content: 'a',
      finish_reason: 'tool_calls',
      refusal: false,
      tool_calls: [{ id: 't', name: 'f', args: { b: 1 } }],
    },
  ))
test('an Anthropic message with tools that its servers ran', () =>
  check(
    {
      role: 'assistant',
      stop_reason: 'end_turn',
      content: [
        { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'q' } },
        { type: 'web_search_tool_result', tool_use_id: 's', content: [{ type: 'web_search_result', url: 'u' }] },
        { type: 'mcp_tool_use', id: 'm', name: 'delete', server_name: 'crm', input: {} },
        { type: 'mcp_tool_result', tool_use_id: 'm', is_error: true, content: 'no' },
        { type: 'text', text: 'a' },
      ],
    },
    {
      content: 'a',
      finish_reason: 'stop',
      refusal: false,
      tool_calls: [
        { id: 's', name: 'web_search', args: { query: 'q' }, result: [{ type: 'web_search_result', url: 'u' }] },
        { id: 'm', name: 'delete', args: {}, server: 'crm', error: 'no' },
      ],
    },
  ))
test('a response with calls of every kind', () =>
  check(
    {
      object: 'response',
      output: [
        { type: 'reasoning', summary: [] },
        { type: 'function_call', id: 'i', call_id: 'c', name: 'f', arguments: '{"a":1}' },
        {
          type: 'mcp_call',
          id: 'm',
          name: 'delete',
          server_label: 'crm',
          arguments: '{}',
          output: 'done',
          error: null,
        },
        { type: 'custom_tool_call', id: 'j', call_id: 'd', name: 'shell', input: 'ls' },
        { type: 'web_search_call', id: 'w', status: 'completed', action: { type: 'search', query: 'q' } },
        { type: 'message', content: [{ type: 'output_text', text: 'a' }] },
      ],
    },
    {
      content: 'a',
      refusal: false,
      tool_calls: [
        { id: 'c', name: 'f', args: { a: 1 } },
        { id: 'm', name: 'delete', args: {}, server: 'crm', result: 'done' },
        { id: 'd', name: 'shell', args: { input: 'ls' } },
        { id: 'w', name: 'web_search', args: { action: { type: 'search', query: 'q' } } },
      ],
    },
  ))
test.each(['failed', 'cancelled', 'in_progress', 'queued'])('a response that is %s is no answer', (status) => {
  const output = [{ type: 'message', content: [{ type: 'output_text', text: 'half' }] }]
  expect(normalizeReply({ object: 'response', status, output }).error).toBe(`the status of the response is ${status}`)
})
test.each([
  ['MALFORMED_FUNCTION_CALL', 'MALFORMED_FUNCTION_CALL'],
  ['UNEXPECTED_TOOL_CALL', 'UNEXPECTED_TOOL_CALL'],
  ['OTHER', 'OTHER'],
  ['LANGUAGE', 'LANGUAGE'],
  ['abort', 'abort'],
  ['FINISH_REASON_UNSPECIFIED', 'FINISH_REASON_UNSPECIFIED'],
  ['sensitive', 'content_filter'],
  ['MAX_TOKENS', 'length'],
  ['STOP', 'stop'],
])('finish reason %s of Gemini: %s, and an error that quotes it where it is kept', (finishReason, read) => {
  const candidates = [{ content: { parts: [{ text: 'a' }] }, finishReason }]
  const isBad = finishReason === read
  expect(normalizeReply({ candidates })).toMatchObject({ content: 'a', finish_reason: read })
  expect(normalizeReply({ candidates }).error).toBe(isBad ? `finish reason "${finishReason}"` : undefined)
})
test('a result of MCP that is an error', () =>
  check({ isError: true, content: [{ type: 'text', text: 'no' }] }, { content: 'no', error: 'no' }))
test('an answer of Gemini, bare', () =>
  check(
    { candidates: [{ content: { parts: [{ text: 'a' }, { functionCall: { name: 'f', args: { b: 1 } } }] } }] },
    { content: 'a', tool_calls: [{ name: 'f', args: { b: 1 } }] },
  ))
test('a run of the OpenAI Agents SDK with a hosted tool', () =>
  check(
    {
      finalOutput: 'a',
      newItems: [
        {
          type: 'tool_call_item',
          rawItem: { type: 'hosted_tool_call', id: 'h', name: 'web_search', arguments: '{"q":1}' },
        },
        { type: 'message_output_item', rawItem: { type: 'message', content: [] } },
      ],
    },
    { content: 'a', refusal: false, tool_calls: [{ id: 'h', name: 'web_search', args: { q: 1 } }] },
  ))
test('a result of the AI SDK', () =>
  check(
    {
      text: 'hi',
      toolCalls: [{ toolCallId: 't', toolName: 'f', input: { a: 1 } }],
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    },
    {
      content: 'hi',
      finish_reason: 'stop',
      tool_calls: [{ id: 't', name: 'f', args: { a: 1 } }],
      usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
    },
  ))
test('a count or a cost that makes no sense is unknown', () => {
  check({ content: 'x', usage: { input_tokens: -5, output_tokens: 1 }, cost_dollars: Number.NaN }, { content: 'x' })
})
test('text that is JSON is read, text that only looks like it is kept', () => {
  expect(parseReplyText('{"content": "a"}\n')).toEqual({ content: 'a', tool_calls: [], tool_evidence: 'unknown' })
  expect(parseReplyText('{not json}\n')).toEqual({ content: '{not json}', tool_calls: [], tool_evidence: 'unknown' })
  expect(parseReplyText('[1]')).toEqual({ content: [1], tool_calls: [], tool_evidence: 'unknown' })
  expect(parseReplyText('42')).toEqual({ content: '42', tool_calls: [], tool_evidence: 'unknown' })
  expect(parseReplyText('null\n')).toEqual({ content: null, tool_calls: [], tool_evidence: 'unknown' })
})

test.each([
  ['a text', { content: 'done', tool_calls: 'delete_user' }],
  ['a call without a name', { content: 'done', tool_calls: [{ tool: 'delete_user' }] }],
  ['one of several', { content: 'done', tool_calls: [{ name: 'f' }, 'delete_user'] }],
  ['an object', { tool_calls: { name: 'f' } }],
  ['a call with an empty name', { content: 'done', tool_calls: [{ name: ' ' }] }],
  ['a name that is almost the right one', { content: 'done', toolcalls: [{ name: 'f' }] }],
  ['one call', { content: 'done', tool_call: { name: 'f' } }],
  ['a word', { content: 'done', tool_use: 'f' }],
  ['calls in data', { answer: 'done', Tool_Calls: [{ name: 'f' }] }],
  ['two lists that differ', { content: 'done', tool_calls: [{ name: 'f' }], toolCalls: [{ name: 'g' }] }],
])('tool calls that cannot be understood are an error, never dropped: %s', (_what, reply) => {
  expect(() => normalizeReply(reply)).toThrow('the tool calls cannot be understood')
  expect(() => parseReplyText(JSON.stringify(reply))).toThrow('the tool calls cannot be understood')
})

test.each([
  ['the older form', { content: 'x', function_call: { name: 'f', arguments: '{"a":1}' } }],
  ['beside an empty list', { content: 'x', tool_calls: [], toolCalls: [{ toolName: 'f', input: { a: 1 } }] }],
  [
    'twice the same',
    { content: 'x', tool_calls: [{ name: 'f', args: { a: 1 } }], toolCalls: [{ name: 'f', args: { a: 1 } }] },
  ],
  ['in a message without content', { message: { role: 'assistant', tool_calls: [{ name: 'f', args: { a: 1 } }] } }],
  [
    'in the parts',
    {
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool-call', toolName: 'f', input: { a: 1 } },
      ],
    },
  ],
  [
    'in a list of parts',
    [
      { type: 'text', text: 'x' },
      { type: 'tool_use', name: 'f', input: { a: 1 } },
    ],
  ],
])('calls are found: %s', (_what, reply) => {
  expect(normalizeReply(reply).tool_calls).toEqual([{ name: 'f', args: { a: 1 } }])
})

test('a word in data is not a call', () => {
  const data = { tool_use: 'low', function_calls: null }
  check(data, { content: data })
})

test.each([
  ['alone', { refusal: 'No.' }, 'No.'],
  ['beside content', { content: 'Well', refusal: 'No.' }, 'Well'],
  ['as a part', { content: [{ type: 'refusal', refusal: 'No.' }] }, 'No.'],
  ['in a message', { choices: [{ message: { content: null, refusal: 'No.' }, finish_reason: 'stop' }] }, 'No.'],
])('a refusal is one wherever it stands: %s', (_what, reply, content) => {
  expect(normalizeReply(reply)).toEqual({ content, tool_calls: [], finish_reason: 'refusal', refusal: true })
})

test('a refusal among data is data', () => check({ refusal: 'x', score: 1 }, { content: { refusal: 'x', score: 1 } }))

test.each([
  ['content-filter', 'content_filter'],
  ['SAFETY', 'content_filter'],
  ['max_tokens', 'length'],
  ['end_turn', 'stop'],
  ['paused', 'paused'],
])('why it stopped: %s is %s', (finish_reason, read) => {
  check({ content: 'x', finish_reason }, { content: 'x', finish_reason: read })
  expect(normalizeReply({ text: 'x', finishReason: finish_reason })).toMatchObject({ finish_reason: read })
})

test('an empty message is not an answer, an empty list is data', () => {
  check({ role: 'assistant', content: [] }, { content: null })
  check({ object: 'chat.completion', choices: [] }, { content: null })
  check({ content: [] }, { content: [] })
  check({ choices: [] }, { content: { choices: [] } })
})

test('what a model thinks is not what it says', () =>
  check(
    {
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'redacted_thinking', data: '…' },
        { type: 'text', text: 'x' },
      ],
    },
    { content: 'x' },
  ))

test('toolCalls is tool_calls', () =>
  check(
    { content: 'x', toolCalls: [{ name: 'f', args: {} }] },
    { content: 'x', tool_calls: [{ name: 'f', args: {} }] },
  ))

test('a reply after lines of debug output is the reply; text that ends with JSON is text', () => {
  const reply = '{"content": "done", "tool_calls": [{"name": "f"}]}'
  expect(parseReplyText(`loading model\nready\n${reply}\n`)).toMatchObject({
    content: 'done',
    tool_calls: [{ name: 'f', args: {} }],
    raw: `loading model\nready\n${reply}\n`,
  })
  expect(parseReplyText('Here you are:\n{"content": "x"}')).toMatchObject({ tool_calls: [] })
  expect(parseReplyText('Here you are:\n{"total": 3}').content).toBe('Here you are:\n{"total": 3}')
})

const CALLING = '{"content": "done", "tool_calls": [{"name": "f"}]}'

test.each([
  ['text after it', `${CALLING}\nbye`],
  ['text around it', `loading\n${CALLING}\nbye`],
  ['another reply after it', `${CALLING}\n{"content": "x", "tool_calls": []}`],
  ['over several lines, text after it', `${JSON.stringify(JSON.parse(CALLING), null, 2)}\nbye`],
  ['cut off', CALLING.slice(0, -3)],
  ['in colour', `\u001b[32m${CALLING}\u001b[0m`],
  ['in a fence', `\`\`\`json\n${CALLING}\n\`\`\``],
  ['in quotes of Python', CALLING.replaceAll('"', "'")],
  ['in a stream', 'data: {"choices": [{"delta": {"tool_calls": [{"index": 0}]}}]}\n\ndata: [DONE]\n'],
])('a reply with tool calls that cannot be read is an error: %s', (_what, text) => {
  expect(() => parseReplyText(text)).toThrow('contains tool calls, but cannot be read as a reply')
})

test('an answer that speaks of tool calls is an answer', () => {
  const texts = [
    `An example:\n\`\`\`json\n${CALLING}\n\`\`\`\nThat is all.`,
    `The API gives ${CALLING} then.`,
    '{"content": "done", "tool_calls": []}\nbye',
    'I made no tool_calls.',
  ]
  for (const text of texts)
    expect(parseReplyText(text)).toEqual({ content: text, tool_calls: [], tool_evidence: 'unknown' })
})

test('half a reply is an error, and never prose', () => {
  const whole = '{"content": "Everything is fine, but I deleted it"}'
  for (let length = whole.indexOf(':') + 1; length < whole.length; length++)
    expect(() => parseReplyText(whole.slice(0, length))).toThrow('begins like a reply, but is not complete JSON')
  expect(parseReplyText(whole).content).toBe('Everything is fine, but I deleted it')
  expect(parseReplyText('{"total": 3').content).toBe('{"total": 3')
})
