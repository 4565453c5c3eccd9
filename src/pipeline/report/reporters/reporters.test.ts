// Every format against a reader that is not ours, and as a whole against a golden file.
import { readFileSync } from 'node:fs'
import { validate, validateStrict } from 'ctrf'
import { parse as parseJunit } from 'junit2json'
import { XmlDocument, XsdValidator } from 'libxml2-wasm'
import { marked } from 'marked'
import { Parser } from 'tap-parser'
import { expect, test } from 'vitest'
import type { RunEvent } from '../../../model/event.js'
import { expectGolden, textOf } from '../../../../test/support/golden.js'
import { failedEvent, recordingOf, resultEvent, startEvent, wholeRun } from '../../../../test/support/events.js'
import { HOSTILE, mixedRun, repeatedRun, scriptRun } from '../../../../test/support/sample-runs.js'
import { orchestratorResults } from '../../../../test/viewer/orchestrator-events.js'
import { REPORTERS, reporterByName } from '../registry.js'
import { githubAnnotations, githubSummary } from './github.js'

const SCREEN = { columns: 80, color: false, verbose: false }
const RUNS: Record<string, () => RunEvent[]> = {
  mixed: mixedRun,
  repeated: repeatedRun,
  script: scriptRun,
  empty: () => wholeRun([]),
  orchestrator: () => wholeRun(orchestratorResults()),
}

async function report(format: string, events: RunEvent[]): Promise<string> {
  const reporter = await reporterByName(format)
  return textOf(reporter(recordingOf(events), SCREEN))
}

const EXTENSIONS = Object.fromEntries(REPORTERS.map((entry) => [entry.name, entry.extension]))
const FORMATS = ['json', 'markdown', 'summary', 'junit', 'tap', 'ctrf', 'jsonl']

for (const [name, events] of Object.entries(RUNS)) {
  test.each(FORMATS)(`a ${name} run as %s`, async (format) => {
    expectGolden(await report(format, events()), `reports/${name}${EXTENSIONS[format]}`)
  })
}

test('a run that was killed is reported up to where it came, and says so', async () => {
  const events = mixedRun().slice(0, 4)
  const document = JSON.parse(await report('json', events)) as Document
  expect(document.summary).toMatchObject({ total: 11, passed: 1, failed: 2, not_run: 8, incomplete: true })
  expect(document.results.map((result) => result['id'])).toEqual(['T001', 'T002', 'T003'])
  expect(await report('markdown', events)).toContain('The run was cut off')
})

test('a run that was killed after its last case is not green, wherever it is read', async () => {
  const whole = wholeRun([resultEvent('a'), resultEvent('b')])
  const cut = whole.filter((event) => event.type !== 'summary')
  const reason = 'the run was cut off before its summary'
  const summaryOf = async (events: RunEvent[]) => (JSON.parse(await report('json', events)) as Document).summary
  expect(await summaryOf(whole)).toMatchObject({ passed: 2, exit_code: 0 })
  expect(await summaryOf(cut)).toMatchObject({ passed: 2, exit_code: 3, reasons: [reason] })
  expect((await parseTap(await report('tap', cut))).ok).toBe(false)
  for (const format of ['markdown', 'summary', 'junit', 'ctrf'])
    expect(await report(format, cut), format).toContain(reason)
  expect(await textOf(githubAnnotations(recordingOf(cut)))).toContain(reason)
})

