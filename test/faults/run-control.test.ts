// What a run does when cases fail, are tried again, cost too much, or when code beside them misbehaves: and its exit code.
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exitCodeOf, type Gates, type RunEnd, type StopSignal } from '../../src/pipeline/fold/exit-code.js'
import { makeFolder, viva, type CliRun } from '../support/run-cli.js'
import { AGENTS, checkRun, linesOf, type RunFile } from './support.js'

interface Tried extends CliRun, RunFile {
  calls: string[]
}

const RIGHT = { type: 'equals', value: 'right' }

async function tryRun(cases: object[], args: string[] = [], env: Record<string, string> = {}): Promise<Tried> {
  const dir = makeFolder({ 'cases.jsonl': cases })
  copyFileSync(join(AGENTS, 'told.mjs'), join(dir, 'agent.mjs'))
  const all = ['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', ...args]
  const run = await viva(all, { cwd: dir, env })
  return { ...run, ...checkRun(join(dir, 'o.jsonl')), calls: linesOf(join(dir, 'calls.log')) }
}

test('--fail-fast with four at once: nothing more starts, what runs is cancelled and has no verdict', async () => {
  const cases = Array.from({ length: 100 }, (_, n) => ({
    id: `T${n}`,
    input: n === 0 ? 'wrong-when-four-run' : `hang ${n}`,
    assert: RIGHT,
  }))
  const { code, calls, results, summary } = await tryRun(cases, ['--fail-fast', '--parallel', '4'])
  expect(code).toBe(1)
  expect(calls).toHaveLength(4)
  expect(results.map((result) => result.status)).toEqual(['failed'])
  expect(summary).toMatchObject({ failed: 1, passed: 0, not_run: 99, exit_code: 1 })
  expect(summary).not.toHaveProperty('interrupted')
})

test('retries: timeouts are, wrong answers are not unless the case says so; what passed then is flaky', async () => {
  const { code, calls, results, stdout, dir } = await tryRun(
    [
      { id: 'slow', input: 'hang-once', timeout: '1s', assert: RIGHT },
      { id: 'always-slow', input: 'hang', timeout: '200ms', retry: { max_attempts: 2, backoff_ms: 1 } },
      { id: 'wrong', input: 'wrong', assert: RIGHT },
      { id: 'broken', input: 'throw', assert: RIGHT },
      {
        id: 'asked',
        input: 'wrong-once',
        assert: RIGHT,
        retry: { max_attempts: 3, backoff_ms: 1, retry_on: ['assertion_failure'] },
      },
      {
        id: 'not',
        input: 'hang not',
        timeout: '200ms',
        retry: { max_attempts: 3, backoff_ms: 1, no_retry_on: ['timeout'] },
      },
    ],
    ['--retries', '2', '-o', 'o.xml', '-o', 'o.ctrf.json', '-o', 'o.md'],
  )
  expect(code).toBe(1)
  const of = (id: string) => results.find((result) => result.id === id)
  const times = (text: string) => calls.filter((call) => call === text).length
  expect(of('slow')).toMatchObject({
    status: 'passed',
    flaky: true,
    attempts: 2,
    failure_history: [{ attempt: 1, status: 'failed', error: 'timeout after 1s', error_kind: 'timeout' }],
  })
  expect(of('always-slow')).toMatchObject({ status: 'failed', attempts: 2, error: 'timeout after 200ms' })
  expect(of('always-slow')).not.toHaveProperty('flaky')
  expect(of('asked')).toMatchObject({ status: 'passed', flaky: true, attempts: 2 })
  for (const id of ['wrong', 'broken', 'not']) expect(of(id)).not.toHaveProperty('attempts')
  expect(['wrong', 'throw', 'hang not', 'hang', 'hang-once', 'wrong-once'].map(times)).toEqual([1, 1, 1, 2, 2, 2])

  expect(stdout).toMatch(/Flaky: +2 \(slow, asked\)/)
  expect(readFileSync(join(dir, 'o.xml'), 'utf8')).toContain('<flakyFailure')
  const ctrf = JSON.parse(readFileSync(join(dir, 'o.ctrf.json'), 'utf8')) as {
    results: { tests: Array<Record<string, unknown>> }
  }
  expect(ctrf.results.tests.filter((item) => item['flaky'] === true)).toHaveLength(2)
  expect(readFileSync(join(dir, 'o.md'), 'utf8')).toMatch(/flaky/i)
})

