// Cases that an agent or a script writes: kept in a file, checked like any other, and never trusted with more.
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'

/** A module that answers with the content of `answer.txt`, and keeps what it was sent. */
const GENERATOR = `
import { readFileSync, writeFileSync } from 'node:fs'
export const text = (messages, ctx, options) => {
  writeFileSync('asked.json', JSON.stringify({ messages, ctx, options }))
  return readFileSync('answer.txt', 'utf8')
}
`

const ARGS = ['test', '-i', 'agents:./generator.mjs#text?count=2&focus=edge-cases&strict=true', '-n', 'builtin:echo']

function folder(answer: unknown): string {
  return makeFolder({
    'generator.mjs': GENERATOR,
    'answer.txt': typeof answer === 'string' ? answer : JSON.stringify(answer),
    'scripts/mark.ts': `
import { writeFileSync } from 'node:fs'
export function Check() { writeFileSync('ran', ''); return true }
export function cases({ count }) { return [{ id: 'S' + count, input: 'hi', before: 'scripts:mark.Check' }] }
`,
  })
}

async function generate(answer: unknown, more: string[] = [], args = ARGS) {
  const cwd = folder(answer)
  return { ...(await viva([...args, ...more], { cwd })), cwd }
}

const CASES = [
  { id: 'G1', input: 'hello', assertions: [{ type: 'contains', value: 'hello' }] },
  {
    id: 'G2',
    name: 'Two turns',
    turns: [
      { input: 'a', assertions: [{ type: 'contains', value: 'a' }] },
      { input: 'b', options: { metadata: { x: 1 } } },
    ],
    final_assertions: [{ type: 'regex', value: '^b$' }],
    checkpoints: [{ id: 'c', assertion: { type: 'contains', value: 'a' } }],
    retry: { max_attempts: 2 },
    min_score: 0.5,
    max_turns: 3,
  },
]

test('the generator learns about the agent, and its cases are kept in a file that runs unchanged', async () => {
  const dry = await generate({ cases: CASES }, ['--dry-run', '-o', 'generated.jsonl'])
  expect(dry.code).toBe(0)
  expect(dry.stdout).toContain(
    '○ [G1] (1 assertion)\n○ [G2] Two turns (2 turns)\n\n2 cases for builtin:echo; nothing was run',
  )
  const { cwd } = dry
  const asked = JSON.parse(readFileSync(join(cwd, 'asked.json'), 'utf8')) as {
    messages: [{ content: string }]
  }
  const told = { test_mode: 'generator', target_agent: 'builtin:echo', count: 2, focus: 'edge-cases', strict: true }
  expect(asked).toMatchObject({
    messages: [{ role: 'user' }],
    ctx: { referer: 'agent-test', metadata: told },
    options: { skip: { history: true }, metadata: told },
  })
  expect(JSON.parse(asked.messages[0].content)).toMatchObject(told)

  const run = await viva(['test', '-i', 'generated.jsonl', '-n', 'builtin:echo', '--json'], { cwd })
  const direct = await viva([...ARGS, '--json'], { cwd })
  const outcomes = (text: string) =>
    parseEvents(text)
      .filter((event) => event.type === 'result')
      .map(({ id, status, output, turns, checkpoints }) => ({ id, status, output, turns, checkpoints }))
  const withoutTimes = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(/"(start|duration)_ms":[\d.]+/g, '"$1_ms":0'))
  expect(outcomes(run.stdout)).toHaveLength(2)
  expect(withoutTimes(outcomes(run.stdout))).toEqual(withoutTimes(outcomes(direct.stdout)))
})

test.each([
  ['a list', CASES],
  ['a record of test_cases', { test_cases: CASES }],
  ['a fenced block', `Here they are:\n\`\`\`json\n${JSON.stringify({ cases: CASES }, null, 2)}\n\`\`\`\nEnjoy!`],
  ['one case a line', CASES.map((each) => JSON.stringify(each)).join('\n')],
  [
    'prose with trailing commas and comments',
    `Sure. {"cases": [ // two\n${CASES.map((each) => `${JSON.stringify(each)},`).join('\n')} ]} Done.`,
  ],
])('%s is understood', async (_form, answer) => {
  const run = await generate(answer, ['--dry-run'])
  expect(run.stdout).toContain('2 cases for builtin:echo')
})

test('fewer or more cases than asked for are a warning', async () => {
  const fewer = await generate({ cases: CASES.slice(0, 1) })
  expect(fewer.code).toBe(0)
  expect(fewer.stderr).toContain('asked for 2 cases, got 1')
  const more = await generate({ cases: [...CASES, { id: 'G3', input: 'x' }] }, ['--dry-run'])
  expect(more.stderr).toContain('asked for 2 cases, got 3')
  const exact = await generate({ cases: CASES })
  expect(exact.stderr).not.toContain('asked for')
})

test('a bad case is reported with its number, and no case runs', async () => {
  const bad = [
    CASES[0],
    { id: 'G2', input: 'x', asserts: [] },
    { id: 'G1', input: 'twice' },
    { id: 'G4' },
    { id: 'G5', input: 'x', assertions: [{ type: 'contians', value: 'x' }] },
    'not a case',
  ]
  const run = await generate({ cases: bad }, ['-o', 'out.jsonl'])
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('5 problems; nothing was run')
  for (const text of [
    'cases[1].asserts: unknown field "asserts" – did you mean "assert"?',
    'cases[2].id: duplicate id "G1": first on case 1, again on case 3',
    'cases[3]: "call", "input", "messages", "turns" or "simulator" required',
    'cases[4].assertions[0].type: unknown assertion type: contians – did you mean "contains"?',
    'cases[5]: expected an object, found string "not a case"',
  ]) {
    expect(run.stderr).toContain(text)
  }
  expect(existsSync(join(run.cwd, 'out.jsonl'))).toBe(false)
})

