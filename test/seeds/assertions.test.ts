// Every row and example about assertions and inputs in the documents, each on an answer for which it holds and one for which it does not.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'

type Json = Record<string, unknown>
interface Row {
  assert: unknown
  holds: unknown[]
  fails: unknown[]
  /** Part of the text of the first failure. */
  says?: string
}

const calls = (...names: string[]): object => ({
  content: 'done',
  tool_calls: names.map((name) => ({ name, args: {} })),
})

const ROWS: Row[] = [
  // Assertion types of the design
  {
    assert: { type: 'equals', value: { need_search: false } },
    holds: [{ content: { need_search: false } }, '{"need_search": false}'],
    fails: ['no', { content: { need_search: true } }],
    says: 'not equal',
  },
  {
    assert: { type: 'contains', value: 'keyword' },
    holds: ['a keyword', { content: { found: ['keyword'] } }],
    fails: ['none'],
    says: 'does not contain "keyword"',
  },
  { assert: { type: 'not_contains', value: 'error' }, holds: ['fine'], fails: ['an error'], says: 'error' },
  {
    assert: { type: 'json_path', path: '$.need_search', value: false },
    holds: [{ content: { need_search: false } }, 'Here:\n```json\n{"need_search": false}\n```'],
    fails: [{ content: { need_search: true } }, 'no JSON'],
    says: '$.need_search',
  },
  {
    assert: { type: 'regex', value: '\\d{3}-\\d{4}' },
    holds: ['call 555-0199'],
    fails: ['call me'],
    says: 'does not match',
  },
  {
    assert: { type: 'type', value: 'object' },
    holds: [{ content: { a: 1 } }],
    fails: ['text', { content: [1] }],
    says: 'object',
  },
  { assert: { type: 'script', script: 'scripts.test.Assert' }, holds: ['good'], fails: ['bad'], says: '' },
  // Its examples
  { assert: { type: 'contains', value: 'need_search' }, holds: [{ content: { need_search: true } }], fails: ['x'] },
  {
    assert: { type: 'json_path', path: '$.need_search', value: true },
    holds: [{ content: { need_search: true } }],
    fails: [{ content: {} }],
  },
  {
    assert: [
      { type: 'json_path', path: '$.need_search', value: false },
      { type: 'json_path', path: '$.confidence', value: 0.99 },
      { type: 'not_contains', value: 'error' },
    ],
    holds: [{ content: { need_search: false, confidence: 0.99 } }],
    fails: [
      { content: { need_search: false, confidence: 0.99, note: 'error' } },
      { content: { need_search: false, confidence: 0.5 } },
    ],
  },
  {
    assert: { type: 'script', script: 'scripts.test.ValidateOutput' },
    holds: ['good'],
    fails: ['bad'],
    says: 'output lacks the expected keywords',
  },
  { assert: { type: 'contains', value: 'error', negate: true }, holds: ['fine'], fails: ['an error'] },
  // The reference
  {
    assert: { type: 'equals', value: { key: 'val' } },
    holds: [{ content: { key: 'val' } }],
    fails: [{ content: { key: 'other' } }],
    says: '$.key',
  },
  {
    assert: { type: 'json_path', path: '$.field', value: true },
    holds: [{ content: { field: true } }],
    fails: [{ content: { field: 'true' } }],
  },
  {
    assert: { type: 'json_path', path: 'field', value: true },
    holds: [{ content: { field: true } }],
    fails: [{ content: { field: false } }],
  },
  { assert: { type: 'regex', value: '\\d+' }, holds: ['42'], fails: ['none'] },
  { assert: { type: 'script', script: 'scripts.test.Check' }, holds: ['good'], fails: ['bad'] },
  {
    assert: { type: 'json_path', path: 'wheres[0].like', value: '%test%' },
    holds: [{ content: { wheres: [{ like: '%test%' }] } }],
    fails: [{ content: { wheres: [] } }],
  },
  {
    assert: { type: 'json_path', path: 'joins[0].from', value: 'users' },
    holds: [{ content: { joins: [{ from: 'users' }] } }],
    fails: [{ content: { joins: [{ from: 'roles' }] } }],
  },
  {
    assert: { type: 'json_path', path: 'error', value: ['missing_schema', 'missing_query'] },
    holds: [{ content: { error: 'missing_query' } }, { content: { error: ['missing_schema', 'missing_query'] } }],
    fails: [{ content: { error: 'other' } }],
  },
  // The second draft
  { assert: { type: 'contains', value: 'success' }, holds: ['success!'], fails: ['failure'] },
  { assert: { type: 'equals', value: 'OK' }, holds: ['OK'], fails: ['ok'], says: 'case' },
  { assert: { type: 'regex', pattern: 'order-\\d+' }, holds: ['order-17'], fails: ['order-x'] },
  {
    assert: { type: 'json_path', path: '$.status', value: 'ok' },
    holds: ['{"status": "ok"}'],
    fails: ['{"status": "no"}'],
  },
  {
    assert: { type: 'tool_called', name: 'create_expense' },
    holds: [calls('create_expense'), calls('a', 'expenses__create_expense')],
    fails: [calls('create_expense_report'), 'create_expense'],
    says: 'create_expense',
  },
  {
    assert: { type: 'type', path: '$.count', value: 'number' },
    holds: [{ content: { count: 3 } }],
    fails: [{ content: { count: '3' } }],
    says: 'number',
  },
  {
    assert: {
      type: 'agent',
      use: 'agents:workers.test.validator',
      options: {
        metadata: {
          criteria: "Response should be helpful and answer the user's question",
          tone: 'professional and friendly',
        },
      },
    },
    holds: ['good'],
    fails: ['bad'],
    says: 'not helpful',
  },
  {
    assert: {
      type: 'script',
      use: 'scripts:tests.validate-expense',
      options: { metadata: { min_amount: 100, max_amount: 10000 } },
    },
    holds: [{ content: { amount: 3500 } }],
    fails: [{ content: { amount: 50 } }, { content: { amount: 10001 } }],
    says: 'between 100 and 10000',
  },
]

