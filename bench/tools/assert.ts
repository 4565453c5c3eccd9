// A `test_assert` of 20 assertions over a session of 10,000 events. Prints milliseconds: of the clock, and of CPU.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { tools } from '../../src/index.js'

const EVENTS = 10_000
const root = realpathSync(mkdtempSync(join(tmpdir(), 'viva-bench-')))
const workspace_id = 'bench'
const many = Array.from({ length: EVENTS }, (_, index) => `<event topic="note.n${index % 50}">Note ${index}</event>`)
const assertions = [
  { type: 'exit_code', expected: 0 },
  { type: 'termination_reason', expected: 'CompletionPromise' },
  { type: 'iterations', exact: 1 },
  { type: 'hat_sequence', hats: ['planner'] },
  ...Array.from({ length: 5 }, (_, index) => ({
    type: 'event_occurred',
    topic: `note.n${index}`,
    payload_pattern: '\\d+$',
  })),
  ...Array.from({ length: 5 }, (_, index) => ({
    type: 'event_count',
    topic: `note.n${index + 9}`,
    exact: EVENTS / 50,
  })),
  ...Array.from({ length: 5 }, (_, index) => ({ type: 'no_event', topic: `other.n${index}` })),
  { type: 'event_sequence', topics: ['task.start', 'note.n1', 'note.n49', 'note.*'] },
]

const opened = await tools.open({ project: root, temporary: root })
try {
  await opened.test_setup({ workspace_id })
  await opened.test_run({ workspace_id, task: 'x', mock_responses: [`${many.join('\n')}\nLOOP_COMPLETE`] })
  const times: number[] = []
  const cpu: number[] = []
  for (let round = 0; round < 15; round++) {
    const started = performance.now()
    const before = process.cpuUsage()
    const { passed, results } = await opened.test_assert({ workspace_id, assertions })
    times.push(performance.now() - started)
    const { user, system } = process.cpuUsage(before)
    cpu.push((user + system) / 1000)
    if (!passed || results.length !== 20) throw new Error(JSON.stringify(results.filter((result) => !result.passed)))
  }
  const middle = (values: number[]): number | undefined => values.toSorted((a, b) => a - b)[7]
  console.log(JSON.stringify({ median_ms: middle(times), cpu_ms: middle(cpu), best_ms: Math.min(...times) }))
} finally {
  await opened.close()
  rmSync(root, { recursive: true, force: true })
}
