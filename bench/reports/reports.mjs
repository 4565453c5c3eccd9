// Peak memory of every report of 100,000 results, each in its own process. The bar is 400 MB.
//   node bench/reports/reports.mjs [results]
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { buildViewer } from '../../build/viewer.mjs'

const BAR_MB = 400
const results = Number(process.argv[2] ?? 100_000)
const root = fileURLToPath(new URL('../..', import.meta.url))
const work = join(root, 'bench/.work')
const child = join(work, 'report-child/child.js')
mkdirSync(work, { recursive: true })
const files = mkdtempSync(join(work, 'reports-'))
await build({
  entryPoints: [join(root, 'bench/reports/child.ts')],
  outdir: join(work, 'report-child'),
  bundle: true,
  splitting: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  logLevel: 'warning',
})

// The HTML reporter looks for the browser application upward from where it runs.
await buildViewer({ outdir: join(work, 'report-child/dist/viewer') })

const run = (format, from, to) => {
  try {
    const text = execFileSync(process.execPath, [child, format, from, to, String(results)], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    return JSON.parse(text.toString())
  } catch (error) {
    return { format, error: /\w*Error: .*/.exec(String(error.stderr ?? error))?.[0] ?? String(error) }
  }
}

const events = join(files, 'events.jsonl')
const rows = [run('make', '', events)]
for (const format of ['jsonl', 'json', 'markdown', 'html', 'junit', 'tap', 'ctrf', 'summary', 'compare', 'history']) {
  rows.push(run(format, events, join(files, `out-${format}`)))
}
rmSync(files, { recursive: true, force: true })
console.table(rows)
const over = rows.filter((row) => row.peak_mb > BAR_MB || row.error)
for (const row of over) console.error(`${row.format}: ${row.error ?? `${row.peak_mb} MB is above ${BAR_MB} MB`}`)
process.exitCode = over.length > 0 ? 1 : 0
