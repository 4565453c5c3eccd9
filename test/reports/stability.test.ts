// `--runs`: the document of the design, its jq line, thresholds, and runs that stop when they have said enough.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type CliRun, makeFolder, parseEvents, viva } from '../support/run-cli.js'
import { blockOf, readSeed } from '../support/seed-document.js'

// "fail 2,4" is wrong the second and the fourth time it is asked.
const AGENT = `
const asked = new Map()
export function run(messages) {
  const text = messages.at(-1).content
  const time = (asked.get(text) ?? 0) + 1
  asked.set(text, time)
  if (text === 'down') throw new Error('the service is down')
  const wrong = text === 'wrong' || text.replace('fail ', '').split(',').includes(String(time))
  return wrong ? 'wrong answer' : 'right answer'
}
`
const right = { type: 'contains', value: 'right' }
const CASES = [
  { id: 'T001', input: 'fine', assert: right },
  { id: 'T002', name: 'fails once', input: 'fail 2', assert: right },
  { id: 'T003', input: 'fail 1,2,3', assert: right },
  { id: 'T004', input: 'wrong', assert: right },
  { id: 'T005', input: 'fine', skip: true, skip_reason: 'not now' },
]

interface Stability extends Record<string, unknown> {
  id: string
  status: string
  pass_rate: number
  run_details: Array<Record<string, unknown>>
}

interface Report {
  summary: Record<string, unknown>
  results: Stability[]
  skipped?: Array<Record<string, unknown>>
}

async function run(args: string[], cases: object[] = CASES): Promise<CliRun & { report: Report; markdown: string }> {
  const cwd = makeFolder({ 'agent.mjs': AGENT, 'cases.jsonl': cases })
  const given = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'r.json', '-o', 'r.jsonl', '-o', 'r.md']
  const done = await viva([...given, '--classic', ...args], { cwd })
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as Report
  return { ...done, report, markdown: readFileSync(join(cwd, 'r.md'), 'utf8') }
}

/** The line of the design's workflow; jq itself where there is one. */
function jqLine(dir: string): boolean {
  const line = /jq -e '(.*)' report\.json/.exec(blockOf(readSeed('000'), 'GitHub Actions Example'))?.[1] ?? ''
  expect(line).toBe('.results | all(.pass_rate >= 80)')
  const path = join(dir, 'r.json')
  try {
    execFileSync('jq', ['-e', line, path], { stdio: 'ignore' })
    return true
  } catch (error) {
    if ((error as { status?: number }).status === 1) return false
    return (JSON.parse(readFileSync(path, 'utf8')) as Report).results.every(({ pass_rate }) => pass_rate >= 80)
  }
}

test('the fields of the design, for every case, and its jq line', async () => {
  const { report, code, dir } = await run(['--runs', '5'])
  expect(code).toBe(1)
  expect(report.summary).toMatchObject({
    total_cases: 5,
    total_runs: 20,
    runs_per_case: 5,
    overall_pass_rate: 55,
    stable_cases: 1,
    unstable_cases: 3,
    duration_ms: expect.any(Number) as number,
  })
  expect(
    report.results.map(({ id, runs, passed, failed, pass_rate, consistency, stable, classification, status }) => [
      id,
      runs,
      passed,
      failed,
      pass_rate,
      consistency,
      stable,
      classification,
      status,
    ]),
  ).toEqual([
    ['T001', 5, 5, 0, 100, 1, true, 'stable', 'passed'],
    ['T002', 5, 4, 1, 80, 0.8, false, 'mostly_stable', 'failed'],
    ['T003', 5, 2, 3, 40, 0.6, false, 'highly_unstable', 'failed'],
    ['T004', 5, 0, 5, 0, 1, false, 'highly_unstable', 'failed'],
  ])
  // Whatever the sample shows, in the order of the sample, is there.
  const sample = /"id": "T001",([\s\S]*?)"run_details"/.exec(blockOf(readSeed('000'), 'Stability Report Structure'))
  const keys = [...(sample?.[1] ?? '').matchAll(/"(\w+)":/g)].map((match) => match[1] ?? '')
  expect(keys).toHaveLength(10)
  for (const result of report.results) {
    expect(Object.keys(result).filter((key) => keys.includes(key))).toEqual(keys)
    expect(result.run_details.map(({ run: number }) => number)).toEqual([1, 2, 3, 4, 5])
    for (const detail of result.run_details)
      expect(detail).toMatchObject({
        status: expect.any(String),
        duration_ms: expect.any(Number),
        output: expect.any(String),
      })
  }
  expect(report.results[1]).toMatchObject({
    output_agreement: 0.6,
    label: 'passes sometimes',
    pass_hat_k: { 1: 0.8, 5: 0 },
    pass_at_k: { 1: 0.8, 5: 1 },
    interval: { low: expect.closeTo(0.376, 3), high: expect.closeTo(0.964, 3), confidence: 0.95 },
  })
  // A skipped case has no rate, so it is listed separately.
  expect(report.skipped).toEqual([expect.objectContaining({ id: 'T005', status: 'skipped', skip_reason: 'not now' })])
  expect(jqLine(dir)).toBe(false)
})

