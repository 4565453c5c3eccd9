// Opening case files: what is accepted, what is refused and in which words, through the front door of this folder.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { checkAssertion } from '../assert/compile.js'
import { badInputs } from '../../../test/support/bad-inputs.js'
import { openPath, openText, tempDir } from '../../../test/support/case-files.js'
import { conformanceRows } from '../../../test/support/conformance.js'
import type { CheckAssertion } from './check-case.js'
import { openSource } from './open-source.js'

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures/cases/', import.meta.url))
const good = (id: string) => `{"id":"${id}","input":"hello"}`
const ids = async (text: string, name?: string) => (await openText(text, name)).cases.map(({ id }) => id)

test('one value a line, blank lines and comments, no newline at the end', async () => {
  const text = `// a comment\n${good('A')}\n\n   \n  # another\n${good('B')}`
  const { cases } = await openText(text)
  expect(cases).toEqual([
    { id: 'A', input: 'hello', assertions: [], line: 2 },
    { id: 'B', input: 'hello', assertions: [], line: 6 },
  ])
})

test('CRLF, mixed line ends and a byte order mark at the start', async () => {
  expect(await ids(`\uFEFF${good('A')}\r\n${good('B')}\n${good('C')}\r\n`)).toEqual(['A', 'B', 'C'])
})

test('pretty-printed values, comments between and inside them', async () => {
  const { cases, problems } = await openPath('pretty.jsonl', { cwd: FIXTURES })
  expect(problems).toEqual([])
  expect(cases.map(({ id, line }) => [id, line])).toEqual([
    ['expense-turn1', 2],
    ['expense-turn2', 11],
    ['one-line', 20],
  ])
  expect(cases[1]).toMatchObject({
    turns: [{ assertions: [{ type: 'type' }] }, { assertions: [{ type: 'contains', value: 'submitted' }] }],
    simulator: { use: 'agents:test.user', options: { metadata: { goal: 'submit', max_turns: 7 } } },
    max_turns: 7,
  })
})

test('values without indentation', async () => {
  const text =
    '{\n"id":"A",\n"messages":[\n{"role":"user","content":"x"},\n{"role":"user","content":"y"}\n]\n}\n{\n"id":"B",\n"input":"x"\n}\n'
  expect(await ids(text)).toEqual(['A', 'B'])
})

test('a .json list, cases in an object, and nothing after it', async () => {
  const { cases, problems } = await openPath('cases.json', { cwd: FIXTURES })
  expect(problems).toEqual([])
  expect(cases.map(({ id, line }) => [id, line])).toEqual([
    ['J1', 4],
    ['J2', 5],
  ])
  expect(await ids(`[${good('A')},\n${good('B')}]`, 'c.json')).toEqual(['A', 'B'])
})

test('a .yaml list, cases in a map, several documents', async () => {
  const list = await openPath('cases.yaml', { cwd: FIXTURES })
  expect(list.cases).toEqual([
    { id: 'Y1', input: 'hello', assertions: [{ type: 'contains', value: 'hello' }], line: 2 },
    { id: 'Y2', input: 'two\nlines\n', assertions: [], tags: ['slow', 'yes'], line: 7 },
  ])
  const documents = await openPath('documents.yaml', { cwd: FIXTURES })
  expect(documents.cases.map(({ id, line }) => [id, line])).toEqual([
    ['D1', 1],
    ['D2', 4],
  ])
  expect(await ids('cases:\n  - id: A\n    input: x\n', 'c.yml')).toEqual(['A'])
})

test('ten different mistakes in one file are ten problems, each where it is', async () => {
  const { problems, error } = await openPath('ten-mistakes.jsonl', { cwd: FIXTURES })
  expect(problems).toEqual([
    '2:27 trailing comma before "}", near "id": "T01", "input": "x",}"',
    '3:29 asert unknown field "asert" – did you mean "assert"?',
    '5:15 input unsupported input type number: expected text, a message or a list of messages',
    '6:29 timeout unknown unit "d" in duration "30d": use ns, us, ms, s, m or h',
    `7:2 JSON needs double quotes, found single quotes, near "{'id': 'T05', 'input': 'x"`,
    '11:3 skip skip must be boolean, found string "false"',
    '13:1 "call", "input", "messages", "turns" or "simulator" required',
    '14:2 id duplicate id "T02": first on line 3, again on line 14',
    '15:41 9007199254740993 loses precision as a number (it would become 9007199254740992): write it as a string',
    '16:29 input duplicate key "input": also on line 16, column 15',
  ])
  expect(error).toMatchObject({
    code: 'BAD_CASES',
    exitCode: 2,
    message: 'ten-mistakes.jsonl has 10 problems; nothing was run',
  })
})

