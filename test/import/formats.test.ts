// Goldens, evalsets, chats, tables and traces; and files of each kind that are not what they should be.
import fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { UserError } from '../../src/errors.js'
import { importFile } from '../../src/import/import-file.js'
import type { Imported, ImportOptions } from '../../src/import/imported.js'
import { renderTemplate, TemplateError } from '../../src/import/template.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

async function load(
  name: string,
  content: Files[string],
  expect: ImportOptions['expect'] = 'exact',
): Promise<Imported> {
  const dir = makeFolder({ [name]: content })
  return importFile(join(dir, name), { expect, checkSpec: () => [] })
}

async function problem(name: string, content: Files[string]): Promise<string> {
  try {
    await load(name, content)
  } catch (error) {
    if (!(error instanceof UserError)) throw error
    return [error.message, ...error.problems.map(({ line, message }) => `${line}: ${message}`)].join('\n')
  }
  throw new Error('expected a UserError')
}

test('DeepEval goldens: answers, tools, conversations; one that expects nothing is skipped', async () => {
  const { cases } = await load('goldens.json', [
    {
      input: 'Refund?',
      expected_output: 'Yes',
      expected_tools: [{ name: 'lookup', input_parameters: { id: 1 } }, { name: 'mail' }],
      context: ['policy'],
      additional_metadata: { area: 'x' },
    },
    { input: 'Hello', actual_output: 'Hi' },
    { scenario: 'wants money back', user_description: 'angry', expected_outcome: 'is refunded' },
    {
      scenario: 's',
      turns: [
        { role: 'user', content: 'one' },
        { role: 'assistant', content: 'x' },
        { role: 'user', content: 'two' },
      ],
      expected_outcome: 'done',
    },
  ])
  expect(cases).toMatchObject([
    {
      id: 'golden-1',
      input: 'Refund?',
      assert: [
        { type: 'equals', value: 'Yes' },
        { type: 'tool_called', name: 'lookup', arguments: { id: 1 } },
        { type: 'tool_called', name: 'mail' },
      ],
      metadata: { context: ['policy'], additional_metadata: { area: 'x' } },
    },
    { id: 'golden-2', skip: true, skip_reason: expect.stringContaining('expects nothing') as string },
    { simulator: { metadata: { goal: 'wants money back', persona: 'angry' } }, final_assertions: [{ type: 'agent' }] },
    { turns: [{ input: 'one' }, { input: 'two' }] },
  ])
})

test('ADK evalsets: an invocation is a turn, tools in order with their arguments', async () => {
  const user = (text: string): object => ({ role: 'user', parts: [{ text }] })
  const invocation = {
    user_content: user('Roll'),
    final_response: user('I rolled 4'),
    intermediate_data: { tool_uses: [{ name: 'roll', args: { sides: 6 } }] },
  }
  const { cases } = await load('a.evalset.json', {
    eval_set_id: 's',
    eval_cases: [
      { eval_id: 'one', conversation: [invocation], session_input: { app_name: 'a', user_id: 'u', state: { k: 1 } } },
      { eval_id: 'two', conversation: [invocation, { user_content: user('Again'), final_response: null }] },
      { eval_id: 'three', conversation: [{ user_content: { parts: [{ inline_data: {} }] } }] },
      { eval_id: 'four', conversation_scenario: {} },
    ],
  })
  const assert = [
    { type: 'tool_sequence', tools: [{ name: 'roll', arguments: { sides: 6 } }], match: 'strict' },
    { type: 'similar', value: 'I rolled 4', method: 'tokens', threshold: 0.8 },
  ]
  expect(cases).toMatchObject([
    { id: 'one', input: 'Roll', assert, user: 'u', metadata: { state: { k: 1 } } },
    { id: 'two', turns: [{ input: 'Roll', assert }, { input: 'Again' }] },
    { id: 'three', skip: true },
    { id: 'four', skip: true },
  ])
  const old = await load('b.test.json', [
    { query: 'hi', expected_tool_use: [{ tool_name: 't', tool_input: { a: 1 } }], reference: 'yo' },
  ])
  expect(old.cases).toMatchObject([
    { turns: [{ input: 'hi', assert: [{ tools: [{ name: 't', arguments: { a: 1 } }] }, { value: 'yo' }] }] },
  ])
})

