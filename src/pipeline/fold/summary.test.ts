// The one fold behind the runner's summary and every report's counts.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { conformanceRows } from '../../../test/support/conformance.js'
import { failedEvent, resultEvent, stabilityOf, startEvent } from '../../../test/support/events.js'
import type { ResultEvent, RunEvent, SummaryEvent } from '../../model/event.js'
import type { ErrorKind, Status } from '../../model/outcome.js'
import { exitCodeOf, type RunEnd } from './exit-code.js'
import { suggestionFor } from './suggestion.js'
import { createSummaryFold, type SummaryEnd } from './summary.js'

function fold(
  events: RunEvent[],
  end: Partial<SummaryEnd> = {},
  runs: number | 'auto' = 1,
  min_pass_rate = 100,
): SummaryEvent {
  const summary = createSummaryFold({ run_id: 'r', runs_per_case: runs, min_pass_rate })
  for (const event of events) summary.add(event)
  return summary.summary({ duration_ms: 5000, timestamp: 't', ...end })
}

test('counts, kinds, usage and cost', () => {
  const usage = { input_tokens: 10, output_tokens: 5, total_tokens: 15 }
  const summary = fold(
    [
      resultEvent('T1', { usage, cost_dollars: 0.25, total_turns: 3 }),
      failedEvent('T2', 'wrong', 'assertion', { usage, cost_dollars: 0.5 }),
      failedEvent('T3', 'timeout after 30s', 'timeout', { total_turns: 2 }),
      resultEvent('T4', { status: 'skipped', skip_reason: 'budget' }),
    ],
    { total_cases: 6 },
  )
  expect(summary).toMatchObject({
    total: 6,
    passed: 1,
    failed: 2,
    skipped: 1,
    not_run: 2,
    failed_ids: ['T2', 'T3'],
    by_error_kind: { assertion: 1, timeout: 1 },
    usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
    cost_dollars: 0.75,
    total_turns: 5,
    exit_code: 1,
  })
  expect(summary.pass_rate).toBeCloseTo(33.33, 1)
})

test('an unknown price is not a price of 0', () => {
  expect(fold([resultEvent('T1')])).not.toHaveProperty('cost_dollars')
  expect(fold([resultEvent('T1', { cost_dollars: 0 })]).cost_dollars).toBe(0)
})

test('flaky is passed after a retry, and listed', () => {
  const summary = fold([
    resultEvent('T1', { flaky: true }),
    failedEvent('T2', 'x', 'timeout', { flaky: true }),
    resultEvent('T3'),
  ])
  expect(summary).toMatchObject({ flaky: 1, flaky_ids: ['T1'], exit_code: 1 })
  expect(fold([resultEvent('T1', { flaky: true })]).exit_code).toBe(0)
  expect(fold([resultEvent('T1', { flaky: true })], { fail_on_flaky: true }).exit_code).toBe(1)
})

test('a thousand failed ids are listed and the rest counted', () => {
  const summary = fold(Array.from({ length: 1200 }, (_, index) => failedEvent(`T${index}`, 'wrong')))
  expect(summary.failed_ids).toHaveLength(1000)
  expect(summary.failed_ids_omitted).toBe(200)
})

test('errors outside any case fail the run; a report that failed is trouble of our own', () => {
  const late = fold([
    resultEvent('T1'),
    { type: 'error', message: 'rejection after the test', where: 'expense/src/setup_test.ts' },
  ])
  expect(late).toMatchObject({ errors: 1, exit_code: 1 })
  const reporter = fold([resultEvent('T1'), { type: 'error', message: 'disk full', where: 'report x.html' }])
  expect(reporter).toMatchObject({
    report_errors: ['disk full'],
    exit_code: 3,
    reasons: ['report not written: disk full'],
  })
  expect(fold([failedEvent('T1', 'x')], { report_errors: ['disk full'] }).exit_code).toBe(1)
  expect(fold([resultEvent('T1')], { runtime_error: 'quota used up' })).toMatchObject({
    exit_code: 3,
    reasons: ['quota used up'],
  })
})

