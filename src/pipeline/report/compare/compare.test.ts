// What changed between two runs, and that chance is not called a change.
import { XmlDocument } from 'libxml2-wasm'
import { marked } from 'marked'
import { expect, test } from 'vitest'
import { failedEvent, recordingOf, resultEvent, wholeRun } from '../../../../test/support/events.js'
import { expectGolden } from '../../../../test/support/golden.js'
import { HOSTILE } from '../../../../test/support/sample-runs.js'
import type { ResultEvent, StartEvent } from '../../../model/event.js'
import { compareRuns, failsOn, type Comparison } from './compare.js'
import { comparisonText } from './formats.js'
import { seededRandom, type Random } from '../../fold/statistics/random.js'

function compare(
  before: ResultEvent[],
  after: ResultEvent[],
  start: Partial<StartEvent> = {},
  afterStart = start,
): Promise<Comparison> {
  return compareRuns(
    recordingOf(wholeRun(before, { run_id: 'before', ...start })),
    recordingOf(wholeRun(after, { run_id: 'after', ...afterStart })),
  )
}

const many = (count: number, make: (id: string, index: number) => ResultEvent) =>
  Array.from({ length: count }, (_, index) => make(`T${String(index).padStart(3, '0')}`, index))

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

test('one case that fails once is not yet a regression, and the user is told what would tell', async () => {
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
  expect(failsOn(comparison, 'regression')).toBe(false)
  expect(failsOn(comparison, 'newly-failing')).toBe(true)
  expect(comparisonText(comparison, 'console')).toContain('No regression shown: 1 case fails that passed before')
})

test('six cases that break and none that is mended are a regression, five are not', async () => {
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

test('cases lost to infrastructure are no verdict on the agent, but many of them are a regression', async () => {
  const comparison = await compare(
    many(30, (id) => resultEvent(id)),
    many(30, (id, index) => (index < 10 ? failedEvent(id, 'agent error: 503', 'agent') : resultEvent(id))),
  )
  expect(comparison.pass_rate).toMatchObject({ pairs: 20, verdict: 'unchanged', difference: 0 })
  expect(comparison.lost).toMatchObject({ verdict: 'worse' })
  expect(comparison.regression).toBe(true)
})

const repeat = (id: string, passes: number, runs: number, extra: Partial<ResultEvent> = {}) =>
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

test('slower and dearer, on logarithms, with the test that was used', async () => {
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

test('what makes two runs hard to compare is said', async () => {
  const comparison = await compare(
    [resultEvent('A')],
    [resultEvent('B')],
    { input_hash: 'x' },
    { input_hash: 'y', agent_id: 'other', connector: 'm2' },
  )
  expect(comparison.notes).toEqual([
    'different agents: keyword and other',
    'different connectors: deepseek.v3 and m2',
    'the case file changed between the runs',
    'the runs have no case in common',
  ])
})

// The promises: few false alarms on the same suite, and a real fall is found.
const suite = (rates: number[], random: Random, runs = 1) =>
  rates.flatMap((rate, index) =>
    Array.from({ length: runs }, (_, run) =>
      resultEvent(`T${index}`, {
        run: run + 1,

        ...(random() < rate ? {} : { status: 'failed', error: 'wrong', error_kind: 'assertion' }),
      }),
    ),
  )

async function alarms(pairs: number, runs: number, before: number[], after: number[], seed: number): Promise<number> {
  const random = seededRandom(seed)
  let raised = 0
  for (let pair = 0; pair < pairs; pair++) {
    const comparison = await compare(suite(before, random, runs), suite(after, random, runs), { runs_per_case: runs })
    if (failsOn(comparison, 'regression')) raised++
  }
  return raised / pairs
}

test('one run each: at most 5% false alarms between runs of the same suite', async () => {
  const rates = Array.from({ length: 100 }, (_, index) => [0.99, 0.9, 0.7, 0.5][index % 4] ?? 0)
  expect(await alarms(300, 1, rates, rates, 21)).toBeLessThanOrEqual(0.05)
})

test('five runs each: at most 5% false alarms between runs of the same suite', async () => {
  const rates = Array.from({ length: 30 }, (_, index) => [0.99, 0.9, 0.7, 0.5, 0.2][index % 5] ?? 0)
  expect(await alarms(300, 5, rates, rates, 22)).toBeLessThanOrEqual(0.05)
})

test('one run each: a fall from 90% to 70% on 100 cases is found in at least 90%', async () => {
  expect(await alarms(300, 1, Array<number>(100).fill(0.9), Array<number>(100).fill(0.7), 23)).toBeGreaterThanOrEqual(
    0.9,
  )
})

const hostile = () =>
  compareRuns(
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
          failedEvent(HOSTILE, HOSTILE, 'assertion', { output: HOSTILE, name: HOSTILE, duration_ms: 900 }),
          ...many(8, (id) => failedEvent(id, 'wrong', 'assertion', { output: 'changed' })),
        ],
        { run_id: 'after' },
      ),
    ),
  )

test.each([
  ['console', 'txt'],
  ['json', 'json'],
  ['markdown', 'md'],
  ['html', 'html'],
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

test('the page is well-formed and holds no element that data asked for', async () => {
  const html = comparisonText(await hostile(), 'html')
  const body = html.replace('<!doctype html>', '').replaceAll(/<meta ([^>]*)>/g, '<meta $1/>')
  const document = XmlDocument.fromString(body)
  expect(document.find('//img | //script | //a')).toHaveLength(0)
  expect(document.get('//style')?.content).not.toContain('http')
  document.dispose()
  expect(html).toContain("default-src 'none'")
})

test('no line of the console comparison begins with a command of a CI system', async () => {
  const text = comparisonText(await hostile(), 'console')
  expect(text).not.toMatch(/^(::|##)/m)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u202e]/)
})