test('undetermined is an outcome of its own in every report, also of a run that was killed', async () => {
  const runs = [1, 2, 3].flatMap((run) => [
    resultEvent('open', { run }),
    failedEvent('bad', 'wrong', 'assertion', { run }),
  ])
  const whole = wholeRun(runs, { runs_per_case: 'auto', options: { threshold: 80, confidence: 95 } })
  const killed = whole.filter((event) => event.type !== 'summary' && event.type !== 'stability')
  for (const events of [whole, killed]) {
    const document = JSON.parse(await report('json', events)) as Document
    expect(document.summary).toMatchObject({ total: 2, passed: 0, failed: 1, undetermined: 1, exit_code: 1 })
    expect(document.results.map(({ id, status }) => [id, status])).toEqual([
      ['open', 'undetermined'],
      ['bad', 'failed'],
    ])
    expect(await report('markdown', events)).toContain('### ❔ open - Undetermined')
    expect(await report('summary', events)).toContain('  Undetermined: 1 (open)')
    const junit = await report('junit', events)
    expect(junit).toContain('<testsuite name="keyword" tests="2" failures="1" errors="1"')
    expect(junit).toMatch(/<error message="3 of 3 runs passed \(100%\), undetermined against 80%" type="undetermined"/)
    expect(await report('tap', events)).toMatch(
      /^not ok \d - open\n {2}---\n.*undetermined against 80%"\n {2}severity: "undetermined"/m,
    )
    const ctrf = JSON.parse(await report('ctrf', events)) as {
      results: { summary: object; tests: Array<Record<string, unknown>> }
    }
    expect(ctrf.results.summary).toMatchObject({ tests: 2, passed: 0, failed: 1, other: 1 })
    expect(ctrf.results.tests.find(({ testId }) => testId === 'open')).toMatchObject({
      status: 'other',
      rawStatus: 'undetermined',
    })
    expect(() => validateStrict(ctrf)).not.toThrow()
    expect(await textOf(githubAnnotations(recordingOf(events)))).toMatch(/^::error title=open::3 of 3 runs passed/m)
  }
})

test('a missed checkpoint says why in every format that lists cases', async () => {
  const why = 'matched out of order at turn 1, before a'
  const missed = { id: 'b', reached: false, passed: false, required: true, message: why }
  const optional = { ...missed, id: 'c', required: false, message: 'not reached: waits for b' }
  const events = wholeRun([
    failedEvent('T1', 'missing checkpoints: b', 'assertion', { checkpoints: [missed, optional] }),
  ])
  expect(await report('markdown', events)).toContain(`- ✗ b: ${why}\n- ○ c: not reached: waits for b\n`)
  expect(await report('junit', events)).toContain(`>missing checkpoints: b\ncheckpoint b: ${why}</failure>`)
  for (const format of ['ctrf', 'tap', 'json'])
    expect({ format, text: await report(format, events) }).toEqual({ format, text: expect.stringContaining(why) })
})

test('turns are counted per run of a test', async () => {
  const runs = [1, 2, 3].map((run) => resultEvent('T1', { run, total_turns: 5 }))
  const start = { multi_turn: true, runs_per_case: 3 }
  expect(await report('summary', wholeRun(runs, start))).toContain('  Total turns: 15\n  Avg turns/test: 5.0\n')
})

test('the last summary wins, and events of a newer version are passed over', async () => {
  const [start, ...rest] = wholeRun([resultEvent('T1')])
  const summary = rest.at(-1)
  if (!start || summary?.type !== 'summary') throw new Error('no summary')
  const later = { ...summary, report_errors: ['report.html: disk full'], exit_code: 3 }
  const events = [start, { type: 'from_the_future', x: 1 } as unknown as RunEvent, ...rest, later]
  for (const format of FORMATS) expect(await report(format, events)).not.toBe('')
  const document = JSON.parse(await report('json', events)) as Document
  expect(document.summary).toMatchObject({ exit_code: 3, total: 1 })
})

test('the summary of the part before a resume does not count for the whole', async () => {
  const events = [...wholeRun([resultEvent('T1')], { total_cases: 3 }), resultEvent('T2'), failedEvent('T3', 'wrong')]
  const document = JSON.parse(await report('json', events)) as Document
  expect(document.summary).toMatchObject({ total: 3, passed: 2, failed: 1, not_run: 0, incomplete: true })
})

interface Document {
  type?: string
  summary: Record<string, unknown>
  environment: Record<string, unknown>
  results: Array<Record<string, unknown>>
  skipped?: Array<Record<string, unknown>>
  metadata: Record<string, unknown>
}

