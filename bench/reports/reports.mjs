// Peak memory of every report of 100,000 results, each in its own process. The bar is 400 MB.
//   node bench/reports/reports.mjs [results]
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { buildChild } from './build-child.mjs'

const BAR_MB = 400
const { files, run } = await buildChild(Number(process.argv[2] ?? 100_000))
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
