// Rates that carry the judge's error, where runs are looked at: the end of a run, reports, comparisons, variants and revisions.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { outputHash } from '../../src/pipeline/fold/judged/judged-answers.js'
import { makeRepository } from '../support/git-repository.js'
import { makeFolder, viva, type Files } from '../support/run-cli.js'

/** Passes what sounds right. */
const JUDGE = `
export function run(messages: unknown, ctx: unknown, options: { metadata: { output: string } }) {
  return JSON.stringify({ passed: options.metadata.output.includes('sounds right'), score: 1, reason: 'as judged' })
}
`
const COUNT = 80
const CASES = Array.from({ length: COUNT }, (_, at) => ({
  id: `c${at}`,
  input: `answer ${at}`,
  assert: { type: 'agent', use: './judge.ts#run', value: 'Is right' },
}))

/** `right`, `sounds`: of ten answers, how many are right, and how many of all sound right. */
const agentOf = (right: number, sounds: number): string => `
export function run(messages) {
  const number = Number(/\\d+/.exec(messages.at(-1).content)[0])
  return [number % 10 < ${right} ? 'is right' : 'is wrong', number % 10 < ${sounds} ? 'sounds right' : 'sounds wrong'].join(', ')
}
`
const FILES: Files = {
  'judge.ts': JUDGE,
  'cases.jsonl': CASES,
  'viva.config.json': {},
  'before.mjs': agentOf(8, 8),
  'unlucky.mjs': agentOf(8, 5),
  'slick.mjs': agentOf(4, 8),
}

type Line = Record<string, unknown> & { id: string; output: string; assertions: Array<{ judge: Line }> }

function eventsOf(dir: string, name: string): Line[] {
  return readFileSync(join(dir, name), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line)
}

async function run(dir: string, name: string, ...more: string[]): Promise<string> {
  const args = ['test', '-i', 'cases.jsonl', '-n', `./${name}.mjs#run`, '-o', `${name}.jsonl`, ...more]
  return (await viva(args, { cwd: dir })).stdout
}

/** A person who looks at what the answer is, not at how it sounds. */
function label(dir: string, name: string, count = COUNT): void {
  const events = eventsOf(dir, `${name}.jsonl`)
  const run_id = events.find(({ type }) => type === 'start')?.['run_id']
  const results = events.filter(({ type }) => type === 'result').slice(0, count)
  const { id, criterion, hash }: Partial<Line> = results[0]?.assertions[0]?.judge ?? {}
  const draw = {
    type: 'draw',
    run_id,
    judge: { id, criterion, hash },
    seed: 1,
    count,
    of: COUNT,
    method: 'uniform',
  }
  const labels = results.map((result) => ({
    case: result.id,
    run_id,
    run: 1,
    at: 'assertions[0]',
    criterion,
    output: outputHash(result.output),
    verdict: result.output.startsWith('is right') ? 'pass' : 'fail',
    by: 'ann',
  }))
  appendFileSync(join(dir, 'labels.jsonl'), [draw, ...labels].map((line) => `${JSON.stringify(line)}\n`).join(''))
}

const gate = (dir: string, after: string) =>
  viva(['compare', 'before.jsonl', `${after}.jsonl`, '--fail-on', 'regression'], { cwd: dir })

test('a fall that the labels do not confirm is no regression, and one that only they see is', async () => {
  const dir = makeFolder(FILES)
  for (const name of ['before', 'unlucky', 'slick']) await run(dir, name)
  const [unlucky, slick] = [await gate(dir, 'unlucky'), await gate(dir, 'slick')]
  // Without labels: as the judge says, and not a word about corrections.
  expect([unlucky.code, slick.code]).toEqual([1, 0])
  expect(unlucky.stdout).not.toContain('corrected')

  for (const name of ['before', 'unlucky', 'slick']) label(dir, name, 60)
  const [fair, found] = [await gate(dir, 'unlucky'), await gate(dir, 'slick')]
  expect([fair.code, found.code]).toEqual([0, 1])
  expect(fair.stdout).toContain('60 labels of this run')
  expect(fair.stdout).toMatch(/Pass rate as judged: 80% → 50%, -30\.0 points/)
  expect(found.stderr).toContain('corrected for the error of the judge')

  const json = await viva(['compare', 'before.jsonl', 'unlucky.jsonl', '--format', 'json'], { cwd: dir })
  const { pass_rate, after } = JSON.parse(json.stdout) as Record<string, Record<string, unknown>>
  expect(pass_rate).toMatchObject({ verdict: 'unchanged', as_judged: { difference: -30 } })
  expect(after?.['corrected']).toMatchObject({ judges: [{ method: 'labels', labels: 60, false_failures: 37.5 }] })
})