test('the console says how many passed, what that allows to say, and why; the Markdown lists the runs', async () => {
  const { stdout, markdown } = await run(['--runs', '5'])
  expect(stdout).toContain('ℹ Runs per case: 5\n')
  expect(stdout).toContain(`
✓ [T001] 5/5 passed (100%, stable) · 95% interval 56.6% to 100%: about 11 more runs to be sure
✗ [T002] fails once 4/5 passed (80%, mostly stable) · 95% interval 37.6% to 96.4%, passes sometimes
    run 2: assertion failed: output does not contain "right"
`)
  expect(stdout).toContain('○ [T005] skipped: not now\n')
  expect(stdout).toContain(
    "  Runs:    20\n  Stable:  1 of 4 cases\n  Rate:    25% of cases; 55% of a case's runs on average\n",
  )
  expect(markdown).toMatch(/^\| Runs +\| 20 \(5 per case\) +\|$/m)
  expect(markdown).toContain('### ❌ T002 - Failed')
  expect(markdown).toContain('4 of 5 runs passed (80%), 100% needed: assertion failed: output does not contain "right"')
  expect(markdown.match(/^\| \d +\| (?:passed|failed)/gm)).toHaveLength(20)
})

test('a required pass rate decides which cases fail the run, and the jq line agrees', async () => {
  const some = CASES.filter(({ id }) => id !== 'T003' && id !== 'T004')
  const lenient = await run(['--runs', '5', '--min-pass-rate', '80', '--parallel', '4'], some)
  expect(lenient.code).toBe(0)
  expect(lenient.report.summary).toMatchObject({ passed: 2, failed: 0, skipped: 1 })
  expect(jqLine(lenient.dir)).toBe(true)
  const strict = await run(['--runs', '5', '--min-pass-rate', '81'], some)
  expect(strict.code).toBe(1)
  expect(strict.report.results.map(({ id, status }) => [id, status])).toEqual([
    ['T001', 'passed'],
    ['T002', 'failed'],
  ])
})