test('after fifty problems the rest is counted', async () => {
  const { problems } = await openText(Array.from({ length: 60 }, (_, index) => `{"id":"T${index}"}`).join('\n'))
  expect(problems).toHaveLength(51)
  expect(problems.at(-1)).toBe('and 10 more')
})

test.each([
  [`${good('A')}\n\uFEFF${good('B')}\n`, /^2:1 byte order mark \(BOM\) inside the file/],
  [`${good('A')}\r${good('B')}\r`, /^1:\d+ CR line endings/],
  [`// a comment\r${good('A')}\r`, /^1:13 CR line endings/],
  [`${good('A')}\n${good('B')} // why\n`, /^2:28 comment beside JSON/],
  [`${good('A')},\n${good('B')}\n`, /^1:27 comma after the value/],
  [`${good('A')} ${good('B')}\n`, /^1:28 a second value on this line/],
  [`[${good('A')}]`, /^1:1 this is a JSON array, not JSONL/],
  [`[\n${good('A')},\n${good('B')}\n]`, /^1:1 this is a JSON array, not JSONL/],
  [`${good('A')}\n"just a string"\n`, /^2:1 expected an object, found string "just a string"/],
  [`${good('A')}\n[1]\n`, /^2:1 expected an object, found a list/],
  ['{"id":"A","input":"a\tb"}', /^1:21 raw tab in text: control characters must be escaped/],
  ['{"id":"A","input":"x","expected":NaN}', /^1:34 NaN is not JSON/],
  ['{"id":"A","input":"x","expected":1e400}', /^1:34 number out of range: 1e400/],
  [`{"id":"A","input":"x","expected":${'['.repeat(101)}${']'.repeat(101)}}`, /^1:1 nesting deeper than 100 levels/],
  ['{"id":"A","input":"x"', /^1:22 unexpected end/],
  [`{"id":"A","input":"x"\n${good('B')}\n`, /^1:22 unexpected end/],
  [`{"id":"A","input":\n${good('B')}\n${good('C')}\n`, /^1:19 unexpected end/],
  [`{"id":"A",\n${good('B')}\n${good('C')}\n`, /^1:11 unexpected end/],
  [`{"id":"A\n${good('B')}\n`, /^1:7 text is not closed/],
  ['{\n  "id": "A",\n  "input": "x",\n}\n', /^3:15 trailing comma/],
  ['{\n  "id": "A",\n  "input": oops\n}\n', /^3:12 unexpected "oops"/],
  ['\0\0\0\0', /^1:1 NUL byte/],
  ['', /^no test cases in cases.jsonl/],
  ['// nothing\n\n# here\n', /^no test cases in cases.jsonl/],
])('%j is one problem: %s', async (text, problem) => {
  const { problems } = await openText(text)
  expect(problems).toHaveLength(1)
  expect(problems[0]).toMatch(problem)
})

test('bytes that are not UTF-8 are named with line and offset, and the other lines are still read', async () => {
  const bytes = Buffer.concat([
    Buffer.from(`${good('A')}\n`),
    Buffer.from('{"id":"B","input":"caf\xe9"}\n', 'latin1'),
    Buffer.from('{"id":"C"}\n'),
  ])
  const { problems } = await openText(bytes)
  expect(problems[0]).toMatch(/^2:23 not UTF-8: byte 0xE9 at byte offset 49 of the file; it looks like Latin-1/)
  expect(problems[1]).toMatch(/^3:1 .* required/)
  const overlong = Buffer.concat([Buffer.from('{"id":"A","input":"'), Buffer.from([0xc0, 0xaf]), Buffer.from('"}')])
  expect((await openText(overlong)).problems[0]).toMatch(/^1:20 not UTF-8: byte 0xC0/)
})

test.each(['cases.jsonl', 'cases.json', 'cases.yaml'])('UTF-16 in %s is called by its name', async (name) => {
  const { problems } = await openText(Buffer.from(`\uFEFF${good('A')}\n`, 'utf16le'), name)
  expect(problems).toEqual(['1:1 the file is UTF-16, expected UTF-8: save it as UTF-8'])
})