test('the JSON document has the keys of the original', async () => {
  const document = JSON.parse(
    await report('json', wholeRun([resultEvent('T001', { output: { keywords: ['AI'] } })])),
  ) as Document
  expect(Object.keys(document)).toEqual(['summary', 'environment', 'results', 'metadata'])
  expect(Object.keys(document.summary).slice(0, 9)).toEqual([
    'total',
    'passed',
    'failed',
    'skipped',
    'duration_ms',
    'agent_id',
    'connector',
    'runs_per_case',
    'overall_pass_rate',
  ])
  expect(document.results[0]).toMatchObject({
    id: 'T001',
    status: 'passed',
    expected: null,
    error: null,
    duration_ms: 234,
  })
  expect(document.metadata).toMatchObject({
    started_at: '2024-12-17T10:00:00Z',
    completed_at: '2024-12-17T10:00:12Z',
    version: '0.10.5',
  })
})

test('a script test is exactly the document of the original', async () => {
  expect(JSON.parse(await report('json', scriptRun()))).toEqual({
    type: 'script_test',
    script: 'scripts.expense.setup',
    script_path: 'expense/src/setup_test.ts',
    summary: { total: 3, passed: 2, failed: 1, skipped: 0, duration_ms: 35 },
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    results: [
      { name: 'TestSystemReady', status: 'passed', duration_ms: 12, logs: [] },
      { name: 'TestSystemReadyWithInvalidContext', status: 'passed', duration_ms: 8, logs: [] },
      {
        name: 'TestSetupWithMockData',
        status: 'failed',
        duration_ms: 15,
        error: 'assertion failed: Result ID should match',
        assertion: { type: 'Equal', expected: 1, actual: 2, message: 'Result ID should match' },
        logs: [],
      },
    ],
    metadata: { started_at: '2024-12-17T10:00:00Z', completed_at: '2024-12-17T10:00:12Z', version: '0.10.5' },
  })
})

test('with repeated runs every result has a pass rate, so that a threshold can be checked on all of them', async () => {
  const document = JSON.parse(await report('json', repeatedRun())) as Document
  expect(document.results.map((result) => [result['id'], result['pass_rate'], result['status']])).toEqual([
    ['T001', 100, 'passed'],
    ['T002', 60, 'failed'],
  ])
  // jq -e '.results | all(.pass_rate >= 80)'
  expect(document.results.every((result) => Number(result['pass_rate']) >= 80)).toBe(false)
  expect(document.results.every((result) => Number(result['pass_rate']) >= 60)).toBe(true)
  expect(document.skipped?.map((result) => result['id'])).toEqual(['T003'])
  expect(document.summary).toMatchObject({
    total_cases: 3,
    total_runs: 10,
    runs_per_case: 5,
    overall_pass_rate: 80,
    stable_cases: 1,
    unstable_cases: 1,
  })
})

test('the required pass rate decides which repeated case fails', async () => {
  const lenient = JSON.parse(await report('json', repeatedRun({ min_pass_rate: 60 }))) as Document
  expect(lenient.summary).toMatchObject({ passed: 2, failed: 0, skipped: 1, exit_code: 0 })
  expect(await report('junit', repeatedRun({ min_pass_rate: 60 }))).not.toContain('<failure')
})

test('a killed run of repetitions reports cases that are complete or have failed', async () => {
  const events = [
    startEvent({ runs_per_case: 3, total_cases: 3 }),
    resultEvent('done', { run: 1 }),
    resultEvent('done', { run: 2 }),
    resultEvent('done', { run: 3 }),
    resultEvent('half', { run: 1 }),
    failedEvent('lost', 'wrong', 'assertion', { run: 1 }),
  ]
  const document = JSON.parse(await report('json', events)) as Document
  expect(document.results.map((result) => [result['id'], result['runs']])).toEqual([
    ['done', 3],
    ['lost', 1],
  ])
  expect(document.summary).toMatchObject({ passed: 1, failed: 1, not_run: 1, total: 3 })
})

const xsd = XmlDocument.fromString(
  readFileSync(new URL('../../../../test/fixtures/reports/junit.xsd', import.meta.url), 'utf8'),
)

