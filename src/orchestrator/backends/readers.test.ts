// What coding agents print, as their current versions do: each wrote a file with one tool, and then said so.
import { expect, test } from 'vitest'
import { claudeReader } from './claude.js'
import { codexReader } from './codex.js'
import { geminiReader } from './gemini.js'
import { opencodeReader } from './opencode.js'
import type { OutputReader } from './program.js'

type Reader = (onText: (text: string) => void) => OutputReader

const GEMINI = [
  { type: 'init', session_id: '9cf70010', model: 'auto' },
  { type: 'message', role: 'user', content: 'Write hello into hello.txt' },
  { type: 'message', role: 'assistant', content: 'Writing', delta: true },
  { type: 'message', role: 'assistant', content: ' it.', delta: true },
  {
    type: 'tool_use',
    tool_name: 'write_file',
    tool_id: 'w1',
    parameters: { file_path: 'hello.txt', content: 'hello\n' },
  },
  { type: 'tool_result', tool_id: 'w1', status: 'success' },
  { type: 'message', role: 'assistant', content: 'All done.', delta: true },
  {
    type: 'result',
    status: 'success',
    stats: { total_tokens: 840, input_tokens: 700, output_tokens: 140, cached: 280 },
  },
]
const CODEX = [
  { type: 'thread.started', thread_id: '01a1eccf' },
  { type: 'turn.started' },
  { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'Writing it.' } },
  {
    type: 'item.started',
    item: { id: 'item_2', type: 'command_execution', command: 'echo hello > hello.txt', status: 'in_progress' },
  },
  {
    type: 'item.completed',
    item: {
      id: 'item_2',
      type: 'command_execution',
      command: 'echo hello > hello.txt',
      aggregated_output: '',
      exit_code: 0,
      status: 'completed',
    },
  },
  { type: 'item.completed', item: { id: 'item_3', type: 'agent_message', text: 'All done.' } },
  {
    type: 'turn.completed',
    usage: { input_tokens: 200, cached_input_tokens: 80, output_tokens: 40, reasoning_output_tokens: 0 },
  },
]
const OPENCODE = [
  { type: 'step_start', part: { type: 'step-start' } },
  { type: 'text', part: { type: 'text', text: 'Writing it.' } },
  {
    type: 'tool_use',
    part: {
      type: 'tool',
      tool: 'write',
      callID: 'w1',
      state: { status: 'completed', input: { filePath: 'hello.txt' }, output: 'Wrote file successfully.' },
    },
  },
  {
    type: 'step_finish',
    part: {
      reason: 'tool-calls',
      tokens: { input: 60, output: 20, reasoning: 0, cache: { write: 0, read: 40 } },
      cost: 0.01,
    },
  },
  { type: 'step_start', part: { type: 'step-start' } },
  { type: 'text', part: { type: 'text', text: 'All done.' } },
  {
    type: 'step_finish',
    part: {
      reason: 'stop',
      tokens: { input: 60, output: 20, reasoning: 0, cache: { write: 0, read: 40 } },
      cost: 0.02,
    },
  },
]

function read(reader: Reader, events: unknown[], tail = '') {
  const shown: string[] = []
  const opened = reader((text) => shown.push(text))
  // In pieces that do not end where lines do.
  const all = `${events.map((event) => JSON.stringify(event)).join('\n')}\n${tail}`
  for (let at = 0; at < all.length; at += 37) opened.push(all.slice(at, at + 37))
  return { ...opened.end(), shown: shown.join('') }
}

test.each<[string, Reader, unknown[], object]>([
  [
    'gemini',
    geminiReader,
    GEMINI,
    {
      session_id: '9cf70010',
      tool_calls: [
        { name: 'write_file', args: { file_path: 'hello.txt', content: 'hello\n' }, id: 'w1', result: null },
      ],
      usage: { input_tokens: 700, output_tokens: 140, total_tokens: 840 },
    },
  ],
  [
    'codex',
    codexReader,
    CODEX,
    {
      session_id: '01a1eccf',
      tool_calls: [
        { name: 'command_execution', args: { command: 'echo hello > hello.txt' }, id: 'item_2', result: '' },
      ],
      usage: { input_tokens: 200, output_tokens: 40, total_tokens: 240 },
    },
  ],
  [
    'opencode',
    opencodeReader,
    OPENCODE,
    {
      tool_calls: [{ name: 'write', args: { filePath: 'hello.txt' }, id: 'w1', result: 'Wrote file successfully.' }],
      usage: { input_tokens: 200, output_tokens: 40, total_tokens: 240 },
      cost_dollars: 0.03,
    },
  ],
])('%s: what it says around a tool, the call with its result, the tokens', (_name, reader, events, wanted) => {
  expect(read(reader, events)).toEqual({
    output: 'Writing it.\nAll done.',
    shown: 'Writing it.\nAll done.\n',
    ...wanted,
  })
})

test.each<[string, Reader, unknown[]]>([
  ['gemini', geminiReader, GEMINI],
  ['codex', codexReader, CODEX],
  ['opencode', opencodeReader, OPENCODE],
])('%s: an answer that was cut off is an error, with what had come', (name, reader, events) => {
  const { error, tool_calls, output } = read(reader, events.slice(0, -1))
  expect([error, tool_calls?.length]).toEqual([`${name} ended before its answer was complete`, 1])
  expect(output).toBe('Writing it.\nAll done.')
})

test.each<[string, Reader, unknown[], string]>([
  ['gemini', geminiReader, [{ type: 'result', status: 'error', error: { type: 'X', message: 'quota' } }], 'quota'],
  ['codex', codexReader, [{ type: 'turn.failed', error: { message: 'quota' } }], 'quota'],
  ['opencode', opencodeReader, [{ type: 'error', error: { name: 'APIError', data: { message: 'quota' } } }], 'quota'],
])('%s: an error that it reports is one, whatever its exit code', (name, reader, events, says) => {
  expect(read(reader, events).error).toBe(`${name} reported an error: ${says}`)
})