test.each([
  ['{"id":null,"input":"x"}', '1:2 id id must be a string, found null'],
  ['{"id":"   ","input":"x"}', '1:2 id id is blank'],
  ['{"id":"T1 ","input":"x"}', '1:2 id leading/trailing space in id: string "T1 "'],
  ['{"input":"x"}', "1:1 id missing required field 'id'"],
  ['{"id":"A","input":null}', '1:1 "call", "input", "messages", "turns" or "simulator" required'],
  ['{"id":"A","input":{"role":"user"}}', "1:11 input message missing 'content'"],
  ['{"id":"A","input":["hi"]}', '1:20 input[0] message index 0: expected object, found string "hi"'],
  ['{"id":"A","input":[]}', '1:11 input "input" is empty: expected a message'],
  ['{"id":"A","messages":{}}', '1:11 messages messages must be a list of messages, found an object'],
  ['{"id":"A","input":{"content":[{}]}}', "1:31 input.content[0].type missing required field 'type'"],
  ['{"id":"A","input":"x","assert":5}', /^1:23 assert assert must be an assertion, .*, found number 5$/],
  ['{"id":"A","input":"x","assert":[5]}', /^1:33 assert\[0\] .*found number 5$/],
  [
    '{"id":"A","input":"x","assert":"equals","assertions":[]}',
    '1:41 assertions "assert" and "assertions" mean the same: give one of them',
  ],
  [
    '{"id":"A","input":"x","assert":{"type":"contains","value":"y","negate":"false"}}',
    '1:63 assert.negate negate must be boolean, found string "false"',
  ],
  ['{"id":"A","input":"x","timeout":30}', '1:23 timeout timeout must be a string like "30s", found number 30'],
  [
    '{"id":"A","input":"x","timeout":"99999999999999999999h"}',
    '1:23 timeout timeout must be at most 292 years, found string "99999999999999999999h"',
  ],
  [
    '{"id":"A","input":"x","turn_timeout":"3000000h"}',
    '1:23 turn_timeout turn_timeout must be at most 292 years, found string "3000000h"',
  ],
  ['{"id":"A","input":"x","timeout":"-5s"}', '1:23 timeout duration "-5s" must be positive'],
  ['{"id":"A","input":"x","tags":["a",1]}', '1:35 tags[1] tags[1] must be a string, found number 1'],
  ['{"id":"A","input":"x","metadata":[]}', '1:23 metadata metadata must be an object, found a list'],
  [
    '{"id":"A","input":"x","options":{"skip":{"history":"no"}}}',
    '1:42 options.skip.history history must be boolean, found string "no"',
  ],
  [
    '{"id":"A","input":"x","on_missing_input":"stop"}',
    '1:23 on_missing_input on_missing_input must be "skip", "fail" or "end", found string "stop"',
  ],
  [
    '{"id":"A","simulator":{},"max_turns":1.5}',
    '1:26 max_turns max_turns must be an integer 1..1000 (leave it out for 20), found number 1.5',
  ],
  [
    '{"id":"A","simulator":{"metadata":{"max_turns":"3"}}}',
    '1:36 simulator.metadata.max_turns max_turns must be an integer 1..1000 (leave it out for 20), found "3"',
  ],
  [
    '{"id":"A","input":"x","min_score":2}',
    '1:23 min_score min_score must be a number above 0 and at most 1, found number 2',
  ],
  [
    '{"id":"A","input":"x","retry":{"max_attempts":0}}',
    '1:32 retry.max_attempts max_attempts must be an integer 1..100, found number 0',
  ],
  [
    '{"id":"A","input":"x","retry":{"max_atempts":2}}',
    '1:32 retry.max_atempts unknown field "max_atempts" – did you mean "max_attempts"?',
  ],
  [
    '{"id":"A","turns":[{"inptu":"x"},{}],"input":"y"}',
    '1:21 turns[0].inptu unknown field "inptu" – did you mean "input"?',
  ],
  ['{"id":"A","turns":[{}]}', '1:20 turns[0] no initial input: the first turn has none, and neither has the case'],
  ['{"id":"A","turns":[]}', '1:1 "call", "input", "messages", "turns" or "simulator" required'],
  ['{"id":"A","input":"x","attachments":[{"type":"image"}]}', "1:38 attachments[0] attachment needs 'source' or 'url'"],
  ['{"id":"A","simulator":{},"checkpoints":[{"id":"a"}]}', "1:41 checkpoints[0] missing required field 'assertion'"],
  [
    '{"id":"A","simulator":{},"checkpoints":[{"id":"a","assert":"x"},{"id":"a","assert":"x"}]}',
    '1:66 checkpoints[1].id duplicate checkpoint "a": also checkpoints[0]',
  ],
  [
    '{"id":"A","simulator":{},"checkpoints":[{"id":"a","assert":"x","after":["zz"]}]}',
    '1:73 checkpoints[0].after[0] unknown checkpoint "zz"; known: "a"',
  ],
  [
    '{"id":"A","simulator":{},"checkpoints":[{"id":"a","assert":"x","after":["b"]},{"id":"b","assert":"x","after":["a"]}]}',
    '1:64 checkpoints[0].after cycle a -> b -> a: none of them can be reached',
  ],
])('%s', async (text, problem) => {
  const { problems } = await openText(text)
  expect(problems).toHaveLength(1)
  if (typeof problem === 'string') expect(problems[0]).toBe(problem)
  else expect(problems[0]).toMatch(problem)
})