test('chat JSONL: the answer at the end, calls of tools, ideals; lines are named', async () => {
  const call = { id: 'c', type: 'function', function: { name: 'find', arguments: '{"q": "x"}' } }
  const { cases } = await load('chat.jsonl', [
    {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'yo' },
      ],
    },
    {
      messages: [
        { role: 'user', content: 'find' },
        { role: 'assistant', content: null, tool_calls: [call] },
      ],
    },
    { input: [{ role: 'user', content: 'q' }], ideal: ['a', 'b'] },
    { messages: [{ role: 'user', content: 'open' }] },
  ])
  expect(cases).toMatchObject([
    { messages: [{ role: 'system' }, { role: 'user', content: 'hi' }], assert: [{ type: 'equals', value: 'yo' }] },
    { input: 'find', assert: [{ type: 'tool_called', name: 'find', arguments: { q: 'x' } }] },
    { input: 'q', assert: [{ type: 'any', assertions: [{ value: 'a' }, { value: 'b' }] }] },
    { skip: true, skip_reason: expect.stringContaining('chat.jsonl:4') as string },
  ])
})

test('tables: whatever the columns are called, cells are data', async () => {
  const text = '\uFEFFQuestion,Answer,area,output\r\n"What is, 1+1?","=1+1\nor 2",math,2\r\nHello,,,\r\n,none,x,\r\n'
  const { cases, notes } = await load('t.csv', text)
  expect(cases).toMatchObject([
    { input: 'What is, 1+1?', assert: [{ type: 'equals', value: '=1+1\nor 2' }], metadata: { area: 'math' } },
    { input: 'Hello', skip: true },
    { skip: true, skip_reason: expect.stringContaining('asks nothing') as string },
  ])
  expect(notes.map(({ reason }) => reason)).toContain(
    'the column "Answer" holds what is expected; "output" is metadata',
  )
})

const attribute = (key: string, value: unknown): object => ({
  key,
  value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
})
const span = (start: number, attributes: object[], trace = 'abc'): object => ({
  traceId: trace,
  startTimeUnixNano: String(start),
  attributes,
})
const trace = (...spans: object[]): object => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const said = (role: string, content: string): object => ({ role, parts: [{ type: 'text', content }] })

test('traces: a case for each conversation, in the order of time', async () => {
  const value = trace(
    span(3, [
      attribute('gen_ai.operation.name', 'chat'),
      attribute('gen_ai.conversation.id', 'one'),
      attribute('gen_ai.input.messages', [said('system', 's'), said('user', 'Weather?')]),
      attribute('gen_ai.output.messages', [said('assistant', 'Sunny')]),
    ]),
    span(2, [
      attribute('gen_ai.operation.name', 'execute_tool'),
      attribute('gen_ai.tool.name', 'weather'),
      attribute('gen_ai.tool.call.arguments', '{"city": "Paris"}'),
    ]),
    span(1, [attribute('http.method', 'GET')]),
    span(
      1,
      [
        attribute('gen_ai.prompt.0.role', 'user'),
        attribute('gen_ai.prompt.0.content', 'Hi'),
        attribute('gen_ai.completion.0.content', 'Hello'),
      ],
      'def',
    ),
    span(1, [attribute('gen_ai.operation.name', 'chat')], 'ghi'),
  )
  const { cases, notes } = await load('trace.json', value)
  expect(cases).toMatchObject([
    {
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'Weather?' },
      ],
      assert: [
        { type: 'tool_called', name: 'weather', arguments: { city: 'Paris' } },
        { type: 'equals', value: 'Sunny' },
      ],
    },
    { input: 'Hi', assert: [{ value: 'Hello' }] },
    { skip: true },
  ])
  expect(notes.map(({ reason }) => reason).join()).toContain('1 spans call neither a model nor a tool')
  const tool = [attribute('gen_ai.operation.name', 'execute_tool'), attribute('gen_ai.tool.name', 'weather')]
  const both = await load(
    'both.json',
    trace(
      { ...span(1, [heard, answered]), spanId: 'a' },
      { ...span(2, tool), spanId: 'b', parentSpanId: 'a' },
      { ...span(3, [attribute('http.method', 'POST')]), spanId: 'c', parentSpanId: 'b' },
      { ...span(4, tool), spanId: 'd', parentSpanId: 'c' },
    ),
  )
  expect(both.cases).toMatchObject([{ assert: [{ type: 'tool_called', name: 'weather' }, { value: 'hi' }] }])
  const lines = await load('trace.jsonl', `${JSON.stringify(value)}\n${JSON.stringify(value)}\n`)
  expect(lines.cases).toHaveLength(3)
})

