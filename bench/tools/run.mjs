// What an iteration of the embedded orchestrator costs: 1,000 mock runs of 5 iterations.
//   node bench/tools/run.mjs [runs]
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { ROOT } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const BAR_MS = 2
const runs = Number(process.argv[2] ?? 1000)
const driver = join(ROOT, 'bench/.work/tools/drive.mjs')
mkdirSync(join(ROOT, 'bench/.work/tools'), { recursive: true })
await build({
  entryPoints: [join(ROOT, 'bench/tools/drive.ts')],
  outfile: driver,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})
const { cpu_ms, rss_mb } = JSON.parse(execFileSync(process.execPath, [driver, String(runs)], { encoding: 'utf8' }))
const perIteration = cpu_ms / runs / 5
record(
  'Orchestrator runs',
  `${runs.toLocaleString('en-US')} mock runs of 5 iterations in one process, each with a folder, a session and an events file of its own.

| what | measured | bar |
| --- | --- | --- |
| CPU per iteration | ${perIteration.toFixed(2)} ms | ≤ ${BAR_MS} ms |
| memory at the end | ${Math.round(rss_mb)} MB | – |`,
)
if (perIteration > BAR_MS) process.exitCode = 1
