// The history: appended by many at once, readable after a kill, and honest about what is comparable.
import { execFile } from 'node:child_process'
import { appendFileSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { failedEvent, recordingOf, resultEvent, wholeRun } from '../../../test/support/events.js'
import { makeFolder } from '../../../test/support/run-cli.js'
import { repeatedRun } from '../../../test/support/sample-runs.js'
import type { ResultEvent, StartEvent } from '../../model/event.js'
import { caseTrend, mostExpensive, flakyOverTime, slowest } from './history.js'
import { listRuns, pruneRuns, readRunCases, recordRun } from './run-store.js'

async function keep(dir: string, day: number, results: ResultEvent[], start: Partial<StartEvent> = {}) {
  const run = { run_id: `run-${day}`, timestamp: `2024-12-${String(day).padStart(2, '0')}T10:00:00Z`, ...start }
  return recordRun(recordingOf(wholeRun(results, run)), dir)
}

test('a run is kept as one line and a small file of its cases', async () => {
  const dir = makeFolder()
  await keep(dir, 1, [
    resultEvent('T1', { cost_dollars: 0.5 }),
    failedEvent('T2', 'x', 'timeout'),
    resultEvent('T3', { flaky: true }),
  ])
  expect(await listRuns(dir)).toMatchObject([
    { run_id: 'run-1', total: 3, passed: 2, failed: 1, flaky: 1, exit_code: 1 },
  ])
  expect(await readRunCases(dir, 'run-1')).toEqual([
    { id: 'T1', status: 'passed', duration_ms: 234, cost_dollars: 0.5 },
    { id: 'T2', status: 'failed', duration_ms: 234, error_kind: 'timeout' },
    { id: 'T3', status: 'passed', duration_ms: 234, flaky: true },
  ])
  expect(readdirSync(dir).toSorted()).toEqual(['run-1.jsonl', 'runs.jsonl'])
})

test('repeated runs are kept by case', async () => {
  const dir = makeFolder()
  await recordRun(recordingOf(repeatedRun()), dir)
  const [run] = await listRuns(dir)
  expect(await readRunCases(dir, run?.run_id ?? '')).toMatchObject([
    { id: 'T001', status: 'passed', runs: 5, pass_rate: 100 },
    { id: 'T002', status: 'failed', runs: 5, pass_rate: 60, flaky: true },
    { id: 'T003', status: 'skipped' },
  ])
})

test('a run without a summary is not kept, and leaves nothing', async () => {
  const dir = makeFolder()
  expect(await recordRun(recordingOf(wholeRun([resultEvent('T1')]).slice(0, 2)), dir)).toBeUndefined()
  expect(readdirSync(dir)).toEqual([])
  expect(await listRuns(dir)).toEqual([])
})

test('a line torn by a kill costs that line alone', async () => {
  const dir = makeFolder()
  await keep(dir, 1, [resultEvent('T1')])
  appendFileSync(join(dir, 'runs.jsonl'), '{"format":1,"run_id":"to')
  await keep(dir, 2, [resultEvent('T1')])
  expect((await listRuns(dir)).map((run) => run.run_id)).toEqual(['run-1', 'run-2'])
})

test('lines that are no runs or cases of ours are left out, whatever they are', async () => {
  const dir = makeFolder()
  await keep(dir, 1, [resultEvent('T1')])
  const foreign = ['null', '[]', '{"run_id":"x","timestamp":"2024"}', '{"id":"T1","status":"weird","duration_ms":1}']
  for (const name of ['runs.jsonl', 'run-1.jsonl']) appendFileSync(join(dir, name), `${foreign.join('\n')}\n`)
  appendFileSync(join(dir, 'run-1.jsonl'), '{"id":"T1","status":"passed"}\n')
  writeFileSync(join(dir, 'x.jsonl'), '')
  expect((await listRuns(dir)).map((run) => run.run_id)).toEqual(['run-1'])
  expect(await readRunCases(dir, 'run-1')).toHaveLength(1)
})

test('recording a run again replaces it', async () => {
  const dir = makeFolder()
  await keep(dir, 1, [resultEvent('T1')])
  await keep(dir, 1, [resultEvent('T1'), resultEvent('T2')])
  expect(await listRuns(dir)).toMatchObject([{ run_id: 'run-1', total: 2 }])
})

test('a run id never becomes a path', async () => {
  const dir = makeFolder()
  for (const run_id of ['../../evil', 'runs', 'a/b', 'x'.repeat(300), '']) {
    await recordRun(recordingOf(wholeRun([resultEvent('T1')], { run_id })), join(dir, 'history'))
  }
  expect(readdirSync(dir)).toEqual(['history'])
  expect(await listRuns(join(dir, 'history'))).toHaveLength(5)
})

test('many processes append at once and every run is there', async () => {
  const dir = makeFolder()
  await keep(dir, 1, [resultEvent('T1')])
  const [line = ''] = readFileSync(join(dir, 'runs.jsonl'), 'utf8').split('\n')
  // The same write as ours, from other processes: one append of one line.
  const program = `const fs = require('node:fs'); const [dir, line, who] = process.argv.slice(1)
    for (let i = 0; i < 50; i++) { const id = 'p' + who + '-' + i
      fs.writeFileSync(dir + '/' + id + '.jsonl', ''); fs.appendFileSync(dir + '/runs.jsonl', line.replace('run-1', id) + '\\n') }`
  const others = [1, 2, 3].map((who) => promisify(execFile)(process.execPath, ['-e', program, dir, line, String(who)]))
  const ours = Array.from({ length: 20 }, (_, index) => keep(dir, index + 2, [resultEvent('T1')]))
  await Promise.all([...others, ...ours])
  expect(await listRuns(dir)).toHaveLength(171)
})

test('prune keeps the newest', async () => {
  const dir = makeFolder()
  for (const day of [3, 1, 2]) await keep(dir, day, [resultEvent('T1')])
  expect(await pruneRuns(dir, 2)).toEqual(['run-1'])
  expect((await listRuns(dir)).map((run) => run.run_id)).toEqual(['run-2', 'run-3'])
  expect(await pruneRuns(dir, 10)).toEqual([])
})

test('a case over time', async () => {
  const dir = makeFolder()
  await keep(dir, 1, [resultEvent('T1', { duration_ms: 100 })])
  await keep(dir, 2, [failedEvent('T1', 'x', 'assertion', { duration_ms: 200 })])
  expect(await caseTrend(dir, 'T1')).toMatchObject([
    { run_id: 'run-1', status: 'passed', duration_ms: 100 },
    { run_id: 'run-2', status: 'failed', duration_ms: 200 },
  ])
  expect(await caseTrend(dir, 'T1', { agent_id: 'other' })).toEqual([])
})

test('a verdict that changes is unstable only while nothing else changed', async () => {
  const dir = makeFolder()
  const flip = [resultEvent('flips'), resultEvent('moves'), resultEvent('steady')]
  const flop = [failedEvent('flips', 'x'), resultEvent('moves'), resultEvent('steady')]
  await keep(dir, 1, flip)
  await keep(dir, 2, flop, { options: { parallel: 8, output: ['x.json'] } })
  await keep(dir, 3, flip)
  await keep(dir, 4, [resultEvent('flips'), failedEvent('moves', 'x'), resultEvent('steady')], {
    connector: 'another.model',
  })
  expect(await flakyOverTime(dir)).toMatchObject([
    { id: 'flips', flips: 2, runs: 4, passed: 3, failed: 1, pass_rate: 75 },
  ])
})

test('runs of two configurations that alternate are two series', async () => {
  const dir = makeFolder()
  const other = { connector: 'another.model' }
  await keep(dir, 1, [resultEvent('T1')])
  await keep(dir, 2, [resultEvent('T1')], other)
  await keep(dir, 3, [failedEvent('T1', 'x')])
  await keep(dir, 4, [resultEvent('T1')], other)
  await keep(dir, 5, [resultEvent('T1')])
  expect(await flakyOverTime(dir)).toMatchObject([{ id: 'T1', flips: 2, runs: 5, passed: 4, failed: 1 }])
})

test('slowest by median, most expensive by mean', async () => {
  const dir = makeFolder()
  for (const [day, slow] of [
    [1, 900],
    [2, 5000],
    [3, 1000],
  ] as const) {
    await keep(dir, day, [
      resultEvent('slow', { duration_ms: slow, cost_dollars: 0.1 }),
      resultEvent('quick', { duration_ms: 10, cost_dollars: 0.2 }),
      resultEvent('free'),
    ])
  }
  expect((await slowest(dir)).map((item) => [item.id, item.value])).toEqual([
    ['slow', 1000],
    ['free', 234],
    ['quick', 10],
  ])
  const costly = await mostExpensive(dir, { limit: 1 })
  expect(costly[0]).toMatchObject({ id: 'quick', runs: 3 })
  expect(costly[0]?.value).toBeCloseTo(0.2, 9)
})

test('no folder is an empty history, and other files in it do not matter', async () => {
  expect(await listRuns('/nowhere/at/all')).toEqual([])
  const dir = makeFolder()
  writeFileSync(join(dir, 'notes.txt'), 'hello')
  expect(await slowest(dir)).toEqual([])
})
