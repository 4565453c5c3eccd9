// What a run does when cases fail, are tried again, cost too much, or when code beside them misbehaves: and its exit code.
import { copyFileSync, readFileSync } from 'node:fs'
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
  const all = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#answer', '-o', 'o.jsonl', ...args]
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

test('--max-cost: what is over the budget is skipped and says so; an unknown price counts as over it', async () => {
  const many = (input: string) =>
    Array.from({ length: 6 }, (_, n) => ({ id: `T${n}`, input: `${input} ${n}`, assert: RIGHT }))
  const priced = await tryRun(many('costs'), ['--max-cost', '2.5'])
  expect(priced.calls).toHaveLength(3)
  expect(priced.summary).toMatchObject({ passed: 3, skipped: 3, not_run: 0, cost_dollars: 3 })
  expect(priced.results.slice(3).map((result) => result.skip_reason)).toEqual(['budget', 'budget', 'budget'])
  expect(priced.code).toBe(0)
  const unknown = await tryRun(many('unpriced'), ['--max-cost', '1000'])
  expect(unknown.calls).toHaveLength(1)
  const nonsense = await tryRun(many('nonsense'), ['--max-cost', '1000'])
  expect(nonsense.calls.length).toBeLessThanOrEqual(6)
  expect(readFileSync(join(nonsense.dir, 'o.jsonl'), 'utf8')).not.toMatch(/"cost_dollars":(null|-)|NaN/)
  for (const result of nonsense.results)
    for (const count of Object.values(result.usage ?? {})) expect(count).toBeGreaterThanOrEqual(0)
})

test('--max-cost with an agent that tells nothing of its cost is warned of, once', async () => {
  const cases = (...inputs: string[]) => inputs.map((input, n) => ({ id: `T${n}`, input, assert: RIGHT }))
  const times = (text: string) => text.split('--max-cost cannot be held').length - 1
  const silent = await tryRun(cases('fine', 'wrong', 'fine again'), ['--max-cost', '1'])
  expect(silent.stderr).toContain('--max-cost cannot be held: the agent reports neither cost nor usage')
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

test('errors that an agent leaves behind are errors of the run, and the run goes on', async () => {
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

test('exit codes: 2 when nothing was run, 3 when the run could not go on', async () => {
  const cases = [{ id: 'T1', input: 'fine', assert: RIGHT }]
  const dir = makeFolder({
    'cases.jsonl': cases,
    'empty.jsonl': '\n',
    'scripts/hooks.ts': `export function before() { throw new Error('no database') }`,
  })
  copyFileSync(join(AGENTS, 'told.mjs'), join(dir, 'agent.mjs'))
  const base = ['test', '-n', './agent.mjs#answer', '-o', 'o.jsonl']
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
    strict: fc.boolean(),
    pass_with_no_tests: fc.boolean(),
  })
  fc.assert(
    fc.property(ending, gates, (given, wanted) => {
      const { exit_code, reasons } = exitCodeOf(given, wanted)
      expect(exit_code).toBe(tableOf(given, wanted))
      // Whoever sees a code other than 0 is told why.
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