test('traces: calls of a model that have a trace each are one exchange if one goes on where the other ended', async () => {
  const attributes = (values: Record<string, string>): object[] =>
    Object.entries(values).map(([key, value]) => ({ key, value: { stringValue: value } }))
  const call = (trace: string, start: number, input: object[], output: object): object => ({
    name: 'chat',
    traceId: trace,
    spanId: trace,
    startTimeUnixNano: String(start),
    attributes: attributes({
      'gen_ai.operation.name': 'chat',
      'gen_ai.input.messages': JSON.stringify(input),
      'gen_ai.output.messages': JSON.stringify([output]),
    }),
  })
  const said = (role: string, content: string): object => ({ role, parts: [{ type: 'text', content }] })
  const asks = { role: 'assistant', parts: [{ type: 'tool_call', id: 'c', name: 'find', arguments: { n: 7 } }] }
  const result = { role: 'tool', parts: [{ type: 'tool_call_response', id: 'c', result: 'packed' }] }
  const first = said('user', 'Where?')
  const spans = [
    call('t2', 2, [first, asks, result], said('assistant', 'Packed.')),
    call('t1', 1, [first], asks),
    // The user said something else: a conversation of its own, with its history.
    call(
      't3',
      3,
      [first, asks, result, said('assistant', 'Packed.'), said('user', 'Since when?')],
      said('assistant', 'May'),
    ),
    call('t4', 4, [first], said('assistant', 'Somewhere.')),
  ]
  const { cases } = await load('trace.json', { resourceSpans: [{ scopeSpans: [{ spans }] }] })
  expect(cases).toMatchObject([
    { input: 'Where?', assert: [{ type: 'tool_called', name: 'find' }, { value: 'Packed.' }] },
    { messages: [{ role: 'user' }, { content: 'Packed.' }, { content: 'Since when?' }], assert: [{ value: 'May' }] },
    { input: 'Where?', assert: [{ value: 'Somewhere.' }] },
  ])
})

test('a trace that Viva wrote comes back as cases that pass', async () => {
  const dir = makeFolder({
    'cases.jsonl': [
      { id: 'a', input: 'hello', expected: 'hello' },
      { id: 'b', turns: [{ input: 'one', assert: { type: 'contains', value: 'one' } }, { input: 'two' }] },
    ],
  })
  await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--otel', 'trace.json'], { cwd: dir })
  const run = await viva(['import', 'trace.json', '-o', 'out', '--expect', 'exact'], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('2 cases from an OpenTelemetry trace;')])
  const again = await viva(['agent', 'test', '-i', 'out/tests', '-n', 'builtin:echo'], { cwd: dir })
  expect([again.code, again.stdout]).toEqual([0, expect.stringMatching(/Passed: +2/)])
})

