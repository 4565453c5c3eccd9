// What was asked has an identity: results of other cases are not taken for those of these.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { makeRepository } from '../support/git-repository.js'
import { makeFolder, parseEvents, viva, writeFiles, type CliRun } from '../support/run-cli.js'

vi.setConfig({ testTimeout: 120_000 })

const says = (value: string, more: object = {}) => ({ type: 'contains', value, ...more })
const caseOf = (id: string, more: object = {}) => ({ id, input: `say ${id}`, assert: [says('say')], ...more })
const CASES = ['a', 'b', 'c'].map((id) => caseOf(id))

const run = (cwd: string, ...args: string[]): Promise<CliRun> =>
  viva(['test', '-i', 'cases.jsonl', '-n', 'builtin:echo', ...args], { cwd })

function eventsOf(cwd: string, file: string): Array<Record<string, unknown>> {
  return parseEvents(readFileSync(join(cwd, file), 'utf8'))
}

/** The same file, as if its run had been cut off after its first result. */
function cutOff(cwd: string, file: string): void {
  const lines = readFileSync(join(cwd, file), 'utf8').split('\n')
  writeFileSync(join(cwd, file), `${lines.slice(0, 3).join('\n')}\n`)
}

async function printsOf(given: object, args: string[] = [], files: Record<string, string> = {}): Promise<unknown[]> {
  const cwd = makeFolder({ 'cases.jsonl': [given], ...files })
  await run(cwd, '-o', 'run.jsonl', ...args)
  const [start, result] = ['start', 'result'].map((type) =>
    eventsOf(cwd, 'run.jsonl').find((each) => each['type'] === type),
  )
  const { digest } = (start?.['plan'] ?? {}) as { digest?: string }
  return [result?.['asked'], result?.['judged'], digest]
}

test('a result says what was asked and how it was judged; the start, what was planned', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES })
  await run(cwd, '-o', 'run.jsonl', '--runs', '2', '--retries', '1')
  const [start, ...rest] = eventsOf(cwd, 'run.jsonl')
  expect(start?.['plan']).toEqual({
    count: 3,
    digest: expect.stringMatching(/^[0-9a-f]{32}$/),
    options: { runs: 2, retries: 1 },
  })
  const results = rest.filter(({ type }) => type === 'result')
  expect(new Set(results.map(({ asked }) => asked)).size).toBe(3)
  expect(new Set(results.map(({ judged }) => judged)).size).toBe(1)
})

test('what is asked, what is judged, and what is neither', async () => {
  const base = caseOf('a', { options: { mode: 'x', metadata: { n: 1, m: 2 } } })
  const [asked, judged, digest] = await printsOf(base)
  const same = [
    { ...base, name: 'for people', tags: ['x'] },
    { ...base, options: { metadata: { m: 2, n: 1 }, mode: 'x' } },
    { ...base, assert: undefined, assertions: says('say', { label: 'polite', message: 'say it' }) },
  ]
  for (const each of same) expect(await printsOf(each)).toEqual([asked, judged, digest])
  const other = [
    { ...base, input: 'something else, say' },
    { ...base, options: { mode: 'y', metadata: { n: 1, m: 2 } } },
    { ...base, user: 'ann' },
    {
      ...base,
      input: undefined,
      messages: [
        { role: 'assistant', content: 'hi' },
        { role: 'user', content: 'say a' },
      ],
    },
  ]
  for (const each of other) {
    const [one, two, three] = await printsOf(each)
    expect([one === asked, two === judged, three === digest]).toEqual([false, true, false])
  }
  for (const each of [{ timeout: '9s' }, { min_score: 0.5 }, { assert: [says('say'), says('a')] }, { assert: [] }]) {
    const [one, two, three] = await printsOf({ ...base, ...each })
    expect([one === asked, two === judged, three === digest]).toEqual([true, false, false])
  }
  expect((await printsOf(base, ['-u', 'bob']))[0]).not.toBe(asked)
  expect((await printsOf(base, ['-c', 'other', '--timeout', '9s']))[0]).toBe(asked)
})

test('an attachment is what it holds, wherever it is', async () => {
  const withFile = (path: string) => caseOf('a', { attachments: [{ type: 'file', source: `file://${path}` }] })
  const [one] = await printsOf(withFile('a.txt'), [], { 'a.txt': 'one' })
  const [moved] = await printsOf(withFile('sub/b.txt'), [], { 'sub/b.txt': 'one' })
  const [changed] = await printsOf(withFile('a.txt'), [], { 'a.txt': 'two' })
  expect([moved === one, changed === one]).toEqual([true, false])
})