test('a control character in an id is shown escaped', async () => {
  const { problems } = await openText(String.raw`{"id":"T\u00001","input":"x"}`)
  expect(problems).toEqual([String.raw`1:2 id control character in id: string "T\x001"`])
  expect((await openText(String.raw`{"id":"T\ud800","input":"x"}`)).problems[0]).toContain('control character in id')
})

test('a mistake in a pretty-printed case is on its own line', async () => {
  const { problems } = await openText(
    '{\n  "id": "A",\n  "input": "x",\n  "assert": [\n    {"type": "contains"},\n    {\n      "type": "x",\n      "negate": 1\n    }\n  ]\n}\n',
  )
  expect(problems).toEqual(['8:7 assert[1].negate negate must be boolean, found number 1'])
})

test('an unknown key is one warning per name, and an error with --strict', async () => {
  const text =
    '{"id":"A","input":"x","expected":"y","category":1}\n{"id":"B","input":"x","expected":"y","category":2,"retry":{"zzz":1}}\n{"id":"C","input":"x","expected":"y","category":1}\n'
  const { cases, warnings } = await openText(text)
  expect(cases).toHaveLength(3)
  expect(warnings).toEqual([
    'cases.jsonl:1: category: unknown field "category" is ignored',
    'cases.jsonl:2: retry.zzz: unknown field "zzz" is ignored',
  ])
  const strict = await openText(text, 'cases.jsonl', { strict: true })
  expect(strict.problems).toHaveLength(4)
  expect(strict.problems[0]).toMatch(/^1:38 category unknown field "category"; known: id, name/)
})

test('an unknown key is an error in a case that checks nothing, wherever the name was tolerated before', async () => {
  const checked = '{"id":"A","input":"x","assert":"awaiting_input","category":1}\n'
  const unchecked = '{"id":"B","input":"x","category":1}\n'
  expect((await openText(checked)).problems).toEqual([])
  expect((await openText(checked + unchecked)).problems).toEqual([
    expect.stringMatching(/^2:23 category unknown field "category" in a case that checks nothing; known: id/),
  ])
})

test.each([
  ['a turn', { turns: [{ input: 'x', note: 1 }] }, 'turns[0].note unknown field "note"; known: input'],
  [
    'a checkpoint',
    { simulator: {}, checkpoints: [{ id: 'c', assertion: 'awaiting_input', when: 2 }] },
    'checkpoints[0].when unknown field "when"; known: id',
  ],
  ['a simulator', { simulator: { goal: 'x' } }, 'simulator.goal unknown field "goal"; known: use'],
  ['a role', { messages: [{ role: 'usr', content: 'x' }] }, 'messages[0].role role must be user, assistant'],
  ['a role of an input', { input: { role: 'User', content: 'x' } }, 'input.role role must be user, assistant'],
  ['a role of a turn', { turns: [{ input: [{ role: 'bot', content: 'x' }] }] }, 'turns[0].input[0].role role must be'],
  [
    'an attachment',
    { input: 'x', attachments: [{ type: 'picture', source: 'file://a.png' }] },
    'attachments[0].type type must be image, image_url, audio, input_audio, file or data, found string "picture"',
  ],
  ['a text part', { input: { content: [{ type: 'text', txt: 'x' }] } }, "input.content[0] text part missing 'text'"],
  [
    'a tool call of the history',
    { messages: [{ role: 'assistant', tool_calls: [{ nmae: 'x' }] }] },
    "messages[0].tool_calls[0] tool call missing 'name'",
  ],
  [
    'a fixture',
    { input: 'x', workspace: { fixtures: { '../a': 'x' } } },
    'workspace.fixtures.../a the path cannot be used',
  ],
  ['a conflict', { input: 'x', workspace: { fixtures: { a: '', 'a/b': '' } } }, '"a" is a file'],
  ['a content', { input: 'x', workspace: { fixtures: { a: 1 } } }, 'workspace.fixtures.a'],
  ['a typo', { input: 'x', workspace: { fixture: {} } }, 'workspace.fixture'],
  [
    'a scratchpad',
    { input: 'x', workspace: { config: { core: { scratchpad: '/pad' } } } },
    'workspace.config.core.scratchpad "/pad" cannot be used',
  ],
])('%s is looked into', async (_, fields, problem) => {
  const { problems } = await openText(JSON.stringify({ id: 'A', ...fields }))
  expect(problems.map((text) => text.replace(/^[\d:]+ /, ''))).toEqual([expect.stringContaining(problem)])
})