const APP: Files = {
  'app.yao': '{}',
  'reply.mjs': 'export const run = (messages, ctx) => ctx.metadata.reply\n',
  'scripts/test.ts': `
export function Assert(output) { return output === 'good' }
export function Check(output, input, expected) { return { pass: output === 'good' && input === 'say it' && expected == null } }
export function ValidateOutput(output) {
  return output === 'good'
    ? { pass: true, message: 'Validation passed: output contains expected keywords' }
    : { pass: false, message: 'output lacks the expected keywords' }
}`,
  'scripts/tests/validate-expense.ts': `
export default function (output, input, expected, { metadata }) {
  const passed = output.amount >= metadata.min_amount && output.amount <= metadata.max_amount
  return { passed, message: 'amount must be between ' + metadata.min_amount + ' and ' + metadata.max_amount }
}`,
  'assistants/workers/test/validator/package.yao': '{"name": "Validator", "connector": "judge"}',
  'assistants/workers/test/validator/prompts.yml': '- { role: system, content: Judge }',
  'connectors/judge.conn.yao': '{"type": "mock", "options": {"script": "scripts.judge.Verdict"}}',
  'scripts/judge.ts': `
export function Verdict({ messages }) {
  const asked = JSON.stringify(messages)
  const told = asked.includes('answer the user') && asked.includes('professional and friendly')
  const bad = /bad/.test(asked)
  return { output: { passed: told && !bad, score: bad ? 0.1 : 0.9, reason: bad ? 'not helpful' : 'fine' } }
}`,
}

async function run(cases: object[] | string, agent: string, args: string[] = []): Promise<Json[]> {
  const dir = makeFolder({ ...APP, 'cases.jsonl': cases })
  const { stdout, stderr } = await viva(['test', '-i', 'cases.jsonl', '-n', agent, '--json', ...args], { cwd: dir })
  const results = parseEvents(stdout).filter((event) => event.type === 'result')
  if (results.length === 0) throw new Error(stderr)
  return results
}

test('each holds where it says and fails where it says', async () => {
  const cases = ROWS.flatMap(({ assert, holds, fails }, row) =>
    [...holds, ...fails].map((reply, index) => ({
      id: `${row} ${JSON.stringify(assert)} on ${JSON.stringify(reply)}`,
      input: 'say it',
      assert,
      options: { metadata: { reply } },
      tags: [index < holds.length ? 'passed' : 'failed'],
    })),
  )
  const results = await run(cases, './reply.mjs#run', ['--parallel', '4'])
  const verdicts = new Map(results.map((result) => [result['id'], result]))
  expect(cases.map(({ id }) => [id, verdicts.get(id)?.['status']])).toEqual(cases.map(({ id, tags }) => [id, tags[0]]))
  for (const [row, { says = '' }] of ROWS.entries()) {
    const failed = results.find((result) => String(result['id']).startsWith(`${row} `) && result['status'] === 'failed')
    expect(failed?.['error_kind'], JSON.stringify(ROWS[row]?.assert)).toBe('assertion')
    expect(failed?.['error']).toContain(says)
  }
})

