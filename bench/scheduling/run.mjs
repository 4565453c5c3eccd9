// Many slow calls at once: 5,000 calls to a loopback server that answers after 50 ms, against the ideal.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mb, measure, ratio, seconds, table } from '../support/measure.mjs'
import { VIVA, WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const CALLS = 5000
const DELAY_MS = 50
const path = `${WORK}calls.jsonl`
writeFileSync(
  path,
  Array.from(
    { length: CALLS },
    (_, i) =>
      `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'contains', value: `call ${i}` } })}\n`,
  ).join(''),
)

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [String(DELAY_MS)])
const [{ port }] = await once(server, 'message')
const rows = []
for (const parallel of [50, 200]) {
  const ideal = (Math.ceil(CALLS / parallel) * DELAY_MS) / 1000
  const runs = []
  for (let round = 0; round < 5; round += 1) {
    const out = `${WORK}scheduling.jsonl`
    rmSync(out, { force: true })
    const result = await measure(process.execPath, [
      VIVA,
      'test',
      '-i',
      path,
      '-n',
      `http://127.0.0.1:${port}/agent`,
      '--parallel',
      String(parallel),
      '-o',
      out,
    ])
    if (result.code !== 0) throw new Error(result.stderr.slice(-2000))
    runs.push(result)
  }
  runs.sort((a, b) => a.wall - b.wall)
  const median = runs[Math.floor(runs.length / 2)]
  rows.push([
    parallel,
    seconds(ideal),
    seconds(median.wall),
    `${seconds(runs[0].wall)} – ${seconds(runs.at(-1).wall)}`,
    ratio(median.wall, ideal),
    seconds(median.cpu),
    mb(median.rss),
  ])
}
server.kill()
record(
  'Scheduling',
  `${CALLS.toLocaleString('en')} calls of ${DELAY_MS} ms; the server shares the machine. Wall time includes start-up.\n\n${table(['--parallel', 'ideal', 'wall (median of 5)', 'spread', 'against the ideal', 'CPU', 'memory'], rows)}`,
)
