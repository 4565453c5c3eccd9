import { expect, test } from 'vitest'
import { failure } from '../../../test/support/agent-request.js'
import { collectAnswer } from './collect-answer.js'

const MEGABYTE = 'x'.repeat(1024 * 1024)
const signal = new AbortController().signal

async function* pieces(count: number): AsyncGenerator {
  for (let made = 0; made < count; made++) yield MEGABYTE
}

for (const [kind, answer] of [
  ['chunks', pieces],
  ['the texts of an SDK', (count: number) => ({ textStream: pieces(count) })],
] as const) {
  test(`${kind}: the limit on a stream is 16 MB, and no more is read`, async () => {
    const heard: string[] = []
    const whole = await collectAnswer(answer(16), () => {}, signal)
    expect(whole.content).toHaveLength(16 * 1024 * 1024)
    const error = await failure(Promise.resolve(collectAnswer(answer(100), (text) => heard.push(text), signal)))
    expect(error).toMatchObject({ code: 'too_large' })
    expect(heard).toHaveLength(16)
  })
}

test.each([
  ['another id', { index: 0, id: 'b', function: { name: 'pay', arguments: '{"id":6}' } }, 2],
  ['a name after whole arguments', { index: 0, function: { name: 'pay', arguments: '{"id":6}' } }, 2],
  ['an empty id', { index: 0, id: '', function: { name: 'pay', arguments: '{"id":6}' } }, 2],
  ['nothing new', { index: 0, id: 'a', function: { name: 'pay', arguments: '' } }, 1],
])('calls that all have one index, told apart by %s', async (_by, second, count) => {
  const first = { index: 0, id: 'a', function: { name: 'pay', arguments: '{"id":' } }
  const rest = { index: 0, id: 'a', function: { name: 'pay', arguments: '5}' } }
  const given = [first, rest, second].map((part) => delta({ tool_calls: [part] }))
  const { tool_calls } = await collectAnswer(chunks(...given, last), () => {}, signal)
  expect(tool_calls.map(({ name, args }) => [name, args])).toEqual(
    [
      ['pay', { id: 5 }],
      ['pay', { id: 6 }],
    ].slice(0, count),
  )
})

const geminiPart = (part: object) => ({ candidates: [{ content: { parts: [part], role: 'model' } }] })
const ollamaPiece = (message: object) => ({ model: 'm', message: { role: 'assistant', content: '', ...message } })

test.each([
  [
    'Gemini',
    [
      geminiPart({ text: 'do' }),
      geminiPart({ text: 'ne' }),
      geminiPart({ functionCall: { name: 'f', args: {} } }),
      { candidates: [{ finishReason: 'STOP' }] },
    ],
  ],
  [
    'Ollama',
    [
      ollamaPiece({ content: 'do' }),
      ollamaPiece({ content: 'ne' }),
      ollamaPiece({ tool_calls: [{ function: { name: 'f', arguments: {} } }] }),
    ],
  ],
  [
    'a server that does not stream',
    [{ choices: [{ message: { content: 'done', tool_calls: [{ function: { name: 'f', arguments: '{}' } }] } }] }],
  ],
  [
    'the Responses API, with a tool of an MCP server',
    [
      { type: 'response.output_text.delta', delta: 'done' },
      { type: 'response.output_item.done', item: { type: 'mcp_call', name: 'f', arguments: '{}' } },
      {
        type: 'response.output_item.done',
        item: { type: 'message', content: [{ type: 'output_text', text: 'done' }] },
      },
    ],
  ],
])('pieces of %s: words and calls', async (_of, given) => {
  const { content, tool_calls } = await collectAnswer(chunks(...given), () => {}, signal)
  expect([content, tool_calls.map(({ name, args }) => [name, args])]).toEqual(['done', [['f', {}]]])
})

test.each([[42], [true], [Buffer.from('x')], [['x']]])('a piece that is no text is not left out: %j', async (piece) => {
  const error = await failure(Promise.resolve(collectAnswer(chunks('x', piece), () => {}, signal)))
  expect(error).toMatchObject({ code: 'bad_response', message: expect.stringContaining('cannot be understood') })
})

test('a last piece with nothing but the usage is no data', async () => {
  const call = delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] })
  const reply = await collectAnswer(chunks(call, last, { choices: [], usage }), () => {}, signal)
  expect(reply).toMatchObject({ content: '', tool_calls: [{ name: 'f' }], usage })
})

test('of several choices the first is the answer', async () => {
  const other = { choices: [{ index: 1, delta: { content: 'London' } }] }
  const { content } = await collectAnswer(chunks(delta({ content: 'Paris' }), other, last), () => {}, signal)
  expect(content).toBe('Paris')
})

async function* chunks(...given: unknown[]): AsyncGenerator {
  yield* given
}

const delta = (fields: object) => ({ object: 'chat.completion.chunk', choices: [{ index: 0, delta: fields }] })
const last = { choices: [{ index: 0, delta: {}, finish_reason: 'stop' }] }
const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 }

