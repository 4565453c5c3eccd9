// Assertions say what they mean: each line both ways, the false pass that is gone and the honest pass that stays.
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type CliRun, type Files } from '../support/run-cli.js'

/** Answers with the JSON it is sent. */
const AGENT = 'export const run = ([message]) => JSON.parse(message.content)\n'
const LONG = `${'x'.repeat(1024 * 1024)} needle1`

interface Row {
  name: string
  /** What the agent answers. */
  reply: unknown
  assert: unknown
  passes: boolean | 'error'
}

async function verdicts(rows: Row[]): Promise<Array<boolean | 'error'>> {
  const cases = rows.map(({ reply, assert }, index) => ({ id: `C${index}`, input: JSON.stringify(reply), assert }))
  const run = await runCases(cases)
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(run.code, run.stderr).toBe(results.every((result) => result['status'] === 'passed') ? 0 : 1)
  return results.map((result) => {
    if (result['status'] === 'passed') return true
    return result['error_kind'] === 'assertion' ? false : 'error'
  })
}

function runCases(cases: object[], files: Files = {}, args: string[] = []): Promise<CliRun> {
  const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases, ...files })
  return viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--json', ...args], { cwd: dir })
}

const at = (value: unknown, more: object = {}): object => ({ type: 'json_path', path: '$.a', value, ...more })
const calls = (...names: string[]): object => ({ content: 'ok', tool_calls: names.map((name) => ({ name, args: {} })) })
const row = (name: string, reply: unknown, assert: unknown, passes: Row['passes']): Row => ({
  name,
  reply,
  assert,
  passes,
})

const ROWS: Row[] = [
  row('contains a list: all', 'refund and credit', { type: 'contains', value: ['refund', 'credit'] }, true),
  row('contains a list: one is missing', 'refund', { type: 'contains', value: ['refund', 'credit'] }, false),
  row('not_contains a list: none', 'fine', { type: 'not_contains', value: ['error', 'sorry'] }, true),
  row('not_contains a list: the second', 'sorry', { type: 'not_contains', value: ['error', 'sorry'] }, false),
  row(
    'not_contains looks at values',
    { content: { a: 'say "no"' } },
    { type: 'not_contains', value: 'say "no"' },
    false,
  ),
  row('not_contains on prose', 'fine', { type: 'not_contains', value: 'error' }, true),
  row('negate: the path is not there', '{"b": 1}', at(1, { negate: true }), false),
  row('negate: no JSON', 'sorry', at(1, { negate: true }), false),
  row('negate: another value', '{"a": 2}', at(1, { negate: true }), true),
  row('none: the path is not there', '{"b": 1}', { type: 'none', assertions: [at(1)] }, false),
  row('none: another value', '{"a": 2}', { type: 'none', assertions: [at(1)] }, true),
  row('not_contains: the path is not there', '{"b": 1}', { type: 'not_contains', path: '$.a', value: 'x' }, false),
  row('exists: false', '{"b": 1}', { type: 'json_path', path: '$.a', exists: false }, true),
  row('exists, negated', '{"b": 1}', { type: 'json_path', path: '$.a', exists: true, negate: true }, true),
  row('null against nothing', '{"b": 1}', at(null), true),
  row('null against nothing, where it must exist', '{"b": 1}', at(null, { exists: true }), false),
  row('$gt in json_path', '{"a": 6}', at({ $gt: 5 }), true),
  row('$gt in json_path, equal', '{"a": 5}', at({ $gt: 5 }), false),
  row('$ne where nothing is', '{"b": 5}', at({ $ne: 5 }), false),
  row('operators in equals', '{"a": 6, "b": "x"}', { type: 'equals', value: { a: { $gt: 5 }, b: 'x' } }, true),
  row('operators in equals, one key more', '{"a": 6, "c": 1}', { type: 'equals', value: { a: { $gt: 5 } } }, false),
  row('a big number', '{"a": 9007199254740993}', at(2 ** 53), false),
  row('the same big number', '{"a": 9007199254740992}', at(2 ** 53), true),
  row('a long answer, negated', LONG, { type: 'regex', value: 'needle\\d', negate: true }, 'error'),
  row('a long answer, none', LONG, { type: 'none', assertions: [{ type: 'regex', value: 'needle\\d' }] }, 'error'),
  row('a long answer, not_contains finds it', LONG, { type: 'not_contains', value: 'needle1' }, false),
  row('a short answer, none', 'x', { type: 'none', assertions: [{ type: 'regex', value: 'needle\\d' }] }, true),
  row('a pattern in a tool name', calls('create_user'), { type: 'tool_called', name: 'create_*' }, true),
  row('a pattern that no tool fits', calls('delete_user'), { type: 'tool_called', name: 'create_*' }, false),
  row('a pattern of tools not to call', calls('delete_user'), { type: 'tool_not_called', name: 'delete_*' }, false),
  row('a count at max', calls('f', 'f'), { type: 'tool_called', name: 'f', times: { max: 2 } }, true),
  row('a count above max', calls('f', 'f', 'f'), { type: 'tool_called', name: 'f', times: { max: 2 } }, false),
  row('a length at max', '12345', { type: 'length', max: 5 }, true),
  row('a length above max', '123456', { type: 'length', max: 5 }, false),
  row('a tool wanted twice', calls('f'), { type: 'tool_sequence', tools: ['f', 'f'], match: 'superset' }, false),
  row('a tool wanted twice, in order', calls('f'), { type: 'tool_sequence', tools: ['f', 'f'] }, false),
  row('called twice', calls('f', 'g', 'f'), { type: 'tool_sequence', tools: ['f', 'f'], match: 'superset' }, true),
]