test.each([
  [
    'options',
    { options: { temperature: 1 } },
    'options.temperature: unknown field "temperature" is passed on as it is',
  ],
  [
    'a near miss in options',
    { options: { mod: 'x' } },
    'options.mod: unknown field "mod" is passed on as it is; "mode"',
  ],
  [
    'a message',
    { input: { content: 'x', rol: 'user' } },
    'input.rol: unknown field "rol" is passed on as it is; "role"',
  ],
  ['an attachment', { attachments: [{ type: 'image', url: 'https://a/b', alt: 'x' }] }, 'attachments[0].alt: unknown'],
  ['the type', { type: 'multi_trun' }, 'type: unknown type "multi_trun": expected single_turn or multi_turn'],
])('what agents may read gets a warning: %s', async (_, fields, warning) => {
  const { problems, warnings } = await openText(JSON.stringify({ id: 'A', input: 'x', ...fields }))
  expect(problems).toEqual([])
  expect(warnings).toEqual([expect.stringContaining(warning)])
})

test('notes of the author are free everywhere, and parts of an unknown type are kept', async () => {
  const notes = { description: 'd', comment: 'c', notes: ['n'], $schema: 's', _id: 1, 'x-owner': 'ann' }
  const text = JSON.stringify({
    id: 'A',
    ...notes,
    simulator: { ...notes },
    options: { ...notes },
    turns: [{ input: { content: [{ type: 'hologram', beam: 1 }], ...notes }, ...notes }],
    checkpoints: [{ id: 'c', assertion: { type: 'contains', value: 'x', metadata: {}, ...notes }, ...notes }],
  })
  const { cases, problems, warnings } = await openText(text, 'cases.jsonl', { strict: true, checkAssertion })
  expect([problems, warnings]).toEqual([[], []])
  expect(cases[0]?.turns?.[0]?.input).toMatchObject({ content: [{ type: 'hologram', beam: 1 }] })
})

test('the fields of an assertion are for the registry to know, whatever they resemble', async () => {
  const assert = [
    { type: 'tool_sequence', tools: ['a'], match: 'strict', weight: 1 },
    { type: 'rubric', criterion: 'x', weight: 1 },
  ]
  const { problems, warnings } = await openText(JSON.stringify({ id: 'A', input: 'x', assert }), 'cases.jsonl', {
    checkAssertion,
  })
  expect([problems, warnings]).toEqual([[], []])
})

test.each([
  ['c.json', '{"cases": [{"id": "A", "input": "x"}], "assert": {"type": "contains", "value": "y"}}', '1:1 assert'],
  ['c.yaml', 'cases:\n  - id: A\n    input: x\nexpected: y\n', '4:1 expected'],
])('what stands beside the list of cases is not ignored: %s', async (name, text, position) => {
  const { problems } = await openText(text, name)
  expect(problems).toEqual([expect.stringContaining(`${position} unknown field`)])
  const free = text.replace('assert', 'x-assert').replace('expected', '_expected')
  expect((await openText(free, name)).problems).toEqual([])
})

test('what is given but not used is said', async () => {
  expect((await openText('{"id":"A","input":"a","messages":[{"role":"user","content":"b"}]}')).warnings).toEqual([
    'cases.jsonl:1: input: "input" is not used: "messages" takes precedence',
  ])
  expect((await openText('{"id":"A","input":"a","assert":[]}')).warnings).toEqual([
    'cases.jsonl:1: assert: "assert" is empty: it checks nothing',
  ])
  expect((await openText('{"id":"A","input":"a","turns":[{"input":"b","assert":[]}]}')).warnings).toEqual([
    'cases.jsonl:1: input: "input" is not sent: the first turn has its own',
    'cases.jsonl:1: turns[0].assert: "assert" is empty: it checks nothing',
  ])
  expect((await openText('{"id":"A","input":"a","turns":[]}')).warnings).toEqual([
    'cases.jsonl:1: turns: "turns" is empty: it checks nothing',
  ])
  expect((await openText('{"id":"A","input":"a","options":{"conector":"x"}}')).warnings[0]).toContain(
    '"connector" is known',
  )
})

