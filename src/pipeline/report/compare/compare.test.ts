// What changed between two runs, and that chance is not called a change.
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { failedEvent, recordingOf, resultEvent, wholeRun, type ResultFields } from '../../../../test/support/events.js'
import { expectGolden } from '../../../../test/support/golden.js'
import { HOSTILE } from '../../../../test/support/sample-runs.js'
import type { AssertionResult } from '../../../model/assertion.js'
import type { ResultEvent, StartEvent } from '../../../model/event.js'
import type { Recording } from '../recording.js'
import { compareHtml } from '../reporters/compare-html.js'
import { compareRuns, gateReasons, type Comparison } from './compare.js'
import { comparisonText } from './formats.js'

function compare(
  before: ResultEvent[],
  after: ResultEvent[],
  start: Partial<StartEvent> = {},
  afterStart = start,
): Promise<Comparison> {
  return comparisonOf(
    recordingOf(wholeRun(before, { run_id: 'before', ...start })),
    recordingOf(wholeRun(after, { run_id: 'after', ...afterStart })),
  )
}

async function comparisonOf(before: Recording, after: Recording): Promise<Comparison> {
  return (await compareRuns(before, after)).comparison
}

const many = (count: number, make: (id: string, index: number) => ResultEvent) =>
  Array.from({ length: count }, (_, index) => make(`T${String(index).padStart(3, '0')}`, index))

test('what became of every case of both runs', async () => {
  const [before, after] = [
    [
      resultEvent('A'),
      failedEvent('B', 'x'),
      resultEvent('C', { output: 'old' }),
      resultEvent('D', { input: 'one' }),
      resultEvent('E', { input: 'same', output: 'same' }),
      resultEvent('F'),
      resultEvent('G'),
      resultEvent('gone', { input: 'gone' }),
    ],
    [
      failedEvent('A', 'x'),
      resultEvent('B'),
      resultEvent('C', { output: 'new' }),
      resultEvent('D', { input: 'two' }),
      resultEvent('E2', { input: 'same', output: 'same' }),
      resultEvent('F', { status: 'skipped', skip_reason: 'later' }),
      resultEvent('G'),
      resultEvent('fresh', { input: 'fresh' }),
    ],
  ].map((results) => recordingOf(wholeRun(results)))
  if (!before || !after) throw new Error('two runs')
  const { cases } = await compareRuns(before, after)
  expect(Object.fromEntries(cases.map(({ id, change }) => [id, change]))).toEqual({
    A: 'newly_failing',
    B: 'newly_passing',
    C: 'output',
    D: 'input',
    E2: 'same',
    F: 'status',
    G: 'same',
    gone: 'only_before',
    fresh: 'only_after',
  })
  expect(cases.find(({ id }) => id === 'E2')).toMatchObject({ was: 'E', before: 'passed', after: 'passed' })
})

test('newly failing, newly passing, changed output, and cases of one run alone', async () => {
  const comparison = await compare(
    [resultEvent('A'), failedEvent('B', 'was wrong'), resultEvent('C', { output: 'old\nsame' }), resultEvent('gone')],
    [failedEvent('A', 'now wrong'), resultEvent('B'), resultEvent('C', { output: 'new\nsame' }), resultEvent('fresh')],
  )
  expect(comparison.newly_failing).toEqual({
    count: 1,
    cases: [{ id: 'A', before: 'passed', after: 'failed', error: 'now wrong', error_kind: 'assertion' }],
  })
  expect(comparison.newly_passing).toMatchObject({ count: 1, cases: [{ id: 'B', error: 'was wrong' }] })
  expect(comparison.changed_output).toEqual({ count: 1, diffs: [{ id: 'C', diff: '-old\n+new\n same' }] })
  expect(comparison.cases).toMatchObject({ both: 3, only_before: { ids: ['gone'] }, only_after: { ids: ['fresh'] } })
})

test('one case that fails once is not yet a regression, and the user learns what would settle it', async () => {
  const comparison = await compare(
    many(20, (id) => resultEvent(id)),
    many(20, (id, index) => (index === 0 ? failedEvent(id, 'wrong') : resultEvent(id))),
  )
  expect(comparison.pass_rate).toMatchObject({
    test: 'exact McNemar',
    p_value: 1,
    difference: -5,
    verdict: 'unchanged',
  })
  expect(gateReasons(comparison, 'regression')).toEqual([])
  expect(gateReasons(comparison, 'newly-failing')).toEqual(['1 case newly failing'])
  expect(comparisonText(comparison, 'console')).toContain('No regression shown: 1 case fails that passed before')
})

