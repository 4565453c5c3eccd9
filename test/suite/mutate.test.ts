// Is the suite any good: agents that do nothing, mutants, proposals, as a user meets them.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { MutationReport } from '../../src/suite/mutate/report.js'
import { makeFolder, parseEvents, viva, type CliRun } from '../support/run-cli.js'

const AGENT = `
export function run(messages) {
  const text = messages.at(-1).content
  if (text.includes('refund')) return {
    content: 'I have refunded $42.50 for order A-1234 to Mia Li. It arrives by 2024-05-20.',
    tool_calls: [
      { name: 'find_order', args: { id: 'A-1234' }, result: { total: 42.5 } },
      { name: 'refund', args: { id: 'A-1234', amount: 42.5 }, result: { ok: true } },
    ],
  }
  return 'The shop opens at 9:00.'
}
`

const CASES = [
  { id: 'refund', input: 'please refund order A-1234', assert: [{ type: 'tool_called', name: 'refund' }] },
  { id: 'hours', input: 'when does the shop open?', assert: [{ type: 'contains', value: 'shop' }] },
]

async function recorded(cases: object[] = CASES, ...flags: string[]): Promise<{ dir: string; run: CliRun }> {
  const dir = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
  const run = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'run.jsonl', ...flags], {
    cwd: dir,
  })
  return { dir, run }
}

test('a case that an agent which does nothing would pass is named, and counts only if asked', async () => {
  const { dir, run } = await recorded()
  expect(run.code).toBe(0)
  const events = parseEvents(readFileSync(join(dir, 'run.jsonl'), 'utf8'))
  expect(events.find(({ id }) => id === 'hours')).toMatchObject({ type: 'case_start' })
  expect(events.filter(({ type }) => type === 'result').map(({ id, vacuous }) => [id, vacuous])).toEqual([
    ['refund', undefined],
    ['hours', 'echoes'],
  ])
  expect(events.at(-1)).toMatchObject({ vacuous: 1, vacuous_ids: ['hours'], exit_code: 0 })
  const strict = await recorded(CASES, '--fail-on-vacuous')
  expect(strict.run.code).toBe(1)
  expect(parseEvents(readFileSync(join(strict.dir, 'run.jsonl'), 'utf8')).at(-1)).toMatchObject({
    reasons: ['1 vacuous case (--fail-on-vacuous)'],
  })
  const accepted = CASES.map((each) => ({ ...each, vacuous: 'a smoke test' }))
  expect((await recorded(accepted, '--fail-on-vacuous')).run.code).toBe(0)
})

test.each([[], ['--classic'], ['--json']])('the results say it, whatever the console prints: %s', async (...flags) => {
  const { dir, run } = await recorded(CASES, ...flags)
  expect(run.stdout.includes('Vacuous:')).toBe(flags.length === 0)
  const events = parseEvents(readFileSync(join(dir, 'run.jsonl'), 'utf8'))
  expect(events.at(-1)).toMatchObject({ vacuous: 1, vacuous_ids: ['hours'] })
})

test('what could happen without a failing test, and what would notice', async () => {
  const { dir } = await recorded()
  const { stdout, code } = await viva(
    ['mutate', 'run.jsonl', '--format', 'json', '-o', 'suite.html', '-o', 'suite.md'],
    { cwd: dir },
  )
  expect(code).toBe(0)
  const report = JSON.parse(stdout) as MutationReport
  expect(report).toMatchObject({ cases: 2, examined: 2, open: 0, vacuous: [{ id: 'hours' }] })
  expect(report.vacuous[0]?.agents).toEqual(['echoes', 'recites'])
  expect(report.score).toBeLessThan(40)
  expect(report.killed + report.survived).toBe(report.mutants)
  const meanings = report.survivors.map((group) => group.meaning)
  expect(meanings).toContain('users get a wrong number, amount or reference')
  expect(meanings).toContain('the right thing is done with the wrong amount, date, person or option')
  expect(meanings).not.toContain('users get no answer to hours')
  const specs = report.proposals.map(({ assertion }) => assertion)
  expect(specs).toContainEqual({
    type: 'tool_called',
    name: 'refund',
    arguments: { id: 'A-1234', amount: 42.5 },
    arguments_match: 'exact',
    outcome: 'ok',
    times: 1,
  })
  expect(report.proposals.every(({ kills }) => kills.length > 0)).toBe(true)
  expect(existsSync(join(dir, 'suite.html'))).toBe(true)
  expect(readFileSync(join(dir, 'suite.md'), 'utf8')).toContain('## What could happen without a failing test')
  const again = await viva(['mutate', 'run.jsonl', '--format', 'json'], { cwd: dir })
  expect(again.stdout).toBe(stdout)
})

