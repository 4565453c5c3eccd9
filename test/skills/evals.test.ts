// `evals.json` and trigger files of a skill as case files, read as they are.
import { hash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva, type Files } from '../support/run-cli.js'
import { scriptedJudge } from './scripted-judge.js'

interface Result {
  type: string
  id: string
  name?: string
  status: string
  input: unknown
  line?: number
  assertions?: Array<Record<string, unknown>>
  changes?: Array<{ path: string }>
}

/** Writes what the task is about into a file of its workspace, and says what it found there. */
const AGENT = `
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
const prompt = readFileSync(0, 'utf8')
const files = readdirSync('.', { recursive: true }).map(String).sort()
if (prompt.includes('write')) writeFileSync('made.tsx', '<FieldGroup/>')
console.log(JSON.stringify({ files, data: files.includes('evals/files/sales.csv') ? readFileSync('evals/files/sales.csv', 'utf8') : '' }))
`
const JUDGE = scriptedJudge(`
  const made = (data.files ?? []).map((file) => file.content).join('')
  return made.includes('FieldGroup') && criteria.includes('FieldGroup') ? 5 : 3
`)

function skill(evals: object, more: Files = {}): Files {
  return { ...JUDGE, 'agent.mjs': AGENT, 's/SKILL.md': '---\nname: s\n---\n', 's/evals/evals.json': evals, ...more }
}

async function run(
  files: Files,
  input = 's/evals/evals.json',
): Promise<{ results: Result[]; text: string; dir: string }> {
  const dir = makeFolder(files)
  return runIn(dir, input)
}

async function runIn(dir: string, input: string): Promise<{ results: Result[]; text: string; dir: string }> {
  const agent = `exec:node ${join(dir, 'agent.mjs')}`
  const { stdout, stderr } = await viva(['test', '-i', input, '-n', agent, '-o', 'out.jsonl'], { cwd: dir })
  const results = (() => {
    try {
      return readFileSync(join(dir, 'out.jsonl'), 'utf8').split('\n').filter(Boolean)
    } catch {
      return []
    }
  })()
  const all = results.map((line) => JSON.parse(line) as Result)
  return { results: all.filter(({ type }) => type === 'result'), text: `${stdout}${stderr}`, dir }
}

test('every expectation is a check of its own, judged by the answer and by the files that were written', async () => {
  const { results } = await run(
    skill(
      {
        skill_name: 's',
        evals: [
          {
            id: 1,
            prompt: 'write a form',
            expected_output: 'A form with a ToggleGroup',
            files: ['evals/files/sales.csv'],
            expectations: ['Uses FieldGroup', { text: 'Uses gap-*', type: 'semantic' }],
          },
        ],
      },
      { 's/evals/files/sales.csv': 'a,b\n' },
    ),
  )
  const [one] = results
  expect(one).toMatchObject({ id: '1', status: 'failed', input: 'write a form', line: 1 })
  expect(one?.assertions?.map(({ type, criterion, passed }) => ({ type, criterion, passed }))).toEqual([
    { type: 'rubric', criterion: 'Uses FieldGroup', passed: true },
    { type: 'rubric', criterion: 'Uses gap-*', passed: false },
  ])
  expect(one?.changes?.map(({ path }) => path)).toEqual(['made.tsx'])
})

test('files of an eval are where it names them, folders with all that is in them', async () => {
  const { results } = await run(
    skill(
      { evals: [{ prompt: 'look', files: ['evals/files/sales.csv', { path: './evals/repo/' }], expectations: ['x'] }] },
      { 's/evals/files/sales.csv': 'a,b\n', 's/evals/repo/src/a.ts': '1', 's/evals/repo/b.ts': '2' },
    ),
  )
  expect(results[0]).toMatchObject({ id: 'eval-1' })
  const { files, data } = (results[0] as unknown as { output: { files: string[]; data: string } }).output
  expect(data).toBe('a,b\n')
  expect(files).toEqual(expect.arrayContaining(['evals/repo/b.ts', 'evals/repo/src/a.ts']))
})