test('every assertion gives the verdict its words promise', async () => {
  const given = await verdicts(ROWS)
  expect(ROWS.map(({ name }, index) => [name, given[index]])).toEqual(ROWS.map(({ name, passes }) => [name, passes]))
})

test.each([
  ['min_score 0', { min_score: 0, assert: { value: 'x' } }, 'min_score: 0 is always reached'],
  ['weights', { assert: [{ value: 'x', weight: 0 }] }, 'all weights are 0'],
  ['times', { assert: { type: 'tool_called', name: 'f', times: { min: 0 } } }, 'min 0 alone always holds'],
  ['a pattern', { assert: { type: 'regex', value: 'z*' } }, 'every text matches z*'],
  [
    'checkpoints',
    { simulator: {}, checkpoints: [{ id: 'c', assertion: 'awaiting_input', required: false }] },
    'all checkpoints are optional',
  ],
])('what cannot fail is refused at load: %s', async (_, fields, problem) => {
  const run = await runCases([{ id: 'A', input: '"x"', ...fields }])
  expect([run.code, run.stdout]).toEqual([2, ''])
  expect(run.stderr).toContain(problem)
})

test('a score that equals min_score passes, one below does not', async () => {
  const graded = (id: string, min_score: number): object => ({
    id,
    input: '"x"',
    min_score,
    assert: [
      { type: 'contains', value: 'x', weight: 0.1 },
      { type: 'length', exact: 1, weight: 0.2 },
      { type: 'contains', value: 'y', weight: 0.7 },
    ],
  })
  const run = await runCases([graded('at', 0.3), graded('above', 0.31)])
  const results = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(results.map(({ id, status }) => [id, status])).toEqual([
    ['at', 'passed'],
    ['above', 'failed'],
  ])
})

test('expected beside assertions gets a warning, unless a script uses it', async () => {
  const plain = await runCases([{ id: 'A', input: '"x"', expected: 'y', assert: { type: 'contains', value: 'x' } }])
  expect([plain.code, plain.stderr]).toEqual([
    0,
    expect.stringContaining('cases.jsonl:1: expected: "expected" is not compared'),
  ])
  const script = await runCases(
    [{ id: 'A', input: '"x"', expected: 'x', assert: { type: 'script', script: 'scripts.checks.Same' } }],
    {
      'app.yao': '{}',
      'scripts/checks.ts': 'export function Same(output, input, expected) { return output === expected }',
    },
  )
  expect([script.code, script.stderr]).toEqual([0, expect.not.stringContaining('warning')])
})

const JUDGE = (answer: object): Files => ({
  'judge.mjs': `export const judge = () => ({ content: ${JSON.stringify(answer)} })\n`,
})
const judged = (threshold?: number): object[] => [
  { id: 'A', input: '"x"', assert: { type: 'agent', use: './judge.mjs#judge', value: 'fine', threshold } },
]

test.each([
  ['a score at the threshold', { passed: true, score: 0.7 }, 0.7, 0, ''],
  ['a score below it', { passed: true, score: 0.69 }, 0.7, 1, 'score 0.69 is below 0.7'],
  ['a score outside the scale', { passed: true, score: 85 }, 0.7, 1, 'outside the scale from 0 to 1'],
  ['a scale of its own', { passed: true, score: 85 }, 80, 0, ''],
])('%s', async (_, answer, threshold, code, error) => {
  const run = await runCases(judged(threshold), JUDGE(answer))
  const result = parseEvents(run.stdout).find((event) => event.type === 'result')
  expect([run.code, result?.['error'] ?? '']).toEqual([code, expect.stringContaining(error)])
})

test('a judge gets what was expected', async () => {
  const files = {
    'judge.mjs':
      'export const judge = (m, c, { metadata }) => ({ content: { passed: metadata.expected === "gold" } })\n',
  }
  const [testCase] = judged()
  expect((await runCases([{ ...testCase, expected: 'gold' }], files)).code).toBe(0)
  expect((await runCases([{ ...testCase, expected: 'tin' }], files)).code).toBe(1)
})
