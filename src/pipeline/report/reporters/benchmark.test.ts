// `benchmark.json`: the convention's form, what is unknown left open, errors apart from failures.
import { expect, test } from 'vitest'
import { failedEvent, recordingOf, resultEvent, wholeRun } from '../../../../test/support/events.js'
import { expectGolden, textOf } from '../../../../test/support/golden.js'
import { HOSTILE, mixedRun } from '../../../../test/support/sample-runs.js'
import type { ResultEvent, RunEvent } from '../../../model/event.js'
import { benchmark } from './benchmark.js'

const VARIANTS = {
  format: 2,
  agent_id: 'cli:claude',
  options: { name: 'skill:skills/forms', with: 'cli:claude' },
  variants: ['without_skill', 'with_skill'].map((name) => ({ name, agent_id: 'claude' })),
}
const JUDGE = { id: 'viva.judge', model: 'gpt-4.1', criterion: 'c', hash: 'h' }

function judged(id: string, variant: string, run: number, met: boolean[]): ResultEvent {
  const assertions = met.map((passed, at) => ({
    type: 'rubric',
    criterion: `Expectation ${at + 1}`,
    passed,
    message: passed ? 'seen' : 'score 2 is below 4: not seen',
    start_ms: 1000 + 10 * run,
    judge: JUDGE,
  }))
  const usage = { input_tokens: 100 * run, output_tokens: 10, total_tokens: 100 * run + 10 }
  const fields = { variant, run, duration_ms: 4000, assertions, usage, tool_calls: [{ name: 'Read', args: {} }] }
  return met.every(Boolean) ? resultEvent(id, fields) : failedEvent(id, 'not met', 'assertion', fields)
}

function skillRun(): RunEvent[] {
  const runs = [1, 2, 3].flatMap((run) =>
    ['1', 'edges'].flatMap((id) => [
      judged(id, 'without_skill', run, [true, false, false]),
      judged(id, 'with_skill', run, [true, true, run > 1]),
    ]),
  )
  const broken = failedEvent('edges', 'timeout after 30s', 'timeout', { variant: 'without_skill', run: 4 })
  const unclear = failedEvent('edges', 'the judge gave no verdict', 'validator', {
    variant: 'with_skill',
    run: 4,
    tool_evidence: 'unknown',
    assertions: [{ type: 'rubric', criterion: 'Expectation 1', passed: false, error: 'no verdict' }],
  })
  const trigger = resultEvent('trigger-1', {
    variant: 'with_skill',
    choice: { of: 'skill', expected: 'forms', taken: 'forms' },
    assertions: [{ type: 'skill_invoked', passed: true }],
  })
  return wholeRun([...runs, broken, unclear, trigger], { ...VARIANTS, runs_per_case: 4 })
}

interface Benchmark {
  metadata: Record<string, unknown>
  runs: Array<{
    eval_id: unknown
    configuration: string
    run_number: number
    result: Record<string, unknown>
    expectations: Array<{ text: string; passed: boolean | null; evidence: string }>
    notes: string[]
  }>
  run_summary: Record<string, Record<string, { mean: number; stddev: number } | string | null>>
  intervals: Record<string, Record<string, { difference: number; low: number; high: number } | null>>
  notes: string[]
}

async function read(events: RunEvent[]): Promise<Benchmark> {
  return JSON.parse(await textOf(benchmark(recordingOf(events)))) as Benchmark
}

test('a run with and without a skill', async () => {
  expectGolden(await textOf(benchmark(recordingOf(skillRun()))), 'reports/skill.benchmark.json')
})

test('runs without a verdict are listed and noted, and are in no figure', async () => {
  const { runs, run_summary, notes } = await read(skillRun())
  const lost = runs.filter(({ result }) => result['pass_rate'] === null)
  expect(lost.map(({ configuration, result, notes: own }) => [configuration, result['errors'], own])).toEqual([
    ['with_skill', 1, ['no verdict: the judge gave no verdict']],
    ['without_skill', 1, ['no verdict: timeout after 30s']],
  ])
  expect(lost[0]?.expectations).toEqual([{ text: 'Expectation 1', passed: null, evidence: 'no verdict' }])
  expect(lost[0]?.result).toMatchObject({ tokens: null, tool_calls: null, passed: 0, failed: 0, total: 1 })
  expect(run_summary['without_skill']?.['pass_rate']).toMatchObject({ mean: 0.3333, stddev: 0 })
  expect(notes.filter((note) => note.includes('without a verdict'))).toHaveLength(2)
})

test('trigger queries are none of the comparison', async () => {
  const { runs, metadata, notes } = await read(skillRun())
  expect(runs).toHaveLength(14)
  expect(metadata['evals_run']).toEqual([1, 'edges'])
  expect(notes.join('\n')).toContain('1 run of trigger queries')
})

