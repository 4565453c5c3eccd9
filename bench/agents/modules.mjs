// What one call of a module agent costs: CPU of the whole process tree, and the time a case takes when it is alone.
// `node bench/agents/modules.mjs OTHER` puts a checkout or a tarball beside this one, e.g. one that ran modules in process.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { install } from '../support/install.mjs'
import { measure, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const FEW = 1000
const MANY = 9000
const ROUNDS = 5
const BAR_MICROSECONDS = 150

const other = process.argv[2]
const builds = { after: VIVA, ...(other && { before: install(other, 'other').bin }) }
const jobs = [
  ['a text, one at a time', 'text', 1],
  ['a text after a turn of the loop, one at a time', 'turn', 1],
  ['a text, 20 at once', 'text', 20],
  ['20 chunks, 20 at once', 'chunks', 20],
]

const app = `${WORK}modules/`
rmSync(app, { recursive: true, force: true })
mkdirSync(app, { recursive: true })
writeFileSync(
  `${app}agent.mjs`,
  `export const text = async (messages) => 'the lazy dog heard: ' + messages.at(-1).content
export const turn = async (messages) => {
  await new Promise((resolve) => setImmediate(resolve))
  return text(messages)
}
export async function* chunks() {
  for (let word = 0; word < 20; word += 1) {
    if (word % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
    yield 'the lazy dog '
  }
}
`,
)
const line = (_, i) =>
  `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'contains', value: 'lazy dog' } })}\n`
for (const calls of [FEW, MANY]) writeFileSync(`${app}${calls}.jsonl`, Array.from({ length: calls }, line).join(''))

const rows = []
for (const [label, name, parallel] of jobs) {
  const found = Object.fromEntries(Object.keys(builds).map((build) => [build, { cpu: [], wall: [] }]))
  for (let round = 0; round < ROUNDS; round += 1) {
    // In turn, so that a noisy moment hits both alike.
    for (const [build, bin] of Object.entries(builds)) {
      const [few, many] = [await run(bin, name, parallel, FEW), await run(bin, name, parallel, MANY)]
      for (const key of ['cpu', 'wall']) found[build][key].push(((many[key] - few[key]) / (MANY - FEW)) * 1e6)
    }
  }
  rows.push([label, ...['cpu', 'wall'].flatMap((key) => cells(found, key))])
}

/** What each call adds, without what starting costs. */
async function run(bin, name, parallel, calls) {
  const args = ['test', '-i', `${calls}.jsonl`, '-n', `./agent.mjs#${name}`, '--parallel', String(parallel)]
  const result = await measure(process.execPath, [bin, ...args, '-o', 'events.jsonl', '--force'], { cwd: app })
  if (result.code !== 0) throw new Error(`${bin} exited ${result.code}\n${result.stderr}${result.stdout.slice(-2000)}`)
  return result
}

function cells(found, key) {
  const after = median(found.after[key])
  if (!found.before) return [microseconds(after)]
  const before = median(found.before[key])
  return [microseconds(before), microseconds(after), `${microseconds(after - before)} (≤ ${BAR_MICROSECONDS} µs)`]
}

function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
}

function microseconds(value) {
  return `${value.toFixed(0)} µs`
}

const columns = builds.before ? ['in process', 'own process', 'added'] : ['own process']
record(
  'Module agents',
  `Per call; ${ROUNDS} rounds, median; a case is loaded, run, judged and written. CPU is that of the whole process tree.\n\n${table(
    ['answer', ...columns.map((name) => `CPU, ${name}`), ...columns.map((name) => `time, ${name}`)],
    rows,
  )}`,
)