test('six cases that break and none that is fixed are a regression, five are not', async () => {
  const broken = (count: number) =>
    compare(
      many(40, (id) => resultEvent(id)),
      many(40, (id, index) => (index < count ? failedEvent(id, 'wrong') : resultEvent(id))),
    )
  expect((await broken(5)).regression).toBe(false)
  const six = await broken(6)
  expect(six).toMatchObject({ regression: true, pass_rate: { verdict: 'worse' } })
  expect(six.pass_rate.p_value).toBeCloseTo(0.03125, 9)
  expect(six.reasons[0]).toBe('the pass rate fell by 15.0 points (exact McNemar, p = 0.0313)')
})

test('cases lost to infrastructure are not a verdict on the agent, but many of them are a regression', async () => {
  const comparison = await compare(
    many(30, (id) => resultEvent(id)),
    many(30, (id, index) => (index < 10 ? failedEvent(id, 'agent error: 503', 'agent') : resultEvent(id))),
  )
  expect(comparison.pass_rate).toMatchObject({ pairs: 20, verdict: 'unchanged', difference: 0 })
  expect(comparison.lost).toMatchObject({ verdict: 'worse' })
  expect(comparison.regression).toBe(true)
})

const repeat = (id: string, passes: number, runs: number, extra: ResultFields = {}) =>
  Array.from({ length: runs }, (_, index) =>
    resultEvent(id, {
      ...extra,
      run: index + 1,
      ...(index < passes ? {} : { status: 'failed', error: 'wrong', error_kind: 'assertion' }),
    }),
  )

test('with repetition each case is tested, corrected for their number', async () => {
  const comparison = await compare(
    [...repeat('falls', 10, 10), ...repeat('wobbles', 8, 10), ...repeat('rises', 0, 10)],
    [...repeat('falls', 1, 10), ...repeat('wobbles', 6, 10), ...repeat('rises', 10, 10)],
    { runs_per_case: 10 },
  )
  expect(comparison.regressed).toMatchObject([{ id: 'falls', before: 100, after: 10 }])
  expect(comparison.improved).toMatchObject([{ id: 'rises', before: 0, after: 100 }])
  expect(comparison.regression).toBe(true)
  expect(comparison.newly_failing.cases[0]).toMatchObject({ before_runs: '10/10', after_runs: '1/10' })
})

test('outputs of repeated runs changed only when none is the same', async () => {
  const runs = (outputs: string[]) => outputs.map((output, index) => resultEvent('T', { run: index + 1, output }))
  const start = { runs_per_case: 2 }
  expect((await compare(runs(['a', 'b']), runs(['b', 'c']), start)).changed_output.count).toBe(0)
  expect((await compare(runs(['a', 'b']), runs(['c', 'd']), start)).changed_output.count).toBe(1)
})

test('slower and more expensive, on logarithms, with the test that was used', async () => {
  // Two runs that are noisy in opposite ways have no difference on average.
  const timed = (factor: number, sign = 1) =>
    many(60, (id, index) =>
      resultEvent(id, {
        duration_ms: (200 + 40 * index) * factor * Math.exp(0.1 * sign * (-1) ** index),
        cost_dollars: 0.01 * factor,
      }),
    )
  const comparison = await compare(timed(1), timed(2))
  expect(comparison.duration).toMatchObject({
    verdict: 'worse',
    pairs: 60,
    test: 'sign-flip permutation on logarithms (9,999 random flips)',
  })
  expect(comparison.duration.ratio).toBeCloseTo(2, 0)
  expect(comparison.duration.up).toHaveLength(10)
  expect(comparison.cost).toMatchObject({ verdict: 'worse' })
  expect(comparison.cost?.ratio).toBeCloseTo(2, 9)
  // Slower is reported; it is not a failure.
  expect(comparison.regression).toBe(false)
  expect(await compare(timed(1), timed(1, -1))).toMatchObject({
    duration: { verdict: 'unchanged' },
    cost: { verdict: 'unchanged' },
  })
})

test('without prices nothing is said about cost', async () => {
  expect(await compare([resultEvent('A')], [resultEvent('A')])).not.toHaveProperty('cost')
})

test('what makes two runs hard to compare is said, different cases first', async () => {
  const comparison = await compare(
    [resultEvent('A'), resultEvent('C')],
    [resultEvent('B'), resultEvent('C')],
    { input_hash: 'x' },
    { input_hash: 'y', agent_id: 'other', connector: 'm2' },
  )
  expect(comparison.notes).toEqual([
    'the runs have different cases: 1 only before, 1 only after; the numbers are of the 1 in both',
    'different agents: keyword and other',
    'different connectors: deepseek.v3 and m2',
    'the case file changed between the runs',
  ])
  expect(comparisonText(comparison, 'console')).toMatch(/^Note: the runs have different cases/)
})

