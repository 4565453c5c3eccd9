// From labels to a licence, through the command line: who may gate, and what a rate that rests on a judge is worth.
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

/** Passes what contains `good`, but is wrong about every ninth. */
const JUDGE = `
export function run(messages: unknown, ctx: unknown, options: { metadata: { output: string } }) {
  const { output } = options.metadata
  const isGood = output.includes('good')
  const isWrong = Number(/\\d+/.exec(output)?.[0]) % 9 === 0
  return JSON.stringify({ passed: isWrong ? !isGood : isGood, score: 1, reason: 'as judged' })
}
`
const CASES = Array.from({ length: 90 }, (_, at) => ({
  id: `c${at}`,
  input: `answer ${at} is ${at % 3 === 0 ? 'bad' : 'good'}`,
  assert: { type: 'agent', use: './judge.ts#run', value: 'Says good' },
}))
const FILES: Files = { 'judge.ts': JUDGE, 'cases.jsonl': CASES, 'viva.config.json': {} }
const RUN = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo']

/** Labels every answer of the sample by what it says. */
async function labelled(): Promise<string> {
  const dir = makeFolder(FILES)
  await viva([...RUN, '-o', 'run.jsonl'], { cwd: dir })
  const lines = eventsOf(dir, 'run.jsonl').filter(({ type }) => type === 'result')
  const start = eventsOf(dir, 'run.jsonl').find(({ type }) => type === 'start')
  const { judge } = lines[0]?.assertions[0] ?? {}
  const { outputHash } = await import('../../src/pipeline/fold/judged/judged-answers.js')
  const labels = lines.slice(0, 60).map(({ id, output }) => ({
    case: id,
    run: 1,
    at: 'assertions[0]',
    criterion: judge.criterion,
    output: outputHash(output),
    verdict: String(output).includes('good') ? 'pass' : 'fail',
    by: 'ann',
  }))
  const { criterion, hash, id } = judge
  const draw = {
    type: 'draw',
    run_id: start?.run_id,
    judge: { id, criterion, hash },
    seed: 1,
    count: 60,
    of: 90,
    method: 'uniform',
  }
  writeFileSync(join(dir, 'labels.jsonl'), [draw, ...labels].map((line) => `${JSON.stringify(line)}\n`).join(''))
  return dir
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any
type Line = Record<string, any>

function eventsOf(dir: string, name: string): Line[] {
  return readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

test('labels become a licence, the licence lets the judge gate, and a changed judge loses it', async () => {
  const dir = await labelled()
  const checked = await viva(['judge', 'check', 'labels.jsonl', '--events', 'run.jsonl'], { cwd: dir })
  expect(checked.code).toBe(0)
  expect(checked.stdout).toContain('licence          granted')
  expect(readdirSync(join(dir, 'licences'))).toHaveLength(1)

  writeFileSync(join(dir, 'viva.config.json'), '{"judges": {"require_licence": true}}')
  const gated = await viva([...RUN, '-o', 'gated.jsonl'], { cwd: dir })
  expect(gated.code).toBe(1)

  writeFileSync(join(dir, 'judge.ts'), `${JUDGE}\n// another prompt`)
  const advised = await viva([...RUN, '-o', 'advised.jsonl'], { cwd: dir })
  expect(advised.code).toBe(0)
  expect(advised.stderr).toContain('no licence')
  const [result] = eventsOf(dir, 'advised.jsonl').filter(({ type }) => type === 'result')
  expect(result?.assertions[0]).toMatchObject({ advice: true, judge: { licensed: false } })
})

test.each<[string, object]>([
  ['criterion', { value: 'Says something else' }],
  ['threshold', { threshold: 0.5 }],
])('another %s voids the licence', async (_what, change) => {
  const dir = await labelled()
  await viva(['judge', 'check', 'labels.jsonl', '--events', 'run.jsonl'], { cwd: dir })
  writeFileSync(join(dir, 'viva.config.json'), '{"judges": {"require_licence": true}}')
  const changed = CASES.map((each) => ({ ...each, assert: { ...each.assert, ...change } }))
  writeFileSync(join(dir, 'cases.jsonl'), changed.map((each) => `${JSON.stringify(each)}\n`).join(''))
  const { code, stderr } = await viva([...RUN, '-o', 'o.jsonl'], { cwd: dir })
  expect([code, stderr.includes('no licence')]).toEqual([0, true])
})

test('another model voids the licence of the built-in judge', async () => {
  const verdict = (passed: boolean) => JSON.stringify({ passed, score: 1, reason: 'r' })
  const connector = (model: string) => ({ type: 'mock', options: { model, responses: [{ output: verdict(true) }] } })
  const dir = makeFolder({
    'cases.jsonl': [{ id: 'a', input: 'x', assert: { type: 'agent', value: 'Is kind' } }],
    'connectors/j.conn.yao': connector('m1'),
  })
  const hashWith = async (model: string): Promise<string> => {
    writeFileSync(join(dir, 'connectors/j.conn.yao'), JSON.stringify(connector(model)))
    rmSync(join(dir, 'o.jsonl'), { force: true })
    await viva([...RUN, '--judge', 'j', '-o', 'o.jsonl'], { cwd: dir })
    return eventsOf(dir, 'o.jsonl').find(({ type }) => type === 'result')?.assertions[0].judge.hash as string
  }
  const first = await hashWith('m1')
  expect(first).toMatch(/^[0-9a-f]{16}$/)
  expect(await hashWith('m2')).not.toBe(first)
  expect(await hashWith('m1')).toBe(first)
})

test('an unlicensed judge changes no exit code, whatever it says, in groups, weights and script tests alike', async () => {
  const fails = `export function run() { return JSON.stringify({ passed: false, score: 0, reason: 'no' }) }`
  const by = { type: 'agent', use: './judge.ts#run', value: 'Is kind' }
  const holds = { type: 'contains', value: 'hello' }
  const dir = makeFolder({
    'judge.ts': fails,
    'viva.config.json': { judges: { require_licence: true } },
    'cases.jsonl': [
      { id: 'alone', input: 'hello', assert: [by, holds] },
      { id: 'all', input: 'hello', assert: { type: 'all', assertions: [by, holds] } },
      { id: 'any', input: 'hello', assert: { type: 'any', assertions: [by, holds] } },
      { id: 'none', input: 'hello', assert: [{ type: 'none', assertions: [by] }, holds] },
      {
        id: 'weighed',
        input: 'hello',
        min_score: 0.9,
        assert: [
          { ...by, weight: 9 },
          { ...holds, weight: 1 },
        ],
      },
      { id: 'negated', input: 'hello', assert: [{ ...by, negate: true }, holds] },
    ],
  })
  const passing = await viva([...RUN], { cwd: dir })
  expect(passing.code).toBe(0)
  writeFileSync(
    join(dir, 'cases.jsonl'),
    `${JSON.stringify({ id: 'fails', input: 'bye', assert: [{ ...by, negate: true }, holds] })}\n` +
      `${JSON.stringify({ id: 'any', input: 'bye', assert: { type: 'any', assertions: [{ ...by, negate: true }, holds] } })}\n`,
  )
  const failing = await viva([...RUN, '-o', 'failing.jsonl'], { cwd: dir })
  expect(failing.code).toBe(1)
  expect(
    eventsOf(dir, 'failing.jsonl')
      .filter(({ type }) => type === 'result')
      .map(({ status }) => status as string),
  ).toEqual(['failed', 'failed'])
})

test('a licence that its labels do not support is refused', async () => {
  const dir = await labelled()
  await viva(['judge', 'check', 'labels.jsonl', '--events', 'run.jsonl'], { cwd: dir })
  const [name = ''] = readdirSync(join(dir, 'licences'))
  const path = join(dir, 'licences', name)
  const licence = JSON.parse(readFileSync(path, 'utf8')) as Line
  writeFileSync(
    path,
    JSON.stringify({ ...licence, labels: { both_pass: 5, judge_pass_only: 5, people_pass_only: 5, both_fail: 5 } }),
  )
  const { code, stderr } = await viva(RUN, { cwd: dir })
  expect(code).toBe(2)
  expect(stderr).toContain('its labels support no licence')
})

test('rates: by labels of this run, by the licence elsewhere, and by nothing where there is neither', async () => {
  const dir = await labelled()
  const rates = async (...args: string[]): Promise<Line[]> =>
    (JSON.parse((await viva(['judge', 'rates', ...args, '--format', 'json'], { cwd: dir })).stdout) as Line)[
      'rates'
    ] as Line[]
  const [unknown] = await rates('run.jsonl')
  expect(unknown?.corrected).toBeUndefined()
  const [known] = await rates('run.jsonl', '--labels', 'labels.jsonl')
  expect(known?.corrected).toMatchObject({ method: 'labels', labels: 60 })
  expect(known?.corrected.interval.low).toBeLessThan(60 / 90)
  expect(known?.corrected.interval.high).toBeGreaterThan(60 / 90)

  await viva(['judge', 'check', 'labels.jsonl', '--events', 'run.jsonl'], { cwd: dir })
  await viva([...RUN, '-o', 'again.jsonl'], { cwd: dir })
  const [carried] = await rates('again.jsonl', '--labels', 'labels.jsonl')
  expect(carried?.corrected).toMatchObject({ method: 'licence', labels: 60 })
})

test('labels of answers that have changed do not count', async () => {
  const dir = await labelled()
  const text = readFileSync(join(dir, 'labels.jsonl'), 'utf8')
  writeFileSync(join(dir, 'labels.jsonl'), text.replaceAll(/"output":"[0-9a-f]+"/g, '"output":"0000000000000000"'))
  const { code, stderr } = await viva(['judge', 'check', 'labels.jsonl', '--events', 'run.jsonl'], { cwd: dir })
  expect([code, stderr]).toEqual([2, expect.stringContaining('no label in labels.jsonl is of an answer')])
})

test('a file that holds something else is refused with its line', async () => {
  const dir = makeFolder({ 'labels.jsonl': '{"case": "a", "verdict": "maybe"}\n' })
  const { code, stderr } = await viva(['judge', 'check', 'labels.jsonl'], { cwd: dir })
  expect(code).toBe(2)
  expect(stderr).toContain('labels.jsonl:1')
})

test('asked again: stable, unmoved by probes, and a judge that changes its mind is seen', async () => {
  const dir = await labelled()
  const again = [
    'judge',
    'check',
    'labels.jsonl',
    '--events',
    'run.jsonl',
    '-i',
    'cases.jsonl',
    '--repeats',
    '2',
    '--probes',
    '--format',
    'json',
  ]
  const steady = JSON.parse((await viva(again, { cwd: dir })).stdout) as { judges: Line[] }
  expect(steady.judges[0]).toMatchObject({
    stability: { value: 1 },
    probes: { length: { value: 1 }, position: { value: 1 } },
  })
})

test('on the terminal: blind until decided, resumable, and two people side by side', async () => {
  const dir = makeFolder(FILES)
  await viva([...RUN, '-o', 'run.jsonl'], { cwd: dir })
  const label = (by: string, typed: string) =>
    viva(['label', 'run.jsonl', '--terminal', '--by', by], { cwd: dir, stdin: typed })
  const first = await label('ann', 'p a note\nq\n')
  const [before = '', after = ''] = first.stderr.split('The judge said')
  expect(before).toContain('Criterion: Says good')
  expect(before).not.toContain('as judged')
  expect(after).toContain('as judged')
  await label('ann', 'f\nq\n')
  await label('bob', 'p\nx\nc\nq\n')
  const lines = eventsOf(dir, 'labels.jsonl')
  expect(lines.filter(({ type }) => type === 'draw')).toHaveLength(1)
  expect(
    lines.filter(({ type }) => type !== 'draw').map(({ by, verdict, note }) => [by, verdict, note].join(' ').trim()),
  ).toEqual(['ann pass a note', 'ann fail', 'bob pass', 'bob cannot_tell'])
  expect(lines[1]?.['case']).toBe(lines[3]?.['case'])
  expect(lines[1]?.['case']).not.toBe(lines[2]?.['case'])
})
