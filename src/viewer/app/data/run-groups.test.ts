import { expect, test } from 'vitest'
import type { RunEntry } from '../../../model/run-entry.js'
import { groupRuns, rateOf } from './run-groups.js'

const run = (id: string, agent_id: string, input: string, change: Partial<RunEntry> = {}): RunEntry => ({
  id,
  file: `${id}.jsonl`,
  run_id: id,
  timestamp: '2026-03-14T09:30:00.000Z',
  mode: 'agent',
  agent_id,
  input,
  ...change,
})

test('runs of one agent on one input belong together, the newest group first', () => {
  const groups = groupRuns([run('4', 'b', 'x'), run('3', 'a', 'x'), run('2', 'a', 'y'), run('1', 'b', 'x')])
  expect(groups.map(({ agent, input, runs }) => [agent, input, runs.map(({ id }) => id)])).toEqual([
    ['b', 'x', ['4', '1']],
    ['a', 'x', ['3']],
    ['a', 'y', ['2']],
  ])
})

test('the pass rate is of what was judged', () => {
  expect(rateOf(run('1', 'a', 'x', { total: 10, passed: 4, failed: 3, undetermined: 1, skipped: 2 }))).toBe(50)
  expect(rateOf(run('1', 'a', 'x', { total: 2, passed: 0, failed: 0, skipped: 2 }))).toBeUndefined()
  expect(rateOf(run('1', 'a', 'x'))).toBeUndefined()
})