const many = (input: string, count = 6) =>
  Array.from({ length: count }, (_, n) => ({ id: `T${n}`, input: `${input} ${n}`, assert: RIGHT }))

test('--max-cost: a run that stopped short is not green, and says what was not run', async () => {
  const { code, calls, summary, results, stdout } = await tryRun(many('costs'), ['--max-cost', '2.5', '-o', 'o.json'])
  expect(calls).toHaveLength(3)
  expect(results).toHaveLength(3)
  expect(summary).toMatchObject({ total: 6, passed: 3, failed: 0, skipped: 0, not_run: 3, cost_dollars: 3 })
  expect(stdout).toContain('  Not run: 3\n')
  expect(stdout).toContain('  Exit code 1: 3 cases not run: --max-cost $2.50 reached\n')
  expect(code).toBe(1)
})

test('--max-cost 0 starts nothing; a budget that the last case reaches was kept', async () => {
  const none = await tryRun(many('costs', 2), ['--max-cost', '0'])
  expect([none.code, none.calls]).toEqual([1, []])
  expect(none.stdout).toContain('Exit code 1: 2 cases not run: --max-cost $0 reached')
  const kept = await tryRun(many('costs', 3), ['--max-cost', '3'])
  expect([kept.code, kept.calls.length]).toEqual([0, 3])
})

test('--max-cost with --runs counts each case once; --resume with a larger budget continues', async () => {
  const { code, summary, dir, calls } = await tryRun(many('costs', 3), ['--runs', '2', '--max-cost', '3'])
  expect([code, calls.length]).toEqual([1, 3])
  // One case is complete, one is half done, one was not begun.
  expect(summary).toMatchObject({ total: 3, total_cases: 3, total_runs: 3, passed: 1, not_run: 2 })
  const again = await viva(['agent', 'test', '--resume', 'o.jsonl', '--max-cost', '100'], { cwd: dir })
  expect(again.code).toBe(0)
  expect(linesOf(join(dir, 'calls.log'))).toHaveLength(6)
  expect(checkRun(join(dir, 'o.jsonl')).summary).toMatchObject({ total: 3, total_runs: 6, passed: 3, not_run: 0 })
})

test('--max-cost with --runs auto stops between two runs', async () => {
  const { code, summary, calls } = await tryRun(many('costs', 2), ['--runs', 'auto', '--max-cost', '4'])
  expect([code, calls.length]).toEqual([1, 4])
  expect(summary).toMatchObject({ total: 2, passed: 0, undetermined: 1, not_run: 1 })
})