test('all assertions are evaluated; the message of the author stands in front, the details stay', async () => {
  const [result] = await run(
    [
      {
        id: 'T',
        input: 'x',
        assert: [
          { type: 'contains', value: 'a', message: 'must mention a' },
          { type: 'contains', value: 'b' },
          { type: 'not_contains', value: 'c' },
        ],
      },
    ],
    'builtin:echo',
  )
  expect(result).toMatchObject({
    status: 'failed',
    assertions: [
      { passed: false, message: 'must mention a', expected: 'a', actual: 'x' },
      { passed: false, message: 'output does not contain "b"' },
      { passed: true },
    ],
    assertion_errors: ['must mention a', 'output does not contain "b"'],
  })
})

test('assert takes precedence over expected; expected alone is equality', async () => {
  const results = await run(
    [
      { id: 'both', input: 'a', expected: 'z', assert: { type: 'contains', value: 'a' } },
      { id: 'alone', input: 'a', expected: 'z' },
      {
        id: 'equal',
        input: '{"keywords": ["keyword1", "keyword2"]}',
        expected: { keywords: ['keyword1', 'keyword2'] },
      },
    ],
    'builtin:echo',
  )
  expect(results.map(({ id, status }) => [id, status])).toEqual([
    ['both', 'passed'],
    ['alone', 'failed'],
    ['equal', 'passed'],
  ])
})

const INPUTS = `\
{"id": "T001", "input": "Simple text input"}
{"id": "T002", "input": {"role": "user", "content": "Message with role"}}
{"id": "T003", "input": {"role": "user", "content": [{"type": "text", "text": "ContentPart array"}]}}
{"id": "T004", "input": [{"role": "user", "content": "First message"}, {"role": "assistant", "content": "Response"}, {"role": "user", "content": "Follow-up"}]}
{"id": "T005", "input": "Text input", "expected": {"keywords": ["keyword1", "keyword2"]}}
{"id": "T006", "input": "Test with specific user", "user": "admin", "team": "ops-team"}
`
const REFERENCE_INPUTS = `\
{"id": "T001", "input": "Simple text"}
{"id": "T002", "input": {"role": "user", "content": "Message with role"}}
{"id": "T003", "input": [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello"}]}
{"id": "T004", "input": "Test", "assert": {"type": "json_path", "path": "field", "value": true}}
{"id": "T005", "input": "Skip this", "skip": true}
`
const OVERRIDES = `\
# T001 uses default user/team
{"id": "T001", "input": "Hello"}

# T002 uses specific user/team (unless overridden by -u/-t flags)
{"id": "T002", "input": "Admin action", "user": "admin", "team": "admin-team"}

# T003 uses specific user only, team uses default
{"id": "T003", "input": "User specific test", "user": "special-user"}
`
const OPTIONS = `\
{
  "id": "T001",
  "input": "Query users",
  "options": {
    "connector": "deepseek.v3",
    "metadata": { "scenario": "filter" },
    "skip": { "trace": true, "search": true }
  }
}
`

test('the inputs of the documents reach the agent', async () => {
  const first = await run(INPUTS, 'builtin:echo')
  expect(first.map(({ output, status }) => [output, status])).toEqual([
    ['Simple text input', 'passed'],
    ['Message with role', 'passed'],
    ['ContentPart array', 'passed'],
    ['Follow-up', 'passed'],
    ['Text input', 'failed'],
    ['Test with specific user', 'passed'],
  ])
  const second = await run(REFERENCE_INPUTS, 'builtin:echo')
  expect(second.map(({ status }) => status)).toEqual(['passed', 'passed', 'passed', 'failed', 'skipped'])
})

test('-c beats the connector of the case and of a turn; without it the turn beats the case', async () => {
  const dir = makeFolder({
    'who.mjs': 'export const run = (messages, ctx, { connector }) => String(connector)\n',
    'cases.jsonl': [
      {
        id: 'T1',
        options: { connector: 'case' },
        turns: [{ input: 'a', options: { connector: 'turn' } }, { input: 'b' }],
      },
    ],
  })
  const answers = async (...args: string[]): Promise<unknown[]> => {
    const all = ['test', '-i', 'cases.jsonl', '-n', './who.mjs#run', '--json', ...args]
    const { stdout } = await viva(all, { cwd: dir })
    const result = parseEvents(stdout).find((event) => event.type === 'result')
    const turns = result?.['turns'] as Array<{ output: unknown }>
    return turns.map(({ output }) => output)
  }
  expect(await answers()).toEqual(['turn', 'case'])
  expect(await answers('-c', 'flag')).toEqual(['flag', 'flag'])
})

