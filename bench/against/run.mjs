// Builds of Viva side by side, each as it is installed, in turns: what did a change cost?
//   node bench/against/run.mjs BEFORE [AFTER …]
// Each is a tarball of `npm pack`, a built checkout, or a folder in which Viva is installed; without AFTER, this checkout.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { install } from '../support/install.mjs'
import { compareJobs, measure, mb, ratio, table } from '../support/measure.mjs'
import { ROOT, WORK } from '../support/paths.mjs'

const ROUNDS = Number(process.env['ROUNDS'] ?? 5)
/** Only the lines that contain this text. */
const ONLY = process.env['ONLY'] ?? ''
const given = process.argv.slice(2)
if (given.length === 0) {
  console.error(
    'usage: node bench/against/run.mjs BEFORE [AFTER …]   (tarballs, built checkouts, folders with Viva installed)',
  )
  process.exit(2)
}
const sides = (given.length > 1 ? given : [...given, ROOT]).map((from, at) => ({
  name: basename(from.replace(/\/$/, '')),
  at,
  ...install(from, String(at)),
}))
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(1)} MB`
const size = ({ bytes, files }) => `${megabytes(bytes)} in ${files} files`
console.log(
  `${table(
    ['installed', 'Viva itself', 'with what it needs', 'packages'],
    sides.map(({ name, own, all, packages }) => [name, size(own), size(all), packages]),
  )}\n`,
)

const cases = (name, count, text) => {
  const path = `${WORK}against-${name}.jsonl`
  const line = (_, i) =>
    `${JSON.stringify({ id: `C${i}`, input: `${text} ${i}`, assert: { type: 'contains', value: `${text} ${i}` } })}\n`
  writeFileSync(path, Array.from({ length: count }, line).join(''))
  return path
}

const server = fork(fileURLToPath(new URL('../scheduling/server.mjs', import.meta.url)), ['50'])
const [{ port }] = await once(server, 'message')
const module = `${WORK}against-agent.mjs`
writeFileSync(module, 'export const run = async (messages) => messages.at(-1).content\n')
const scripts = `${WORK}against-app/`
mkdirSync(`${scripts}assistants/sums/src`, { recursive: true })
writeFileSync(`${scripts}app.yao`, '{}')
writeFileSync(`${scripts}assistants/sums/package.yao`, '{"name": "Sums"}')
const body = Array.from(
  { length: 10 },
  (_, i) => `export function Test${i}(t) { t.assert.Equal(${i} + 1, ${i + 1}) }\n`,
)
for (let i = 0; i < 20; i += 1) writeFileSync(`${scripts}assistants/sums/src/s${i}_test.ts`, body.join(''))

const echo = cases('echo', 10_000, 'please repeat')
const calls = cases('calls', 5000, 'call')
const some = cases('module', 2000, 'call')
const test = (...args) => ['test', ...args, '-o', 'OUT', '--force']
const ECHO = ['-n', 'builtin:echo']
const REPLAYED = test('-i', some, ...ECHO)
const LINES = {
  '`--version`': ['--version'],
  'one echo case': ['test', '-i', 'hello', ...ECHO],
  '10,000 echo cases': test('-i', echo, ...ECHO),
  '2,000 replayed cases': [...REPLAYED, '--replay', 'TAPE'],
  '5,000 HTTP calls of 50 ms, 200 at once': test(
    '-i',
    calls,
    '-n',
    `http://127.0.0.1:${port}/agent`,
    '--parallel',
    '200',
  ),
  '2,000 calls of a module agent, 20 at once': test('-i', some, '-n', `${module}#run`, '--parallel', '20'),
  '200 script tests in 20 files': ['test', '-i', 'scripts.sums.*', '--app', scripts],
}

const lines = Object.entries(LINES).filter(([line]) => line.includes(ONLY))
const fill = (args, { at }) =>
  args.map((arg) => arg.replace('OUT', `${WORK}against-${at}.out.jsonl`).replace('TAPE', `${WORK}against-${at}.yaml`))
for (const side of sides) {
  rmSync(fill(['TAPE'], side)[0], { force: true })
  const { code, stderr } = await measure(process.execPath, [side.bin, ...fill([...REPLAYED, '--record', 'TAPE'], side)])
  if (code !== 0) throw new Error(stderr)
}
const jobs = lines.flatMap(([line, args]) =>
  sides.map((side) => ({
    name: `${line}\0${side.at}`,
    command: process.execPath,
    args: [side.bin, ...fill(args, side)],
    cwd: scripts,
  })),
)
const bare = { name: 'node -e 0', command: process.execPath, args: ['-e', '0'] }
const results = await compareJobs([bare, ...jobs], ROUNDS)
server.kill()

const ms = (seconds) => `${Math.round(seconds * 1000)} ms`
const spread = ({ cpu, cpuMin, cpuMax }) => `${ms(cpu)} (${ms(cpuMin)} – ${ms(cpuMax)})`
const rows = lines.map(([line]) => {
  const [before, ...after] = sides.map(({ at }) => results[`${line}\0${at}`])
  const compared = after.map((each) => `${spread(each)}, ${ratio(each.cpu, before.cpu)}`)
  return [line, spread(before), ...compared, [before, ...after].map(({ rss }) => mb(rss)).join(', ')]
})
console.log(
  `CPU of the whole process tree, median of ${ROUNDS} rounds in turns (spread); node -e 0: ${spread(results[bare.name])}\n`,
)
console.log(table(['what', ...sides.map(({ name }) => name), 'memory'], rows))