test('__proto__ keys are ignored with a word, and nothing is polluted', async () => {
  const { cases, warnings } = await openText(
    '{"__proto__":{"polluted":true,"skip":true},"id":"A","input":"x"}\n{"id":"B","input":"x","options":{"metadata":{"__proto__":{"polluted":true},"a":1}}}\n',
  )
  expect(warnings).toEqual(['cases.jsonl:1: key "__proto__" is ignored'])
  expect(cases[0]?.skip).toBeUndefined()
  expect(Object.getPrototypeOf(cases[1]?.options?.metadata)).toBe(Object.prototype)
  expect(cases[1]?.options?.metadata).toEqual({ a: 1 })
  expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
})

test('assertions are checked by the registry, each under its field', async () => {
  const asked: string[] = []
  const checkAssertion: CheckAssertion = (spec, field) => {
    asked.push(`${field}=${spec.type}`)
    return spec.type === 'contians'
      ? [{ field: `${field}.type`, message: 'unknown assertion type "contians"', suggestion: 'contains' }]
      : { spec, check: () => ({ passed: true }) }
  }
  const { problems } = await openText(
    '{"id":"A","input":"x","assert":["equals",{"type":"contians"}]}\n{"id":"B","turns":[{"input":"x","assert":"regex"}],"final_assertions":{"value":1},"simulator":{},"checkpoints":[{"id":"c","assert":{"type":"contains"}}]}',
    'cases.jsonl',
    { checkAssertion },
  )
  expect(problems).toEqual(['1:43 assert[1].type unknown assertion type "contians" – did you mean "contains"?'])
  expect(asked.slice(-3)).toEqual([
    'final_assertions=equals',
    'turns[0].assert=regex',
    'checkpoints[0].assert=contains',
  ])
})

test('connectors are asked for once, and an unknown one is an error at load', async () => {
  const asked: string[] = []
  const checkConnector = (id: string, field: string) => {
    asked.push(id)
    return id === 'fine' ? [] : [{ field, message: `unknown connector "${id}"` }]
  }
  const text = ['fine', 'fine', '../../secrets/prod'].map((id, index) =>
    JSON.stringify({ id: `T${index}`, input: 'x', options: { connector: id } }),
  )
  const { problems } = await openText(text.join('\n'), 'cases.jsonl', { checkConnector })
  expect(problems).toEqual(['3:35 options.connector unknown connector "../../secrets/prod"'])
  expect(asked).toEqual(['fine', '../../secrets/prod'])
})

test.each([
  ['[{"id":"A","input":"x"},]', '1:24 trailing comma before "]"'],
  ['[{"id":"A","input":"x"}{"id":"B","input":"x"}]', /^1:24 missing ","/],
  ['[,{"id":"A","input":"x"}]', '1:2 unexpected ",": a case is missing before it'],
  ['[{"id":"A","input":"x"}', /unexpected end|closing bracket/],
  ['[{"id":"A","input":"x"]', /^1:23 /],
  [
    '{"id":"A","input":"x"}',
    /^1:1 expected a list of cases or \{"cases": \[…\]\}, found an object with id, input; put one case in a list/,
  ],
  ['{"id":"A","input":"x"}\n{"id":"B","input":"x"}', /^2:1 a second value: .*name it \.jsonl/],
  ['"text"', /^1:1 expected a list of cases/],
  ['{"cases":[{"id":"A","input":"x"}],"x":}', /missing value/],
  ['[\n  {"id": "A", "input": "x"},\n  5\n]', '3:3 expected an object, found number 5'],
  ['[\n  {"id": "A", "skip": 1, "input": "x"}\n]', '2:15 skip skip must be boolean, found number 1'],
  ['[]', /^no test cases/],
  ['{"cases":[]}', /^no test cases/],
  ['  \n', /^no test cases/],
])('.json: %j', async (text, problem) => {
  const { problems } = await openText(text, 'cases.json')
  expect(problems).toHaveLength(1)
  if (typeof problem === 'string') expect(problems[0]).toBe(problem)
  else expect(problems[0]).toMatch(problem)
})