test.each([
  [
    'of chat completions',
    [
      delta({ role: 'assistant', content: '' }),
      delta({ content: 'do' }),
      delta({ content: 'ne', tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '{"x"' } }] }),
      delta({ tool_calls: [{ index: 0, function: { arguments: ':1}' } }] }),
      last,
      { object: 'chat.completion.chunk', choices: [], usage },
    ],
  ],
  [
    'of LangChain',
    [
      { content: 'do', tool_calls: [], tool_call_chunks: [] },
      { content: [{ type: 'text', text: 'ne' }], tool_call_chunks: [] },
      {
        content: '',
        tool_calls: [{ name: 'f', args: {} }],
        tool_call_chunks: [{ index: 0, id: 'a', name: 'f', args: '{"x"' }],
      },
      { content: '', tool_calls: [{ name: '', args: {} }], tool_call_chunks: [{ index: 0, args: ':1}' }] },
    ],
  ],
  [
    'of the Responses API',
    [
      { type: 'response.function_call_arguments.delta', delta: '{"x":1}' },
      {
        type: 'response.output_item.done',
        item: { type: 'function_call', id: 'i', call_id: 'a', name: 'f', arguments: '{"x":1}' },
      },
      { type: 'response.output_text.delta', delta: 'done' },
    ],
  ],
  [
    'of the AI SDK, for browsers',
    [
      { type: 'tool-input-available', toolCallId: 'a', toolName: 'f', input: { x: 1 } },
      { type: 'text-delta', id: '1', delta: 'done' },
    ],
  ],
  [
    'in plain words',
    [
      { type: 'tool_call', id: 'a', name: 'f', args: { x: 1 } },
      { type: 'text', text: 'done' },
    ],
  ],
])('a stream %s: its text, and no call is lost', async (_kind, given) => {
  expect(await collectAnswer(chunks(...given), () => {}, signal)).toMatchObject({
    content: 'done',
    tool_calls: [{ id: 'a', name: 'f', args: { x: 1 } }],
  })
})

test('a stream that refuses; one with a call that has no name', async () => {
  const refused = await collectAnswer(chunks(delta({ refusal: 'N' }), delta({ refusal: 'o.' }), last), () => {}, signal)
  expect(refused).toMatchObject({ content: 'No.', finish_reason: 'refusal' })
  const nameless = chunks(delta({ content: 'x', tool_calls: [{ index: 0, function: { arguments: '{}' } }] }), last)
  expect(await failure(Promise.resolve(collectAnswer(nameless, () => {}, signal)))).toMatchObject({
    code: 'bad_response',
  })
})

test('a stream of Gemini that ends without a finish reason is cut off', async () => {
  const cut = chunks(geminiPart({ text: 'half' }), { usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1 } })
  expect(await failure(Promise.resolve(collectAnswer(cut, () => {}, signal)))).toMatchObject({
    code: 'cut_off',
    message: expect.stringContaining('no finishReason'),
  })
})

test('the finish reason of a stream is read with all of its calls', async () => {
  const call = delta({ tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] })
  const end = { choices: [{ index: 0, delta: {}, finish_reason: 'tool_use' }] }
  expect(await collectAnswer(chunks(call, end), () => {}, signal)).toMatchObject({ finish_reason: 'tool_calls' })
  expect(await collectAnswer(chunks(delta({ content: 'x' }), end), () => {}, signal)).toMatchObject({
    finish_reason: 'tool_use',
  })
})

const aiSdkCall = (toolCallId: string) => ({ type: 'tool-call', toolCallId, toolName: 'find', input: {} })

test.each([
  ['AI SDK', { type: 'tool-result', output: { n: 1 } }, { type: 'tool-error', error: new Error('on fire') }],
  ['AI SDK 4', { type: 'tool-result', result: { n: 1 } }, { type: 'tool-error', error: 'on fire' }],
  ['its UI', { type: 'tool-output-available', output: { n: 1 } }, { type: 'tool-output-error', errorText: 'on fire' }],
])(
  '%s: what tools returned comes in pieces of its own, and a tool that failed is no error of the answer',
  async (...[, found, failed]) => {
    const given = [
      aiSdkCall('a'),
      aiSdkCall('b'),
      { ...failed, toolCallId: 'b' },
      { ...found, toolCallId: 'a' },
      'done',
    ]
    const reply = await collectAnswer(chunks(...given), () => {}, signal)
    expect(reply).toEqual({
      content: 'done',
      tool_calls: [
        { id: 'a', name: 'find', args: {}, result: { n: 1 } },
        { id: 'b', name: 'find', args: {}, error: 'on fire' },
      ],
      first_chunk_ms: expect.any(Number),
    })
  },
)

test('the parts of an AI SDK stream say why it ended', async () => {
  const ended = (finishReason: string) =>
    collectAnswer(chunks('Sure', { type: 'finish', finishReason }), () => {}, signal)
  expect(await ended('content-filter')).toMatchObject({ content: 'Sure', finish_reason: 'content_filter' })
  expect(await ended('tool-calls')).toMatchObject({ finish_reason: 'tool-calls' })
  expect(await ended('stop')).toMatchObject({ finish_reason: 'stop' })
})