test('--max-cost with tokens and no price stops as soon as it is known, and shows the line that would help', async () => {
  const { code, calls, stdout, summary, dir } = await tryRun(many('unpriced'), ['--max-cost', '100000'])
  expect([code, calls.length]).toEqual([1, 1])
  expect(summary).toMatchObject({ passed: 1, not_run: 5 })
  expect(stdout).toContain('5 cases not run: --max-cost cannot be enforced')
  expect(stdout).toContain('add "prices": { "./agent.mjs#answer": { "input": …, "output": … } }')
  // The last case reports it too late to stop anything, but not too late to say so.
  const single = await tryRun(many('unpriced', 1), ['--max-cost', '100000'])
  expect(single.code).toBe(1)
  expect(single.stdout).toContain('Exit code 1: --max-cost cannot be enforced, since ./agent.mjs#answer reports tokens')
  // With the line the budget holds: 2,000 dollars a case.
  const price = { input: 1, output: 1 }
  writeFileSync(join(dir, 'viva.config.json'), JSON.stringify({ prices: { './agent.mjs#answer': price } }))
  const base = ['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'priced.jsonl']
  const priced = await viva([...base, '--max-cost', '100000'], { cwd: dir })
  expect([priced.code, priced.stdout]).toEqual([0, expect.stringContaining('Cost:    $12,000.00')])
  const spent = await viva([...base, '--max-cost', '5000', '--force'], { cwd: dir })
  expect([spent.code, spent.stdout]).toEqual([1, expect.stringContaining('3 cases not run: --max-cost $5,000.00')])
})

test('costs and counts that make no sense are unknown, never numbers', async () => {
  const nonsense = await tryRun(many('nonsense'), ['--max-cost', '1000'])
  expect(nonsense.calls.length).toBeLessThanOrEqual(6)
  expect(readFileSync(join(nonsense.dir, 'o.jsonl'), 'utf8')).not.toMatch(/"cost_dollars":(null|-)|NaN/)
  for (const result of nonsense.results)
    for (const count of Object.values(result.usage ?? {})) expect(count).toBeGreaterThanOrEqual(0)
})

const skipped = (id: string) => ({ id, input: 'fine', skip: true, skip_reason: 'not now' })

test('a run whose every case was skipped is not green, unless that is meant', async () => {
  const { code, stdout, calls } = await tryRun([skipped('T1'), skipped('T2')])
  expect([code, calls]).toEqual([1, []])
  expect(stdout).toContain('Exit code 1: no case reached a verdict: all 2 cases were skipped')
  expect((await tryRun([skipped('T1')], ['--pass-with-no-tests'])).code).toBe(0)
  expect((await tryRun([skipped('T1')], ['--runs', '3'])).code).toBe(1)
})

test('some skipped and the others passed: green with the count, with --strict not', async () => {
  const cases = [skipped('T1'), { id: 'T2', input: 'fine', assert: RIGHT }]
  const some = await tryRun(cases)
  expect([some.code, some.stdout]).toEqual([0, expect.stringContaining('  Skipped: 1\n')])
  const strict = await tryRun(cases, ['--strict'])
  expect([strict.code, strict.stdout]).toEqual([1, expect.stringContaining('Exit code 1: 1 case skipped (--strict)')])
  expect((await tryRun(cases.slice(1), ['--strict'])).code).toBe(0)
})

test('--fail-fast is not about what is skipped', async () => {
  const cases = [skipped('T1'), { id: 'T2', input: 'fine', assert: RIGHT }, { id: 'T3', input: 'fine', assert: RIGHT }]
  const { code, results, summary } = await tryRun(cases, ['--fail-fast'])
  expect(code).toBe(0)
  expect(results.map((result) => result.status)).toEqual(['skipped', 'passed', 'passed'])
  expect(summary).toMatchObject({ not_run: 0 })
})

test('--fail-fast continues after a case that was skipped with an error', async () => {
  const lost = { id: 'T1', turns: [{ input: 'fine' }, {}], simulator: { use: './lost.mjs' } }
  const cases = [lost, { id: 'T2', input: 'fine', assert: RIGHT }, { id: 'T3', input: 'no', assert: RIGHT }, lost]
  const dir = makeFolder({
    'cases.jsonl': cases.map((each, at) => ({ ...each, id: `T${at + 1}` })),
    'lost.mjs': `export default () => { throw new Error('the simulator is gone') }`,
    'agent.mjs': `export default (messages) => messages.at(-1).content === 'fine' ? 'right' : 'wrong'`,
  })
  const run = await viva(['agent', 'test', '-i', 'cases.jsonl', '-n', './agent.mjs', '-o', 'o.jsonl', '--fail-fast'], {
    cwd: dir,
  })
  expect(run.code).toBe(1)
  const { results, summary } = checkRun(join(dir, 'o.jsonl'))
  expect(results).toMatchObject([
    { id: 'T1', status: 'skipped', error_kind: 'simulator' },
    { id: 'T2', status: 'passed' },
    { id: 'T3', status: 'failed' },
  ])
  expect(summary).toMatchObject({ not_run: 1 })
})

test('an empty shard is green and says so; a selection that matches nothing is a mistake', async () => {
  const one = [{ id: 'T1', input: 'fine', assert: RIGHT }]
  const runs = await Promise.all(['1/2', '2/2'].map((shard) => tryRun(one, ['--shard', shard])))
  expect(runs.map(({ code }) => code)).toEqual([0, 0])
  const [empty] = runs.filter(({ results }) => results.length === 0)
  expect(empty?.stdout).toMatch(/Shard [12]\/2 has no cases: all are in other shards/)
  expect(runs.map(({ calls }) => calls.length).toSorted((a, b) => a - b)).toEqual([0, 1])
  const dir = makeFolder({ 'cases.jsonl': one })
  const wrong = await viva(
    ['agent', 'test', '-i', 'cases.jsonl', '-n', 'builtin:echo', '--run', 'nothing', '--shard', '1/2', '-o', 'o.jsonl'],
    { cwd: dir },
  )
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('no case matches')])
})

