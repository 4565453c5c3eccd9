// Verdicts on records that others made and judged: `node bench/public/run.mjs [folder] [--write]`.
import { existsSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ROOT } from '../support/paths.mjs'
import { bfcl } from './bfcl.mjs'
import { page } from './page.mjs'
import { tauBench } from './tau-bench.mjs'

const given = process.argv.slice(2).find((arg) => !arg.startsWith('--'))
const folder = resolve(given ?? `${ROOT}../shared/data/public`)
if (!existsSync(folder)) {
  console.error(`${folder} is not there: name a folder that holds tau-bench/ and bfcl/`)
  process.exit(2)
}
const found = [await tauBench(folder), await bfcl(folder)].filter(({ count }) => count > 0)
const text = page(found)
if (process.argv.includes('--write')) writeFileSync(`${ROOT}docs/trust/benchmarks.md`, text)
console.log(text)
