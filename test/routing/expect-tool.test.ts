// `expect_tool`: a model is offered the tools of a case, and the one call it makes is judged. Nothing is run.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

const TOOLS = [
  { name: 'weather.get', description: 'Current weather', inputSchema: object({ city: { type: 'string' } }) },
  { name: 'get', description: 'Reads a file', input_schema: object({ path: { type: 'string' } }) },
  { name: 'stop', description: 'Ends the session' },
]

function object(properties: object): object {
  return { type: 'object', properties }
}

const ROME = { name: 'weather.get', arguments: { city: 'Rome' } }

/** A model that answers by what it is asked. */
function scripted(responses: object[], rest: Files = {}): Files {
  return {
    'router/package.yao': { name: 'router', connector: 'scripted' },
    'connectors/scripted.conn.json': { type: 'mock', options: { responses } },
    ...rest,
  }
}

interface Judged {
  status: string
  error?: string
  error_kind?: string
  choice?: { taken?: string | null; near?: string }
}

/** One case whose model answers with `response`. */
async function judge(response: object, expected: unknown, more: object = {}): Promise<Judged> {
  const cases = [{ id: 'T1', input: 'Is it cold in Rome?', tools: TOOLS, expect_tool: expected, ...more }]
  const dir = makeFolder(scripted([response], { 'cases.jsonl': cases }))
  const ran = await viva(['test', '-n', './router', '-i', 'cases.jsonl', '-o', 'out.jsonl'], { cwd: dir })
  expect(ran.code, ran.stderr).not.toBe(2)
  const events = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
  return events.find(({ type }) => type === 'result') as unknown as Judged
}

function call(name: string, args: unknown = {}): object {
  return { tool_calls: [{ name, args }] }
}

test.for<[string, object, unknown]>([
  ['the right call', call('weather.get', { city: 'Rome' }), ROME],
  ['the right call, with words beside it', { output: 'One moment', ...call('weather.get', { city: 'Rome' }) }, ROME],
  ['by name alone', call('weather.get', { city: 'Bonn' }), 'weather.get'],
  ['a matcher', call('weather.get', { city: 'ROME' }), { ...ROME, arguments: { city: { $regex: '(?i)^rome$' } } }],
  ['an argument that may be left out', call('get'), { name: 'get', arguments: { path: { $optional: 'a' } } }],
  [
    'other arguments, if they are allowed',
    call('get', { path: 'a', x: 1 }),
    { name: 'get', arguments: { path: 'a' }, arguments_match: 'subset' },
  ],
  ['no call where none fits', { output: 'I cannot help with that' }, null],
  ['data that is no call of a tool', { output: '{"name": "Rome", "country": "Italy"}' }, null],
  [
    'a call that was only thought of',
    { output: '<think>{"name": "stop", "arguments": {}}? No.</think>Nothing fits' },
    null,
  ],
])('passes: %s', async ([, response, expected]) => {
  expect(await judge(response, expected)).toMatchObject({ status: 'passed' })
})

test.for<[string, object, unknown, Judged['choice'], string]>([
  ['another tool', call('get', { path: 'a' }), ROME, { taken: 'get' }, 'weather.get should have been called'],
  [
    'a part of the name',
    call('weather.get', { city: 'Rome' }),
    'get',
    { taken: 'weather.get' },
    'get should have been called',
  ],
  [
    'a wrong value',
    call('weather.get', { city: 'Bonn' }),
    ROME,
    { taken: 'weather.get', near: 'weather.get differs at $.city: expected "Rome", got "Bonn"' },
    'differs at $.city',
  ],
  [
    'a missing argument',
    call('weather.get'),
    ROME,
    { taken: 'weather.get', near: 'weather.get differs at $.city: expected "Rome", found nothing' },
    '$.city',
  ],
  [
    'one argument more',
    call('weather.get', { city: 'Rome', days: 3 }),
    ROME,
    { taken: 'weather.get', near: 'weather.get differs at $.days: not expected, found 3' },
    '$.days',
  ],
  ['no call', { output: 'It is mild' }, ROME, { taken: null }, 'no tool was'],
  ['a call where none fits', call('stop'), null, { taken: 'stop' }, 'no tool should have been called'],
  [
    'two calls',
    { tool_calls: [ROME, ROME] },
    ROME,
    { taken: 'weather.get', near: '2 calls instead of one: weather.get, weather.get' },
    'found 2',
  ],
  [
    'the right call after another',
    { tool_calls: [{ name: 'stop' }, ROME] },
    ROME,
    { taken: 'stop', near: '2 calls instead of one: stop, weather.get' },
    'found 2',
  ],
  [
    'a tool that was not offered',
    call('forecast', { city: 'Rome' }),
    ROME,
    { taken: 'forecast' },
    'which was not offered',
  ],
  [
    'arguments that are not JSON',
    { tool_calls: [{ name: 'weather.get', arguments: '{"city": "Rome"' }] },
    'weather.get',
    { taken: 'weather.get' },
    'cannot be read',
  ],
  [
    'arguments that are JSON in a text',
    { tool_calls: [{ name: 'weather.get', arguments: '"{\\"city\\": \\"Rome\\"}"' }] },
    ROME,
    { taken: 'weather.get' },
    'not an object',
  ],
])('fails: %s', async ([, response, expected, choice, words]) => {
  const result = await judge(response, expected)
  expect(result).toMatchObject({ status: 'failed', error_kind: 'assertion', choice })
  expect(result.error).toContain(words)
})