test('a tool that failed has an error, not a result', () => {
  const failed = read(codexReader, [
    {
      type: 'item.completed',
      item: {
        id: 'a',
        type: 'command_execution',
        command: 'x',
        aggregated_output: 'no x',
        exit_code: 127,
        status: 'failed',
      },
    },
  ])
  expect(failed.tool_calls).toEqual([{ name: 'command_execution', args: { command: 'x' }, id: 'a', error: 'no x' }])
  const call = { type: 'tool_use', tool_name: 'read', tool_id: 'r', parameters: {} }
  const result = { type: 'tool_result', tool_id: 'r', status: 'error', error: { type: 'X', message: 'no file' } }
  expect(read(geminiReader, [call, result]).tool_calls).toMatchObject([{ name: 'read', error: 'no file' }])
})

test('a call without a name is not a call by the name of "tool"', () => {
  const calls = [
    read(geminiReader, [{ type: 'tool_use', tool_id: 'a', parameters: {} }]),
    read(opencodeReader, [{ type: 'tool_use', part: { callID: 'a', state: { status: 'completed', input: {} } } }]),
    read(codexReader, [{ type: 'item.completed', item: { type: 'mcp_tool_call', status: 'completed' } }]),
  ].map(({ tool_calls }) => tool_calls?.[0]?.unnamed)
  expect(calls).toEqual([true, true, true])
})

test('a price that opencode does not know is not 0', () => {
  const free = OPENCODE.map((event) => ({
    ...event,
    part: { ...event.part, ...('cost' in event.part && { cost: 0 }) },
  }))
  expect(read(opencodeReader, free)).not.toHaveProperty('cost_dollars')
})

test.each([geminiReader, codexReader, opencodeReader])('plain text, and what its tools are is unknown', (reader) => {
  const opened = reader(() => {})
  opened.push('\u001b[32mHello\nLOOP_COMPLETE\u001b[0m\n')
  expect(opened.end()).toEqual({ output: 'Hello\nLOOP_COMPLETE\n' })
})

test('a line that is no event is shown, and not part of what was said', () => {
  const { output, shown } = read(geminiReader, GEMINI, 'LOOP_COMPLETE\n')
  expect([output, shown]).toEqual(['Writing it.\nAll done.', 'Writing it.\nAll done.\nLOOP_COMPLETE\n'])
})

test('codex: a connection that it made again is no error, anything else is', () => {
  const retry = { type: 'error', message: 'Reconnecting... 2/5 (stream disconnected before completion)' }
  expect(read(codexReader, [...CODEX.slice(0, -1), retry, ...CODEX.slice(-1)])).not.toHaveProperty('error')
  const error = { type: 'error', message: 'unexpected status 400' }
  expect(read(codexReader, [...CODEX.slice(0, -1), error, ...CODEX.slice(-1)]).error).toContain('unexpected status 400')
})

test.each<[string, Reader, unknown[]]>([
  ['gemini', geminiReader, GEMINI],
  ['codex', codexReader, CODEX],
  [
    'opencode',
    opencodeReader,
    OPENCODE.map((event, index) => ({ ...event, part: { ...event.part, id: `p${index}` } })),
  ],
])('%s: what is reported twice happened once', (_name, reader, events) => {
  const once = read(reader, events)
  const twice = read(
    reader,
    events.flatMap((event) =>
      /"(?:text|message|agent_message)"/.test(JSON.stringify(event)) ? [event] : [event, event],
    ),
  )
  expect([twice.tool_calls, twice.usage, twice.cost_dollars]).toEqual([once.tool_calls, once.usage, once.cost_dollars])
})

test('a failed command is an error although its call is reported as completed', () => {
  const state = { status: 'completed', input: { command: 'x' }, output: 'no x', metadata: { exit: 127 } }
  const { tool_calls } = read(opencodeReader, [{ type: 'tool_use', part: { tool: 'bash', callID: 'a', state } }])
  expect(tool_calls).toEqual([{ name: 'bash', args: { command: 'x' }, id: 'a', error: 'no x' }])
})

test.each<[string, Reader, unknown[]]>([
  ['gemini', geminiReader, [...GEMINI.slice(0, -1), { type: 'result', status: 'success' }]],
  ['codex', codexReader, [...CODEX.slice(0, -1), { type: 'turn.completed' }]],
  [
    'opencode',
    opencodeReader,
    OPENCODE.map(({ part, ...rest }) => ({ ...rest, part: { ...part, tokens: {}, cost: 0 } })),
  ],
])('%s: an answer without counts has no known tokens, and no known cost', (_name, reader, events) => {
  const answer = read(reader, events)
  expect(answer).not.toHaveProperty('usage')
  expect(answer).not.toHaveProperty('cost_dollars')
  expect(answer).not.toHaveProperty('error')
})

test('one step without a price makes the cost unknown', () => {
  const [last] = OPENCODE.slice(-1)
  const unpriced = { ...last, part: { ...last?.part, cost: 0 } }
  expect(read(opencodeReader, [...OPENCODE.slice(0, -1), unpriced])).not.toHaveProperty('cost_dollars')
})

test('claude: no dollars for tokens is not a price', () => {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const result = { type: 'result', subtype: 'success', result: 'Done', usage, total_cost_usd: 0 }
  const answer = read(claudeReader, [result])
  expect(answer.usage?.total_tokens).toBe(15)
  expect(answer).not.toHaveProperty('cost_dollars')
})
