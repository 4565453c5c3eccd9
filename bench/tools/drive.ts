// 1,000 mock runs of 5 iterations, each in a folder of its own, as the tools start them. Prints CPU in milliseconds.
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseLoopConfig } from '../../src/orchestrator/config/read-config.js'
import { runLoop } from '../../src/orchestrator/run-loop.js'
import { Processes } from '../../src/process/processes.js'
import { createRedactor } from '../../src/redact/redactor.js'

const runs = Number(process.argv[2] ?? 1000)
const root = mkdtempSync(join(tmpdir(), 'viva-bench-'))
const say = (topic: string, text: string): object => ({
  output: `Some words first.\n<event topic="${topic}">${text}</event>`,
})
const mock_responses = [
  say('build.task', 'One'),
  { ...say('build.done', 'Did one'), files: { 'src/one.rs': 'fn one() {}' } },
  say('build.task', 'Two'),
  say('build.done', 'Did two'),
  { output: 'LOOP_COMPLETE' },
]

const once = async (name: string): Promise<void> => {
  const cwd = join(root, name)
  mkdirSync(cwd)
  const result = await runLoop({
    cwd,
    task: 'Implement the spec',
    config: parseLoopConfig({}, 'config', () => {}),
    limits: { max_iterations: 5 },
    mock_responses,
    run_id: name,
    redactor: createRedactor({ env: process.env }),
    processes: new Processes({ env: process.env, cwd }),
    signal: new AbortController().signal,
  })
  if (result.iterations !== 5 || result.exit_code !== 0) throw new Error(JSON.stringify(result))
}

try {
  for (let index = 0; index < 20; index++) await once(`warm-${index}`)
  const before = process.cpuUsage()
  for (let index = 0; index < runs; index++) await once(`run-${index}`)
  const { user, system } = process.cpuUsage(before)
  console.log(JSON.stringify({ runs, cpu_ms: (user + system) / 1000, rss_mb: process.memoryUsage().rss / 1024 / 1024 }))
} finally {
  rmSync(root, { recursive: true, force: true })
}
