// A fleet of four workers against one process: agents that take 50 ms, at three sizes. What the coordinator and Redis cost by case.
import { readFileSync, rmSync, statSync } from 'node:fs'
import { mb, measure, ratio, seconds, table } from '../support/measure.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'
import { casesOf, end, env, makeApp, SLEEPER, startRedis, startWorker } from './fleet.mjs'

const DELAY_MS = 50
const WORKERS = 4
const SLOTS = 25
const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [2_000, 10_000, 50_000]

const redis = await startRedis()
const rows = []
const points = []
for (const count of SIZES) {
  const dir = makeApp('fleet', SLEEPER(DELAY_MS), casesOf(count))
  const ideal = (Math.ceil(count / (WORKERS * SLOTS)) * DELAY_MS) / 1000
  const run = async (name, more) => {
    rmSync(`${dir}/${name}.jsonl`, { force: true })
    const args = [VIVA, 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', `${name}.jsonl`, ...more]
    const result = await measure(process.execPath, args, { cwd: dir, env })
    if (result.code !== 1) throw new Error(result.stderr.slice(-2000))
    return result
  }
  const alone = await run('alone', ['--parallel', String(WORKERS * SLOTS)])
  const workers = []
  for (let at = 0; at < WORKERS; at += 1) workers.push(await startWorker(redis.url, dir, SLOTS))
  await redis.ask('CONFIG', 'RESETSTAT')
  const before = await redis.figures()
  const fleet = await run('fleet', ['--queue', redis.url])
  const after = await redis.figures()
  for (const worker of workers) await end(worker)
  if (results(`${dir}/fleet.jsonl`) !== results(`${dir}/alone.jsonl`)) throw new Error('the results differ')
  const bytes = statSync(`${dir}/fleet.jsonl`).size / count
  const redisCpu = after.cpu - before.cpu
  points.push({ count, cpu: fleet.cpu, redis: redisCpu, wall: fleet.wall })
  rows.push([
    count,
    seconds(ideal),
    `${seconds(alone.wall)}, ${ratio(alone.wall, ideal)}`,
    `${seconds(fleet.wall)}, ${ratio(fleet.wall, ideal)}`,
    `${Math.round((fleet.cpu / count) * 1e6)} µs`,
    `${Math.round((redisCpu / count) * 1e6)} µs`,
    mb(fleet.rss),
    `${((after.peak - before.bytes) / 1024 / 1024).toFixed(1)} MB`,
    `${Math.round(bytes)} B`,
  ])
}
await redis.stop()
const first = points[0]
const last = points.at(-1)
const slope =
  points.length > 1
    ? `Between the smallest and the largest, a case costs the coordinator ${Math.round(((last.cpu - first.cpu) / (last.count - first.count)) * 1e6)} µs of CPU (bar: 150 µs) and Redis ${Math.round(((last.redis - first.redis) / (last.count - first.count)) * 1e6)} µs; the rest is the start.`
    : ''
const header = [
  'cases',
  'ideal',
  'one process',
  `${WORKERS} workers`,
  'coordinator, CPU a case',
  'Redis, CPU a case',
  'coordinator, memory',
  'Redis, memory more',
  'event file, a case',
]
record(
  'A fleet',
  `Agents that take ${DELAY_MS} ms, ${WORKERS * SLOTS} at once: in one process, and on ${WORKERS} workers with ${SLOTS} slots each, all on the one machine, Redis included. The results are the same.\n\n${table(header, rows)}\n\n${slope}`,
)

function results(path) {
  const found = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('{"type":"result"'))
    .map((line) => JSON.parse(line))
    .map(({ id, status, output }) => `${id} ${status} ${output}`)
  return found.toSorted().join('\n')
}
