// What an iteration of the embedded orchestrator costs (1,000 mock runs of 5 iterations), and what asserting on many events does.
//   node bench/tools/run.mjs [runs]
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const BAR_MS = 3
const ASSERT_BAR_MS = 50
const runs = Number(process.argv[2] ?? 1000)
const work = join(ROOT, 'bench/.work/tools')
mkdirSync(work, { recursive: true })
await build({
  entryPoints: ['drive', 'assert'].map((name) => join(ROOT, `bench/tools/${name}.ts`)),
  outdir: work,
  outExtension: { '.js': '.mjs' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
const drive = (name, ...args) =>
  JSON.parse(execFileSync(process.execPath, [join(work, `${name}.mjs`), ...args], { encoding: 'utf8' }))
const { cpu_ms, rss_mb } = drive('drive', String(runs))
const asserted = drive('assert')
const perIteration = cpu_ms / runs / 5
record(
  'Orchestrator runs',
  `${runs.toLocaleString('en-US')} mock runs of 5 iterations in one process, each with a folder, a session and an events file of its own.

| what | measured | bar |
| --- | --- | --- |
| CPU per iteration | ${perIteration.toFixed(2)} ms | ≤ ${BAR_MS} ms |
| \`test_assert\`: 20 assertions over a session of 10,000 events, median CPU of 15 | ${asserted.cpu_ms.toFixed(0)} ms | < ${ASSERT_BAR_MS} ms |
| the same by the clock, median and best of 15 (the bar holds on a quiet machine) | ${asserted.median_ms.toFixed(0)} ms, ${asserted.best_ms.toFixed(0)} ms | < ${ASSERT_BAR_MS} ms |
| memory at the end | ${Math.round(rss_mb)} MB | – |`,
)
if (perIteration > BAR_MS || asserted.cpu_ms >= ASSERT_BAR_MS) process.exitCode = 1