test('files that are not text come byte for byte, and only what the agent changed is a change', async () => {
  const bytes = (seed: number, length: number): Buffer =>
    Buffer.from(Array.from({ length }, (_, at) => (at * seed) % 256))
  const given: Files = {
    's/evals/files/cut.png': Buffer.from([0x89, 0x50, 0xff, 0x00]),
    's/evals/files/edited.csv': 'c,d\n'.repeat(400_000),
    's/evals/files/edited.xlsx': bytes(3, 1000),
    's/evals/files/latin.csv': Buffer.from('caf\xe9', 'latin1'),
    's/evals/files/long.csv': 'a,b\n'.repeat(400_000),
    's/evals/files/sample1.pdf': bytes(7, 2_000_000),
  }
  const dir = makeFolder({
    ...skill({ evals: [{ id: 1, prompt: 'p', files: ['evals/files'], expectations: ['x'] }] }, given),
    ...scriptedJudge(`
      const shown = data.files.map(({ path, change, not_shown }) => [path, change, not_shown])
      return JSON.stringify(shown) === JSON.stringify(${JSON.stringify([
        ['evals/files/edited.csv', 'changed', 'it is too long to be shown'],
        ['evals/files/edited.xlsx', 'changed', 'it is not text'],
      ])}) ? 5 : 1
    `),
    'agent.mjs': `
import { appendFileSync, readdirSync, readFileSync } from 'node:fs'
import { createHash } from 'node:crypto'
const hash = (file) => createHash('sha256').update(readFileSync(file)).digest('hex')
console.log(JSON.stringify(readdirSync('evals/files').sort().map((name) => ['s/evals/files/' + name, hash('evals/files/' + name)])))
for (const name of ['edited.csv', 'edited.xlsx']) appendFileSync('evals/files/' + name, 'x')
`,
  })
  const { results } = await runIn(dir, 's/evals/evals.json')
  const hashes = Object.entries(given).map(([path, content]) => [path, hash('sha256', content as string | Buffer)])
  expect((results[0] as unknown as { output: unknown }).output).toEqual(hashes)
  expect(results[0]?.changes?.map(({ path }) => path)).toEqual(['evals/files/edited.csv', 'evals/files/edited.xlsx'])
  expect(results[0]?.status).toBe('passed')
})

test('a run goes on only with the same bytes', async () => {
  const dir = makeFolder(
    skill(
      { evals: [{ id: 1, prompt: 'p', files: ['evals/a.png'], expectations: ['x'] }] },
      { 's/evals/a.png': Buffer.from([0xff, 0]) },
    ),
  )
  await runIn(dir, 's/evals/evals.json')
  const resume = () => viva(['test', '--resume', 'out.jsonl'], { cwd: dir })
  expect((await resume()).stderr).not.toContain('INPUT_CHANGED')
  writeFileSync(join(dir, 's/evals/a.png'), Buffer.from([0xff, 1]))
  expect(await resume()).toMatchObject({ code: 2, stderr: expect.stringContaining('INPUT_CHANGED') })
})

test('what a dry run writes has the bytes in it, and runs unchanged without the files', async () => {
  const dir = makeFolder(
    skill(
      { evals: [{ id: 1, prompt: 'p', files: ['evals/a.png'], expectations: ['x'] }] },
      {
        's/evals/a.png': Buffer.from([0xff, 0]),
        'agent.mjs': `import { readFileSync } from 'node:fs'\nconsole.log(readFileSync('evals/a.png').toString('hex'))`,
      },
    ),
  )
  await viva(['test', '-i', 's/evals/evals.json', '-n', 'builtin:echo', '--dry-run', '-o', 'cases.json'], { cwd: dir })
  rmSync(join(dir, 's'), { recursive: true })
  const { results } = await runIn(dir, 'cases.json')
  expect(results[0]).toMatchObject({ output: 'ff00' })
})

test('a path may be relative to the evals file as well', async () => {
  const { results } = await run(
    skill(
      { evals: [{ id: 'a', prompt: 'look', files: ['files/x.md'], expectations: ['x'] }] },
      { 's/evals/files/x.md': 'x' },
    ),
  )
  const { files } = (results[0] as unknown as { output: { files: string[] } }).output
  expect(files).toContain('files/x.md')
})

test('without expectations the description of the outcome is the check', async () => {
  const { results } = await run(
    skill({ evals: [{ id: 7, eval_name: 'a form', prompt: 'p', expected_output: 'A form' }] }),
  )
  expect(results[0]).toMatchObject({ id: '7', name: 'a form' })
  expect(results[0]?.assertions).toMatchObject([{ criterion: 'The result is as described: A form' }])
})

