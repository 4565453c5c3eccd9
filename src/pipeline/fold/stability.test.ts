// The seeds' numbers as the seeds compute them, and beside them what few runs really allow to say.
import { expect, test } from 'vitest'
import { conformanceRows } from '../../../test/support/conformance.js'
import { failedEvent, resultEvent, type ResultFields } from '../../../test/support/events.js'
import type { StabilityEvent } from '../../model/event.js'
import type { Status } from '../../model/status.js'
import { stabilityStatus } from '../../model/case-status.js'
import { classify, createStabilityFold, type StabilityInit } from './stability.js'

function stability(runs: Array<ResultFields>, init: Partial<StabilityInit> = {}): StabilityEvent {
  const fold = createStabilityFold({ runs: runs.length, ...init })
  for (const [index, run] of runs.entries()) fold.add(resultEvent('T1', { run: index + 1, ...run }))
  return fold.event()
}

const times = (count: number, run: ResultFields) => Array.from({ length: count }, () => run)
const pass: ResultFields = {}
const fail: ResultFields = { status: 'failed', error: 'wrong', error_kind: 'assertion' }
const lost: ResultFields = { status: 'failed', error: 'timeout after 30s', error_kind: 'timeout' }
const skip: ResultFields = { status: 'skipped', skip_reason: 'no input' }

test('the example of the original: three of three, and two of three', () => {
  const durations = [234, 210, 256]
  const good = stability(durations.map((duration_ms) => ({ duration_ms })))
  expect(good).toMatchObject({
    runs: 3,
    passed: 3,
    failed: 0,
    pass_rate: 100,
    consistency: 1,
    stable: true,
    classification: 'stable',
    min_duration_ms: 210,
    max_duration_ms: 256,
  })
  expect(good.avg_duration_ms).toBeCloseTo(233.3, 1)
  expect(good.std_deviation_ms).toBeCloseTo(18.8, 1)
  const two = stability([pass, pass, fail])
  expect(two.pass_rate).toBeCloseTo(66.7, 1)
  expect(two.consistency).toBeCloseTo(0.67, 2)
  expect(two).toMatchObject({ stable: false, classification: 'unstable' })
})

test.each([
  [100, 'stable'],
  [99.9, 'mostly_stable'],
  [80, 'mostly_stable'],
  [79.99, 'unstable'],
  [50, 'unstable'],
  [49.9, 'highly_unstable'],
  [0, 'highly_unstable'],
])('%d%% is %s', (rate, name) => expect(classify(rate)).toBe(name))

test('three of three is not yet stable, twenty of twenty is; the number of runs that would settle it is given', () => {
  expect(stability([pass, pass, pass])).toMatchObject({
    classification: 'stable',
    label: 'too few runs to tell',
    runs_needed: 13,
  })
  const many = stability(times(20, pass))
  expect(many).toMatchObject({ label: 'passes always' })
  expect(many).not.toHaveProperty('runs_needed')
  expect(many.interval?.low).toBeCloseTo(0.839, 3)
  expect(stability(times(16, pass)).label).toBe('passes always')
  expect(stability([...times(40, pass), fail]).label).toBe('passes mostly')
  expect(stability(times(15, pass)).runs_needed).toBe(1)
})

test('no number of passes shows a rate of 100%, so none is asked for', () => {
  const event = stability([pass, pass], { threshold: 100 })
  expect(event.label).toBe('too few runs to tell')
  expect(event).not.toHaveProperty('runs_needed')
})

test('both outcomes are sometimes, only failures are always once there are enough of them, a few passes make it mostly', () => {
  expect(stability([pass, fail]).label).toBe('passes sometimes')
  expect(stability([fail, fail]).label).toBe('too few runs to tell')
  expect(stability(times(16, fail)).label).toBe('fails always')
  expect(stability([...times(40, fail), pass]).label).toBe('fails mostly')
})

test('runs without a verdict count as failed in the rate, and stay out of the interval', () => {
  const event = stability([pass, pass, lost, skip])
  expect(event).toMatchObject({ runs: 4, passed: 2, failed: 2, pass_rate: 50, verdict_runs: 2, error_rate: 0.5 })
  expect(event.interval?.high).toBe(1)
  expect(event).toMatchObject({ error: 'timeout after 30s', error_kind: 'timeout' })
})

