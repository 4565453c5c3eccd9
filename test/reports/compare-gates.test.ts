// `viva compare --fail-on` as a gate: what is broken is found, and what was not shown does not pass.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, viva, writeFiles, type CliRun } from '../support/run-cli.js'

// BROKEN names the inputs that are answered wrongly; "a:3" is wrong from the third time on.
const AGENT = `
const broken = Object.fromEntries((process.env.BROKEN ?? '').split(',').map((item) => item.split(':')))
const asked = {}
export function run(messages) {
  const text = messages.at(-1).content
  asked[text] = (asked[text] ?? 0) + 1
  return text in broken && asked[text] >= Number(broken[text] ?? 1) ? 'wrong' : 'right'
}
`
const caseOf = (id: string, more: object = {}) => ({
  id,
  input: `q-${id}`,
  assert: { type: 'equals', value: 'right' },
  ...more,
})
const cases = (count: number) => Array.from({ length: count }, (_, n) => caseOf(`T${n}`))

class Bench {
  readonly cwd = makeFolder({ 'agent.mjs': AGENT })

  async run(name: string, given: object[], { args = [], broken = '' }: { args?: string[]; broken?: string } = {}) {
    writeFiles(this.cwd, { 'cases.jsonl': given })
    const base = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', `${name}.jsonl`]
    await viva([...base, ...args], { cwd: this.cwd, env: { BROKEN: broken } })
  }

  compare(...args: string[]): Promise<CliRun> {
    return viva(['compare', 'a.jsonl', 'b.jsonl', ...args], { cwd: this.cwd })
  }
}

const GATE = ['--fail-on', 'regression']

test('one broken case of eight is found with five runs each; a case that failed once is not called broken', async () => {
  const bench = new Bench()
  const args = ['--runs', '5']
  await bench.run('a', cases(8), { args })
  await bench.run('b', cases(8), { args, broken: 'q-T3' })
  const broken = await bench.compare(...GATE)
  expect(broken.code).toBe(1)
  expect(broken.stdout).toMatch(/T3 100% → 0% \(Fisher, adjusted p = 0\.0159\)/)
  expect(broken.stderr).toContain('--fail-on regression: the pass rate fell by 12.5 points')
  await bench.run('b', cases(8), { args: [...args, '--force'], broken: 'q-T3:5' })
  const once = await bench.compare(...GATE)
  expect([once.code, once.stderr]).toEqual([0, ''])
  expect(once.stdout).toContain('which may be chance')
})

test('a small suite with many runs can regress: 100 of 100 to 75 of 100 on five cases', async () => {
  const bench = new Bench()
  const args = ['--runs', '20']
  await bench.run('a', cases(5), { args })
  const broken = [0, 1, 2, 3, 4].map((n) => `q-T${n}:16`).join(',')
  await bench.run('b', cases(5), { args, broken })
  const { code, stdout } = await bench.compare(...GATE)
  expect(code).toBe(1)
  expect(stdout).toMatch(/^Pass rate: 100% → 75%, -25\.0 points \(-[\d.]+ to -[\d.]+\): worse$/m)
  expect(stdout).toContain('stratified exact test, p < 0.0001, 5 cases, 95% confidence')
})

test('weaker cases shut the gate, and --allow-changed-cases opens it', async () => {
  const bench = new Bench()
  await bench.run('a', cases(3))
  await bench.run('b', [
    caseOf('T0'),
    caseOf('T1', { assert: { type: 'contains', value: 'r' } }),
    { id: 'T2', input: 'q-T2' },
  ])
  const gate = await bench.compare(...GATE)
  expect([gate.code, gate.stderr]).toEqual([
    1,
    '--fail-on regression: the assertions of 2 cases changed: T1 (equals "right" → contains "r"), T2 (without equals "right") (--allow-changed-cases if that is meant)\n',
  ])
  expect(gate.stdout).toMatch(/^Changed assertions \(2\)\n/)
  expect((await bench.compare(...GATE, '--allow-changed-cases')).code).toBe(0)
})

test('runs with different plans are refused; --allow-different-plans shows numbers and never opens the gate', async () => {
  const bench = new Bench()
  await bench.run('a', cases(3), { args: ['--runs', '5'] })
  await bench.run('b', cases(3), { args: ['--runs', 'auto'] })
  const refused = await bench.compare(...GATE)
  expect(refused.code).toBe(1)
  expect(refused.stderr).toMatch(
    /^--fail-on regression: cannot compare: different run plans: --runs 5, and --runs auto/,
  )
  const shown = await bench.compare('--allow-different-plans')
  expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/\nNo verdict: different run plans/)])
  const gate = await bench.compare('--allow-different-plans', ...GATE)
  expect([gate.code, gate.stderr]).toEqual([
    1,
    expect.stringMatching(/^--fail-on regression: no verdict: different run plans/),
  ])
})

test('cases that passed and are missing shut the gate, and --allow-missing opens it', async () => {
  const bench = new Bench()
  await bench.run('a', cases(6))
  await bench.run('b', [...cases(4), caseOf('T4', { skip: true }), caseOf('new')])
  const shown = await bench.compare()
  expect(shown.code).toBe(0)
  expect(shown.stdout).toMatch(
    /^Note: the runs have different cases: 1 only before, 1 only after; the numbers are of the 5/,
  )
  const gate = await bench.compare(...GATE)
  expect(gate.code).toBe(1)
  expect(gate.stdout).toContain('No regression shown, but 2 cases that passed before are missing: T5, T4')
  expect(gate.stderr).toContain('2 cases that passed before missing (--allow-missing if that is meant)')
  expect((await bench.compare(...GATE, '--allow-missing')).code).toBe(0)
  expect((await bench.compare('--fail-on', 'newly-failing', '--allow-missing')).code).toBe(0)
})