test.each([
  ['a.yaml', '', 'the file is empty'],
  ['a.yaml', 'prompts: [\n', 'cannot be read'],
  ['a.yaml', 'hello: 1\n', 'not of a kind that can be imported'],
  ['a.yaml', 'prompts: [x]\nprompts: [y]\n', '2: Map keys must be unique'],
  ['a.yaml', 'a: &a [x]\nprompts: &b [*a, *b]\n', 'alias inside its own anchor'],
  ['a.js', 'module.exports = {}', 'an import runs nothing'],
  ['a.py', 'import os', 'an import runs nothing'],
  ['a.json', '{"prompts": [', 'not JSON'],
  ['a.json', '[{"input": "a", "expected_output": "b",\n "expected_output": "c"}]', '2: '],
  ['a.json', '[1, 2]', 'not of a kind that can be imported'],
  ['a.jsonl', '{"messages": []}\n\nnonsense\n', '3: not JSON'],
  ['a.jsonl', '{"messages": []}\n[]\n', '2: expected a JSON object'],
  ['a.jsonl', '{"input": "a", "ideal": "b"}\n{"input": "a", "ideal": "b", "ideal": "c"}\n', '2: duplicate key "ideal"'],
  [
    'a.jsonl',
    '{"resourceSpans": []}\n\n{"resourceSpans": [], "resourceSpans": []}\n',
    '3: duplicate key "resourceSpans"',
  ],
  ['a.jsonl', '{"id": 1, "x": 2}\n', 'not of a kind that can be imported'],
  ['a.csv', 'foo,bar\n1,2\n', 'no column holds the question'],
  ['a.csv', 'input,input\n1,2\n', 'is there twice'],
  ['a.csv', 'input,expected\n"a,b\n', 'never closed'],
  ['a.csv', 'text,__expected\na,b\n', 'table of a promptfoo configuration'],
  ['a.csv', Buffer.from([0x69, 0x6e, 0x70, 0x75, 0x74, 0x0a, 0xff, 0x0a]), 'not UTF-8'],
  ['a.json', { resourceSpans: [] }, 'could be made into a case'],
  ['a.json', { eval_cases: [] }, 'could be made into a case'],
])('%s %j: %s', async (name, content, message) => expect(await problem(name, content)).toContain(message))

test('a secret in what is imported is not written, and its case is skipped', async () => {
  const key = ['sk', 'ant', 'api03', 'Zx8Q2mV7rT4pLk9WnB3sYd6HjF1gC5aE0uOiXwRzMqKtPvNbSyJhLgDf'].join('-')
  const dir = makeFolder({
    'chat.jsonl': [
      {
        messages: [
          { role: 'user', content: `key ${key}` },
          { role: 'assistant', content: 'no' },
        ],
      },
    ],
  })
  const run = await viva(['import', 'chat.jsonl', '-o', 'out', '--expect', 'exact'], { cwd: dir })
  const cases = readFileSync(join(dir, 'out/tests/cases.jsonl'), 'utf8')
  expect([run.code, cases.includes(key), cases.includes('it held a secret')]).toEqual([0, false, true])
  expect(existsSync(join(dir, 'out/viva.config.json'))).toBe(false)
})

test.each<[string, Record<string, unknown>, string]>([
  ['{{ a }}-{{ b.c }}-{{ missing }}', { a: 1, b: { c: 'x' } }, '1-x-'],
  ['{{ a | upper | replace("X", "y") }}', { a: 'xx' }, 'yy'],
  ['{% if a == 1 and not b %}yes{% elif b %}b{% else %}no{% endif %}', { a: 1 }, 'yes'],
  ['{% for k, v in o %}{{ loop.index }}{{ k }}={{ v }} {% endfor %}', { o: { x: 1, y: 2 } }, '1x=1 2y=2 '],
  ['{% for x in [] %}a{% else %}none{% endfor %}', {}, 'none'],
  ['a {%- set n = 2 + 3 * 2 -%} b {{ n }}', {}, 'ab 8'],
  ['{% raw %}{{ a }}{% endraw %}{# c #}', {}, '{{ a }}'],
  ['{{ "a" if x else "b" }}{{ list | join("+") }}{{ list[1] }}', { list: [1, 2] }, 'b1+22'],
  ['{{ a | default("d") }}{{ o | dump }}', { o: { k: [1] } }, 'd{"k":[1]}'],
  ['{{ constructor }}{{ a.constructor }}{{ a.__proto__ }}', { a: 'x' }, ''],
])('template %j', (template, variables, text) => expect(renderTemplate(template, variables)).toBe(text))