test('--fail-on-flaky: passed after a retry, or in some of the runs', async () => {
  const retried = [{ id: 'slow', input: 'hang-once', timeout: '1s', assert: RIGHT }]
  expect((await tryRun(retried, ['--retries', '1'])).code).toBe(0)
  const failed = await tryRun(retried, ['--retries', '1', '--fail-on-flaky'])
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining('1 flaky case (--fail-on-flaky)')])
  const once = [{ id: 'once', input: 'wrong-once', assert: RIGHT }]
  const runs = ['--runs', '4', '--min-pass-rate', '0.75']
  expect((await tryRun(once, runs)).code).toBe(0)
  expect((await tryRun(once, [...runs, '--fail-on-flaky'])).code).toBe(1)
  const steady = [{ id: 'fine', input: 'fine', assert: RIGHT }]
  expect((await tryRun(steady, [...runs, '--retries', '1', '--fail-on-flaky'])).code).toBe(0)
})

test('--max-cost warns once about an agent that does not report its cost', async () => {
  const cases = (...inputs: string[]) => inputs.map((input, n) => ({ id: `T${n}`, input, assert: RIGHT }))
  const times = (text: string) => text.split('--max-cost cannot be enforced').length - 1
  const silent = await tryRun(cases('fine', 'wrong', 'fine again'), ['--max-cost', '1'])
  expect(silent.stderr).toContain('--max-cost cannot be enforced: the agent reports neither cost nor usage')
  expect(times(silent.stderr)).toBe(1)
  expect(silent.calls).toHaveLength(3)
  const wrong = await tryRun(cases('wrong'), ['--max-cost', '1'])
  expect(times(wrong.stderr)).toBe(1)
  for (const [input, args] of [
    ['fine', []],
    ['costs', ['--max-cost', '1']],
    ['unpriced', ['--max-cost', '1']],
    ['throw', ['--max-cost', '1']],
  ] as const) {
    const { stderr } = await tryRun(cases(input), [...args])
    expect({ input, times: times(stderr) }).toEqual({ input, times: 0 })
  }
})

test('errors that an agent leaves behind are errors of the run, and the run continues', async () => {
  for (const [input, message] of [
    ['stray-rejection', 'nobody caught this'],
    ['stray-throw', 'thrown later'],
  ]) {
    const { code, events, results, stdout, stderr } = await tryRun([
      { id: 'T1', input, assert: RIGHT },
      { id: 'T2', input: 'fine', assert: RIGHT },
    ])
    expect({ input, code, stderr }).toMatchObject({ input, code: 1 })
    expect(results.map((result) => result.status)).toEqual(['passed', 'passed'])
    expect(events.find((event) => event.type === 'error')).toMatchObject({
      message: expect.stringContaining(message ?? ''),
    })
    expect(stdout).toContain('Exit code 1: 1 error outside any case')
  }
})

test('an agent that ends its process fails its case; one that keeps it alive does not keep the terminal', async () => {
  const { code, results } = await tryRun([{ id: 'T1', input: 'exit' }])
  expect(code).toBe(1)
  expect(results).toMatchObject([{ id: 'T1', status: 'failed', error_kind: 'crashed' }])
  expect((await tryRun([{ id: 'T1', input: 'stays' }])).code).toBe(0)
})