test('a case that only one side runs is none of the comparison, whatever else it checks', async () => {
  const both = { ...judged('both', 'with_skill', 1, [false, false]), uncompared: true as const }
  const events = [judged('1', 'without_skill', 1, [true, false]), judged('1', 'with_skill', 1, [true, true]), both]
  const { run_summary, metadata } = await read(wholeRun(events, VARIANTS))
  expect(metadata['evals_run']).toEqual([1])
  expect(run_summary).toMatchObject({ with_skill: { pass_rate: { mean: 1 } }, delta: { pass_rate: '+0.50' } })
})

test('the skill has its own name, however its folder is given', async () => {
  const named = (name: string) => ({ ...VARIANTS, options: { name } })
  const seen = resultEvent('1', { variant: 'with_skill', skills: { tested: 'forms', invoked: [] } })
  expect((await read(wholeRun([seen], named('skill:.')))).metadata['skill_name']).toBe('forms')
  expect((await read(wholeRun([], named('skill:../forms/.')))).metadata['skill_name']).toBe('forms')
  expect((await read(wholeRun([], named('skill:.')))).metadata['skill_name']).toBeNull()
})

test('a run that had nothing to check is not an error, and is in no figure', async () => {
  const { run_summary, notes } = await read(wholeRun([resultEvent('1', { variant: 'with_skill' })], VARIANTS))
  expect(run_summary['with_skill']?.['pass_rate']).toBeNull()
  expect(notes).toEqual(['with_skill: 1 run without anything to check, in no figure.'])
})

test('what was not measured is null, never 0', async () => {
  const events = wholeRun([resultEvent('a', { assertions: [{ type: 'contains', value: 'x', passed: true }] })])
  const { run_summary, intervals, runs } = await read(events)
  expect(run_summary).toMatchObject({ with_skill: { pass_rate: { mean: 1 }, tokens: null } })
  expect(run_summary).not.toHaveProperty('delta')
  expect(intervals).toEqual({})
  expect(runs[0]?.expectations).toEqual([{ text: 'contains: x', passed: true, evidence: '' }])
})

test('a side that breaks down on what is hard is neither better nor faster for it', async () => {
  const hard = { ...judged('hard', 'with_skill', 1, [false, false]), duration_ms: 90_000 }
  const events = [
    judged('easy', 'without_skill', 1, [true, true]),
    judged('easy', 'with_skill', 1, [true, true]),
    { ...hard, assertions: hard.assertions?.map((each) => ({ ...each, start_ms: 80_000 })) },
    failedEvent('hard', 'boom', 'agent', { variant: 'without_skill' }),
  ] as ResultEvent[]
  const { run_summary, notes } = await read(wholeRun(events, VARIANTS))
  expect(run_summary).toMatchObject({
    with_skill: { pass_rate: { mean: 0.5 } },
    without_skill: { pass_rate: { mean: 1 } },
  })
  expect(run_summary['delta']).toEqual({ pass_rate: '+0.00', time_seconds: '+0.0', tokens: '+0' })
  expect(notes.join('\n')).toContain('delta is over the 1 eval with a verdict on both sides')
})

test('the spread of a single run is a number, as viewers need it, and noted as not known', async () => {
  const events = [judged('1', 'without_skill', 1, [true, false]), judged('1', 'with_skill', 1, [true, true])]
  const { run_summary, notes } = await read(wholeRun(events, VARIANTS))
  for (const side of ['with_skill', 'without_skill'])
    expect(run_summary[side]).toMatchObject({
      pass_rate: { stddev: 0 },
      time_seconds: { stddev: 0 },
      tokens: { stddev: 0 },
    })
  expect(notes.filter((note) => note.includes('a single run was measured'))).toHaveLength(2)
})

test('the runs with the skill come first, as viewers tell the sides by their order', async () => {
  const { runs } = await read(skillRun())
  const sides = runs.map(({ configuration }) => configuration)
  expect(sides).toEqual([...sides].toSorted())
  expect(new Set(sides).size).toBe(2)
})

test('a side that breaks down where it would fail is not called better', async () => {
  const runs = Array.from({ length: 12 }, (_, at) => at + 1).flatMap((run) => [
    judged('1', 'without_skill', run, [true, run % 2 === 0]),
    run % 2 === 0
      ? judged('1', 'with_skill', run, [true, true])
      : failedEvent('1', 'boom', 'agent', { variant: 'with_skill', run }),
  ])
  const { intervals } = await read(wholeRun(runs, { ...VARIANTS, runs_per_case: 12 }))
  const found = intervals['with_skill']?.['expectations_met']
  expect(found?.difference).toBe(0.25)
  expect(found?.low).toBeLessThanOrEqual(0)
})

test('any run is valid JSON, whatever it holds', async () => {
  const hostile = failedEvent('1', HOSTILE, 'assertion', {
    assertions: [{ type: 'rubric', criterion: HOSTILE, passed: false, message: HOSTILE }],
  })
  for (const events of [mixedRun(), wholeRun([]), wholeRun([hostile]), skillRun().slice(0, 5)])
    expect(Object.keys(await read(events))).toEqual(['metadata', 'runs', 'run_summary', 'intervals', 'notes'])
})