test('pass^k and pass@k are given up to the number of runs, null where verdicts are too few', () => {
  const event = stability([pass, pass, fail, pass, lost])
  expect(event.pass_hat_k).toEqual({ '1': 0.75, '2': 0.5, '3': 0.25, '5': null })
  expect(event.pass_at_k).toEqual({ '1': 0.75, '2': 1, '3': 1, '5': null })
})

test('outputs agree when they mean the same', () => {
  const outputs = [{ a: 1, b: 2 }, { b: 2, a: 1 }, '{"a":1, "b":2}', 'text  here', 'text here ']
  // Three alike and two alike: (3 + 1) of 10 pairs.
  expect(stability(outputs.map((output) => ({ output }))).output_agreement).toBeCloseTo(0.4, 9)
  expect(stability([{ output: 'x' }]).output_agreement).toBeNull()
})

test('durations and cost per run', () => {
  const event = stability(
    [100, 200, 300, 400].map((duration_ms) => ({ duration_ms, cost_dollars: duration_ms / 1000 })),
  )
  expect(event.p50_duration_ms).toBe(250)
  expect(event.p95_duration_ms).toBeCloseTo(385, 9)
  expect(event.cost_per_run).toBeCloseTo(0.25, 9)
  expect(stability([pass])).not.toHaveProperty('cost_per_run')
})

test('run details are in the order of the runs, however they finished', () => {
  const fold = createStabilityFold({ runs: 3 })
  for (const run of [3, 1, 2]) fold.add(resultEvent('T1', { run }))
  expect(fold.event().run_details.map((detail) => detail.run)).toEqual([1, 2, 3])
})

test('the verdict of a case follows the required rate; skipped in every run is skipped', () => {
  expect(stability([pass, fail], { min_pass_rate: 100 }).status).toBe('failed')
  expect(stability([pass, fail], { min_pass_rate: 50 }).status).toBe('passed')
  expect(stability([skip, skip], { min_pass_rate: 100 })).toMatchObject({ status: 'skipped', skip_reason: 'no input' })
  expect(stability([skip, pass], { min_pass_rate: 100 }).status).toBe('failed')
  expect(stabilityStatus(stability([pass, fail]), 50)).toBe('passed')
})

test('auto: decided above passes, undetermined does not', () => {
  const auto = { runs: 'auto', threshold: 80, confidence: 95, max_runs: 30 } as const
  const above = stability(times(24, pass), auto)
  expect(above).toMatchObject({ decision: 'above', status: 'passed', runs_saved: 6, threshold: 0.8 })
  expect(stability([fail, fail, fail, fail], auto)).toMatchObject({
    decision: 'below',
    status: 'failed',
    runs_saved: 26,
  })
  expect(stability([pass, pass], auto)).toMatchObject({ decision: 'undetermined', status: 'undetermined' })
  // A service that is down leaves nothing open: the case failed for its reason.
  expect(stability([lost, lost], auto)).toMatchObject({
    decision: 'undetermined',
    status: 'failed',
    error_kind: 'timeout',
  })
})

test('the case is known from its results: where it is written, its tags, its first failure', () => {
  const event = stability([pass, { ...fail, file: 'x', line: 3 }, { ...fail, error: 'other' }])
  expect(event).toMatchObject({ id: 'T1', error: 'wrong', error_kind: 'assertion', input: 'Question T1' })
  const fold = createStabilityFold({ runs: 1 })
  fold.add(failedEvent('T9', 'x', 'assertion', { file: 'cases.jsonl', line: 4, tags: ['a'] }))
  expect(fold.event()).toMatchObject({ id: 'T9', file: 'cases.jsonl', line: 4, tags: ['a'] })
})

for (const row of conformanceRows('stability', 'classify')) {
  test(`conformance: ${row.name}% is ${String(row.expect['class'])}`, () =>
    expect(classify(Number(row.given['pass_rate']))).toBe(row.expect['class']))
}

for (const row of conformanceRows('stability', 'metrics')) {
  test(`conformance: ${row.name}`, () => {
    const runs = row.given['runs'] as Array<{ status: string; duration_ms: number }>
    const { stability_class, ...wanted } = row.expect
    const event = stability(runs.map(({ status, duration_ms }) => ({ ...asResult(status), duration_ms })))
    expect(event).toMatchObject({ ...wanted, classification: stability_class })
  })
}

function asResult(status: string): ResultFields {
  if (status === 'timeout') return { status: 'failed', error_kind: 'timeout' }
  if (status === 'error') return { status: 'failed', error_kind: 'agent' }
  return { status: status as Status }
}