test.each([
  '{{ a() }}',
  '{% include "x" %}',
  '{{ a | nosuch }}',
  '{{ o }}',
  '{% if a %}',
  '{{',
  '{{ a ',
  '{{}}',
  '{% macro x() %}{% endmacro %}',
])('template %j is an error', (template) => expect(() => renderTemplate(template, { o: {} })).toThrow(TemplateError))

test('no template hangs, crashes or reads what it was not given', () => {
  const piece = fc.constantFrom(
    '{{',
    '}}',
    '{%',
    '%}',
    '{#',
    '#}',
    ' a ',
    'if ',
    'for x in a',
    'endfor',
    'endif',
    '|',
    'upper',
    '(',
    ')',
    '[',
    ']',
    '.',
    '"',
    '1',
    ' and ',
    '-',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
      try {
        renderTemplate(pieces.join(''), { a: ['x'] })
      } catch (error) {
        if (!(error instanceof TemplateError)) throw error
      }
    }),
    { numRuns: 500 },
  )
})

test('an expectation that no case can have is lost, and its case skipped', async () => {
  const dir = makeFolder({
    'goldens.json': [
      { input: 'a', expected_output: 'b', expected_tools: [{ name: '' }, {}, { name: 'ok' }] },
      { input: 'a', expected_output: 7, expected_tools: [{ name: 'ok' }] },
      { input: 'a', expected_output: 'b', expected_tools: { name: 'ok' } },
      { scenario: 's', turns: [{ role: 'user', content: 'x' }, { role: 'user' }], expected_outcome: 'o' },
    ],
    'set.evalset.json': {
      eval_set_id: 'e',
      eval_cases: [
        {
          eval_id: 'c',
          conversation: [
            {
              user_content: { parts: [{ text: 'hi' }] },
              final_response: { parts: [{ inline_data: {} }] },
              intermediate_data: { tool_uses: [{ args: {} }, { name: 'ok', args: { a: 1 } }] },
            },
          ],
        },
      ],
    },
  })
  for (const [file, count] of [
    ['goldens.json', 4],
    ['set.evalset.json', 1],
  ] as const) {
    const out = file.replace(/\..*/, '')
    const { code, stdout } = await viva(['import', file, '-o', out, '--expect', 'exact'], { cwd: dir })
    expect([code, stdout]).toEqual([0, expect.stringContaining(`${count} of them skipped`)])
    const run = await viva(['agent', 'test', '-i', `${out}/tests`, '-n', 'builtin:echo'], { cwd: dir })
    expect([run.code, run.stdout]).toEqual([1, expect.stringContaining(`Skipped: ${count}`)])
  }
})

const parts = (text: string): object => ({ parts: [{ text }] })
const invocation = { user_content: parts('hi'), final_response: parts('hi') }
const evalset = (evalCase: object): object => ({
  eval_cases: [{ eval_id: 'e', conversation: [invocation], ...evalCase }],
})
const chat = (answer: object, more = {}): object[] => [
  {
    messages: [
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: 'hi', ...answer },
    ],
    ...more,
  },
]
const event = (name: string, key: string, value: unknown): object => ({ name, attributes: [attribute(key, value)] })
const heard = attribute('gen_ai.input.messages', [said('user', 'hi')])
const answered = attribute('gen_ai.output.messages', [said('assistant', 'hi')])
const toolSpan = (...attributes: object[]): object =>
  span(2, [attribute('gen_ai.operation.name', 'execute_tool'), ...attributes])

