// This checkout against another built one (`node bench/against/run.mjs OTHER_CHECKOUT`), in turns: what did a change cost?
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compareJobs, mb, seconds, table } from '../support/measure.mjs'
import { ROOT, WORK } from '../support/paths.mjs'

const ROUNDS = Number(process.env['ROUNDS'] ?? 7)
/** Only the lines that contain this text. */
const ONLY = process.env['ONLY'] ?? ''
const other = resolve(process.argv[2] ?? '')
if (!existsSync(join(other, 'dist/index.cjs'))) {
  console.error('usage: node bench/against/run.mjs OTHER_CHECKOUT   (a checkout of Viva with its dist/ built)')
  process.exit(2)
}

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
const LINES = {
  '`--version`': ['--version'],
  'one echo case': ['test', '-i', 'hello', '-n', 'builtin:echo'],
  '10,000 echo cases': ['test', '-i', echo, '-n', 'builtin:echo', '-o', 'OUT'],
  '5,000 HTTP calls of 50 ms, 200 at once': [
    'test',
    '-i',
    calls,
    '-n',
    `http://127.0.0.1:${port}/agent`,
    '--parallel',
    '200',
    '-o',
    'OUT',
  ],
  '2,000 calls of a module agent, 20 at once': [
    'test',
    '-i',
    some,
    '-n',
    `${module}#run`,
    '--parallel',
    '20',
    '-o',
    'OUT',
  ],
  '200 script tests in 20 files': ['test', '-i', 'scripts.sums.*', '--app', scripts],
}

const lines = Object.entries(LINES).filter(([line]) => line.includes(ONLY))
const sides = { before: other, after: ROOT }
const jobs = lines.flatMap(([line, args]) =>
  Object.entries(sides).map(([side, root]) => {
    const out = `${WORK}against-${side}.out.jsonl`
    return {
      name: `${line}\0${side}`,
      command: process.execPath,
      args: [join(root, 'bin/viva.js'), ...args.map((arg) => (arg === 'OUT' ? out : arg))],
      cwd: scripts,
      before: () => rmSync(out, { force: true }),
    }
  }),
)
const results = await compareJobs(jobs, ROUNDS)
server.kill()

const rows = lines.map(([line]) => {
  const [before, after] = ['before', 'after'].map((side) => results[`${line}\0${side}`])
  const spread = (r) => `${seconds(r.cpu)} (${seconds(r.cpuMin)} – ${seconds(r.cpuMax)})`
  const change = ((after.cpu / before.cpu - 1) * 100).toFixed(1)
  return [line, spread(before), spread(after), `${change} %`, `${mb(before.rss)} → ${mb(after.rss)}`]
})
console.log(`CPU, median of ${ROUNDS} rounds in turns (spread)\n`)
console.log(table(['what', 'before', 'after', 'change', 'memory'], rows))
