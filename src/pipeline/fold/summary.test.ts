// The one fold behind the runner's summary and every report's counts.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { conformanceRows } from '../../../test/support/conformance.js'
import { failedEvent, resultEvent, stabilityOf, startEvent } from '../../../test/support/events.js'
import type { ResultEvent, RunEvent, SummaryEvent } from '../../model/event.js'
import type { ErrorKind, Status } from '../../model/status.js'
import type { Gates } from './exit-code.js'
import { causeOf, suggestionFor } from './suggestion.js'
import { createSummaryFold, type SummaryEnd } from './summary.js'

function fold(
  events: RunEvent[],
  end: Partial<SummaryEnd> = {},
  runs: number | 'auto' = 1,
  min_pass_rate = 100,
  gates: Gates = {},
): SummaryEvent {
  const summary = createSummaryFold({ run_id: 'r', runs, min_pass_rate, gates })
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
  expect(fold([resultEvent('T1', { flaky: true })], {}, 1, 100, { fail_on_flaky: true })).toMatchObject({
    exit_code: 1,
    reasons: ['1 flaky case (--fail-on-flaky)'],
  })
  expect(fold([resultEvent('T1')], {}, 1, 100, { fail_on_flaky: true }).exit_code).toBe(0)
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
  expect(fold([failedEvent('T1', 'x')], { damage: 'o.jsonl was removed' })).toMatchObject({
    exit_code: 3,
    reasons: ['o.jsonl was removed', '1 case failed'],
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
      const nothing = count('passed') === 0 && count('skipped') > 0
      expect(summary.exit_code).toBe(count('failed') > 0 ? 1 : notRun > 0 ? 3 : nothing ? 1 : 0)
    }),
  )
})

test('a run in which every case was skipped is not green, unless that is meant', () => {
  const skipped = [1, 2].map((n) => resultEvent(`T${n}`, { status: 'skipped', skip_reason: 'not now', skip: true }))
  expect(fold(skipped)).toMatchObject({
    exit_code: 1,
    reasons: ['no case reached a verdict: all 2 cases were skipped (--pass-with-no-tests if that is meant)'],
  })
  expect(fold(skipped, {}, 1, 100, { pass_with_no_tests: true })).toMatchObject({ exit_code: 0, skipped: 2 })
  expect(fold(skipped, {}, 3).exit_code).toBe(1)
  // An empty shard has nothing to show.
  expect(fold([], { total_cases: 0 })).toMatchObject({ exit_code: 0, total: 0 })
})

test('some skipped and the others passed is green with the count, with --strict it is not', () => {
  const some = [resultEvent('T1'), resultEvent('T2', { status: 'skipped', skip_reason: 'not now', skip: true })]
  expect(fold(some)).toMatchObject({ exit_code: 0, passed: 1, skipped: 1 })
  expect(fold(some, {}, 1, 100, { strict: true })).toMatchObject({
    exit_code: 1,
    reasons: ['1 case skipped (--strict)'],
  })
  expect(fold(some.slice(0, 1), {}, 1, 100, { strict: true }).exit_code).toBe(0)
})

test('a run that stopped short is not green and says why', () => {
  expect(fold([resultEvent('T1')], { total_cases: 3, stopped: '--max-cost $1 reached' })).toMatchObject({
    exit_code: 1,
    not_run: 2,
    reasons: ['2 cases not run: --max-cost $1 reached'],
  })
})

test('undetermined is an outcome of its own: not passed, not failed, no failed assertion', () => {
  const runs = [true, true, true, false].map((passed, index) =>
    passed ? resultEvent('T1', { run: index + 1 }) : failedEvent('T1', 'wrong', 'assertion', { run: index + 1 }),
  )
  const whole = fold([...runs, ...stabilityOf(runs, startEvent({ runs_per_case: 'auto' }))], {}, 'auto')
  const told = {
    total: 1,
    passed: 0,
    failed: 0,
    undetermined: 1,
    undetermined_ids: ['T1'],
    failed_ids: [],
    by_error_kind: {},
    pass_rate: 0,
    exit_code: 1,
    reasons: ['1 case undetermined'],
    suggestion: expect.stringContaining('--max-runs') as string,
  }
  expect(whole).toMatchObject(told)
  // Killed before its stability was written.
  expect(fold(runs, {}, 'auto')).toMatchObject(told)
  expect(fold(runs.slice(0, 2), { interrupted: 'SIGINT' }, 'auto')).toMatchObject({ passed: 0, undetermined: 1 })
})