test('cases are paired by content where ids changed; the same id with another input is another case', async () => {
  const comparison = await compare(
    [
      resultEvent('T1', { input: 'one' }),
      resultEvent('T2', { input: 'two' }),
      resultEvent('T3', { input: 'three' }),
      resultEvent('T4', { input: 'four' }),
    ],
    [
      resultEvent('T1', { input: 'zero' }),
      failedEvent('T2', 'wrong', 'assertion', { input: 'one' }),
      resultEvent('T3', { input: 'two' }),
      resultEvent('T4', { input: 'four' }),
      resultEvent('T5', { input: 'three' }),
    ],
  )
  expect(comparison.cases).toMatchObject({
    both: 4,
    renamed: {
      count: 3,
      cases: [
        { before: 'T1', after: 'T2' },
        { before: 'T2', after: 'T3' },
        { before: 'T3', after: 'T5' },
      ],
    },
    changed: { ids: [] },
    only_before: { ids: [] },
    only_after: { ids: ['T1'] },
    missing: { count: 0 },
  })
  expect(comparison.newly_failing.cases).toMatchObject([{ id: 'T2', error: 'wrong' }])
})

test('a case whose input changed is listed and not compared; if it fails now, nothing shows that it still passes', async () => {
  const edited = (after: ResultEvent) =>
    compare([resultEvent('A', { input: 'old' }), resultEvent('B')], [after, resultEvent('B')])
  const passing = await edited(resultEvent('A', { input: 'new' }))
  expect(passing.cases).toMatchObject({ both: 1, changed: { ids: ['A'] }, missing: { count: 0 } })
  expect(gateReasons(passing, 'regression')).toEqual([])
  const failing = await edited(failedEvent('A', 'wrong', 'assertion', { input: 'new' }))
  expect(failing.cases.missing.ids).toEqual(['A'])
  expect(gateReasons(failing, 'regression')).toHaveLength(1)
  expect(gateReasons(failing, 'regression', { missing: true })).toEqual([])
})

const contains = (value: string, more: Partial<AssertionResult> = {}): AssertionResult => ({
  type: 'contains',
  passed: true,
  value,
  ...more,
})
const turn = (number: number, assertions: AssertionResult[], status: 'passed' | 'failed' = 'passed') => ({
  turn: number,
  input: 'x',
  input_source: 'static' as const,
  status,
  duration_ms: 1,
  assertions,
})
const point = (id: string, assertion: AssertionResult, more: object = {}) => ({
  id,
  reached: true,
  passed: true,
  required: true,
  assertion,
  ...more,
})

test.each<[what: string, before: ResultFields, after: ResultFields, changed: string]>([
  ['removed', { assertions: [contains('a'), contains('b')] }, { assertions: [contains('b')] }, 'without contains "a"'],
  ['all removed', { assertions: [contains('a')] }, {}, 'without contains "a"'],
  [
    'one of two alike',
    { assertions: [contains('a'), contains('a')] },
    { assertions: [contains('a')] },
    'without contains "a"',
  ],
  ['edited', { assertions: [contains('a')] }, { assertions: [contains('b')] }, 'contains "a" → contains "b"'],
  [
    'negated',
    { assertions: [contains('a')] },
    { assertions: [contains('a', { negate: true })] },
    'contains "a" → not contains "a"',
  ],
  [
    'weight',
    { assertions: [contains('a', { weight: 2 })] },
    { assertions: [contains('a', { weight: 0 })] },
    'contains "a", weight 2 → contains "a", weight 0',
  ],
  [
    'graded',
    { assertions: [contains('a')] },
    { assertions: [contains('a')], min_score: 0.5 },
    'every assertion must hold → min_score 0.5',
  ],
  [
    'in a turn',
    { turns: [turn(1, [contains('a')]), turn(2, [contains('b')])] },
    { turns: [turn(1, [contains('a')])] },
    'without contains "b"',
  ],
  ['at the end', { final_assertions: [contains('a')], turns: [] }, { turns: [] }, 'without contains "a"'],
  [
    'in a group',
    { assertions: [{ type: 'all', passed: true, parts: [contains('a'), contains('b')] }] },
    { assertions: [{ type: 'all', passed: true, parts: [contains('a')] }] },
    'all (contains "a", contains "b") → all (contains "a")',
  ],
  [
    'a checkpoint',
    { checkpoints: [point('p', contains('a')), point('q', contains('b'))] },
    { checkpoints: [point('p', contains('a'))] },
    'without checkpoint q, checkpoint q: contains "b"',
  ],
  [
    'what a checkpoint checks',
    { checkpoints: [point('p', contains('a'))] },
    { checkpoints: [point('p', contains('b'))] },
    'checkpoint p: contains "a" → checkpoint p: contains "b"',
  ],
])('assertions that changed shut the gate and come first: %s', async (_what, before, after, changed) => {
  const comparison = await compare([resultEvent('A', before)], [resultEvent('A', after)])
  expect(comparison.changed_assertions.count).toBe(1)
  const reason = `the assertions of 1 case changed: A (${changed})`
  for (const what of ['regression', 'newly-failing', 'drift'] as const) {
    expect(gateReasons(comparison, what)).toEqual([`${reason} (--allow-changed-cases if that is meant)`])
    expect(gateReasons(comparison, what, { changed: true })).toEqual([])
  }
  const text = comparisonText(comparison, 'console')
  expect(text).toMatch(/^Changed assertions \(1\)\n {2}A /)
  expect(text).toMatch(/\nThe assertions of 1 case changed: .*\. No regression shown\n$/)
  expect(comparisonText(comparison, 'markdown')).toContain('### Changed assertions (1)')
})

