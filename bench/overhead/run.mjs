// What Viva itself costs: echo cases against a bare loop, vitest and promptfoo; memory at three sizes.
import { createWriteStream, existsSync, rmSync, writeFileSync } from 'node:fs'
import { once } from 'node:events'
import { compareJobs, mb, measure, ratio, seconds, table } from '../support/measure.mjs'
import { ROOT, WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const quick = process.argv.includes('--quick')
const rounds = quick ? 3 : 5
const N = 10_000

async function writeCases(count) {
  const path = `${WORK}echo-${count}.jsonl`
  if (existsSync(path)) return path
  const out = createWriteStream(path)
  for (let i = 0; i < count; i += 1) {
    const line = JSON.stringify({
      id: `T${i}`,
      input: `please repeat the number ${i}`,
      assert: { type: 'contains', value: `number ${i}` },
    })
    if (!out.write(`${line}\n`)) await once(out, 'drain')
  }
  out.end()
  await once(out, 'finish')
  return path
}

const viva = (path, name) => ({
  name,
  command: process.execPath,
  args: [VIVA, 'test', '-i', path, '-n', 'builtin:echo', '-o', `${WORK}${name}.out.jsonl`],
  before: () => rmSync(`${WORK}${name}.out.jsonl`, { force: true }),
})

const path = await writeCases(N)
const jobs = [
  viva(path, 'viva'),
  {
    name: 'bare loop',
    command: process.execPath,
    args: [`${ROOT}bench/overhead/bare.mjs`, path, `${WORK}bare.out.jsonl`],
  },
]
const peers = `${ROOT}bench/peers/`
if (existsSync(`${peers}node_modules/vitest`)) {
  const { writePeers } = await import('../peers/write.mjs')
  writePeers(N)
  jobs.push({
    name: 'vitest 4',
    command: process.execPath,
    args: [`${peers}node_modules/vitest/vitest.mjs`, 'run', '--root', `${peers}work/vitest`],
    cwd: peers,
  })
}
const results = await compareJobs(jobs, rounds)
if (existsSync(`${peers}node_modules/promptfoo`)) {
  const one = await measure(
    process.execPath,
    [
      `${peers}node_modules/promptfoo/dist/src/main.js`,
      'eval',
      '-c',
      `${peers}work/promptfoo/promptfooconfig.yaml`,
      '-o',
      `${peers}work/promptfoo/out.jsonl`,
      '--no-cache',
      '--no-table',
      '--no-progress-bar',
      '--no-write',
    ],
    {
      cwd: `${peers}work/promptfoo`,
      env: {
        PROMPTFOO_DISABLE_TELEMETRY: '1',
        PROMPTFOO_DISABLE_UPDATE: '1',
        PROMPTFOO_CONFIG_DIR: `${peers}work/promptfoo/config`,
      },
    },
  )
  results['promptfoo (1 run)'] = { ...one, cpuMin: one.cpu, cpuMax: one.cpu, runs: 1 }
}
if (existsSync(`${peers}node_modules/evalite`)) {
  const { EVALITE_CASES } = await import('../peers/write.mjs')
  const one = await measure(process.execPath, [`${peers}node_modules/evalite/dist/bin.js`, 'run'], {
    cwd: `${peers}work/evalite`,
  })
  const scaled = N / EVALITE_CASES
  results[`evalite (1 run of ${EVALITE_CASES}, times ${scaled})`] = {
    ...one,
    cpu: one.cpu * scaled,
    cpuMin: one.cpu * scaled,
    cpuMax: one.cpu * scaled,
    wall: one.wall * scaled,
    runs: 1,
  }
}
const base = results['viva']
const rows = Object.entries(results).map(([name, r]) => [
  name,
  seconds(r.cpu),
  `${seconds(r.cpuMin)} – ${seconds(r.cpuMax)}`,
  seconds(r.wall),
  mb(r.rss),
  ratio(r.cpu, base.cpu),
])
let text = `${N.toLocaleString('en')} echo cases, one \`contains\` each, JSONL out; median of ${rounds} runs.\n\n${table(['what', 'CPU', 'spread', 'wall', 'memory', 'CPU against viva'], rows)}`

const sizes = quick ? [100, 10_000] : [100, 10_000, 100_000, 1_000_000]
const memory = []
for (const size of sizes) {
  const job = viva(await writeCases(size), `viva-${size}`)
  job.before()
  const result = await measure(job.command, job.args)
  if (result.code !== 0) throw new Error(result.stderr)
  memory.push({ size, ...result })
  rmSync(`${WORK}viva-${size}.out.jsonl`, { force: true })
}
const at10k = memory.find((entry) => entry.size === 10_000)
text += `\n\n${table(
  ['cases', 'cases/s', 'CPU per case', 'peak memory', 'against 10,000'],
  memory.map((entry) => [
    entry.size.toLocaleString('en'),
    Math.round(entry.size / entry.wall).toLocaleString('en'),
    `${((entry.cpu / entry.size) * 1e6).toFixed(0)} µs`,
    mb(entry.rss),
    ratio(entry.rss, at10k.rss),
  ]),
)}`
if (!quick) record('Overhead', text)
else console.log(text)
writeFileSync(`${WORK}overhead.json`, JSON.stringify({ results, memory }, null, 2))