test.for<[string, object, unknown]>([
  ['the model failed', { error: 'overloaded' }, ROME],
  ['an answer that was cut off', { output: 'I will', finish_reason: 'length' }, null],
  ['an empty answer', { output: '' }, null],
  [
    'the right call, cut off before a second one',
    { ...call('weather.get', { city: 'Rome' }), finish_reason: 'length' },
    ROME,
  ],
  ...[
    '<tool_call>\n{"name": "weather.get", "arguments": {"city": "Rome"}}\n</tool_call>',
    '{"name": "weather.get", "parameters": {"city": "Rome"}}',
    'Let me see.\n```json\n[{"type": "function", "function": {"name": "weather.get", "arguments": "{}"}}]\n```',
    '{"tool_calls": [{"name": "stop", "arguments": {}}]}',
    '<function=weather.get><parameter=city>Rome</parameter></function>',
  ].map((output): [string, object, null] => [`a call in the text: ${output}`, { output }, null]),
])('is no choice at all: %s', async ([, response, expected]) => {
  const { status, choice } = await judge(response, expected)
  expect([status, choice]).toEqual(['failed', { of: 'tool', expected: expected === null ? null : 'weather.get' }])
})

test('an agent that reports no calls is an error, also where none is expected', async () => {
  const dir = makeFolder({
    'agent.mjs': 'export const run = () => ({ content: "done" })',
    'cases.jsonl': [{ id: 'T1', input: 'x', expect_tool: null }],
    'viva.config.json': { agents: { desk: { target: './agent.mjs#run' } } },
  })
  const { code, stdout } = await viva(['test', '-n', 'exec:printf done', '-i', 'cases.jsonl'], { cwd: dir })
  expect([code, stdout]).toEqual([1, expect.stringContaining('which tools were called is not known')])
})

test('an agent that cannot be offered tools is refused before anything runs', async () => {
  const dir = makeFolder({ 'cases.jsonl': [{ id: 'T1', input: 'x', tools: TOOLS, expect_tool: null }] })
  const { code, stderr } = await viva(['test', '-n', 'exec:printf done', '-i', 'cases.jsonl'], { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('cannot be offered the tools of a case')])
})

test.for<[string, object, string]>([
  [
    'a tool that is not offered',
    { expect_tool: 'weather_get' },
    'no tool of this case is called "weather_get"; did you mean "weather.get"?',
  ],
  [
    'two tools of one name',
    { tools: [TOOLS[0], TOOLS[0]], expect_tool: null },
    'another tool is called "weather.get": tools[0]',
  ],
  [
    'arguments of another type',
    { tools: [{ name: 'a', inputSchema: { type: 'array' } }], expect_tool: 'a' },
    'type must be "object"',
  ],
  [
    'two spellings of a schema',
    { tools: [{ name: 'a', inputSchema: {}, parameters: {} }], expect_tool: 'a' },
    'mean the same',
  ],
  ['a key that is almost one', { expect_tool: { name: 'get', argument: {} } }, 'did you mean "arguments"?'],
  [
    'a conversation',
    { input: undefined, turns: [{ input: 'x' }], expect_tool: 'get' },
    'in a conversation, give a turn',
  ],
  [
    'no call with arguments',
    { assert: { type: 'expect_tool', name: null, arguments: {} } },
    'no call has no arguments',
  ],
  [
    'a call that the case makes itself',
    { input: undefined, tools: undefined, call: { tool: 'get' }, expect_tool: 'get' },
    'expect_tool: cannot fail beside "call"',
  ],
  [
    'such a call, in a group',
    {
      input: undefined,
      tools: undefined,
      call: { tool: 'get' },
      assert: {
        type: 'any',
        assertions: [
          { type: 'expect_tool', name: 'get' },
          { type: 'equals', value: 'x' },
        ],
      },
    },
    'assert: cannot fail beside "call"',
  ],
  [
    'a turn with a call of its own',
    {
      input: undefined,
      tools: undefined,
      turns: [{ call: { tool: 'get' }, assert: [{ type: 'expect_tool', name: 'get' }] }],
    },
    'turns[0].assert[0]: cannot fail beside "call"',
  ],
  ['something else', { expect_tool: 7 }, 'must be the name of a tool'],
])('a mistake in a case is reported: %s', async ([, part, words]) => {
  const dir = makeFolder(scripted([], { 'cases.jsonl': [{ id: 'T1', input: 'x', tools: TOOLS, ...part }] }))
  const { code, stderr } = await viva(['test', '-n', './router', '-i', 'cases.jsonl'], { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining(words)])
})