test('a list of entries, one a line, and the spelling with query and expected_behavior are read as well', async () => {
  const files: Files = {
    ...skill({ evals: [] }),
    's/list.json': [{ id: 1, prompt: 'p', assertions: ['x'] }],
    's/lines.jsonl': [{ skills: ['s'], query: 'p', files: [], expected_behavior: ['x', 'y'] }],
  }
  const list = await run(files, 's/list.json')
  expect(list.results).toMatchObject([{ id: '1', assertions: [{ criterion: 'x' }] }])
  const lines = await run(files, 's/lines.jsonl')
  expect(lines.results).toMatchObject([{ id: 'eval-1', assertions: [{ criterion: 'x' }, { criterion: 'y' }] }])
})

test('a statement alone, and one that is called a check, are statements', async () => {
  const { results } = await run(
    skill({
      evals: [
        { id: 1, prompt: 'p', expected_behavior: 'Answers with a table' },
        { id: 2, prompt: 'p', assertions: [{ name: 'table', check: 'The answer is a table' }] },
      ],
    }),
  )
  expect(results.map(({ assertions }) => assertions?.map(({ criterion }) => criterion))).toEqual([
    ['Answers with a table'],
    ['The answer is a table'],
  ])
})

const BAD: Array<[name: string, entry: object, message: RegExp]> = [
  [
    'an empty prompt',
    { prompt: ' ', expectations: ['x'] },
    /evals\.json:1:\d+: prompt: expected what the agent is asked, as text, found an empty text/,
  ],
  ['a prompt that is no text', { prompt: 3, expectations: ['x'] }, /prompt: expected .*, found number 3/],
  [
    'expectations that are no list',
    { prompt: 'p', expectations: { a: 1 } },
    /expectations: expected a list of statements, found an object/,
  ],
  [
    'an expectation without words',
    { prompt: 'p', assertions: [{ type: 'contains', value: 'x' }] },
    /assertions\[0\]: expected a statement: .* found an object with type, value/,
  ],
  ['files that are no list', { prompt: 'p', expectations: ['x'], files: 'a' }, /files: expected a list of paths/],
  [
    'a missing file',
    { prompt: 'p', expectations: ['x'], files: ['evals/files/none.csv'] },
    /files\[0\]: there is no file "evals\/files\/none\.csv" in /,
  ],
  [
    'a file outside',
    { prompt: 'p', expectations: ['x'], files: ['../../secret'] },
    /files\[0\]: "\.\.\/\.\.\/secret" cannot be used: .*outside the skill's folder/,
  ],
  [
    'an absolute path',
    { prompt: 'p', expectations: ['x'], files: ['/etc/passwd'] },
    /files\[0\]: "\/etc\/passwd" cannot be used: it is absolute, so it is outside the skill's folder/,
  ],
  [
    'a link that leads out',
    { prompt: 'p', expectations: ['x'], files: ['evals/out'] },
    /files\[0\]: "evals\/out" leads out of the skill's folder/,
  ],
  [
    'a binary file that is too large',
    { prompt: 'p', expectations: ['x'], files: ['evals/files/x.pdf'] },
    /files\[0\]: "evals\/files\/x\.pdf" is larger than 16777216 bytes/,
  ],
  [
    'files that are too large together',
    { prompt: 'p', expectations: ['x'], files: ['evals/files/a.bin', 'evals/files/b.bin'] },
    /fixtures: 18000000 bytes in all, at most 16777216 are allowed/,
  ],
  [
    'the skill itself',
    { prompt: 'p', expectations: ['x'], files: ['SKILL.md'] },
    /files\[0\]: "SKILL\.md" is the skill itself/,
  ],
  ['nothing expected', { prompt: 'p', expectations: [] }, /expectations: nothing is expected of the result/],
  ['an empty outcome', { prompt: 'p', expected_output: '' }, /expectations: nothing is expected of the result/],
  [
    'a check of another tool',
    { prompt: 'p', files: [], must_have: ['x'] },
    /must_have: unknown field "must_have" in a case that checks nothing/,
  ],
]
const LARGE: Array<[file: string, bytes: number]> = [
  ['x.pdf', 16 * 1024 * 1024 + 1],
  ['a.bin', 9_000_000],
  ['b.bin', 9_000_000],
]
for (const [name, entry, message] of BAD)
  test(`refused, and nothing is run: ${name}`, async () => {
    const dir = makeFolder(skill({ skill_name: 's', evals: [entry] }, { 'outside.txt': 'x' }))
    mkdirSync(join(dir, 's/evals/files'), { recursive: true })
    for (const [file, bytes] of LARGE) writeFileSync(join(dir, 's/evals/files', file), Buffer.alloc(bytes))
    symlinkSync(join(dir, 'outside.txt'), join(dir, 's/evals/out'))
    const { text, results } = await runIn(dir, 's/evals/evals.json')
    expect(text).toMatch(message)
    expect(results).toEqual([])
  })