test('with --runs auto a killed run counts what was decided already', () => {
  const many = (id: string, count: number, make: (run: number) => ResultEvent) =>
    Array.from({ length: count }, (_, index) => ({ ...make(index + 1), id }))
  const events = [
    ...many('good', 24, (run) => resultEvent('x', { run })),
    ...many('bad', 3, (run) => failedEvent('x', 'wrong', 'assertion', { run })),
    ...many('down', 2, (run) => failedEvent('x', '503', 'agent', { run })),
    ...many('open', 23, (run) => resultEvent('x', { run })),
  ]
  expect(fold(events, {}, 'auto')).toMatchObject({
    passed: 1,
    failed: 2,
    failed_ids: ['bad', 'down'],
    undetermined_ids: ['open'],
    by_error_kind: { assertion: 1, agent: 1 },
  })
})

test('with repetition a flaky case counts once: passed after a retry, or in some of its runs', () => {
  const runs = (id: string, ...made: Array<Partial<ResultEvent>>) =>
    made.map((more, index) => resultEvent(id, { run: index + 1, ...more }))
  const wrong: Partial<ResultEvent> = { status: 'failed', error: 'wrong', error_kind: 'assertion' }
  const results = [
    ...runs('retried', { flaky: true }, { flaky: true }),
    ...runs('mixed', {}, wrong),
    ...runs('fine', {}, {}),
  ]
  const events = [...results, ...stabilityOf(results, startEvent({ runs_per_case: 2 }), 50)]
  expect(fold(events, {}, 2, 50)).toMatchObject({ passed: 3, flaky: 2, flaky_ids: ['retried', 'mixed'], exit_code: 0 })
  expect(fold(events, {}, 2, 50, { fail_on_flaky: true }).exit_code).toBe(1)
  // What failed is not also flaky.
  expect(
    fold(
      events.map((event) => ({ ...event })),
      {},
      2,
      100,
    ),
  ).toMatchObject({ failed_ids: ['mixed'], flaky: 1 })
})

test('fast results that are skipped are runs like any other; only what the author skips is not begun', () => {
  const results = [1, 2, 3].flatMap((run) =>
    Array.from({ length: 8 }, (_, n) =>
      resultEvent(`T${n}`, { run, duration_ms: 0, ...(n === 0 ? { status: 'skipped', skip_reason: 'no input' } : {}) }),
    ),
  )
  const author = resultEvent('author', { status: 'skipped', skip: true, duration_ms: 0 })
  const stability = stabilityOf(results, startEvent({ runs_per_case: 3 }))
  expect(fold([...results, author, ...stability], {}, 3)).toMatchObject({
    total: 9,
    total_cases: 9,
    total_runs: 24,
    passed: 7,
    skipped: 2,
  })
})

test('the advice is about what made most cases fail, and in doubt about the assertions', () => {
  expect(suggestionFor({})).toBeUndefined()
  expect(suggestionFor({ agent: 2 })).toContain('The agent failed')
  const replay = causeOf('agent', 'agent error: Replay mismatch at interaction 3 (hat: agent:a)')
  expect(suggestionFor({ [replay]: 1 })).toContain('differ from the recording')
  expect(suggestionFor({ agent: 1, assertion: 1 })).toContain('Some assertions failed')
  expect(suggestionFor({ timeout: 1, assertion: 20 })).toContain('Some assertions failed')
  expect(suggestionFor({ timeout: 20, assertion: 1 })).toContain('timed out')
  expect(suggestionFor({ timeout: 1, agent: 2 })).toContain('The agent failed')
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

test.each<[ErrorKind, string, string]>([
  ['agent', 'agent error: TypeError: x is undefined (at agent.mjs:3:30)', 'The agent failed'],
  ['agent', 'agent error: cannot reach http://127.0.0.1:9: connection refused', 'could not be reached'],
  ['agent', 'agent error: authentication failed (HTTP 401 from api.example.com): bad key', 'refused the credentials'],
  ['agent', 'agent error: rate limited (HTTP 429 from api.example.com)', '--parallel'],
  ['assertion', 'max turns (20) exceeded, missing checkpoints: a', 'ran out of turns'],
  ['assertion', 'assertion failed: output does not contain "x"', 'Some assertions failed'],
  ['simulator', 'cannot reach http://127.0.0.1:9: connection refused', 'simulated user'],
])('advice on %s: %s', (kind, error, advice) => {
  expect(fold([failedEvent('T1', error, kind)]).suggestion).toContain(advice)
})

test('for a case that passes in some of its runs, the advice does not blame assertions', () => {
  const runs = [resultEvent('T1', { run: 1 }), failedEvent('T1', 'wrong', 'assertion', { run: 2 })]
  const advice = 'pass in only some of their runs'
  expect(fold([...runs, ...stabilityOf(runs, startEvent({ runs_per_case: 2 }))], {}, 2).suggestion).toContain(advice)
  expect(fold(runs, {}, 2).suggestion).toContain(advice)
  const always = [1, 2].map((run) => failedEvent('T1', 'wrong', 'assertion', { run }))
  expect(fold(always, {}, 2).suggestion).toContain('Some assertions failed')
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
