// Several case files, folders and globs as one source.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva, writeFiles } from '../support/run-cli.js'

const ECHO = ['-n', 'builtin:echo']
const contains = (value: string): object => ({ type: 'contains', value })

interface Result {
  type: string
  id: string
  status: string
  file?: string
  line?: number
}

function results(stdout: string): Result[] {
  return stdout
    .split('\n')
    .filter((line) => line.includes('"type":"result"'))
    .map((line) => JSON.parse(line) as Result)
}

test('a folder, a file and a glob are one run; results name their file, attachments are beside it', async () => {
  const dir = makeFolder({
    'tests/a.jsonl': [{ id: 'a', input: 'hi', assert: contains('nope') }],
    'tests/sub/b.csv': 'id,input,expected\nb,hi,hi\n',
    'more/c.yaml':
      '- id: c\n  input: [{role: user, content: [{type: text, text: hi}, {type: file, source: "file://n.txt"}]}]\n',
    'more/n.txt': 'beside c',
    'one/d.json': [{ id: 'd', input: 'hi', assert: { type: 'snapshot' } }],
    'wrong.jsonl': [
      { id: 'a', input: 'x' },
      { id: 'z', input: 'y', asert: 1 },
    ],
  })
  const args = ['test', ...ECHO, '-i', 'tests', '-i', 'more/*.yaml', '-i', 'one/d.json', '-i', 'tests/a.jsonl']
  const run = await viva([...args, '-U', '--json', '-o', 'events.jsonl'], { cwd: dir })
  expect(results(run.stdout).map(({ id, status, file, line }) => [id, status, file, line])).toEqual([
    ['a', 'failed', 'tests/a.jsonl', 1],
    ['b', 'passed', 'tests/sub/b.csv', 2],
    ['c', 'passed', 'more/c.yaml', 1],
    ['d', 'passed', 'one/d.json', 1],
  ])
  expect(run.code).toBe(1)
  expect(readdirSync(join(dir, 'one', 'snapshots'))).toEqual(['d.json'])
  // The snapshot is found again when the file is run alone.
  expect((await viva(['test', ...ECHO, '-i', 'one/d.json', '-o', 'x.tap'], { cwd: dir })).code).toBe(0)

  const resumed = await viva(['test', '--resume', 'events.jsonl'], { cwd: dir })
  expect([resumed.code, readFileSync(join(dir, 'events.jsonl'), 'utf8').match(/"type":"result"/g)?.length]).toEqual([
    1, 4,
  ])
  writeFiles(dir, { 'tests/sub/b.csv': 'id,input,expected\nb,hi,ho\n' })
  expect((await viva(['test', '--resume', 'events.jsonl'], { cwd: dir })).stderr).toContain('has changed since the run')

  const wrong = await viva(['test', ...ECHO, '-i', 'tests', '-i', 'wrong.jsonl'], { cwd: dir })
  expect([wrong.code, wrong.stdout]).toEqual([2, ''])
  expect(wrong.stderr).toContain('duplicate id "a": first in tests/a.jsonl:1, again in wrong.jsonl:1')
  expect(wrong.stderr).toContain('did you mean "assert"?')
  const taken = await viva(['test', ...ECHO, '-i', 'tests', '-i', 'more', '-o', 'more/c.yaml'], { cwd: dir })
  expect([taken.code, taken.stderr]).toEqual([2, expect.stringContaining('the cases are read from it')])
})

test('what a run leaves in a folder is not read by the next', async () => {
  const dir = makeFolder({ 'tests/a.jsonl': [{ id: 'a', input: 'hi' }], 'tests/b.jsonl': [{ id: 'b', input: 'hi' }] })
  for (const _ of [1, 2]) {
    const run = await viva(['test', ...ECHO, '-i', 'tests', '-o', 'tests/mine.jsonl', '--force'], { cwd: dir })
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('✓ 2 passed in')])
  }
})

test('files of two agents are not run with one of them', async () => {
  const pkg = '{"name": "X", "connector": "echo"}'
  const dir = makeFolder({
    'app.yao': '{}',
    'connectors/echo.conn.yao': '{"label": "e", "type": "echo", "options": {}}',
    'assistants/x/package.yao': pkg,
    'assistants/x/prompts.yml': '- {role: system, content: x}\n',
    'assistants/x/tests/a.jsonl': [{ id: 'a', input: 'hi', expected: 'hi' }],
    'assistants/x/tests/b.jsonl': [{ id: 'b', input: 'hi', expected: 'hi' }],
    'assistants/y/package.yao': pkg,
    'assistants/y/prompts.yml': '- {role: system, content: y}\n',
    'assistants/y/tests/c.jsonl': [{ id: 'c', input: 'hi', expected: 'hi' }],
  })
  const one = await viva(['test', '-i', 'assistants/x', '--json'], { cwd: dir })
  expect([one.code, results(one.stdout).length]).toEqual([0, 2])
  const two = await viva(['test', '-i', 'assistants'], { cwd: dir })
  expect([two.code, two.stderr]).toEqual([2, expect.stringContaining('belong to different agents')])
  const named = await viva(['test', '-i', 'assistants', '-n', 'y', '--json'], { cwd: dir })
  expect([named.code, results(named.stdout).length]).toEqual([0, 3])
})

test('a number in YAML keeps its text where text is compared', async () => {
  const dir = makeFolder({
    'cases.yaml': `
- {id: other, input: "v1.5", assert: [{type: contains, value: 1.0}]}
- {id: same, input: "v1.0", assert: [{type: contains, value: 1.0}]}
- {id: hidden, input: "v1.0", assert: [{type: all, assertions: [{type: not_contains, value: [2, 1.0]}]}]}
- {id: alias, input: "v1.5", metadata: {v: &v 1.0}, assert: {type: contains, value: *v}}
- {id: turn, turns: [{input: "v1.5", assert: [{type: contains, value: 1.50}]}]}
- {id: plain, input: "v1.5", assert: [{type: contains, value: 1.5}]}
`,
  })
  const run = await viva(['test', ...ECHO, '-i', 'cases.yaml', '--json'], { cwd: dir })
  const found = parseEvents(run.stdout).filter((event) => event.type === 'result')
  expect(Object.fromEntries(found.map(({ id, status }) => [id, status]))).toEqual({
    other: 'failed',
    same: 'passed',
    hidden: 'failed',
    alias: 'failed',
    turn: 'failed',
    plain: 'passed',
  })
  expect(found.find(({ id }) => id === 'alias')).toMatchObject({ metadata: { v: 1 } })
})

test('a getter or a proxy in cases.ts, which could change when it is read again, is refused', async () => {
  const check = "[{ type: 'contains', value: 'nothing like it' }]"
  for (const [name, assertion] of [
    ['getter', `{ id: 'T1', input: 'hi', get assert() { return reads++ > 0 ? [] : ${check} } }`],
    ['proxy', `{ id: 'T1', input: 'hi', assert: new Proxy(${check}, {}) }`],
  ] as const) {
    const dir = makeFolder({ 'cases.ts': `let reads = 0\nexport default [${assertion}]\n` })
    const run = await viva(['test', ...ECHO, '-i', 'cases.ts'], { cwd: dir })
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`cases[0].assert is a ${name}`)])
  }
})