test('flags beat the case, the case beats the defaults; options arrive whole', async () => {
  const who =
    'export const run = (messages, ctx, { signal, ...options }) => JSON.stringify([ctx.authorized.user_id, ctx.authorized.team_id, options])\n'
  const dir = makeFolder({ 'who.mjs': who, 'over.jsonl': OVERRIDES, 'options.jsonl': OPTIONS })
  const outputs = async (...args: string[]): Promise<unknown[]> => {
    const { stdout } = await viva(['test', '-n', './who.mjs#run', '--json', ...args], { cwd: dir })
    return parseEvents(stdout)
      .filter((event) => event.type === 'result')
      .map((event) => JSON.parse(String(event['output'])))
  }
  expect(await outputs('-i', 'over.jsonl')).toEqual([
    ['test-user', 'test-team', {}],
    ['admin', 'admin-team', {}],
    ['special-user', 'test-team', {}],
  ])
  expect(await outputs('-i', 'over.jsonl', '-u', 'admin', '-t', 'prod-team')).toEqual([
    ['admin', 'prod-team', {}],
    ['admin', 'prod-team', {}],
    ['admin', 'prod-team', {}],
  ])
  expect(await outputs('-i', 'options.jsonl')).toEqual([
    [
      'test-user',
      'test-team',
      { connector: 'deepseek.v3', metadata: { scenario: 'filter' }, skip: { trace: true, search: true } },
    ],
  ])
})

// Beside the checkout: nothing that the documents show is missing here.

const SEEDS = new URL('../../../shared/seeds/', import.meta.url)

test.skipIf(!existsSync(SEEDS))('these are all assertions of the documents', () => {
  const ours = new Set(ROWS.flatMap(({ assert }) => (Array.isArray(assert) ? assert : [assert])).map(canonical))
  const missing: string[] = []
  for (const name of readdirSync(SEEDS).filter((each) => /^00[023]_/.test(each))) {
    const text = readFileSync(new URL(name, SEEDS), 'utf8')
    const inTables = [...text.matchAll(/^\| `\w+` .*\| `(\{"type":.*\})`\s*\|$/gm)].map(([, json = '']) => json)
    const inBlocks = [...text.matchAll(/^```jsonl\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => assertionsIn(block))
    missing.push(
      ...[...inTables.map((json) => JSON.parse(json)), ...inBlocks].map(canonical).filter((each) => !ours.has(each)),
    )
  }
  // What 003 asserts in conversations is run in conversations.test.ts.
  const elsewhere = /"value":"(type|submitted|amount|Hi)"/
  expect(missing.filter((each) => !elsewhere.test(each))).toEqual([])
  for (const block of [INPUTS, REFERENCE_INPUTS, OVERRIDES, OPTIONS]) expect(everything()).toContain(block)
})

function everything(): string {
  return readdirSync(SEEDS)
    .map((name) => readFileSync(new URL(name, SEEDS), 'utf8'))
    .join('\n')
}

function assertionsIn(block: string): Json[] {
  const found: Json[] = []
  // Blocks hold cases, assertions, or lines of either; what is not JSON by itself is no example of an assertion.
  for (const piece of [block, ...block.split('\n'), ...block.split(/^\/\/.*$/m)]) {
    try {
      collect(JSON.parse(piece), found)
    } catch {
      continue
    }
  }
  return found
}

function collect(value: unknown, found: Json[]): void {
  if (Array.isArray(value)) return value.forEach((item) => collect(item, found))
  if (typeof value !== 'object' || value === null) return
  const record = value as Json
  if (
    typeof record['type'] === 'string' &&
    ['equals', 'contains', 'not_contains', 'json_path', 'regex', 'type', 'script', 'tool_called', 'agent'].includes(
      record['type'],
    ) &&
    !('passed' in record)
  )
    found.push(record)
  Object.values(record).forEach((item) => collect(item, found))
}

function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  const record = value as Json
  return `{${Object.keys(record)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(record[key])}`)
    .join(',')}}`
}
