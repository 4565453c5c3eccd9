// Rounds of random faults against a fleet that records, each from a seed: no result and no interaction lost, none twice. `node bench/fleet/chaos.mjs [rounds] [seed]`
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { table } from '../support/measure.mjs'
import { VIVA } from '../support/viva.mjs'
import { casesOf, end, env, makeApp, SLEEPER, sleep, startRedis, startWorker } from './fleet.mjs'

const ROUNDS = Number(process.argv[2] ?? 30)
const SEED = Number(process.argv[3] ?? 1)
const COUNT = 400
const WORKERS = 3
/** Longer than a lock lasts. */
const LONG_MS = 8_000

const block = `${WORK}block.mjs`
writeFileSync(
  block,
  `process.on('SIGUSR2', () => { const end = Date.now() + ${LONG_MS}; while (Date.now() < end); })\n`,
)

const counts = {
  'worker killed': 0,
  'worker stopped for 8 s': 0,
  'event loop of a worker blocked for 8 s': 0,
  'coordinator killed, then --resume': 0,
  'coordinator stopped for 8 s': 0,
  'Redis restarted': 0,
}
const totals = { results: 0, lost: 0, doubled: 0, wrong: 0, left: 0, again: 0, interactions: 0, tapes: 0 }
for (let round = 0; round < ROUNDS; round += 1) {
  const random = generator(SEED * 1000 + round)
  const redis = await startRedis(['--appendonly', 'yes', '--appendfsync', 'always'])
  const dir = makeApp(`chaos-${SEED}`, SLEEPER(30), casesOf(COUNT))
  const workers = []
  const hire = async () => workers.push(await startWorker(redis.url, dir, 4, ['--import', block]))
  for (let at = 0; at < WORKERS; at += 1) await hire()
  let run = start(['-i', 'cases.jsonl', '-n', './agent.mjs#run', '-o', 'out.jsonl', '--record', 'tape.yaml'])
  const faults = []
  const marks = Array.from({ length: 3 }, () => Math.floor(20 + random() * (COUNT - 120))).toSorted((a, b) => a - b)
  for (const mark of marks) {
    await until(() => results(dir).length >= mark || run.exitCode !== null)
    if (run.exitCode !== null) break
    const names = Object.keys(counts)
    const fault = names[Math.floor(random() * names.length)]
    faults.push(fault)
    counts[fault] += 1
    const victim = workers[Math.floor(random() * workers.length)]
    if (fault === 'worker killed') {
      await end(victim)
      workers.splice(workers.indexOf(victim), 1)
      await hire()
    } else if (fault === 'worker stopped for 8 s') {
      victim.kill('SIGSTOP')
      setTimeout(() => victim.kill('SIGCONT'), LONG_MS)
    } else if (fault === 'event loop of a worker blocked for 8 s') victim.kill('SIGUSR2')
    else if (fault === 'coordinator stopped for 8 s') {
      run.kill('SIGSTOP')
      await sleep(LONG_MS)
      run.kill('SIGCONT')
    } else if (fault === 'Redis restarted') await redis.restart()
    else {
      await end(run)
      run = start(['--resume', 'out.jsonl'])
    }
  }
  const code = await ended(run)
  const found = results(dir)
  const ids = new Set(found.map(({ id }) => id))
  const wrong = found.filter(({ id, status }) => status !== (id.endsWith('3') ? 'failed' : 'passed'))
  totals.results += found.length
  totals.lost += COUNT - ids.size
  totals.doubled += found.length - ids.size
  totals.wrong += wrong.length + (code === 1 ? 0 : 1)
  const tape = interactions(dir)
  totals.interactions += tape.length
  const isWhole = tape.length === COUNT && tape.every((each) => each.answer === `you said ${each.input}`)
  totals.tapes += isWhole && new Set(tape.map(({ id }) => id)).size === COUNT ? 0 : 1
  totals.again += Number(/(\d+) results? came twice/.exec(run.log)?.[1] ?? 0)
  // Workers remove what they wrote last, within a beat or two.
  let left = []
  for (let tries = 0; tries < 40; tries += 1) {
    left = (await redis.ask('KEYS', 'viva:{*')).concat(await redis.ask('ZRANGE', 'viva:runs', '0', '-1'))
    if (left.length === 0) break
    await sleep(500)
  }
  totals.left += left.length
  console.log(
    `round ${round + 1}: exit ${code}, ${found.length} results, ${COUNT - ids.size} lost, ${found.length - ids.size} doubled, ${wrong.length} wrong, ${tape.length} recorded, ${left.length} keys left; ${faults.join('; ')}`,
  )
  if (code !== 1 || ids.size !== COUNT) console.log(run.log.slice(-1500), wrong.slice(0, 3))
  for (const worker of workers) await end(worker)
  await redis.stop()

  function start(args) {
    const child = spawn(process.execPath, [VIVA, 'test', ...args, '--queue', redis.url], {
      cwd: dir,
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    child.log = ''
    child.stderr.on('data', (data) => (child.log += data))
    return child
  }
}
const rows = Object.entries(counts)
record(
  'Faults in a fleet',
  `${ROUNDS} rounds from seed ${SEED}, ${COUNT} cases each on ${WORKERS} workers with 4 slots, up to three faults a round. ${totals.results} results: ${totals.lost} lost, ${totals.doubled} doubled, ${totals.wrong} wrong verdicts or exit codes, ${totals.left} keys left in Redis, ${totals.interactions} interactions recorded, ${totals.tapes} recordings with one lost, doubled or wrong; ${totals.again} results came again and were left out.\n\n${table(['fault', 'times'], rows)}`,
)
process.exit(totals.lost + totals.doubled + totals.wrong + totals.left + totals.tapes === 0 ? 0 : 1)

function results(dir) {
  const path = `${dir}/out.jsonl`
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split('\n')
    .slice(0, -1)
    .filter((line) => line.startsWith('{"type":"result"'))
    .map((line) => JSON.parse(line))
}

/** Of the recording: whose, what was asked and answered. */
function interactions(dir) {
  const path = `${dir}/tape.yaml`
  if (!existsSync(path)) return []
  return readFileSync(path, 'utf8')
    .split(/^ {2}- request:/m)
    .slice(1)
    .map((text) => ({
      id: /case: (.*)/.exec(text)?.[1],
      input: /content: (.*)/.exec(text)?.[1]?.replaceAll('"', ''),
      answer: /output: (.*)/.exec(text)?.[1]?.replaceAll('"', ''),
    }))
}

async function until(condition) {
  while (!condition()) await sleep(50)
}

async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve))
  return child.exitCode
}

function generator(seed) {
  let state = seed
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 1 | state) + 0x6d2b79f5) | 0
    const mixed = Math.imul(state ^ (state >>> 7), 61 | state) ^ state
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}