test.each([
  ['- id: A\n  id: B\n  input: x\n', /^2:3 Map keys must be unique/],
  ['- &a\n  id: A\n  input: x\n- *a\n', /duplicate id "A": first on line 2, again on line/],
  ['- {id: A, input: x, metadata: *a}\n', /^1:31 alias "\*a": no anchor/],
  ['- &a {id: A, input: x, metadata: {m: *a}}\n', /^1:38 alias inside its own anchor/],
  [bomb(9), /^1:1 aliases expand this file to more than 16 MB/],
  ['- id: !!js/function "x"\n  input: x\n', /^1:7 Unresolved tag/],
  ['- id: A\n  input: x\n  expected: 9007199254740993\n', /^3:13 9007199254740993 loses precision/],
  ['- id: A\n  input: x\n  expected: .nan\n', /^3:13 \.nan cannot be used/],
  ['- id: A\n  input: x\n  timeout: 30\n', '3:3 timeout timeout must be a string like "30s", found number 30'],
  [
    '- id: A\n  input: x\n  assert:\n    - type: contains\n      negate: maybe\n',
    '5:7 assert[0].negate negate must be boolean, found string "maybe"',
  ],
  ['- id: A\n input: x\n', /^\d+:\d+ /],
  ['id: A\n  input: [x\n', /^\d+:\d+ /],
  [`- id: A\n  input: x\n  expected: ${'['.repeat(150)}${']'.repeat(150)}\n`, /nesting deeper than 100/],
  ['- id: A\n  input: x\n  metadata:\n    [1, 2]: x\n', /^4:5 a key must be text/],
  ['# nothing\n', /^no test cases/],
  ['- just text\n', '1:3 expected an object, found string "just text"'],
])('.yaml: %j', async (text, problem) => {
  const { problems } = await openText(text, 'cases.yaml')
  expect(problems.length).toBeGreaterThan(0)
  if (typeof problem === 'string') expect(problems[0]).toBe(problem)
  else expect(problems[0]).toMatch(problem)
})

/** Nine lines that expand to 9^n strings. */
function bomb(levels: number): string {
  const lines = ['- &a0 ["lol"]']
  for (let level = 1; level <= levels; level++)
    lines.push(
      `- &a${level} [${Array(9)
        .fill(`*a${level - 1}`)
        .join(',')}]`,
    )
  return `${lines.join('\n')}\n`
}

test('YAML aliases and merge keys are written out', async () => {
  const text =
    '- &a {id: A, input: x, tags: &t [one]}\n- {<<: *a, id: B}\n- {id: C, input: y, tags: *t, assert: [{type: nope}]}\n'
  const { problems } = await openText(text, 'cases.yaml')
  expect(problems).toEqual([])
})

test('very deep YAML is a problem, not a crash', async () => {
  const { problems } = await openText(`- id: A\n  expected: ${'['.repeat(20_000)}\n`, 'cases.yaml')
  expect(problems.length).toBeGreaterThan(0)
})

test('the source knows its total, its hash, and whether there are conversations', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'a.jsonl'), `${good('A')}\n{"id":"B","turns":[{"input":"x"}]}\n`)
  const source = await openSource('a.jsonl', { cwd: dir })
  expect(source).toMatchObject({
    kind: 'file',
    label: 'a.jsonl',
    file: join(dir, 'a.jsonl'),
    dir,
    total: 2,
    multi_turn: true,
  })
  expect(source.hash).toMatch(/^[0-9a-f]{64}$/)
  const twice = [await collect(source.cases()), await collect(source.cases())]
  expect(twice[0]).toEqual(twice[1])
  await source.close()
  await source.close()
})

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

test('a large file that changes between the passes is an error', async () => {
  const dir = tempDir()
  const path = join(dir, 'a.jsonl')
  const padding = `# ${'x'.repeat(5 * 1024 * 1024)}\n`
  writeFileSync(path, `${good('A')}\n${padding}`)
  const source = await openSource('a.jsonl', { cwd: dir })
  expect((await collect(source.cases())).flat().map(({ testCase }) => testCase.id)).toEqual(['A'])
  writeFileSync(path, `${good('B')}\n${good('C')}\n${padding}`)
  await expect(collect(source.cases())).rejects.toMatchObject({ code: 'FILE_CHANGED', exitCode: 3 })
  utimesSync(path, 1, 1)
  await expect(collect(source.cases())).rejects.toThrow('was changed')
  await source.close()
})

test('a small file is run as it was when it was checked', async () => {
  const dir = tempDir()
  writeFileSync(join(dir, 'a.jsonl'), `${good('A')}\n`)
  const source = await openSource('a.jsonl', { cwd: dir })
  writeFileSync(join(dir, 'a.jsonl'), `${good('B')}\n`)
  expect((await collect(source.cases())).flat().map(({ testCase }) => testCase.id)).toEqual(['A'])
  await source.close()
})