test('--resume needs the same cases, whatever their file looks like', async () => {
  const attach = { attachments: [{ type: 'file', source: 'file://a.txt' }] }
  const cases = [caseOf('a', attach), caseOf('b'), caseOf('c')]
  const cwd = makeFolder({ 'cases.jsonl': cases, 'a.txt': 'one' })
  await run(cwd, '-o', 'run.jsonl')
  cutOff(cwd, 'run.jsonl')
  const resume = async (given: object[], ...args: string[]): Promise<[number | null, string]> => {
    writeFiles(cwd, { 'cases.jsonl': given, 'copy.jsonl': readFileSync(join(cwd, 'run.jsonl'), 'utf8') })
    const { code, stderr } = await viva(['test', '--resume', 'copy.jsonl', ...args], { cwd })
    return [code, stderr]
  }
  expect((await resume(cases.toReversed()))[0]).toBe(0)
  expect(await resume([caseOf('a', { ...attach, assert: [] }), caseOf('b'), caseOf('c')])).toEqual([
    2,
    expect.stringMatching(/has changed since the run in \S*copy\.jsonl began: a is judged differently/),
  ])
  for (const given of [
    cases.slice(0, 2),
    [...cases, caseOf('d')],
    [cases[0] ?? {}, caseOf('b', { skip: true }), caseOf('c')],
  ])
    expect(await resume(given)).toEqual([2, expect.stringContaining('has changed since')])
  // Not even --force keeps the verdict of a case that is judged differently now; what was not run may change.
  expect(await resume([caseOf('a', { ...attach, assert: [] }), caseOf('b'), caseOf('c')], '--force')).toEqual([
    2,
    expect.stringMatching(/a is judged differently.*\n.*start a new run/),
  ])
  expect((await resume([...cases.slice(0, 2), caseOf('d')], '--force'))[0]).toBe(0)
  writeFiles(cwd, { 'a.txt': 'two' })
  for (const args of [[], ['--force']])
    expect(await resume(cases, ...args)).toEqual([2, expect.stringContaining('a asks something else')])
})

test('merge needs shards of the same cases, and their results', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES })
  const shard = (at: number, ...args: string[]) =>
    run(cwd, '--shard', `${at}/2`, '--run-group', 'g', '--force', '-o', `s${at}.jsonl`, ...args)
  const merge = (...files: string[]) => viva(['merge', ...files, '-o', 'all.jsonl'], { cwd })
  await shard(1)
  await shard(2)
  expect((await merge('s1.jsonl', 's2.jsonl')).code).toBe(0)
  expect(eventsOf(cwd, 'all.jsonl')[0]?.['plan']).toEqual(eventsOf(cwd, 's1.jsonl')[0]?.['plan'])
  // The same cases in other words.
  writeFileSync(join(cwd, 'cases.jsonl'), CASES.map((each) => ` ${JSON.stringify(each)}`).join('\n\n'))
  await shard(2)
  expect((await merge('s1.jsonl', 's2.jsonl')).code).toBe(0)
  // An empty assertion list in a case of the first shard only.
  writeFiles(cwd, { 'cases.jsonl': CASES.map((each) => ({ ...each, assert: [] })) })
  await shard(2)
  for (const files of [
    ['s1.jsonl', 's2.jsonl'],
    ['s2.jsonl', 's1.jsonl'],
  ])
    expect(await merge(...files)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('not shards of one run: cases is'),
    })
  // A result that belongs to another case than the plan says.
  writeFiles(cwd, { 'cases.jsonl': CASES })
  await shard(2)
  const text = readFileSync(join(cwd, 's2.jsonl'), 'utf8')
  writeFileSync(join(cwd, 's2.jsonl'), text.replace(/"judged":"[^"]*"/, '"judged":"0"'))
  expect(await merge('s1.jsonl', 's2.jsonl')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('the results are not those of the cases that the shards were made from'),
  })
})