test('fewer than twenty labels correct nothing', async () => {
  const dir = makeFolder(FILES)
  for (const name of ['before', 'unlucky']) {
    await run(dir, name)
    label(dir, name, 19)
  }
  const { code, stdout } = await gate(dir, 'unlucky')
  expect(code).toBe(1)
  expect(stdout).not.toContain('corrected')
})

test('labels of one run do not speak for another, even where the answers are the same', async () => {
  const dir = makeFolder(FILES)
  for (const name of ['before', 'unlucky']) await run(dir, name)
  label(dir, 'before', 60)
  const { stdout } = await viva(['report', 'unlucky.jsonl'], { cwd: dir })
  expect(stdout).not.toContain('Corrected')
})

test('labels of one run only hide no fall, and make none larger', async () => {
  const dir = makeFolder({ ...FILES, 'before.mjs': agentOf(10, 5), 'worse.mjs': agentOf(5, 2) })
  for (const name of ['before', 'worse']) await run(dir, name)
  for (const name of ['worse', 'before']) {
    writeFileSync(join(dir, 'labels.jsonl'), '')
    label(dir, name, 60)
    const { code, stdout } = await gate(dir, 'worse')
    expect(code, stdout).toBe(1)
    expect(stdout).toContain('Pass rate: 50% → 20%')
    expect(stdout).toContain('the error of the judges is not known for both runs: the difference is as they judged')
  }
})

test('a file called labels.jsonl that is something else is left alone, unless it is named', async () => {
  const dir = makeFolder({ ...FILES, 'labels.jsonl': '{"image":"a.png","label":"cat"}\n' })
  await run(dir, 'before')
  expect((await viva(['report', 'before.jsonl'], { cwd: dir })).code).toBe(0)
  const named = await viva(['report', 'before.jsonl', '--labels', 'labels.jsonl'], { cwd: dir })
  expect([named.code, named.stderr]).toEqual([2, expect.stringContaining('BAD_LABELS')])
  // Half of a file of labels is no other file.
  label(dir, 'before', 20)
  expect((await viva(['report', 'before.jsonl'], { cwd: dir })).stderr).toContain('BAD_LABELS')
})

test('reports show the rate that labels give, and leave the event file as it is', async () => {
  const dir = makeFolder(FILES)
  await run(dir, 'slick')
  label(dir, 'slick', 60)
  const bytes = readFileSync(join(dir, 'slick.jsonl'), 'utf8')
  const text = await viva(['report', 'slick.jsonl'], { cwd: dir })
  expect(text.stdout).toMatch(/Corrected for the error of the judge: 4\d\.?\d*% \(.* to .*\) of 80 runs, by 60 labels/)
  expect(text.stdout).toContain('false passes')
  for (const format of ['json', 'markdown', 'html'])
    expect((await viva(['report', 'slick.jsonl', '--format', format], { cwd: dir })).stdout, format).toMatch(
      /corrected/i,
    )
  const elsewhere = makeFolder({})
  const given = ['report', join(dir, 'slick.jsonl'), '--labels', join(dir, 'labels.jsonl')]
  expect((await viva(given, { cwd: elsewhere })).stdout).toContain('60 labels of this run')
  const missing = await viva(['report', 'slick.jsonl', '--labels', 'nowhere.jsonl'], { cwd: dir })
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('nowhere.jsonl')])
  expect(readFileSync(join(dir, 'slick.jsonl'), 'utf8')).toBe(bytes)
})

/** Of a judge that is right nine times of ten. */
async function licensed(files: Files): Promise<string> {
  const dir = makeFolder(files)
  writeFileSync(join(dir, 'mixed.mjs'), agentOf(7, 6))
  await run(dir, 'mixed')
  label(dir, 'mixed')
  const { code } = await viva(['judge', 'check', 'labels.jsonl', '--events', 'mixed.jsonl'], { cwd: dir })
  expect(code).toBe(0)
  writeFileSync(join(dir, 'labels.jsonl'), '')
  return dir
}