test.each<[what: string, before: ResultFields, after: ResultFields]>([
  [
    'the same in another order',
    { assertions: [contains('a'), contains('b')] },
    { assertions: [contains('b'), contains('a')] },
  ],
  [
    'a label, a message, a score',
    { assertions: [contains('a')] },
    { assertions: [contains('a', { label: 'x', message: 'y', score: 1 })] },
  ],
  ['the same checks in a turn', { assertions: [contains('a')] }, { turns: [turn(1, [contains('a')])] }],
  [
    'votes of a judge',
    { assertions: [{ type: 'agent', passed: true, value: 'x', parts: [contains('a')] }] },
    { assertions: [{ type: 'agent', passed: true, value: 'x' }] },
  ],
  [
    'a conversation that broke off before its later assertions',
    { turns: [turn(1, [contains('a')]), turn(2, [contains('b')])], final_assertions: [contains('c')] },
    { status: 'failed', error: 'x', error_kind: 'assertion', turns: [turn(1, [contains('a')], 'failed')] },
  ],
  [
    'an agent that gave no answer to check',
    { assertions: [contains('a')] },
    { status: 'failed', error: 'down', error_kind: 'agent' },
  ],
  [
    'an optional checkpoint that was not reached',
    { checkpoints: [point('p', contains('a'), { required: false })] },
    { checkpoints: [{ id: 'p', reached: false, passed: false, required: false }] },
  ],
  [
    'the list of a case that was skipped',
    { status: 'skipped', skip_reason: 'x', final_assertions: [contains('a', { not_evaluated: true, passed: false })] },
    {},
  ],
  ['tests of scripts, which list none', { script: 'scripts.a' }, { script: 'scripts.a' }],
])('nothing has changed: %s', async (_what, before, after) => {
  const { changed_assertions, notes } = await compare([resultEvent('A', before)], [resultEvent('A', after)])
  expect([changed_assertions.count, notes]).toEqual([0, []])
})

test('what any run of a case lists counts; more than before is a note', async () => {
  const runs = (one: ResultFields, other: ResultFields) => [
    resultEvent('A', one),
    resultEvent('A', { ...other, run: 2 }),
  ]
  const lost: ResultFields = { status: 'failed', error: 'down', error_kind: 'agent' }
  const start = { runs_per_case: 2 }
  const both = { assertions: [contains('a'), contains('b')] }
  expect((await compare(runs(both, lost), runs(lost, both), start)).changed_assertions.count).toBe(0)
  const fewer = await compare(runs(both, lost), runs(lost, { assertions: [contains('a')] }), start)
  expect(fewer.changed_assertions.cases).toEqual([{ id: 'A', removed: ['contains "b"'], added: [] }])
  const more = await compare([resultEvent('A', { assertions: [contains('a')] })], [resultEvent('A', both)])
  expect([more.changed_assertions.count, more.notes]).toEqual([0, ['1 case with more assertions than before: A']])
  expect(gateReasons(more, 'regression')).toEqual([])
})

const AUTO = { runs_per_case: 'auto' as const, options: { threshold: 80, confidence: 95, max_runs: 30 } }
const auto = (options: object) => ({ ...AUTO, options: { ...AUTO.options, ...options } })
const fixed = (runs: number, min_pass_rate = 100) => ({ runs_per_case: runs, options: { min_pass_rate } })

