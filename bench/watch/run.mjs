// `--watch` on a terminal: from an edit to the end of its round, and what 200 rounds leave behind.
//   node bench/watch/run.mjs [rounds] [prefix for heap snapshots]
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { spawn } from '@lydell/node-pty'
import { table } from '../support/measure.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const ROUNDS = Number(process.argv[2] ?? 300)
const cwd = mkdtempSync(join(tmpdir(), 'viva-watch-'))
const word = (text) => writeFileSync(join(cwd, 'word.ts'), `export const word = '${text}'\n`)
const cases = ['a', 'b'].map((id) => JSON.stringify({ id, input: 'hi', assert: { type: 'contains', value: 'hi' } }))
writeFileSync(join(cwd, 'cases.jsonl'), cases.join('\n'))
writeFileSync(
  join(cwd, 'agent.ts'),
  `import { word } from './word'\nexport const run = (messages: { content: string }[]) => word + messages.at(-1)?.content\n`,
)
word('x')

const probed = join(cwd, 'probed.json')
const snapshots = process.argv[3]
const env = {
  PATH: process.env.PATH,
  HOME: cwd,
  TERM: 'xterm',
  NO_COLOR: '1',
  PROBE_FILE: probed,
  ...(snapshots && { PROBE_SNAPSHOT: snapshots }),
}
const probe = new URL('probe.mjs', import.meta.url).href
const args = ['--expose-gc', '--import', probe, VIVA, 'test', '-i', 'cases.jsonl', '-n', './agent.ts#run', '--watch']
const viva = spawn(process.execPath, args, { cwd, cols: 100, rows: 40, env })
let text = ''
let look = () => {}
viva.onData((data) => {
  text += data
  look()
})
const saw = (wanted) =>
  new Promise((resolve) => {
    look = () => {
      const at = text.indexOf(wanted)
      if (at < 0) return
      text = text.slice(at + wanted.length)
      look = () => {}
      resolve()
    }
    look()
  })
/** Linux only. What is left after garbage collection, besides what the system counts. */
const facts = async () => {
  rmSync(probed, { force: true })
  process.kill(viva.pid, 'SIGUSR2')
  while (!existsSync(probed)) await new Promise((done) => setTimeout(done, 50))
  await new Promise((done) => setTimeout(done, 50))
  const { heap, objects, resources } = JSON.parse(readFileSync(probed, 'utf8'))
  const proc = `/proc/${viva.pid}`
  const [, rss] = /VmRSS:\s+(\d+)/.exec(readFileSync(`${proc}/status`, 'utf8'))
  const children = readFileSync(`${proc}/task/${viva.pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [
    String(objects),
    `${(heap / 1024 / 1024).toFixed(2)} MB`,
    `${Math.round(rss / 1024)} MB`,
    String(readdirSync(`${proc}/fd`).length),
    String(resources),
    String(children.length),
  ]
}

await saw('q quit')
const MARKS = [5, 10, 100, 200, ROUNDS]
const rows = []
const took = []
for (let round = 1; round <= ROUNDS; round += 1) {
  const began = performance.now()
  word(`x${round}`)
  await saw('↻')
  await saw('q quit')
  took.push(performance.now() - began)
  if (MARKS.includes(round)) rows.push([String(round), ...(await facts())])
}
viva.write('q')
await new Promise((done) => viva.onExit(done))
rmSync(cwd, { recursive: true, force: true })
took.sort((a, b) => a - b)
const at = (share) => `${Math.round(took[Math.floor((took.length - 1) * share)])} ms`
record(
  'Watching',
  `From an edit of what the agent imports to the end of the round: median ${at(0.5)}, 95% ${at(0.95)}, longest ${at(1)}.\n\nObjects and heap are counted after garbage collection. What grows besides objects is code that V8 compiles; the step after round 100 is the module that prunes \`.viva/runs\`, loaded once.\n\n${table(['round', 'objects', 'used after collection', 'resident', 'open files', 'event loop', 'processes'], rows)}`,
)