test('a check of another tool beside expectations is named as ignored', async () => {
  const { text } = await run(skill({ evals: [{ id: 1, prompt: 'p', expectations: ['x'], must_have: ['y'] }] }))
  expect(text).toContain('unknown field "must_have" is ignored')
})

test('entries in a second list are not lost without a word', async () => {
  const { text, results } = await run(
    skill({
      evals: [{ id: 1, prompt: 'p', expectations: ['x'] }],
      trigger_evals: [{ query: 'q', should_trigger: true }],
    }),
  )
  expect(text).toContain('"trigger_evals" beside "evals" holds entries that nothing reads')
  expect(results).toEqual([])
})

test('what would check all entries is not lost without a word', async () => {
  const { text, results } = await run(
    skill({ evals: [{ id: 1, prompt: 'p', expectations: ['x'] }], expectations: ['Is polite'] }),
  )
  expect(text).toContain('"expectations" beside "evals" checks nothing')
  expect(results).toEqual([])
})

test('two evals with one id are refused', async () => {
  const { text } = await run(
    skill({
      evals: [
        { id: 1, prompt: 'p', expectations: ['x'] },
        { id: '1', prompt: 'q', expectations: ['x'] },
      ],
    }),
  )
  expect(text).toContain('duplicate id "1"')
})

test('trigger queries are known by their place, in a list, a line each, and with query, prompt or input', async () => {
  const skillMd = '---\nname: s\ndescription: Made up.\n---\n'
  const files: Files = {
    's/SKILL.md': skillMd,
    's/evals/triggers.jsonl': [
      { query: 'one', should_trigger: true, rationale: 'obvious' },
      { input: 'two', should_trigger: false },
      { id: 7, prompt: 'three', should_trigger: false },
      { id: 'named', query: 'four', should_trigger: true },
    ],
  }
  const dir = makeFolder(files)
  const check = (input: string) => viva(['test', '-i', input, '-n', 'builtin:echo', '-o', 'out.jsonl'], { cwd: dir })
  const { stderr, stdout } = await check('s/evals/triggers.jsonl')
  const lines = readFileSync(join(dir, 'out.jsonl'), 'utf8').split('\n').filter(Boolean)
  const results = lines.map((line) => JSON.parse(line) as Result).filter(({ type }) => type === 'result')
  expect(results.map(({ id, input }) => [id, input])).toEqual([
    ['trigger-1', 'one'],
    ['trigger-2', 'two'],
    ['trigger-7', 'three'],
    ['named', 'four'],
  ])
  // An agent that reports no skills shows neither that one was used nor that none was.
  expect(results.map(({ status }) => status)).toEqual(['failed', 'failed', 'failed', 'failed'])
  expect(`${stdout}${stderr}`).toContain('unknown field "rationale" is ignored')
})

test.each([
  [[{ query: '', should_trigger: true }], /triggers\.json:1:\d+: query: expected what the agent is asked/],
  [[{ query: 'q', should_trigger: 'yes' }], /should_trigger.*true or false|should_trigger.*boolean/],
  [[{ query: 'q', should_triger: true }], /unknown field "should_triger"/],
  [
    { skill_name: 's', triggers: ['q'] },
    /found an object with skill_name, triggers; .* its queries in one called "queries"/,
  ],
  [
    { should_trigger: ['q', 3] },
    /triggers\.json:1:24: query: expected what the agent is asked, as text, found number 3/,
  ],
  [{ should_trigger: ['q'], should_not_trigger: [''] }, /triggers\.json:1:\d+: query: .* found an empty text/],
  [
    { should_not_trigger: [{ query: 'q', should_trigger: true }] },
    /triggers\.json:1:\d+: its should_trigger is not what the list "should_not_trigger" says/,
  ],
  [
    { should_trigger: ['q'], more: [{ query: 'r', should_trigger: false }] },
    /"more" beside "should_trigger" holds entries that nothing reads/,
  ],
])('a trigger file with a mistake is refused: %j', async (content, message) => {
  const dir = makeFolder({ 'triggers.json': content })
  const { stderr, code } = await viva(['test', '-i', 'triggers.json', '-n', 'builtin:echo'], { cwd: dir })
  expect(code).toBe(2)
  expect(stderr).toMatch(message)
})