test.each<[Partial<StartEvent>, Partial<StartEvent>, string]>([
  [fixed(5), AUTO, '--runs 5, and --runs auto (--threshold 80, --confidence 95, --max-runs 30)'],
  [AUTO, fixed(4), '--runs auto (--threshold 80, --confidence 95, --max-runs 30), and --runs 4'],
  [auto({ threshold: 50 }), AUTO, '--threshold 50'],
  [AUTO, auto({ confidence: 90 }), '--confidence 90'],
  [AUTO, auto({ max_runs: 100 }), '--max-runs 100'],
  [fixed(5), fixed(5, 80), '--runs 5, and --runs 5 --min-pass-rate 80'],
])('different run plans are refused, or shown without a verdict: %j, %j', async (start, afterStart, words) => {
  // Half of the runs fail on one side: a fall that would be called one.
  const results = (passes: number) =>
    many(20, (id) => resultEvent(id)).flatMap(({ id }) =>
      Array.from({ length: 4 }, (_, at) => {
        const run = { run: at + 1 }
        return at < passes ? resultEvent(id, run) : failedEvent(id, 'x', 'assertion', run)
      }),
    )
  const [before, after] = [
    recordingOf(wholeRun(results(4), { run_id: 'before', ...start })),
    recordingOf(wholeRun(results(2), { run_id: 'after', ...afterStart })),
  ]
  const refused = (await compareRuns(before, after)).comparison
  expect(refused.cannot_compare).toEqual([expect.stringMatching(/^different run plans: .*--allow-different-plans$/)])
  expect(refused.cannot_compare?.[0]).toContain(words)
  const { comparison } = await compareRuns(before, after, { allow_different_plans: true })
  expect(comparison).not.toHaveProperty('cannot_compare')
  expect(comparison).not.toHaveProperty('regression')
  expect(comparison).not.toHaveProperty('behaviour')
  expect(comparison).toMatchObject({ no_verdict: [expect.stringContaining(words)], reasons: [], regressed: [] })
  expect(comparison.pass_rate).toMatchObject({ before: 100, after: 50, verdict: 'not_tested' })
  for (const what of ['regression', 'newly-failing', 'drift'] as const)
    expect(gateReasons(comparison, what, { missing: true, changed: true })[0]).toMatch(
      /^no verdict: different run plans/,
    )
  const text = comparisonText(comparison, 'console')
  expect(text).toContain('Pass rate: 100% → 50%, -50.0 points: not tested')
  expect(text).toMatch(/\nNo verdict: different run plans: .*\n$/)
  for (const format of ['console', 'markdown'] as const)
    expect(comparisonText(comparison, format)).not.toMatch(/regression|worse/i)
})

test('fixed numbers of runs may differ: their rates are not biased', async () => {
  for (const [start, afterStart] of [
    [fixed(3), fixed(10)],
    [fixed(1), fixed(5)],
    [fixed(1, 80), fixed(5)],
    [AUTO, { ...AUTO, options: { ...AUTO.options, parallel: 4 } }],
  ]) {
    const comparison = await compare(many(4, passed), many(4, passed), start, afterStart)
    expect([comparison.cannot_compare, comparison.regression]).toEqual([undefined, false])
  }
  const { cannot_compare } = await compare(many(4, passed), many(4, passed), AUTO, fixed(1))
  expect(cannot_compare).toEqual([expect.stringContaining('and --runs 1;')])
})

test('what a simulated user said first is not the content of a case', async () => {
  const said = (input: string) =>
    resultEvent('A', {
      input,
      turns: [{ turn: 1, input, input_source: 'simulator', status: 'passed', duration_ms: 1 }],
    })
  expect((await compare([said('hi')], [said('hello')])).cases).toMatchObject({ both: 1, changed: { count: 0 } })
})

const passed = (id: string) => resultEvent(id)
const skipped = (id: string) => resultEvent(id, { status: 'skipped', skip_reason: 'not now' })