test('an answer without cases is the generator’s error, with its first words', async () => {
  for (const answer of ['I would rather not.', '{"cases": []}', '']) {
    const run = await generate(answer)
    expect(run.code).toBe(2)
    expect(run.stderr).toContain(`generator error: the generator's answer`)
    expect(run.stderr).toContain(answer === '' ? '(empty)' : answer)
    expect(run.stderr).toContain('code: GENERATOR_FAILED')
  }
})

test('an invalid count is refused before anything is asked', async () => {
  const run = await viva(['test', '-i', 'agents:nobody?count=lots', '-n', 'builtin:echo'], { cwd: folder('') })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('count must be a whole number of at least 1, found "lots"')
})

test('cases by a model run no scripts and read no files, unless a person allows it', async () => {
  const cases = [
    { id: 'script', input: 'x', assertions: [{ type: 'script', script: 'scripts.mark.Check' }] },
    { id: 'hook', input: 'x', before: 'scripts:mark.Check' },
    {
      id: 'file',
      input: {
        content: [
          { type: 'text', text: 'read' },
          { type: 'file', source: 'file://answer.txt' },
        ],
      },
    },
    { id: 'web', input: 'x', attachments: [{ type: 'image', source: 'https://example.com/x.png' }] },
    { id: 'program', simulator: { use: 'exec:touch ran' } },
  ]
  const refused = await generate({ cases })
  expect(refused.code).toBe(2)
  expect(refused.stderr).toContain('want to run scripts or read files')
  expect(refused.stderr).toContain('pass --allow-outside to trust the generator')
  for (const index of cases.keys()) expect(refused.stderr).toContain(`cases[${index}]`)
  expect(existsSync(join(refused.cwd, 'ran'))).toBe(false)

  const allowed = await generate({ cases: cases.slice(0, 3) }, ['--allow-outside', '--json'])
  expect(parseEvents(allowed.stdout).filter((event) => event.type === 'result')).toMatchObject([
    { id: 'script', status: 'passed' },
    { id: 'hook', status: 'passed' },
    { id: 'file', status: 'passed' },
  ])
})

test('what is refused can be read in a file first: a dry run writes it', async () => {
  const cases = [{ id: 'script', input: 'x', assertions: [{ type: 'script', script: 'scripts.mark.Check' }] }]
  const dry = await generate({ cases }, ['--dry-run', '-o', 'cases.jsonl'])
  expect(dry.code).toBe(0)
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo'], { cwd: dry.cwd })
  expect(run.code).toBe(0)
})

test('a script of the project writes what it likes', async () => {
  const run = await generate('', ['--json'], ['test', '-i', 'scripts:mark.cases?count=7', '-n', 'builtin:echo'])
  expect(parseEvents(run.stdout).find((event) => event.type === 'result')).toMatchObject({ id: 'S7', status: 'passed' })
})

test('the agent under test must be named', async () => {
  const run = await viva(['test', '-i', 'agents:./generator.mjs#text'], { cwd: folder('') })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('name it with -n, for example: -n assistants.expense')
})

test('the file may be of any kind that cases are read from, and is not overwritten', async () => {
  const cwd = folder({ cases: CASES })
  const written: string[] = []
  for (const name of ['a.jsonl', 'a.json', 'a.yaml']) {
    expect((await viva([...ARGS, '--dry-run', '-o', name, '--runs', '3'], { cwd })).code).toBe(0)
    const again = await viva(['test', '-i', name, '-n', 'builtin:echo', '--dry-run', '-o', `b-${name}.jsonl`], { cwd })
    expect(again.code, again.stderr).toBe(0)
    written.push(readFileSync(join(cwd, `b-${name}.jsonl`), 'utf8'))
  }
  expect(new Set(written).size).toBe(1)
  const twice = await viva([...ARGS, '--dry-run', '-o', 'a.jsonl'], { cwd })
  expect(twice.code).toBe(2)
  expect(twice.stderr).toContain('--force')
  rmSync(join(cwd, 'asked.json'))
  const report = await viva([...ARGS, '--dry-run', '-o', 'report.html'], { cwd })
  expect(report.code).toBe(2)
  expect(existsSync(join(cwd, 'asked.json'))).toBe(false)
  expect(report.stderr).toContain('name it .jsonl, .json or .yaml')
})

test('a script writes cases as a program does: what is undefined or no data is refused, not left out', async () => {
  const rows: [testCase: string, error: string][] = [
    [`assert: { type: 'contains', value: undefined }`, 'cases[0].assert.value: is missing'],
    [`expected: undefined`, 'cases[0].expected is undefined, so it would check nothing'],
    [`expected: NaN`, 'cases[0].expected is NaN'],
    [`assert: { type: 'equals', value: new Map(), negate: true }`, 'cases[0].assert.value is an instance of Map'],
  ]
  const source = rows.map(
    ([testCase], index) => `export function C${index}() { return [{ id: 'a', input: 'x', ${testCase} }] }`,
  )
  const cwd = makeFolder({ 'scripts/made.ts': source.join('\n') })
  for (const [index, [testCase, error]] of rows.entries()) {
    const { code, stderr } = await viva(['test', '-i', `scripts:made.C${index}`, '-n', 'builtin:echo'], { cwd })
    expect(stderr, testCase).toContain(error)
    expect(code, testCase).toBe(2)
  }
})