test.each(Object.keys(RUNS))('JUnit of a %s run is valid, and its counts are those of its elements', async (name) => {
  const xml = await report('junit', (RUNS[name] ?? mixedRun)())
  const document = XmlDocument.fromString(xml)
  XsdValidator.fromDoc(xsd).validate(document)
  const count = (path: string) => document.find(path).length
  const attribute = (key: string) => Number(document.get(`/testsuites/testsuite/@${key}`)?.content)
  expect(attribute('tests')).toBe(count('//testcase'))
  expect(attribute('failures')).toBe(count('//testcase/failure'))
  expect(attribute('errors')).toBe(count('//testcase/error'))
  expect(attribute('skipped')).toBe(count('//testcase/skipped'))
  document.dispose()
})

test('JUnit tells a wrong answer from a case that could not be tested, and marks what was flaky', async () => {
  const parsed = await parseJunit(await report('junit', mixedRun()))
  if (!parsed || !('testsuite' in parsed)) throw new Error('no suite')
  const [suite] = parsed.testsuite ?? []
  const cases = Array.isArray(suite?.testcase) ? suite.testcase : []
  expect(cases.find((item) => item.name?.startsWith('T002'))?.failure?.[0]?.message).toBe(
    'output does not contain "cloud"',
  )
  expect(cases.find((item) => item.name?.startsWith('T003'))?.error?.[0]?.type).toBe('timeout')
  expect(cases.find((item) => item.name?.startsWith('T004'))?.skipped?.[0]?.message).toBe('waiting for the new model')
  expect(suite?.properties?.find((item) => item.name === 'user_id')?.value).toBe('test-user')
  const xml = await report('junit', mixedRun())
  expect(xml.match(/<flakyError /g)).toHaveLength(1)
  expect(xml).toContain('<system-out>Input: Question T001')
})

async function parseTap(text: string) {
  const failures: string[] = []
  const subtests: string[] = []
  const counts = { pass: 0, fail: 0, skip: 0, todo: 0, extra: [] as string[], bailout: false, diagnostics: 0 }
  const parser = new Parser({ strict: true, name: 'report' })
  parser.on('assert', (result) => {
    if (result.skip) counts.skip++
    if (result.todo) counts.todo++
    if (result.ok) counts.pass++
    else {
      counts.fail++
      failures.push(String(result.name))
    }
    if (result.diag) counts.diagnostics++
  })
  parser.on('child', (child) => {
    subtests.push(child.name)
    child.on('extra', (line: string) => counts.extra.push(line))
  })
  parser.on('extra', (line) => counts.extra.push(line))
  parser.on('bailout', () => (counts.bailout = true))
  parser.end(text)
  return { ...counts, failures, subtests, ok: parser.ok, problems: parser.failures.filter((item) => !('id' in item)) }
}

test('a strict TAP reader counts what happened, whatever ids and answers say', async () => {
  const result = await parseTap(await report('tap', mixedRun()))
  expect(result).toMatchObject({ pass: 3, fail: 8, skip: 1, todo: 0, extra: [], bailout: false, problems: [] })
  expect(result.subtests).toEqual(['T006'])
  expect(result.failures).toContain('T1 # SKIP')
  expect(result.failures).toContain('T2 # TODO later')
  // Every test point but the skipped one has a diagnostic that could be parsed.
  expect(result.diagnostics).toBe(10)
})

test('turns and checkpoints are subtests', async () => {
  const text = await report('tap', mixedRun())
  expect(text).toContain('    ok 1 - turn 1: I want to submit an expense\n    not ok 2 - turn 2: Travel, $3500\n')
  expect(text).toContain('    ok 3 - turn 3: Yes # SKIP not run\n')
  expect(text).toContain('    1..7\nnot ok 6 - T006 - Expense flow\n')
})

test('an empty run is a skipped TAP plan', async () => {
  expect((await parseTap(await report('tap', wholeRun([])))).ok).toBe(true)
})

test.each(Object.keys(RUNS))('CTRF of a %s run is valid, and its counts are those of its tests', async (name) => {
  const document = JSON.parse(await report('ctrf', (RUNS[name] ?? mixedRun)())) as {
    results: { tests: Array<{ status: string }>; summary: Record<string, number> }
  }
  expect(validate(document)).toMatchObject({ valid: true })
  validateStrict(document)
  const { tests, summary } = document.results
  for (const status of ['passed', 'failed', 'skipped']) {
    expect(summary[status]).toBe(tests.filter((item) => item.status === status).length)
  }
  expect(summary['tests']).toBe(tests.length)
})