test.each<[string, ResultEvent[], ResultEvent[], Partial<StartEvent>, Partial<StartEvent>]>([
  ['the runs have no case in common', [resultEvent('A')], [resultEvent('B')], {}, {}],
  ['every case is skipped in the second run', [resultEvent('A')], [skipped('A')], {}, {}],
  [
    'only 1 of the 4 cases with a verdict in the first run have one in the second',
    many(4, passed),
    many(4, (id, index) => (index === 0 ? passed(id) : failedEvent(id, '503', 'agent'))),
    {},
    {},
  ],
  ['no case reached a verdict in the first run', [failedEvent('A', '503', 'agent')], [resultEvent('A')], {}, {}],
  ['only 2 of the 8 cases of the first run are in the second', many(8, passed), many(2, passed), {}, {}],
  [
    'the first run is all cases, the second shard 1/2',
    many(4, passed),
    many(4, passed),
    {},
    { options: { shard: '1/2' } },
  ],
  [
    'the first run is shard 2/2, the second shard 1/2',
    many(4, passed),
    many(4, passed),
    { options: { shard: '2/2' } },
    { options: { shard: '1/2' } },
  ],
  [
    'the second run was cut short: only 2 of its 8 cases have results',
    many(2, passed),
    many(2, passed),
    {},
    { total_cases: 8 },
  ],
])('cannot compare: %s', async (reason, before, after, start, afterStart) => {
  const comparison = await compare(before, after, start, afterStart)
  expect(comparison.cannot_compare).toEqual([reason])
  expect(comparison.regression).toBe(false)
  for (const what of ['regression', 'newly-failing'] as const)
    expect(gateReasons(comparison, what, { missing: true })).toEqual([`cannot compare: ${reason}`])
  for (const format of ['console', 'markdown'] as const)
    expect(comparisonText(comparison, format)).toContain(`Cannot compare: ${reason}`)
  expect(comparisonText(comparison, 'console')).toMatch(/^Cannot compare/)
})

test('a quarter of the cases gone, or the same shard of both, can be compared', async () => {
  const most = await compare(many(8, passed), many(3, passed))
  expect(most).not.toHaveProperty('cannot_compare')
  const shard = { options: { shard: '1/2' } }
  expect(await compare(many(4, passed), many(4, passed), shard, shard)).not.toHaveProperty('cannot_compare')
})

test('cases that passed and are missing shut the gate unless allowed; those that failed may go', async () => {
  const before = [resultEvent('A'), resultEvent('B'), failedEvent('C', 'x'), resultEvent('D'), resultEvent('E')]
  const comparison = await compare(before, [resultEvent('A'), skipped('D'), resultEvent('E')])
  expect(comparison.cases.missing).toEqual({ count: 2, ids: ['B', 'D'] })
  expect(gateReasons(comparison, 'regression')).toEqual([
    '2 cases that passed before missing (--allow-missing if that is meant)',
  ])
  expect(gateReasons(comparison, 'regression', { missing: true })).toEqual([])
  expect(comparisonText(comparison, 'console')).toContain(
    'No regression shown, but 2 cases that passed before are missing: B, D',
  )
  const failed = await compare(before, [resultEvent('A'), resultEvent('B'), resultEvent('D'), resultEvent('E')])
  expect(gateReasons(failed, 'regression')).toEqual([])
})

test('numbers on one line come from the same cases and add up', async () => {
  const timed = (id: string, duration_ms: number, more: Partial<ResultEvent> = {}) =>
    resultEvent(id, { duration_ms, cost_dollars: duration_ms / 1000, ...more })
  const comparison = await compare(
    [timed('A', 100), timed('B', 400), failedEvent('old', 'x', 'assertion', { duration_ms: 90_000 })],
    [timed('A', 200), timed('B', 800), timed('new', 60_000)],
  )
  expect(comparison.pass_rate).toMatchObject({ before: 100, after: 100, difference: 0, pairs: 2 })
  const text = comparisonText(comparison, 'console')
  expect(text).toContain('Pass rate: 100% → 100%, 0.0 points')
  expect(text).toContain('Duration of the typical case: 200ms → 400ms, ×2.00')
  expect(text).toContain('Cost of the typical case: $0.20 → $0.40, ×2.00')
})

test('the time until something broke is not a duration of the agent', async () => {
  const timedOut = (id: string) => failedEvent(id, 'timeout after 30s', 'timeout', { duration_ms: 30_000 })
  const comparison = await compare(
    many(20, (id) => resultEvent(id)),
    many(20, (id, index) => (index < 3 ? timedOut(id) : resultEvent(id))),
  )
  expect(comparison.duration).toMatchObject({ verdict: 'unchanged', pairs: 17, ratio: 1, up: [] })
})