test('who labels what a judge said of written files sees them, and the label is of these files only', async () => {
  const { dir } = await run(
    skill(
      { evals: [{ id: 1, prompt: 'write a form', expectations: ['Uses FieldGroup'], files: ['evals/a.txt'] }] },
      { 's/evals/a.txt': 'x' },
    ),
  )
  const { judgedAnswers } = await import('../../src/pipeline/fold/judged/judged-answers.js')
  const events = readFileSync(join(dir, 'out.jsonl'), 'utf8').split('\n').filter(Boolean)
  async function* stream() {
    for (const line of events) yield JSON.parse(line) as never
  }
  const seen: unknown[] = []
  for await (const { output } of judgedAnswers(stream())) seen.push(output)
  expect(seen[0]).toMatchObject({
    files: [{ path: 'made.tsx', change: 'added', diff: expect.stringContaining('+<FieldGroup/>') }],
  })
})

test.each([
  { skill_name: 's', purpose: 'x', queries: [{ query: 'q', should_trigger: true }] },
  { skill_name: 's', schema_version: 1, cases: [{ query: 'q', should_trigger: true }] },
])('trigger queries in an object, with what their tools keep beside them: %j', async (content) => {
  const { results } = await run({ ...skill({ evals: [] }), 'triggers.json': content }, 'triggers.json')
  expect(results).toMatchObject([{ id: 'trigger-1', input: 'q' }])
})

test('queries in lists that are called what they should do', async () => {
  const content = {
    skill_name: 's',
    should_trigger: ['one', { query: 'two', why: 'x' }],
    should_not_trigger: ['three'],
  }
  const dir = makeFolder({
    's/SKILL.md': '---\nname: s\ndescription: x\n---\n',
    's/evals/triggers.json': JSON.stringify(content, null, 2),
  })
  const { stdout } = await viva(
    ['test', '-i', 's/evals/triggers.json', '-n', 'builtin:echo', '--dry-run', '-o', 'cases.json'],
    { cwd: dir },
  )
  expect(stdout).toContain('3 cases')
  expect(JSON.parse(readFileSync(join(dir, 'cases.json'), 'utf8'))).toMatchObject([
    { id: 'trigger-1', input: 'one', should_trigger: true },
    { id: 'trigger-2', input: 'two', should_trigger: true },
    { id: 'trigger-3', input: 'three', should_trigger: false },
  ])
})

test('a dry run counts queries on the side where they run', async () => {
  const dir = makeFolder({
    's/SKILL.md': '---\nname: s\ndescription: x\n---\n',
    's/evals/triggers.json': { should_trigger: ['a', 'b'], should_not_trigger: ['c'] },
    's/evals/evals.jsonl': [{ id: 'e', input: 'p', expected: 'x' }],
  })
  const { stderr } = await ofSkill(dir, ['--runs', '5'])
  expect(stderr).toContain('4 cases × 2 variants × 5 runs: 25 units (3 cases for one variant only)')
})

const QUERIES = [{ query: 'q', should_trigger: true }]

test.each(['triggers.json', 'trigger_eval.json', 'trigger-eval-set.json', 'trigger-cases.jsonl', 'eval_queries.json'])(
  'the queries of a skill are found without being named: %s',
  async (name) => {
    const dir = makeFolder({ 's/SKILL.md': '---\nname: s\ndescription: x\n---\n', [`s/evals/${name}`]: QUERIES })
    const { stdout } = await ofSkill(dir)
    expect(stdout).toContain('[trigger-1]')
  },
)

test('files of other names are not taken for evals, but named', async () => {
  const files = { 's/evals/trigger-results.json': QUERIES, 's/evals/train.json': QUERIES, 's/evals/README.md': 'x' }
  const { code, stderr } = await ofSkill(makeFolder({ 's/SKILL.md': '---\nname: s\ndescription: x\n---\n', ...files }))
  expect([code, stderr]).toEqual([2, expect.stringContaining('-i s/evals/train.json, -i s/evals/trigger-results.json')])
})

function ofSkill(dir: string, more: string[] = []) {
  const agent = ['--with', 'exec:node agent.mjs', '--skills-folder', '.claude/skills']
  return viva(['test', '-n', 'skill:s', ...agent, '--dry-run', ...more], { cwd: dir })
}