test('compare names what is judged differently, also where results do not show it', async () => {
  const cwd = makeFolder()
  const runWith = async (file: string, given: object[]) => {
    writeFiles(cwd, { 'cases.jsonl': given })
    await run(cwd, '--force', '-o', file)
  }
  const compare = (...args: string[]) => viva(['compare', 'a.jsonl', 'b.jsonl', ...args], { cwd })
  const gate = ['--fail-on', 'regression']
  await runWith('a.jsonl', CASES)
  await runWith('b.jsonl', [caseOf('a', { timeout: '1h' }), ...CASES.slice(1)])
  expect(await compare(...gate)).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/\nThe assertions of 1 case changed: a \(edited\)\. No regression shown\n/),
    stderr: expect.stringContaining('--allow-changed-cases if that is meant'),
  })
  expect((await compare(...gate, '--allow-changed-cases')).code).toBe(0)
  await runWith('b.jsonl', [caseOf('a', { assert: [says('say'), says('a')] }), ...CASES.slice(1)])
  expect(await compare(...gate)).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 case with more assertions'),
  })
  // The same words, with other options: another question.
  await runWith('b.jsonl', [caseOf('a', { options: { mode: 'y' } }), ...CASES.slice(1)])
  expect((await compare()).stdout).toContain('Asks something else now, not compared (1): a')
  // A file of an earlier version.
  const old = readFileSync(join(cwd, 'a.jsonl'), 'utf8').replaceAll(
    /"(?:asked|judged)":"[^"]*",|"plan":\{.*?\}\},/g,
    '',
  )
  writeFileSync(join(cwd, 'a.jsonl'), old)
  expect((await compare()).stdout).toContain('Note: no fingerprints in the first run')
})

test('--last-failed runs a case again that has changed since it passed', async () => {
  const cwd = makeFolder({ 'cases.jsonl': CASES })
  await run(cwd, '-o', 'one.jsonl')
  writeFiles(cwd, {
    'cases.jsonl': [CASES[0] ?? {}, caseOf('b', { assert: [says('no')] }), caseOf('c', { name: 'x' })],
  })
  const again = await run(cwd, '--last-failed', '-o', 'two.jsonl')
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('1 case changed since')])
  expect(eventsOf(cwd, 'two.jsonl').flatMap(({ type, id }) => (type === 'result' ? [id] : []))).toEqual(['b'])
})

test('an accepted answer to another question waits for review', async () => {
  const agent = 'export default () => "always the same"'
  const snapshot = (input: string) => ({ id: 'a', input, assert: [{ type: 'snapshot' }] })
  const cwd = makeFolder({ 'agent.mjs': agent, 'cases.jsonl': [snapshot('one')] })
  const runAgent = (...args: string[]) =>
    viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs', '--force', '-o', 'out.jsonl', ...args], {
      cwd,
      env: { CI: '' },
    })
  await runAgent('-U')
  expect((await runAgent()).code).toBe(0)
  writeFiles(cwd, { 'cases.jsonl': [snapshot('two')] })
  const changed = await runAgent()
  expect([changed.code, changed.stdout]).toEqual([
    1,
    expect.stringContaining('asks something else than when this answer was accepted'),
  ])
  expect(eventsOf(cwd, 'out.jsonl').at(-1)).toMatchObject({ snapshots: { pending: 1 } })
  expect((await viva(['snapshot', 'review', '--accept'], { cwd })).code).toBe(0)
  expect((await runAgent()).code).toBe(0)
  writeFiles(cwd, { 'cases.jsonl': [{ ...snapshot('two'), name: 'renamed' }] })
  expect((await runAgent()).code).toBe(0)
})

test('diff names the cases of the left side that check less now', async () => {
  const agent = 'export default () => "good"'
  const good = (id: string, more: object = {}) => ({ id, input: id, assert: [says('good')], ...more })
  const suite = Array.from({ length: 30 }, (_, at) => good(`T${at}`))
  const { dir, commit } = makeRepository({ 'agent.mjs': agent, 'cases.jsonl': suite })
  commit({ 'cases.jsonl': [good('T0', { assert: [] }), ...suite.slice(2)] })
  const diff = (...args: string[]) =>
    viva(
      [
        'diff',
        'HEAD~1..HEAD',
        '-i',
        'cases.jsonl',
        '-n',
        './agent.mjs',
        '--runs',
        '5',
        '-o',
        'd.jsonl',
        '--force',
        ...args,
      ],
      {
        cwd: dir,
      },
    )
  const shown = await diff()
  expect([shown.code, shown.stdout]).toEqual([
    0,
    expect.stringContaining('! 2 cases of HEAD~1 changed: T0 (assertions removed or edited), T1 (gone); not worse'),
  ])
  expect(await diff('--fail-on', 'regression')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('--allow-changed-cases if that is meant'),
  })
  expect((await diff('--fail-on', 'regression', '--allow-changed-cases')).code).toBe(0)
})