test('the tools are part of what is asked, the expectation of what is judged', async () => {
  const one = { id: 'T1', input: 'x', tools: TOOLS, expect_tool: 'stop' }
  const prints = []
  for (const each of [one, { ...one, tools: TOOLS.slice(2) }, { ...one, expect_tool: null }]) {
    const dir = makeFolder(scripted([call('stop')], { 'cases.jsonl': [each] }))
    await viva(['test', '-n', './router', '-i', 'cases.jsonl', '-o', 'out.jsonl'], { cwd: dir })
    const events = parseEvents(readFileSync(join(dir, 'out.jsonl'), 'utf8'))
    prints.push(events.find(({ type }) => type === 'result'))
  }
  const [first, otherTools, otherExpectation] = prints
  expect(first?.['asked']).not.toBe(otherTools?.['asked'])
  expect(first?.['judged']).toBe(otherTools?.['judged'])
  expect(first?.['asked']).toBe(otherExpectation?.['asked'])
  expect(first?.['judged']).not.toBe(otherExpectation?.['judged'])
})

const CONFUSED = [
  { trigger_pattern: 'cold', ...call('weather.get', { city: 'Rome' }) },
  { trigger_pattern: 'file', ...call('weather.get', { city: 'a.txt' }) },
  { trigger_pattern: 'end', ...call('<b>made up</b>') },
  { trigger_pattern: 'broken', error: 'overloaded' },
]
const CONFUSION_CASES = [
  { id: 'A', input: 'cold?', tools: TOOLS, expect_tool: ROME },
  { id: 'B', input: 'read the file', tools: TOOLS, expect_tool: 'get' },
  { id: 'C', input: 'please end', tools: TOOLS, expect_tool: 'stop' },
  { id: 'D', input: 'broken', tools: TOOLS, expect_tool: 'stop' },
]

test('the choices are in every report, names escaped, and what has no answer is apart', async () => {
  const dir = makeFolder(scripted(CONFUSED, { 'cases.jsonl': CONFUSION_CASES }))
  const outputs = ['out.jsonl', 'out.json', 'out.md', 'out.html'].flatMap((name) => ['-o', name])
  const { stdout } = await viva(['test', '-n', './router', '-i', 'cases.jsonl', ...outputs], { cwd: dir })
  expect(stdout).toMatch(/Right tool in 1 of 3 runs: 33\.3% .*; 1 run without a known choice not counted/)
  expect(stdout).toMatch(/get +weather\.get +1/)
  const read = (name: string): string => readFileSync(join(dir, name), 'utf8')
  const summary = parseEvents(read('out.jsonl')).at(-1) as unknown as { choices: object[] }
  expect(summary.choices).toMatchObject([{ of: 'tool', runs: 3, lost: 1, right: 1 }])
  const report = JSON.parse(read('out.json')) as { summary: { choices: object[] } }
  expect(report.summary.choices).toEqual(summary.choices)
  expect(read('out.md')).toContain('## Tools chosen')
  expect(read('out.md')).toMatch(/\| stop +\| `?(?:&lt;|<|\\<)b/)
  expect(read('out.html')).not.toContain('<b>made up')
})

test('shards that are merged have the choices of one run', async () => {
  const dir = makeFolder(scripted(CONFUSED, { 'cases.jsonl': CONFUSION_CASES }))
  const run = (...args: string[]) => viva(['test', '-n', './router', '-i', 'cases.jsonl', ...args], { cwd: dir })
  await run('-o', 'whole.jsonl')
  await run('--shard', '1/2', '--run-group', 'g', '-o', 'one.jsonl')
  await run('--shard', '2/2', '--run-group', 'g', '-o', 'two.jsonl')
  await viva(['merge', 'one.jsonl', 'two.jsonl', '-o', 'merged.jsonl'], { cwd: dir })
  const choices = (name: string): unknown => parseEvents(readFileSync(join(dir, name), 'utf8')).at(-1)?.['choices']
  expect(choices('merged.jsonl')).toBeDefined()
  expect(choices('merged.jsonl')).toEqual(choices('whole.jsonl'))
})

test('repeats count once each, and the words say so', async () => {
  const dir = makeFolder(scripted(CONFUSED, { 'cases.jsonl': CONFUSION_CASES }))
  const { stdout } = await viva(['test', '-n', './router', '-i', 'cases.jsonl', '--runs', '3'], { cwd: dir })
  expect(stdout).toContain('Right tool in 3 of 9 runs of 4 cases, each repeat counted once')
})