test.skipIf(process.platform === 'win32')('a pipe is read once and run from a copy', async () => {
  const dir = tempDir()
  execFileSync('mkfifo', [join(dir, 'pipe')])
  const writer = spawn('sh', ['-c', `printf '%s\\n' '${good('A')}' > pipe`], { cwd: dir })
  const source = await openSource('pipe', { cwd: dir })
  expect((await collect(source.cases())).flat().map(({ testCase }) => testCase.id)).toEqual(['A'])
  await source.close()
  if (writer.exitCode === null) await once(writer, 'exit')
})

test('standard input is read twice through a file that is gone afterwards', async () => {
  const source = await openSource('-', {
    cwd: '/',
    stdin: Readable.from([Buffer.from(`${good('A')}\n{"id":`), Buffer.from('"B","input":"x"}\n')]),
  })
  expect(source).toMatchObject({ kind: 'stdin', label: '-', total: 2 })
  expect((await collect(source.cases())).flat().map(({ testCase }) => testCase.id)).toEqual(['A', 'B'])
  await source.close()
})

test('a message is one case', async () => {
  const source = await openSource('你好', { cwd: '/somewhere' })
  expect(source).toMatchObject({ kind: 'message', label: '你好', dir: '/somewhere', total: 1 })
  expect((await collect(source.cases())).flat()).toEqual([{ testCase: { id: 'T001', input: '你好', assertions: [] } }])
})

test.skipIf(!existsSync('/dev/zero'))('a device is refused', async () => {
  await expect(openSource('@/dev/zero', { cwd: '/' })).rejects.toMatchObject({ code: 'NOT_A_FILE' })
})

test('a line beyond the limit ends the reading', async () => {
  const { problems } = await openText(`${good('A')}\n{"id":"B","input":"${'x'.repeat(17 * 1024 * 1024)}"}\n`)
  expect(problems).toEqual(['2:1 line longer than the limit of 16 MB'])
})

test('lines longer than a block, and characters split between blocks', async () => {
  const long = '👩‍👩‍👧é'.repeat(40_000)
  for (const name of ['a.jsonl', 'a.json']) {
    const text = JSON.stringify({ id: 'A', input: `x${long}` })
    const { cases, problems } = await openText(
      name === 'a.json' ? `[${text}, ${good('B')}]` : `${text}\n${good('B')}\n`,
      name,
    )
    expect(problems).toEqual([])
    expect(cases[0]?.input).toBe(`x${long}`)
    expect(cases[1]?.id).toBe('B')
  }
})

// What the original does, and where Viva differs on purpose.

const DIFFERENT: Record<string, RegExp> = {
  // Four fields can give a case its input, and the error names them all.
  'missing input': /"call", "input", "messages", "turns" or "simulator" required/,
}

test.each(conformanceRows('loader', 'jsonl_load'))('conformance: $name', async ({ name, given, expect: expected }) => {
  const { cases, problems } = await openText(String(given['text']))
  const different = DIFFERENT[name]
  if (different) expect(problems.join('\n')).toMatch(different)
  else expect(cases.map(({ id }) => id)).toEqual(expected['ids'])
})

test.each(conformanceRows('loader', 'validate_cases'))('conformance: $name', async ({ name, given }) => {
  const { problems } = await openText((given['cases'] as unknown[]).map((item) => JSON.stringify(item)).join('\n'))
  // Our words, with line and field; the original has neither.
  expect(problems[0]).toMatch(name === 'duplicate id' ? /duplicate id "A"/ : /message index 0: expected object/)
})

/** Judged elsewhere: by the assertion registry, the connectors, the reports, or when the case runs. */
const ELSEWHERE = new Set(['regex-invalid', 'jsonpath-invalid', 'connector-traversal', 'judge-without-criteria'])

test.each(badInputs('cases'))(
  'bad input $file: $expect',
  async ({ file, path, expect: expected, line, cases: count }) => {
    const { cases, problems } = await openPath(path, { cwd: '/' })
    const name = /([^/]+)\.jsonl$/.exec(file)?.[1] ?? ''
    if (expected === 'error' && !ELSEWHERE.has(name)) {
      expect(problems.length).toBeGreaterThan(0)
      if (line !== undefined) expect(problems[0]).toMatch(new RegExp(`^${line}:\\d+ `))
    } else {
      expect(problems).toEqual([])
      expect(cases).toHaveLength(count ?? 1)
    }
  },
)
