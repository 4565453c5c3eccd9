// A server that closes after each answer without saying so: what our retry on a fresh connection costs beside `fetch`.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'
import { measure, ratio, table } from '../support/measure.mjs'
import { ROOT } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const BAR = 1.2

// Inside node_modules, where packages are found.
const driver = join(ROOT, 'node_modules/.cache/bench-stale.mjs')
await build({
  entryPoints: [fileURLToPath(new URL('./drive-stale.ts', import.meta.url))],
  outfile: driver,
  bundle: true,
  platform: 'node',
  target: 'node20',
  format: 'esm',
  packages: 'external',
  logLevel: 'error',
})
const server = fork(fileURLToPath(new URL('./closing-server.mjs', import.meta.url)))
const [{ port }] = await once(server, 'message')
const { stdout, stderr, code } = await measure(process.execPath, [driver, `http://127.0.0.1:${port}/`])
server.kill()
if (code !== 0) throw new Error(stderr)

const { fetch: theirs, viva: ours } = JSON.parse(stdout)
const median = (values) => values.toSorted((a, b) => a - b)[values.length >> 1]
const ms = (values) => `${median(values).toFixed(1)} ms`
const rows = [1, 8].map((parallel) => [
  parallel === 1 ? '60 in a row' : '60, 8 at once',
  ms(theirs[parallel]),
  ms(ours[parallel]),
  ratio(median(ours[parallel]), median(theirs[parallel])),
  `≤ ${BAR}×`,
])
record(
  'A server that closes after each answer',
  `Without saying so; median of ${ours[1].length} rounds in turns, in one process. Calls that failed: fetch ${theirs.failed}, Viva ${ours.failed}.\n\n${table(
    ['calls', 'fetch', 'Viva', 'ratio', 'bar'],
    rows,
  )}`,
)
const isMet = ours.failed === 0 && [1, 8].every((parallel) => median(ours[parallel]) <= BAR * median(theirs[parallel]))
process.exitCode = isMet ? 0 : 1