test('the time of day goes back: no negative durations, no early or missing timeouts', async () => {
  const { code, results } = await tryRun(
    [
      { id: 'T1', input: 'fine', assert: RIGHT },
      { id: 'T2', input: 'hang', timeout: '300ms' },
      { id: 'T3', input: 'fine again', timeout: '720h', assert: RIGHT },
    ],
    ['-o', 'o.json'],
    { NODE_OPTIONS: `--import=${AGENTS}clock-back.mjs` },
  )
  expect(code).toBe(1)
  expect(results.map((result) => result.error)).toEqual([undefined, 'timeout after 300ms', undefined])
  for (const result of results) expect(result.duration_ms).toBeLessThan(60_000)
})

test('exit codes: 2 when nothing was run, 3 when the run could not continue', async () => {
  const cases = [{ id: 'T1', input: 'fine', assert: RIGHT }]
  const dir = makeFolder({
    'cases.jsonl': cases,
    'empty.jsonl': '\n',
    'scripts/hooks.ts': `export function before() { throw new Error('no database') }`,
  })
  copyFileSync(join(AGENTS, 'told.mjs'), join(dir, 'agent.mjs'))
  const base = ['agent', 'test', '-n', './agent.mjs#answer', '-o', 'o.jsonl']
  for (const [args, expected] of [
    [['-i', 'cases.jsonl', '--paralel', '2'], 2],
    [['-i', 'cases.jsonl', '--parallel', '0'], 2],
    [['-i', 'empty.jsonl'], 2],
    [['-i', 'missing.jsonl'], 2],
    [['-i', 'cases.jsonl', '--run', 'nothing'], 2],
    [['-i', 'cases.jsonl', '-n', 'nobody'], 2],
    [['-i', 'cases.jsonl', '--before', 'scripts:hooks.before'], 3],
  ] as const) {
    const { code, stderr } = await viva([...base, ...args], { cwd: dir })
    expect({ args, code, stderr }).toEqual({ args, code: expected, stderr: expect.stringContaining('error: ') })
    expect(stderr).not.toContain('bug')
  }
  expect(linesOf(join(dir, 'calls.log'))).toEqual([])
})

test('the exit code follows from what happened, whatever the mix', () => {
  const signals: StopSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP']
  const ending = fc.record(
    {
      passed: fc.nat(2),
      failed: fc.nat(2),
      undetermined: fc.nat(1),
      skipped: fc.nat(2),
      not_run: fc.nat(2),
      late_errors: fc.nat(1),
      flaky: fc.nat(2),
      stopped: fc.constant('--max-cost reached'),
      errors: fc.array(fc.string({ minLength: 1 }), { maxLength: 2 }),
      interrupted: fc.constantFrom(...signals),
    },
    {
      requiredKeys: ['passed', 'failed', 'undetermined', 'skipped', 'not_run', 'late_errors', 'flaky', 'errors'],
    },
  )
  const gates = fc.record<Required<Gates>>({
    fail_on_flaky: fc.boolean(),
    fail_on_vacuous: fc.boolean(),
    strict: fc.boolean(),
    pass_with_no_tests: fc.boolean(),
    gate: fc.constant('any'),
    fail_on: fc.constant([]),
    changed_cases: fc.constant(''),
  })
  fc.assert(
    fc.property(ending, gates, (given, wanted) => {
      const { exit_code, reasons } = exitCodeOf(given, wanted)
      expect(exit_code).toBe(tableOf(given, wanted))
      // A code other than 0 comes with its reason.
      expect(reasons.length > 0).toBe(exit_code !== 0)
    }),
    { numRuns: 2_000 },
  )
})

function tableOf(end: RunEnd, gates: Gates): number {
  if (end.interrupted) return { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }[end.interrupted]
  if (end.failed > 0 || end.undetermined > 0 || end.late_errors > 0 || end.stopped !== undefined) return 1
  if (gates.fail_on_flaky && end.flaky > 0) return 1
  if (gates.strict && end.skipped > 0) return 1
  if (end.errors.length > 0 || end.not_run > 0) return 3
  return end.passed === 0 && end.skipped > 0 && !gates.pass_with_no_tests ? 1 : 0
}