test('Markdown makes no link, image or element out of data, and keeps its columns', async () => {
  const text = await report('markdown', mixedRun())
  const html = await marked.parse(text, { gfm: true })
  const tags = new Set([...html.matchAll(/<([a-z][a-z0-9]*)/gi)].map((match) => match[1] ?? ''))
  expect([...tags].toSorted((a, b) => a.localeCompare(b))).toEqual([
    'code',
    'h1',
    'h2',
    'h3',
    'li',
    'p',
    'pre',
    'strong',
    'table',
    'tbody',
    'td',
    'th',
    'thead',
    'tr',
    'ul',
  ])
  for (const [row] of html.matchAll(/<tr>[\s\S]*?<\/tr>/g)) expect(row.match(/<t[dh]/g)).toHaveLength(2)
  expect(html.match(/<h3>/g)).toHaveLength(11)
})

test('Markdown shows failures before the others', async () => {
  const headings = [...(await report('markdown', mixedRun())).matchAll(/^### (.+?) /gm)].map((match) => match[1])
  expect(headings).toEqual([...Array<string>(8).fill('❌'), '✅', '⏭️', '✅'])
})

test('the Markdown summary is the table of the original', async () => {
  const results = Array.from({ length: 42 }, (_, index) =>
    index < 40 ? resultEvent(`T${index}`) : failedEvent(`T${index}`, 'wrong'),
  )
  expect(await report('markdown', wholeRun(results))).toContain(`# Agent Test Report

## Summary

| Metric           | Value       |
| ---------------- | ----------- |
| Agent            | keyword     |
| Connector        | deepseek.v3 |
| Total            | 42          |
| Passed           | 40          |
| Failed           | 2           |
| Pass Rate        | 95.2%       |
| Duration         | 12.3s       |
`)
  expect(await report('markdown', wholeRun([resultEvent('T001')]))).toContain('### ✅ T001 - Passed (234ms)\n')
})

test('annotations are at the line of the case and cannot be forged', async () => {
  const text = await textOf(githubAnnotations(recordingOf(mixedRun())))
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(8)
  expect(lines[0]).toBe(
    '::error file=tests/inputs.jsonl,line=2,title=T002 - 关键词提取 🙂::output does not contain "cloud"',
  )
  for (const line of lines) expect(line.startsWith('::error ')).toBe(true)
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/)
  expect(lines[3]).toContain('%0A%3A%3Aerror')
})

test('many failures are annotated up to a number, and the rest counted', async () => {
  const events = wholeRun(Array.from({ length: 120 }, (_, index) => failedEvent(`T${index}`, 'wrong')))
  const lines = (await textOf(githubAnnotations(recordingOf(events)))).trimEnd().split('\n')
  expect(lines).toHaveLength(51)
  expect(lines.at(-1)).toBe('::error title=viva::70 more cases did not pass')
})

test('the job summary stays below what GitHub takes', async () => {
  const events = wholeRun(
    Array.from({ length: 400 }, (_, index) =>
      failedEvent(`T${index}`, 'wrong', 'assertion', { output: 'x'.repeat(9_000) }),
    ),
  )
  const text = await textOf(githubSummary(recordingOf(events)))
  expect(Buffer.byteLength(text)).toBeLessThan(1024 * 1024)
  expect(text).toMatch(/\d+ more cases are in the report files\.\n$/)
})

test('long outputs are cut with a notice, between characters', async () => {
  const events = wholeRun([failedEvent('T1', 'wrong', 'assertion', { output: '🙂'.repeat(100_000), logs: [HOSTILE] })])
  for (const format of ['markdown', 'junit', 'tap', 'ctrf']) {
    const text = await report(format, events)
    expect(text.length, format).toBeLessThan(200_000)
    expect(text, format).toContain('more characters')
    expect(text.replaceAll('🙂', ''), format).not.toMatch(/[\ud83d\ude42]/u)
  }
})
