// BFCL questions that are not as the rest: none keeps the others of its file from running, or passes for a wrong call.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

interface Imported {
  tools?: Array<{ inputSchema: unknown }>
  expect_tool?: { name: string }
  skip_reason?: string
}

/** What one question becomes, in a file that can be run. */
async function importOne(id: string, tools: object[], truth: object[]): Promise<Imported> {
  const dir = makeFolder({
    'odd.jsonl': [{ id, question: [[{ role: 'user', content: 'q' }]], function: tools }],
    'odd.answers.jsonl': [{ id, ground_truth: truth }],
  })
  const imported = await viva(['import', 'odd.jsonl', '-o', 'out'], { cwd: dir })
  expect(imported.code, imported.stderr).toBe(0)
  const listed = await viva(['test', '-i', 'out/tests/cases.jsonl', '-n', 'openai:m', '--dry-run'], {
    cwd: dir,
    env: { OPENAI_API_KEY: 'key-of-a-test' },
  })
  expect(listed.code, listed.stderr).toBe(0)
  return JSON.parse(readFileSync(join(dir, 'out/tests/cases.jsonl'), 'utf8')) as Imported
}

function tool(name: string, properties: object = {}): object {
  return { name, description: 'd', parameters: { type: 'dict', properties } }
}

test.for<[string, string]>([
  ['math.add', 'math_add'],
  ['math_add', 'math.add'],
])('an answer may write %s as %s: the name is the one that is offered', async ([offered, written]) => {
  const { expect_tool: expected } = await importOne('simple_0', [tool(offered)], [{ [written]: {} }])
  expect(expected?.name).toBe(offered)
})

test.for<[string, string, object[], object[], string]>([
  [
    'two tools of one name',
    'multiple_0',
    [tool('add'), tool('add', { a: { type: 'integer' } })],
    [{ add: {} }],
    'several of its tools have one name',
  ],
  ['a tool that is not offered', 'simple_0', [tool('add')], [{ sub: {} }], 'none of its tools is called "sub"'],
  ['no name', 'simple_0', [tool('add')], [{}], 'none of its tools is called ""'],
  [
    'calls that share an entry',
    'parallel_0',
    [tool('add'), tool('sub')],
    [{ add: {}, sub: {} }],
    'none of its tools is called "add, sub"',
  ],
  [
    'several calls, of a tool whose name ends another',
    'parallel_0',
    [tool('add'), tool('math.add')],
    [{ add: {} }, { add: {} }],
    'a call of "math.add" could be taken for a right one',
  ],
])('is left out, with the reason: %s', async ([, id, tools, truth, reason]) => {
  expect((await importOne(id, tools, truth)).skip_reason).toContain(reason)
})

test('values beside the type of a list are those of its elements', async () => {
  const properties = { days: { type: 'array', items: { type: 'string' }, enum: ['Mon', 'Tue'] } }
  const { tools } = await importOne('simple_0', [tool('plan', properties)], [{ plan: { days: [['Mon']] } }])
  expect(tools?.[0]?.inputSchema).toEqual({
    type: 'object',
    properties: { days: { type: 'array', items: { type: 'string', enum: ['Mon', 'Tue'] } } },
  })
})