test('a licence is part of the run: its results carry it, its summary is corrected, wherever the file goes', async () => {
  const dir = await licensed(FILES)
  const stdout = await run(dir, 'before')
  expect(stdout).toContain('by a licence from 80 labels')
  const events = eventsOf(dir, 'before.jsonl')
  expect(events.find(({ type }) => type === 'result')?.assertions[0]?.judge).toMatchObject({
    licensed: true,
    licence: { both_pass: 48, people_pass_only: 8 },
  })
  expect(events.at(-1)).toMatchObject({ corrected: { judges: [{ method: 'licence', labels: 80, as_judged: 80 }] } })

  const elsewhere = makeFolder({})
  for (const name of ['before', 'unlucky']) {
    await run(dir, name)
    writeFileSync(join(elsewhere, `${name}.jsonl`), readFileSync(join(dir, `${name}.jsonl`)))
  }
  // The judge is the same on both sides, so its errors do not explain a difference: the claim stands.
  const { code, stdout: compared } = await gate(elsewhere, 'unlucky')
  expect(code).toBe(1)
  expect(compared).toContain('corrected for the error of the judge')
})

test('variants: each with its corrected rate, and the difference between them', async () => {
  const dir = await licensed({
    ...FILES,
    'viva.config.json': {
      variants: [
        { name: 'old', target: './before.mjs#run' },
        { name: 'new', target: './unlucky.mjs#run' },
      ],
    },
  })
  const { stdout } = await viva(['test', '-i', 'cases.jsonl', '-o', 'both.jsonl'], { cwd: dir })
  expect(stdout).toMatch(/new is worse than old: -\d+\.\d points .*; -30\.0 as judged\)/)
  expect(stdout).toContain('old, corrected for the error of the judge')
  const { variants } = eventsOf(dir, 'both.jsonl').at(-1) as unknown as { variants: Line[] }
  expect(variants[1]).toMatchObject({ difference: { as_judged: -30 }, corrected: { judges: [{ method: 'licence' }] } })
})

test('diff: the decision is about the corrected difference', async () => {
  const dir = await licensed(FILES)
  const licences = Object.fromEntries(
    ['licences'].flatMap((folder) =>
      eventsOf(dir, 'mixed.jsonl')
        .filter(({ type }) => type === 'result')
        .slice(0, 1)
        .map(({ assertions }) => {
          const path = `${folder}/${String(assertions[0]?.judge['hash'])}.json`
          return [path, readFileSync(join(dir, path), 'utf8')]
        }),
    ),
  )
  const repository = makeRepository({ ...FILES, ...licences, 'agent.mjs': agentOf(8, 8) })
  repository.commit({ 'agent.mjs': agentOf(8, 5) })
  const args = ['diff', 'HEAD~1..HEAD', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--json']
  const { code, stdout } = await viva(args, { cwd: repository.dir, env: { TMPDIR: makeFolder({}) } })
  const found = JSON.parse(stdout) as { decision: { difference: number; as_judged: number }; conclusion: string }
  expect(code).toBe(1)
  expect(found.decision.as_judged).toBe(-30)
  expect(found.decision.difference).toBeLessThan(-30)
  expect(found.conclusion).toContain('corrected for the error of the judge (-30.0 points as judged)')
}, 120_000)

test('a case with nothing but advice is said to be unchecked, and fails where vacuous cases do', async () => {
  const dir = makeFolder({ ...FILES, 'viva.config.json': { judges: { require_licence: true } } })
  writeFileSync(
    join(dir, 'cases.jsonl'),
    CASES.slice(0, 3)
      .map((each, at) => (at === 0 ? { ...each, assert: [each.assert, { type: 'contains', value: 'right' }] } : each))
      .map((each) => `${JSON.stringify(each)}\n`)
      .join(''),
  )
  const args = ['test', '-i', 'cases.jsonl', '-n', './before.mjs#run']
  const advised = await viva([...args, '-o', 'advised.jsonl'], { cwd: dir })
  expect(advised.code).toBe(0)
  expect(advised.stdout).toContain(
    'Not checked: 2 passed cases have only the advice of a judge without a licence (c1, c2)',
  )
  expect(eventsOf(dir, 'advised.jsonl').at(-1)).toMatchObject({ advice_only: 2, advice_only_ids: ['c1', 'c2'] })
  const strict = await viva([...args, '--fail-on-vacuous'], { cwd: dir })
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining('2 cases passed on advice alone')])
})