test('an interrupted run says so, whatever else happened', () => {
  expect(fold([failedEvent('T1', 'x')], { interrupted: 'SIGINT', total_cases: 3 })).toMatchObject({
    interrupted: true,
    not_run: 2,
    exit_code: 130,
  })
  expect(fold([], { interrupted: 'SIGTERM' }).exit_code).toBe(143)
})

test('with repetition totals count cases, and the overall rate is the mean of the cases', () => {
  const results = [1, 2].flatMap((run) => [
    resultEvent('A', { run }),
    run === 1 ? resultEvent('B', { run }) : failedEvent('B', 'x', 'assertion', { run }),
  ])
  const events = [...results, ...stabilityOf(results, startEvent({ runs_per_case: 2 }))]
  expect(fold(events, {}, 2)).toMatchObject({
    total: 2,
    total_cases: 2,
    total_runs: 4,
    runs_per_case: 2,
    passed: 1,
    failed: 1,
    stable_cases: 1,
    unstable_cases: 1,
    overall_pass_rate: 75,
    failed_ids: ['B'],
    exit_code: 1,
  })
  expect(fold(events, {}, 2, 50)).toMatchObject({ passed: 2, failed: 0, exit_code: 0 })
})

test('repetitions cut short: complete and failed cases count, the others are still to be run', () => {
  const events = [
    resultEvent('done', { run: 1 }),
    resultEvent('done', { run: 2 }),
    resultEvent('half', { run: 1 }),
    failedEvent('lost', 'x', 'agent', { run: 1 }),
    resultEvent('skipped', { run: 1, status: 'skipped' }),
  ]
  expect(fold(events, { total_cases: 5 }, 2)).toMatchObject({
    passed: 1,
    failed: 1,
    skipped: 1,
    not_run: 2,
    by_error_kind: { agent: 1 },
  })
})

test('what the fold says is what the lines say, for any mix', () => {
  const status = fc.constantFrom<Status>('passed', 'failed', 'skipped')
  const kind = fc.constantFrom<ErrorKind | undefined>('assertion', 'timeout', 'agent', undefined)
  const results = fc.array(fc.record({ status, kind, flaky: fc.boolean() }), { maxLength: 30 })
  fc.assert(
    fc.property(results, fc.nat(5), (drawn, notRun) => {
      const events: ResultEvent[] = drawn.map((item, index) =>
        resultEvent(`T${index}`, {
          status: item.status,
          ...(item.kind ? { error_kind: item.kind } : {}),
          ...(item.flaky ? { flaky: true } : {}),
        }),
      )
      const count = (wanted: Status) => drawn.filter((item) => item.status === wanted).length
      const summary = fold(events, { total_cases: drawn.length + notRun })
      expect(summary.passed).toBe(count('passed'))
      expect(summary.failed).toBe(count('failed'))
      expect(summary.skipped).toBe(count('skipped'))
      expect(summary.total).toBe(summary.passed + summary.failed + summary.skipped + summary.not_run)
      expect(Object.values(summary.by_error_kind).reduce((sum, n) => sum + n, 0)).toBe(summary.failed)
      expect(summary.exit_code).toBe(count('failed') > 0 ? 1 : notRun > 0 ? 3 : 0)
    }),
  )
})

test('the exit code follows the table for any ending', () => {
  const ending: fc.Arbitrary<RunEnd> = fc.record({
    failed: fc.nat(2),
    not_run: fc.nat(2),
    late_errors: fc.nat(1),
    flaky: fc.nat(1),
    fail_on_flaky: fc.boolean(),
    errors: fc.array(fc.constant('disk full'), { maxLength: 1 }),
  })
  fc.assert(
    fc.property(ending, fc.constantFrom('SIGINT', 'SIGTERM', 'SIGHUP', undefined), (given, interrupted) => {
      const { exit_code, reasons } = exitCodeOf(interrupted ? { ...given, interrupted } : given)
      const failed = given.failed > 0 || given.late_errors > 0 || (given.fail_on_flaky === true && given.flaky > 0)
      const trouble = given.errors.length > 0 || given.not_run > 0
      const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }
      expect(exit_code).toBe(interrupted ? signals[interrupted] : failed ? 1 : trouble ? 3 : 0)
      expect(reasons.length > 0).toBe(exit_code !== 0)
    }),
  )
})

