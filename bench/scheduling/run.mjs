// Many slow calls at once: 5,000 calls to a loopback server that answers after 50 ms, against the ideal.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mb, measure, ratio, seconds, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const CALLS = 5000
const DELAY_MS = 50
const ROUNDS = 5
const path = `${WORK}calls.jsonl`
const line = (_, i) =>
  `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'contains', value: `call ${i}` } })}\n`
writeFileSync(path, Array.from({ length: CALLS }, line).join(''))

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [String(DELAY_MS)])
const [{ port }] = await once(server, 'message')
const rows = []
for (const parallel of [50, 200]) {
  const ideal = (Math.ceil(CALLS / parallel) * DELAY_MS) / 1000
  const runs = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const out = `${WORK}scheduling.jsonl`
    rmSync(out, { force: true })
    const target = `http://127.0.0.1:${port}/agent`
    const args = [VIVA, 'test', '-i', path, '-n', target, '--parallel', String(parallel), '-o', out]
    // Reading a certificate store at every start is not part of this.
    const result = await measure(process.execPath, args, { env: { NODE_EXTRA_CA_CERTS: undefined } })
    if (result.code !== 0) throw new Error(result.stderr.slice(-2000))
    server.send('took')
    const [{ took }] = await once(server, 'message')
    runs.push({ ...result, took })
  }
  const sorted = (key) => runs.map((run) => run[key]).toSorted((a, b) => a - b)
  const median = (key) => sorted(key)[Math.floor(ROUNDS / 2)]
  const spread = `${seconds(sorted('took')[0])} – ${seconds(sorted('took').at(-1))}`
  const calls = `${seconds(median('took'))} (${spread})`
  const whole = `${seconds(median('wall'))}, ${ratio(median('wall'), ideal)}`
  rows.push([
    parallel,
    seconds(ideal),
    calls,
    ratio(median('took'), ideal),
    '≤ 1.25×',
    whole,
    seconds(median('cpu')),
    mb(median('rss')),
  ])
}
server.kill()
const header = [
  '--parallel',
  'ideal',
  'calls, median (spread)',
  'against the ideal',
  'bar',
  'whole command',
  'CPU',
  'memory',
]
const text = `${CALLS.toLocaleString('en')} calls of ${DELAY_MS} ms; the server shares the machine. Calls: from the first request to the last answer, as the server sees them. The whole command starts Node, loads and checks all cases before the first call, and writes the results.`
record('Scheduling', `${text}\n\n${table(header, rows)}`)
