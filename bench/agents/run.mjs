// CPU of one call of an agent package through the openai connector, streaming, against a bare streaming fetch to the same model.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measure, table } from '../support/measure.mjs'
import { VIVA, WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const FEW = 1000
const MANY = 6000
const PARALLEL = 20
const ROUNDS = 5

const app = `${WORK}agents/`
rmSync(app, { recursive: true, force: true })
for (const folder of ['connectors', 'assistants/fox']) mkdirSync(app + folder, { recursive: true })
const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)))
const [{ port }] = await once(server, 'message')
const origin = `http://127.0.0.1:${port}`
writeFileSync(`${app}app.yao`, '{}')
writeFileSync(`${app}connectors/loopback.conn.yao`, JSON.stringify({ type: 'openai', options: { model: 'm', host: origin } }))
writeFileSync(`${app}assistants/fox/package.yao`, JSON.stringify({ name: 'Fox', connector: 'loopback' }))
writeFileSync(`${app}assistants/fox/prompts.yml`, '- role: system\n  content: You are a helpful assistant.\n')
const line = (_, i) => `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'contains', value: 'lazy dog' } })}\n`
for (const calls of [FEW, MANY]) writeFileSync(`${app}${calls}.jsonl`, Array.from({ length: calls }, line).join(''))

const bare = (calls) => [fileURLToPath(new URL('bare.mjs', import.meta.url)), `${origin}/v1/chat/completions`, String(calls), String(PARALLEL)]
const viva = (calls) => [VIVA, 'test', '-i', `${calls}.jsonl`, '-n', 'fox', '--parallel', String(PARALLEL), '-o', 'events.jsonl', '--force']

const rounds = []
for (let round = 0; round < ROUNDS; round += 1) {
  const cpu = {}
  for (const [name, args] of Object.entries({ bare, viva })) {
    for (const calls of [FEW, MANY]) {
      const result = await measure(process.execPath, args(calls), { cwd: app })
      if (result.code !== 0) throw new Error(`${name} exited ${result.code}\n${result.stderr}${result.stdout.slice(-2000)}`)
      cpu[`${name}${calls}`] = result.cpu
    }
  }
  // What a call adds, without what starting costs; and everything, as the clock on the wall sees it.
  const each = (name) => ((cpu[name + MANY] - cpu[name + FEW]) / (MANY - FEW)) * 1e6
  const whole = (name) => (cpu[name + MANY] / MANY) * 1e6
  rounds.push({ bare: each('bare'), viva: each('viva'), ratio: each('viva') / each('bare'), whole: whole('viva') / whole('bare') })
}
server.kill()
const median = (key) => rounds.map((round) => round[key]).sort((a, b) => a - b)[Math.floor(ROUNDS / 2)]
const spread = (key) => `${Math.min(...rounds.map((round) => round[key])).toFixed(2)}–${Math.max(...rounds.map((round) => round[key])).toFixed(2)}`
const rows = [
  ['bare streaming fetch', `${median('bare').toFixed(0)} µs`, ''],
  ['case through package and connector', `${median('viva').toFixed(0)} µs`, ''],
  ['ratio', `${median('ratio').toFixed(2)}× (${spread('ratio')})`, '≤ 3×'],
  [`ratio of the whole commands, ${MANY.toLocaleString('en')} calls`, `${median('whole').toFixed(2)}× (${spread('whole')})`, ''],
]
record('Agents', `CPU per call, ${PARALLEL} at once, an answer of 23 events; ${ROUNDS} rounds, median (spread). The case is loaded, run, judged and written.\n\n${table(['what', 'per call', 'bar'], rows)}`)