test('--runs auto stops each case as soon as it is decided, says so, and does not keep asking what is down', async () => {
  const { code, stdout, report, dir } = await run(
    ['--runs', 'auto', '--parallel', '3'],
    [...CASES, { id: 'T006', input: 'down', assert: right }],
  )
  expect(code).toBe(1)
  const decided = Object.fromEntries(
    report.results.map(({ id, runs, decision, runs_saved }) => [id, [runs, decision, runs_saved]]),
  )
  expect(decided).toEqual({
    T001: [24, 'above', 6],
    T002: [30, 'undetermined', 0],
    T003: [3, 'below', 27],
    T004: [3, 'below', 27],
    T006: [5, 'undetermined', 25],
  })
  expect(report.summary).toMatchObject({ total_runs: 65, runs_saved: 85, runs_per_case: 'auto' })
  expect(stdout).toContain('  Runs:    65 (85 saved)\n')
  expect(stdout).toMatch(/✓ \[T001\] 24\/24 passed \(100%, stable\) · 95% interval [\d.]+% to 100%, above 80%\n/)
  // One failure in thirty leaves 80% possible, and the interval shown says the same.
  expect(stdout).toMatch(/\? \[T002\] fails once 29\/30 .* interval 7[\d.]+% to >99.9%, undetermined against 80%\n/)
  expect(stdout).toContain('✗ [T006] 0/5 passed (0%, always fails) · 5 runs without a verdict\n')
  expect(stdout).toContain('  Failed:  3\n  Skipped: 1\n  Undetermined: 1 (T002)\n')
  const events = parseEvents(readFileSync(join(dir, 'r.jsonl'), 'utf8'))
  expect(events.filter(({ type, id }) => type === 'result' && id === 'T004')).toHaveLength(3)
  const sure = await run(
    ['--runs', 'auto', '--threshold', '50', '--confidence', '90', '--max-runs', '10'],
    CASES.slice(0, 2),
  )
  expect(sure.report.results.map(({ runs, decision }) => [runs, decision])).toEqual([
    [6, 'above'],
    [10, 'undetermined'],
  ])
  expect(sure.code).toBe(1)
  expect(sure.report.results.map(({ status }) => status)).toEqual(['passed', 'undetermined'])
  expect(sure.report.summary).toMatchObject({ passed: 1, failed: 0, undetermined: 1, undetermined_ids: ['T002'] })
  expect(sure.stdout).toContain('Exit code 1: 1 case undetermined\n')
  expect(sure.stdout).toContain('Raise --max-runs, or move --threshold.')
  expect(sure.stdout).not.toContain('Some assertions failed')
  expect(sure.markdown).toContain('### ❔ T002 - Undetermined')
})

test('what always fails reads so, whatever the class of the seed', async () => {
  const { stdout, markdown, report } = await run(['--runs', '3'], CASES.slice(3, 4))
  expect(stdout).toContain('✗ [T004] 0/3 passed (0%, always fails)')
  expect(markdown).toMatch(/^\| Verdict +\| too few runs to tell: about \d+ more +\|$/m)
  expect(report.results[0]).toMatchObject({ classification: 'highly_unstable' })
  for (const text of [stdout, markdown]) expect(text).not.toContain('highly unstable')
})

test('--runs with --fail-fast shows the case that ended the run', async () => {
  const { code, stdout, report } = await run(['--runs', '5', '--fail-fast'], CASES.slice(0, 2))
  expect(code).toBe(1)
  expect(stdout).toContain('✗ [T002] fails once run 2')
  expect(stdout).toContain('output does not contain "right"')
  expect(report.summary).toMatchObject({ passed: 1, failed: 1, not_run: 0 })
  expect(report.results.map(({ id, status }) => [id, status])).toEqual([
    ['T001', 'passed'],
    ['T002', 'failed'],
  ])
})

test('script tests are repeated like cases', async () => {
  const cwd = makeFolder({
    'assistants/x/package.yao': '{ "name": "x" }',
    'assistants/x/src/a_test.ts': `
function TestSteady(t) { t.assert.True(true) }
function TestRun(t) { const runs = FS('system'); const n = runs.Exists('n') ? Number(runs.ReadFile('n')) : 0; runs.WriteFile('n', String(n + 1)); t.assert.True(n !== 1, 'the second run') }
`,
  })
  const run = await viva(['agent', 'test', '-i', 'scripts.x.a', '--runs', '4', '-o', 'r.json'], { cwd })
  const report = JSON.parse(readFileSync(join(cwd, 'r.json'), 'utf8')) as Report
  expect(report.results.map(({ name, passed, runs }) => [name, passed, runs])).toEqual([
    ['TestSteady', 4, 4],
    ['TestRun', 3, 4],
  ])
  expect(report.summary).toMatchObject({ total: 2, passed: 1, failed: 1, total_runs: 8 })
  expect(run.stdout).toContain('run 2: assertion failed: the second run')
})