test('renamed cases are the same cases, edited ones are listed and not compared', async () => {
  const bench = new Bench()
  await bench.run('a', cases(5))
  const renamed = cases(5).map((item, n) => ({ ...item, id: `renamed-${n}` }))
  await bench.run('b', renamed)
  const same = await bench.compare(...GATE)
  expect([same.code, same.stderr]).toEqual([0, ''])
  expect(same.stdout).toContain('Same question under another id (5): T0 → renamed-0, T1 → renamed-1')
  await bench.run('b', [...cases(4), caseOf('T4', { input: 'another question' })], { args: ['--force'] })
  const edited = await bench.compare(...GATE)
  expect(edited.code).toBe(0)
  expect(edited.stdout).toContain('Asks something else now, not compared (1): T4')
  await bench.run('b', [...cases(4), caseOf('T4', { input: 'other' })], { args: ['--force'], broken: 'other' })
  expect((await bench.compare(...GATE)).code).toBe(1)
})

test.each<[string, { a?: string[]; b?: string[]; given?: object[] }, string]>([
  [
    'nothing in common',
    { given: cases(4).map(({ assert }, n) => ({ id: `X${n}`, input: `x${n}`, assert })) },
    'no case in common',
  ],
  [
    'everything skipped now',
    { given: cases(4).map((item) => ({ ...item, skip: true })) },
    'every case is skipped in the second run',
  ],
  ['three quarters gone', { given: cases(1) }, 'only 1 of the 4 cases of the first run'],
  ['a shard against a whole', { b: ['--shard', '2/2'] }, 'the first run is all cases, the second shard 2/2'],
])('cannot compare: %s', async (_, { a = [], b = [], given = cases(4) }, reason) => {
  const bench = new Bench()
  await bench.run('a', cases(4), { args: a })
  await bench.run('b', given, { args: b })
  const shown = await bench.compare('-o', 'c.json')
  expect(shown.code).toBe(0)
  expect(JSON.parse(readFileSync(join(bench.cwd, 'c.json'), 'utf8'))).toMatchObject({
    cannot_compare: [expect.stringContaining(reason)],
    regression: false,
  })
  const gate = await bench.compare(...GATE, '--allow-missing')
  expect(gate.code).toBe(1)
  expect(gate.stdout).toMatch(/^Cannot compare: /)
  expect(gate.stdout).toContain(reason)
  expect(gate.stderr).toContain('--fail-on regression: cannot compare: ')
})

test('cannot compare: a verdict that was changed', async () => {
  const bench = new Bench()
  await bench.run('a', cases(4))
  await bench.run('b', cases(4), { broken: 'q-T1' })
  const path = join(bench.cwd, 'b.jsonl')
  writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"status":"failed"', '"status":"passed"'))
  const gate = await bench.compare('--fail-on', 'newly-failing')
  expect([gate.code, gate.stderr]).toEqual([1, expect.stringMatching(/of the second run, the summary says 3 passed/)])
})

test('the same shard of both runs, and half of the cases, can be compared', async () => {
  const bench = new Bench()
  await bench.run('a', cases(6), { args: ['--shard', '1/2'] })
  await bench.run('b', cases(6), { args: ['--shard', '1/2'] })
  expect((await bench.compare(...GATE)).code).toBe(0)
  await bench.run('a', cases(6), { args: ['--force'] })
  await bench.run('b', cases(3), { args: ['--force'] })
  expect((await bench.compare(...GATE, '--allow-missing')).code).toBe(0)
})

const TOOLS = `
export function run(messages) {
  const number = Number(messages.at(-1).content.replace(/\\D/g, ''))
  const first = process.env.DRIFT === 'yes' && number % 4 === 0 ? 'search' : 'lookup'
  return { content: 'right', tool_calls: [{ name: first, args: { text: 'x' } }] }
}
`

test('changed behaviour is described in words at equal verdicts, and fails the gate when asked to', async () => {
  const cwd = makeFolder({ 'agent.mjs': TOOLS, 'cases.jsonl': cases(40) })
  const run = (name: string, drift: string) =>
    viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', `${name}.jsonl`, '--pass-env', 'DRIFT'], {
      cwd,
      env: { DRIFT: drift },
    })
  await run('a', 'no')
  await run('b', 'yes')
  const compare = (...args: string[]) => viva(['compare', 'a.jsonl', 'b.jsonl', ...args], { cwd })
  const told = await compare(...GATE)
  expect([told.code, told.stderr]).toEqual([0, ''])
  expect(told.stdout).toContain('calls `search` first in 25% of conversations instead of 0%')
  const gate = await compare('--fail-on', 'drift')
  expect(gate.code).toBe(1)
  expect(gate.stderr).toContain('--fail-on drift: the behaviour changed: calls `')
  expect((await compare('--fail-on', 'drift', '--practical', '26%')).code).toBe(0)
  const html = await compare('-o', 'page.html')
  expect(html.code).toBe(0)
  expect(readFileSync(join(cwd, 'page.html'), 'utf8')).toContain('calls `search` first in 25%')
})

test.each(['x', '', '-1', '101', '%'])('--practical %j is a mistake', async (value) => {
  const bench = new Bench()
  const { code, stderr } = await bench.compare('--practical', value)
  expect(code).toBe(2)
  expect(stderr).toContain(`--practical: expected a percentage from 0 to 100, found "${value}"`)
})