test('the advice is about what made most cases fail, and in doubt about the assertions', () => {
  expect(suggestionFor({})).toBeUndefined()
  expect(suggestionFor({ agent: 2 })).toContain('connector')
  expect(suggestionFor({ agent: 1, assertion: 1 })).toContain('Some assertions failed')
  expect(suggestionFor({ timeout: 1, assertion: 20 })).toContain('Some assertions failed')
  expect(suggestionFor({ timeout: 20, assertion: 1 })).toContain('timed out')
  expect(suggestionFor({ timeout: 1, agent: 2 })).toContain('connector')
})

test.each([
  ['Agent awaiting input, no next turn defined', 'Add turns, configure a simulator, or use --interactive'],
  ['turn 2 has no input', 'Add turns'],
  ['no initial input', 'Add turns'],
  ['attachments[0]: no such file', 'could not be used as written'],
])('advice on %s, run once or several times', (error, advice) => {
  const runs = [1, 2].map((run) => failedEvent('T1', error, 'input', { run }))
  const told = { suggestion: expect.stringContaining(advice), by_error_kind: { input: 1 } }
  expect(fold(runs.slice(0, 1))).toMatchObject(told)
  expect(fold([...runs, ...stabilityOf(runs, startEvent({ runs_per_case: 2 }))], {}, 2)).toMatchObject(told)
  expect(fold(runs, {}, 2)).toMatchObject(told)
})

for (const row of conformanceRows('report', 'suggestion')) {
  test(`conformance: suggestion on ${row.name}`, () => {
    const { failed = 0, timeouts = 0 } = row.given['summary'] as { failed?: number; timeouts?: number }
    const kinds = { ...(failed ? { assertion: failed } : {}), ...(timeouts ? { timeout: timeouts } : {}) }
    expect(suggestionFor(kinds)).toBe(row.expect['suggestion'])
  })
}

for (const row of conformanceRows('report', 'has_failures')) {
  test(`conformance: ${row.name}`, () => {
    const { failed = 0, timeouts = 0, errors = 0 } = row.given['summary'] as Record<string, number>
    const events = [
      ...Array<ErrorKind>(failed).fill('assertion'),
      ...Array<ErrorKind>(timeouts).fill('timeout'),
      ...Array<ErrorKind>(errors).fill('agent'),
    ]
    const summary = fold(events.map((kind, index) => failedEvent(`T${index}`, 'x', kind)))
    expect(summary.exit_code === 1).toBe(row.expect['has_failures'])
  })
}

for (const row of conformanceRows('report', 'summary_event')) {
  test(`conformance: summary, ${row.name}`, () => {
    const results = row.given['results'] as Array<{ id: string; status: Status }>
    const { duration_ms } = row.given['summary'] as { duration_ms: number }
    expect(
      fold(
        results.map(({ id, status }) => resultEvent(id, { status })),
        { duration_ms },
      ),
    ).toMatchObject(row.expect['event'] as object)
  })
}

for (const row of conformanceRows('stability', 'summary')) {
  test(`conformance: ${row.name}`, () => {
    const { cases, runs } = row.given as unknown as { cases: number[]; runs: number }
    const results = cases.flatMap((rate, index) =>
      Array.from({ length: runs }, (_, run) =>
        resultEvent(`T${index}`, { run: run + 1, status: run < (rate / 100) * runs ? 'passed' : 'failed' }),
      ),
    )
    expect(fold([...results, ...stabilityOf(results, startEvent({ runs_per_case: runs }))], {}, runs)).toMatchObject(
      row.expect,
    )
  })
}