// The agent repeats what it is told and calls `other` once, with an empty query.
test.each<[what: string, name: string, content: Files[string]]>([
  [
    'a call in numbered attributes',
    'a.json',
    trace(
      span(1, [
        attribute('gen_ai.prompt.0.role', 'user'),
        attribute('gen_ai.prompt.0.content', 'hi'),
        attribute('gen_ai.completion.0.content', 'hi'),
        attribute('gen_ai.completion.0.tool_calls.0.name', 'book'),
      ]),
    ),
  ],
  [
    'a call in an event',
    'a.json',
    trace({
      ...span(1, [attribute('gen_ai.operation.name', 'chat')]),
      events: [
        event('gen_ai.user.message', 'content', 'hi'),
        event('gen_ai.choice', 'message', { content: 'hi', tool_calls: [{ function: { name: 'book' } }] }),
      ],
    }),
  ],
  [
    'a call beside the content',
    'a.json',
    trace(
      span(1, [
        heard,
        attribute('gen_ai.output.messages', [
          { role: 'assistant', content: 'hi', tool_calls: [{ function: { name: 'book' } }] },
        ]),
      ]),
    ),
  ],
  [
    'arguments that were cut off',
    'a.json',
    trace(
      span(1, [heard, answered]),
      toolSpan(attribute('gen_ai.tool.name', 'other'), attribute('gen_ai.tool.call.arguments', '{"city": "Ro')),
    ),
  ],
  [
    'arguments with a dollar sign',
    'a.json',
    trace(
      span(1, [heard, answered]),
      toolSpan(
        attribute('gen_ai.tool.name', 'other'),
        attribute('gen_ai.tool.call.arguments', '{"query": {"$any": true}}'),
      ),
    ),
  ],
  ['a tool without a name', 'a.json', trace(span(1, [heard, answered]), toolSpan())],
  [
    'two calls of a tool',
    'a.json',
    trace(
      span(1, [heard, answered]),
      toolSpan(attribute('gen_ai.tool.name', 'other')),
      toolSpan(attribute('gen_ai.tool.name', 'other')),
    ),
  ],
  [
    'an image of the user',
    'a.json',
    trace(
      span(1, [
        answered,
        attribute('gen_ai.input.messages', [
          { role: 'user', content: [{ type: 'text', text: 'hi' }, { type: 'image' }] },
          said('assistant', 'hi'),
          said('user', 'hi'),
        ]),
      ]),
    ),
  ],
  [
    'that no tool is called',
    'a.json',
    evalset({ conversation: [{ ...invocation, intermediate_data: { tool_uses: [] } }] }),
  ],
  [
    'calls among the events of an invocation',
    'a.json',
    evalset({
      conversation: [
        {
          ...invocation,
          intermediate_data: {
            invocation_events: [{ content: { parts: [{ function_call: { name: 'book' } }] } }],
          },
        },
      ],
    }),
  ],
  ['rubrics', 'a.json', evalset({ rubrics: [{ rubric_id: 'r' }] })],
  ['rubrics of an invocation', 'a.json', evalset({ conversation: [{ ...invocation, rubrics: [{ rubric_id: 'r' }] }] })],
  ['the last state', 'a.json', evalset({ final_session_state: { paid: true } })],
  [
    'tools that are no list',
    'a.json',
    evalset({ conversation: [{ ...invocation, intermediate_data: { tool_uses: {} } }] }),
  ],
  [
    'an answer without parts',
    'a.json',
    evalset({ conversation: [invocation, { ...invocation, final_response: 'no' }] }),
  ],
  [
    'a reference that is no text',
    'a.json',
    [
      { query: 'hi', reference: 'hi' },
      { query: 'hi', reference: ['no'] },
    ],
  ],
  ['tools of a query that are no list', 'a.json', [{ query: 'hi', reference: 'hi', expected_tool_use: 'book' }]],
  [
    'parameters that are no object',
    'a.json',
    [{ input: 'hi', expected_output: 'hi', expected_tools: [{ name: 'other', input_parameters: 'x' }] }],
  ],
  [
    'the same tool twice',
    'a.json',
    [{ input: 'hi', expected_output: 'hi', expected_tools: [{ name: 'other' }, 'other'] }],
  ],
  [
    'a second list',
    'a.json',
    {
      goldens: [],
      conversational_goldens: [{ scenario: 's', turns: [{ role: 'user', content: 'hi' }], expected_output: 'no' }],
    },
  ],
  ['an older call', 'a.jsonl', chat({ function_call: { name: 'book', arguments: '{}' } })],
  ['a call without a name', 'a.jsonl', chat({ tool_calls: [{ id: 'x' }] })],
  ['arguments that are no JSON', 'a.jsonl', chat({ tool_calls: [{ function: { name: 'other', arguments: '{' } }] })],
  ['an answer in parts', 'a.jsonl', chat({ content: [{ type: 'text', text: 'no' }], tool_calls: [{ name: 'other' }] })],
  [
    'an answer with an image',
    'a.jsonl',
    chat({ content: [{ type: 'text', text: 'hi' }, { type: 'image_url' }], tool_calls: [{ name: 'other' }] }),
  ],
  ['assertions beside the messages', 'a.jsonl', chat({}, { assert: { type: 'contains', value: 'no' } })],
  ['a misspelt ideal', 'a.jsonl', [{ input: 'hi', ideal: 'hi', ideals: ['no'] }]],
  ['a rubric beside the messages', 'a.jsonl', chat({}, { rubric: 'says no' })],
  ['a misspelt expectation of a golden', 'a.json', [{ input: 'hi', expected_output: 'hi', expected_tool: ['book'] }]],
  ['a misspelt key of an evalset', 'a.json', evalset({ final_sesion_state: { paid: true } })],
  ['an unknown key of an invocation', 'a.json', evalset({ conversation: [{ ...invocation, must_not_say: ['hi'] }] })],
  ['columns of assertions', 'a.csv', 'input,expected,assert.contains\nhi,hi,no\n'],
  ['a column of tools', 'a.csv', 'input,expected_output,expected_tools\nhi,hi,book\n'],
  ['a row that asks nothing', 'a.csv', 'input,expected,x\n,hi,1\n'],
])('%s: kept or the case is skipped, never green', async (_, name, content) => {
  const dir = makeFolder({
    [name]: content,
    'agent.mjs': `export default (messages) => {
      const { content } = messages.at(-1)
      const text = typeof content === 'string' ? content : content[0].text
      return { content: text, tool_calls: [{ name: 'other', args: { query: '' } }] }
    }`,
  })
  const imported = await viva(['import', name, '-o', 'out', '--expect', 'exact'], { cwd: dir })
  expect(imported.code, imported.stderr).toBe(0)
  const run = await viva(['agent', 'test', '-i', 'out/tests', '-n', './agent.mjs', '-o', 'run.jsonl'], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([1, expect.stringMatching(/Passed: +0/)])
  expect(run.stdout).not.toContain('agent error')
})

test.each<[name: string, content: Files[string], lost: string]>([
  ['goldens.json', [{ input: 'a', expected_output: 'b', expected_outcome: 'c' }], 'the unknown key "expected_outcome"'],
  [
    'goldens.json',
    [{ input: 'a', expected_output: 'b', expected_tools: [{ name: 't', output: 7 }] }],
    'the unknown key "output" of expected_tools',
  ],
  [
    'goldens.json',
    [{ scenario: 's', turns: [{ role: 'user', content: 'one', expected: 'x' }], expected_outcome: 'done' }],
    'the unknown key "expected" of turns',
  ],
  ['goldens.json', { goldens: [{ input: 'a', expected_output: 'b' }], metrics: ['x'] }, 'the unknown key "metrics"'],
  [
    'e.evalset.json',
    { criteria: { x: 1 }, eval_cases: [{ eval_id: 'a', conversation: [] }] },
    'the unknown key "criteria"',
  ],
  [
    'e.test.json',
    [{ query: 'q', reference: 'r', expected_tool_use: [{ tool_name: 't', mock_tool_output: 1 }] }],
    'the unknown key "mock_tool_output" of expected_tool_use',
  ],
  [
    'c.jsonl',
    '{"input":"a","messages":[{"role":"user","content":"b"},{"role":"assistant","content":"c"}]}\n',
    'an input beside the messages',
  ],
])('%s: what nothing reads is lost: %#', async (name, content, lost) => {
  const { cases, notes } = await load(name, content)
  expect(cases.map(({ skip }) => skip)).toEqual([true])
  expect(notes.filter(({ kind }) => kind === 'lost').map(({ reason }) => reason)).toContainEqual(
    expect.stringContaining(lost),
  )
})

test('keys of a file that expect nothing are listed', async () => {
  const { cases, notes } = await load('goldens.json', { goldens: [{ input: 'a', expected_output: 'b' }], owner: 'me' })
  expect(cases[0]).not.toHaveProperty('skip')
  expect(notes).toContainEqual(expect.objectContaining({ reason: 'the unknown key "owner"', kind: 'lost' }))
})

test('columns of a dataset that expect nothing are metadata', async () => {
  const fromChat = await load('a.jsonl', [{ input: 'hi', ideal: 'hi', category: 'x', metadata: { n: 1 } }])
  expect(fromChat.cases).toMatchObject([{ metadata: { category: 'x', n: 1 } }])
  const goldens = await load('a.json', [{ input: 'hi', expectedOutput: 'hi', topic: 'x', context: ['c'] }])
  expect(goldens.cases).toMatchObject([{ metadata: { topic: 'x', context: ['c'] } }])
  for (const { cases } of [fromChat, goldens]) expect(cases[0]).not.toHaveProperty('skip')
})

test.each<[config: unknown, skipped: string | undefined]>([
  [{ criteria: { tool_trajectory_avg_score: 1, response_match_score: 0.8 } }, undefined],
  [{ criteria: { response_match_score: { threshold: 0.5 } } }, undefined],
  [{ criteria: { response_match_score: 0.9 } }, undefined],
  [{ criteria: { tool_trajectory_avg_score: 0, response_match_score: 0.7 } }, undefined],
  [{ criteria: { safety_v1: 0.5 } }, 'the criterion safety_v1 (test_config.json:1) (and 1 more)'],
  [{ criterai: {} }, 'the unknown key "criterai"; did you mean "criteria"? (test_config.json:1) (and 1 more)'],
])('criteria of ADK beside an evalset: %j', async (config, skipped) => {
  const dir = makeFolder({ 'a.evalset.json': evalset({}), 'test_config.json': config as object })
  const options = { expect: 'exact' as const, sameVerdicts: false, checkSpec: () => [] }
  const { cases } = await importFile(join(dir, 'a.evalset.json'), options)
  expect(cases[0]?.['skip_reason']).toBe(skipped && `not carried over: ${skipped}`)
})

test('a secret that names a case is not in the notes', async () => {
  const key = ['sk', 'ant', 'api03', 'Zx8Q2mV7rT4pLk9WnB3sYd6HjF1gC5aE0uOiXwRzMqKtPvNbSyJhLgDf'].join('-')
  const dir = makeFolder({ 't.csv': `id,input,expected\n${key},hi,\n${key}2,hi,\n` })
  const { code, stdout } = await viva(['import', 't.csv', '-o', 'out'], { cwd: dir })
  const notes = readFileSync(join(dir, 'out/IMPORT.md'), 'utf8')
  expect([code, `${stdout}${notes}`.includes(key)]).toEqual([0, false])
  const run = await viva(['agent', 'test', '-i', 'out/tests', '-n', 'builtin:echo'], { cwd: dir })
  expect([run.code, run.stdout]).toEqual([1, expect.stringContaining('Skipped: 2')])
})
