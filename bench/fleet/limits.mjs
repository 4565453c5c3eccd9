// What a fleet holds when its coordinator hangs, and when answers are large: `node bench/fleet/limits.mjs [units] [pause s] [large units]`
import { spawn } from 'node:child_process'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'
import { casesOf, end, env, makeApp, SLEEPER, sleep, startRedis, startWorker } from './fleet.mjs'

const UNITS = Number(process.argv[2] ?? 50_000)
const PAUSE_S = Number(process.argv[3] ?? 60)
const LARGE = Number(process.argv[4] ?? 100_000)
const WORKERS = 4
const ANSWER = 20_000

const paused = await run('paused', UNITS, SLEEPER(5), async (child, dir) => {
  await until(async () => (await count(dir)) > UNITS / 4 || child.exitCode !== null)
  child.kill('SIGSTOP')
  await sleep(PAUSE_S * 1000)
  child.kill('SIGCONT')
})
const answer = `export const run = async (input) => String(input.at?.(-1)?.content ?? input) + ' ' + 'x'.repeat(${ANSWER})\n`
const large = await run('large', LARGE, answer, async () => {})
record(
  'Limits of a fleet',
  `${WORKERS} workers with 25 slots. ${UNITS} units, the coordinator stopped for ${PAUSE_S} s in the middle: ${paused.results} results, ${paused.doubled} doubled, exit ${paused.code}; Redis used at most ${paused.peak} MB (\`used_memory\`), ${paused.more} MB more than before.\n\n${LARGE} units with answers of ${ANSWER / 1000} kB: ${large.results} results, ${large.doubled} doubled, exit ${large.code}; Redis used at most ${large.peak} MB (\`used_memory\`), ${large.more} MB more than before, of ${Math.round((LARGE * ANSWER) / 1e6)} MB that went through it.`,
)

async function run(name, units, agent, disturb) {
  const redis = await startRedis()
  const dir = makeApp(name, agent, casesOf(units))
  const workers = []
  for (let at = 0; at < WORKERS; at += 1) workers.push(await startWorker(redis.url, dir, 25))
  const { bytes } = await redis.figures()
  await redis.ask('CONFIG', 'RESETSTAT')
  const args = [VIVA, 'test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'out.jsonl', '--queue', redis.url]
  const child = spawn(process.execPath, args, { cwd: dir, env, stdio: ['ignore', 'ignore', 'inherit'] })
  const gone = new Promise((resolve) => child.once('exit', resolve))
  await disturb(child, dir)
  const code = await gone
  const { peak } = await redis.figures()
  for (const worker of workers) await end(worker)
  await redis.stop()
  const ids = new Set()
  const results = await count(dir, ids)
  const mb = (count) => Math.round(count / 1024 / 1024)
  return { code, results, doubled: results - ids.size, peak: mb(peak), more: mb(peak - bytes) }
}

async function count(dir, ids) {
  let results = 0
  try {
    for await (const line of createInterface({ input: createReadStream(`${dir}/out.jsonl`) })) {
      if (!line.startsWith('{"type":"result"')) continue
      results += 1
      ids?.add(/"id":"(\w+)"/.exec(line)?.[1])
    }
  } catch {
    // Not there yet.
  }
  return results
}

async function until(condition) {
  while (!(await condition())) await sleep(500)
}