test('a shift of less than 5% that hits all cases alike is drift of the machine', async () => {
  const timed = (factor: number) =>
    many(40, (id, index) => resultEvent(id, { duration_ms: (1_000 + 100 * index) * factor }))
  const drift = await compare(timed(1), timed(1.03))
  expect(drift.duration.verdict).toBe('slight')
  expect(drift.duration.p_value).toBeLessThan(0.001)
  const text = comparisonText(drift, 'console')
  expect(text).toContain('drift of the machine (all cases alike, under 5%)')
  expect(text).not.toContain('slower')
  expect((await compare(timed(1), timed(1.08))).duration.verdict).toBe('worse')
  expect((await compare(timed(1.08), timed(1))).duration.verdict).toBe('better')
})

test('a difference in time or cost is named only beyond chance and beyond what matters', async () => {
  const timed = (factor: number, runs = 1) =>
    Array.from({ length: 40 }, (_, index) =>
      Array.from({ length: runs }, (__, run) =>
        resultEvent(`T${index}`, {
          run: run + 1,
          duration_ms: 1_000 * (index === 0 ? factor : 1) * (1 + 0.01 * run),
        }),
      ),
    ).flat()
  const one = await compare(timed(1), timed(3))
  expect(one.duration).toMatchObject({ verdict: 'unchanged', up: [{ id: 'T0' }] })
  // One run says nothing for sure, and the list says so.
  expect(comparisonText(one, 'console')).toMatch(/^Slower in one run each, which may be chance/m)
  expect(comparisonText(one, 'console')).not.toMatch(/^Slower \(/m)
  const ten = await compare(timed(1, 10), timed(3, 10), { runs_per_case: 10 })
  expect(ten.duration.up).toMatchObject([{ id: 'T0' }])
  expect(comparisonText(ten, 'console')).toMatch(/^Slower \(most first\)\n  T0 /m)
  // Noisier than it is slower: no more than chance.
  const noisy = (shift: number) =>
    [1, 9, 2, 8].map((time, run) => resultEvent('N', { run: run + 1, duration_ms: 100 * time * shift }))
  expect((await compare(noisy(1), noisy(1.6), { runs_per_case: 4 })).duration).toMatchObject({ up: [], down: [] })
})

test('--practical says what matters', async () => {
  const timed = (factor: number) =>
    recordingOf(wholeRun(many(40, (id, index) => resultEvent(id, { duration_ms: (1_000 + 100 * index) * factor }))))
  const verdict = async (practical: number) =>
    (await compareRuns(timed(1), timed(1.15), { practical })).comparison.duration.verdict
  expect([await verdict(0), await verdict(10), await verdict(20)]).toEqual(['worse', 'worse', 'slight'])
})

const acting = (count: number, first: (index: number) => string) =>
  many(count, (id, index) =>
    resultEvent(id, { tool_calls: [first(index), 'answer'].map((name) => ({ name, args: { text: 'x' } })) }),
  )

test('behaviour is compared whatever the verdicts, in words, and shuts the gate only when asked to', async () => {
  const drift = await compare(
    acting(40, () => 'lookup'),
    acting(40, (index) => (index % 4 === 0 ? 'search' : 'lookup')),
  )
  expect(drift).toMatchObject({
    regression: false,
    pass_rate: { verdict: 'unchanged' },
    behaviour: { verdict: 'drift', pairs: 40, confidence: 0.99 },
  })
  expect(gateReasons(drift, 'regression')).toEqual([])
  expect(gateReasons(drift, 'drift')).toEqual([
    expect.stringMatching(
      /^the behaviour changed: calls `\w+` in \d+% of conversations instead of \d+% \(p = 0\.00\d+\)$/,
    ),
  ])
  for (const format of ['console', 'markdown'] as const) {
    const text = comparisonText(drift, format)
    expect(text).toContain('calls `search` first in 25% of conversations instead of 0%')
    expect(text).toContain('No regression; the behaviour changed')
  }
  const same = await compare(
    acting(40, () => 'lookup'),
    acting(40, (index) => (index === 0 ? 'search' : 'lookup')),
  )
  expect(same.behaviour).toMatchObject({ verdict: 'unchanged', moved: [] })
  expect(gateReasons(same, 'drift')).toEqual([])
  expect(comparisonText(same, 'console')).not.toContain('behaviour changed')
})

const tool_calls = [{ name: HOSTILE, args: { [HOSTILE]: 1 } }]

const hostile = () =>
  comparisonOf(
    recordingOf(
      wholeRun(
        [
          resultEvent(HOSTILE, { output: 'fine', name: HOSTILE, duration_ms: 100 }),
          ...many(8, (id) => resultEvent(id)),
        ],
        { run_id: 'before' },
      ),
    ),
    recordingOf(
      wholeRun(
        [
          failedEvent(HOSTILE, HOSTILE, 'assertion', { output: HOSTILE, name: HOSTILE, duration_ms: 900, tool_calls }),
          ...many(8, (id) => failedEvent(id, 'wrong', 'assertion', { output: 'changed', tool_calls })),
        ],
        { run_id: 'after' },
      ),
    ),
  )

test.each([
  ['console', 'txt'],
  ['json', 'json'],
  ['markdown', 'md'],
] as const)('a comparison as %s', async (format, extension) => {
  expectGolden(comparisonText(await hostile(), format), `reports/compare.${extension}`)
})

test('Markdown for a pull request makes nothing of data and fits into a comment', async () => {
  const text = comparisonText(await hostile(), 'markdown')
  const html = await marked.parse(text, { gfm: true })
  for (const tag of html.matchAll(/<([a-z][a-z0-9]*)/gi)) {
    expect([
      'code',
      'details',
      'h2',
      'h3',
      'li',
      'p',
      'pre',
      'strong',
      'summary',
      'table',
      'tbody',
      'td',
      'th',
      'thead',
      'tr',
      'ul',
    ]).toContain(tag[1])
  }
  const long = (word: string) =>
    many(300, (id) =>
      resultEvent(id, { output: Array.from({ length: 400 }, (_, line) => `${word} ${line}`).join('\n') }),
    )
  expect(comparisonText(await compare(long('a'), long('b')), 'markdown').length).toBeLessThan(65_536)
})

test('the page holds the verdict, every case and both runs, all of it as data', async () => {
  const before = recordingOf(wholeRun([resultEvent(HOSTILE), resultEvent('gone')], { run_id: 'before' }))
  const after = recordingOf(
    wholeRun([failedEvent(HOSTILE, HOSTILE, 'assertion', { output: HOSTILE })], { run_id: 'after', agent_id: HOSTILE }),
  )
  const assets = { script: 'APP()', style: '', scriptHash: "'sha256-a'", styleHash: "'sha256-b'" }
  let page = ''
  for await (const text of compareHtml(await compareRuns(before, after), { before, after }, async () => assets))
    page += text
  const blocks = [...page.matchAll(/<script(?: type="application\/json"([^>]*))?>(.*?)<\/script>/gs)]
  const named = (name: string) =>
    JSON.parse(blocks.find(([, names]) => names?.trim() === name)?.[2] ?? 'null') as unknown
  expect(named('data-kind="comparison"')).toMatchObject({
    conclusion: { tone: 'note', text: expect.stringContaining('No regression shown: 1 case fails') },
    after: { cases: '1 case: 0 passed, 1 failed, 0 skipped' },
    measures: [{ name: 'Pass rate', verdict: 'no significant change' }, {}, { name: 'Behaviour' }],
  })
  expect(named('data-kind="cases"')).toEqual([
    { id: HOSTILE, change: 'newly_failing', before: 'passed', after: 'failed' },
    { id: 'gone', change: 'only_before', before: 'passed' },
  ])
  expect(named('data-kind="rows" data-side="before"')).toHaveLength(2)
  expect(named('data-details="0" data-side="after"')).toMatchObject([{ id: HOSTILE, output: HOSTILE }])
  expect(blocks.filter(([, names]) => names === undefined).map(([, , text]) => text)).toEqual(['APP()'])
  // Every element is ours, and there is none that loads anything.
  const markup = page.replaceAll(/<script.*?<\/script>/gs, '')
  const ours = new Set(['body', 'div', 'head', 'html', 'link', 'meta', 'noscript', 'p', 'style', 'title'])
  expect([...markup.matchAll(/<([a-z]+)/g)].filter(([, tag = '']) => !ours.has(tag))).toEqual([])
  expect(page).toContain("default-src 'none'")
})

test('no line of the console comparison begins with a command of a CI system', async () => {
  const text = comparisonText(await hostile(), 'console')
  expect(text).not.toMatch(/^(::|##)/m)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/)
})

test('single cases that are slower are not listed below "no significant change"', async () => {
  const timed = (factor: number) =>
    many(3, (id) => resultEvent(id)).flatMap((event, index) =>
      Array.from({ length: 5 }, (_, run) => ({
        ...event,
        run: run + 1,
        duration_ms: (200 + 40 * index) * factor * (1 + run / 50),
      })),
    )
  const comparison = await compare(timed(1), timed(30), { runs_per_case: 5 })
  expect(comparison.duration).toMatchObject({ verdict: 'unchanged', up: [{}, {}, {}] })
  const text = comparisonText(comparison, 'console')
  expect(text).toContain('cannot tell for the suite as a whole; for single cases, see below')
})
