// What changed between two runs, and what the runs of the past say, through the command line.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { makeFolder, viva } from '../support/run-cli.js'

// The environment says which version of the agent answers.
const AGENT = `
export function run(messages) {
  const text = messages.at(-1).content
  const n = Number(text.split(' ')[1])
  const worse = process.env.WORSE === '1' && n % 4 === 0
  return { content: worse ? 'sorry' : 'The right answer to ' + text + '\\nand a line', cost_dollars: process.env.WORSE === '1' ? 0.002 : 0.001 }
}
`
const CASES = Array.from({ length: 40 }, (_, n) => ({
  id: `C${n}`,
  input: `case ${n}`,
  assert: { type: 'contains', value: 'right' },
}))

async function twoRuns(): Promise<string> {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES })
  const base = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--history', '-o']
  await viva([...base, 'old.jsonl'], { cwd })
  await viva([...base, 'new.jsonl'], { cwd, env: { WORSE: '1' } })
  return cwd
}

test('compare: regressions, diffs and cost in every format; --fail-on decides the exit code', async () => {
  const cwd = await twoRuns()
  const compare = (...args: string[]) => viva(['compare', ...args], { cwd })
  const shown = await compare('old.jsonl', 'new.jsonl')
  expect(shown.code).toBe(0)
  expect(shown.stdout).toContain('Pass rate: 100% → 75%, -25.0 points')
  expect(shown.stdout).toContain('exact McNemar, p = 0.0020, 40 cases, 95% confidence')
  expect(shown.stdout).toContain('Newly failing (10)\n  ✗ C0 assertion failed: output does not contain "right"\n')
  expect(shown.stdout).toContain('  C0\n  │ -The right answer to case 0\n  │ -and a line\n  │ +sorry\n')
  expect(shown.stdout).toContain('Cost of the typical case: $0.0010 → $0.0020, ×2.00 (2.00 to 2.00): dearer')
  expect(shown.stdout.trimEnd().split('\n').at(-1)).toBe(
    'Regression: the pass rate fell by 25.0 points (exact McNemar, p = 0.0020); the behaviour changed',
  )

  const outputs = ['-o', 'c.md', '-o', 'c.html', '-o', 'c.json', '-o', 'c.txt']
  expect((await compare('old.jsonl', 'new.jsonl', '--fail-on', 'regression', ...outputs)).code).toBe(1)
  const text = (name: string): string => readFileSync(join(cwd, name), 'utf8')
  expect(JSON.parse(text('c.json'))).toMatchObject({
    regression: true,
    newly_failing: { count: 10 },
    newly_passing: { count: 0 },
    changed_output: { count: 10 },
    pass_rate: { verdict: 'worse' },
  })
  expect(text('c.md')).toMatch(/^## ❌ Regression\n\nRegression: the pass rate fell by 25\.0 points/)
  expect(await marked.parse(text('c.md'), { gfm: true })).toContain('<summary>Changed output (10)</summary>')
  expect(text('c.html')).toContain('{"conclusion":{"text":"Regression: the pass rate fell by 25.0 points')
  expect(text('c.txt')).toBe(shown.stdout)

  expect((await compare('new.jsonl', 'old.jsonl', '--fail-on', 'regression')).code).toBe(0)
  const same = await compare('old.jsonl', 'old.jsonl', '--fail-on', 'newly-failing')
  expect([same.code, same.stderr]).toEqual([1, expect.stringContaining('cannot compare: both files hold the same run')])
  const again = readFileSync(join(cwd, 'old.jsonl'), 'utf8').replaceAll(/run-[\w-]+/g, 'run-again')
  writeFileSync(join(cwd, 'again.jsonl'), again)
  const equal = await compare('old.jsonl', 'again.jsonl', '--fail-on', 'newly-failing')
  expect([equal.code, equal.stdout]).toEqual([0, expect.stringContaining('No regression\n')])
  const wrong = await compare('old.jsonl', 'nowhere.jsonl')
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('nowhere.jsonl')])
})

test('compare: with few cases a single failure is not called a regression, but can be asked for', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES.slice(1, 6) })
  const base = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o']
  await viva([...base, 'old.jsonl'], { cwd })
  await viva([...base, 'new.jsonl'], { cwd, env: { WORSE: '1' } })
  const chance = await viva(['compare', 'old.jsonl', 'new.jsonl', '--fail-on', 'regression'], { cwd })
  expect([chance.code, chance.stdout]).toEqual([0, expect.stringContaining('which may be chance')])
  expect((await viva(['compare', 'old.jsonl', 'new.jsonl', '--fail-on', 'newly-failing'], { cwd })).code).toBe(1)
  // Five runs of each decide it.
  await viva([...base, 'old5.jsonl', '--runs', '6'], { cwd })
  await viva([...base, 'new5.jsonl', '--runs', '6'], { cwd, env: { WORSE: '1' } })
  const sure = await viva(['compare', 'old5.jsonl', 'new5.jsonl', '--fail-on', 'regression'], { cwd })
  expect(sure.stdout).toMatch(/C4 100% → 0% \(Fisher, adjusted p = 0\.0\d+\)/)
  expect(sure.code).toBe(1)
})

test('history: runs, a case, flaky, slowest, expensive; and what is missing is reported', async () => {
  const cwd = await twoRuns()
  const history = async (...args: string[]): Promise<string> => (await viva(['history', ...args], { cwd })).stdout
  const runs = (await history()).trimEnd().split('\n')
  expect(runs[0]).toMatch(/^run +when +agent +passed +failed +skipped +open +rate +time +cost$/)
  expect(runs.slice(2).map((line) => line.split(/ {2,}/).slice(2, 8))).toEqual([
    ['./agent.mjs#run', '40', '0', '0', '0', '100%'],
    ['./agent.mjs#run', '30', '10', '0', '0', '75%'],
  ])
  const points = JSON.parse(await history('case', 'C4', '--format', 'json')) as Array<Record<string, unknown>>
  expect(points.map(({ status, cost_dollars, input }) => [status, cost_dollars, input])).toEqual([
    ['passed', 0.001, 'cases.jsonl'],
    ['failed', 0.002, 'cases.jsonl'],
  ])
  // Nothing that Viva knows of changed, and the verdict did.
  expect(JSON.parse(await history('flaky', '--format', 'json'))).toHaveLength(10)
  expect((await history('expensive', '--limit', '3')).trimEnd().split('\n')).toHaveLength(5)
  expect(await history('slowest')).toMatch(/^case +runs +median +highest\n/)
  expect(await history('case', 'nobody')).toContain('no run has a case called nobody (2 runs in ')
  expect(await history('prune', '--limit', '1')).toBe('1 run removed, the newest 1 kept\n')
  expect(JSON.parse(await history('--format', 'json'))).toHaveLength(1)
  expect(await history('--dir', 'elsewhere')).toContain('runs are kept with viva test --history')
  const unreadable = await viva(['history', '--dir', 'cases.jsonl'], { cwd })
  expect([unreadable.code, unreadable.stdout]).toEqual([2, ''])
  expect(unreadable.stderr).toContain('cannot be read: ENOTDIR')
})

test('history: a case that the newest runs did not have is found all the same', async () => {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': CASES.slice(0, 2) })
  const run = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--history', '--run']
  for (const id of ['C0', 'C1', 'C1']) await viva([...run, id], { cwd })
  const found = await viva(['history', 'case', 'C0', '--limit', '1', '--format', 'json'], { cwd })
  expect(JSON.parse(found.stdout)).toHaveLength(1)
})