test('--min-score is a gate; the proposals raise the score and hold', async () => {
  const { dir } = await recorded()
  const low = await viva(['mutate', 'run.jsonl', '--min-score', '90', '--write', 'pending.jsonl'], { cwd: dir })
  expect([low.code, low.stderr]).toEqual([1, expect.stringContaining('--min-score 90%: the score is')])
  const accepted = await viva(['mine', '--review', 'pending.jsonl', '--accept'], { cwd: dir })
  expect(accepted.stdout).toMatch(/^\d+ accepted, 0 dropped, 0 left\n$/)
  expect(readFileSync(join(dir, 'pending.jsonl'), 'utf8')).toBe('')
  const second = await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'second.jsonl'], { cwd: dir })
  expect(second.code).toBe(0)
  const high = await viva(['mutate', 'second.jsonl', '--min-score', '90'], { cwd: dir })
  expect([high.code, high.stderr]).toEqual([0, ''])
})

test('known bad runs count apart', async () => {
  const { dir } = await recorded()
  const worse = AGENT.replace('amount: 42.5 }', 'amount: 4250 }').replace('opens', 'closes')
  const bad = makeFolder({ 'agent.mjs': worse, 'cases.jsonl': CASES })
  await viva(['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', join(dir, 'bad.jsonl')], { cwd: bad })
  const { stdout } = await viva(['mutate', 'run.jsonl', '--against', 'bad.jsonl', '--format', 'json'], { cwd: dir })
  expect(JSON.parse(stdout)).toMatchObject({ against: { found: 0, missed: 2, missed_ids: ['refund', 'hours'] } })
})

test('mined assertions wait for review, with what stands behind them', async () => {
  const { dir } = await recorded(CASES, '--runs', '3')
  const { stdout, stderr } = await viva(['mine', 'run.jsonl'], { cwd: dir })
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { support: number; kills: string[] })
  expect(lines.length).toBeGreaterThan(1)
  expect(lines.every(({ support, kills }) => support === 3 && kills.length > 0)).toBe(true)
  expect(stderr).toContain('assertions proposed for 2 cases')
  expect(stderr).not.toContain('fewer than 3')
  expect(readFileSync(join(dir, 'cases.jsonl'), 'utf8')).not.toContain('arguments_match')
  const piped = await viva(['mine', '--review', 'nothing.jsonl'], { cwd: dir })
  expect([piped.code, piped.stderr]).toEqual([2, expect.stringContaining('cannot read nothing.jsonl')])
  await viva(['mine', 'run.jsonl', '-o', 'pending.jsonl'], { cwd: dir })
  const noTerminal = await viva(['mine', '--review', 'pending.jsonl'], { cwd: dir })
  expect([noTerminal.code, noTerminal.stderr]).toEqual([2, expect.stringContaining('at a terminal')])
})

test('what is wrong is said with the next step', async () => {
  const { dir } = await recorded([{ ...CASES[0], mutations: { ignore: ['another langage'], reason: 'x' } }])
  const unknown = await viva(['mutate', 'run.jsonl'], { cwd: dir })
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('did you mean "another language"?')])
  const missing = await viva(['mutate', 'none.jsonl'], { cwd: dir })
  expect(missing.code).toBe(2)
  const score = await viva(['mutate', 'run.jsonl', '--min-score', 'much'], { cwd: dir })
  expect([score.code, score.stderr]).toEqual([2, expect.stringContaining('--min-score')])
})
