// CPU of one call of an agent package through its connector, streaming, against a bare streaming fetch to the same model.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { measure, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const FEW = 500
const MANY = 4500
const PARALLEL = 20
const ROUNDS = 3
const PATHS = {
  openai: '/v1/chat/completions',
  anthropic: '/v1/messages',
  google: '/v1beta/models/m:streamGenerateContent?alt=sse',
}

const app = `${WORK}agents/`
rmSync(app, { recursive: true, force: true })
for (const folder of ['connectors', 'assistants/fox']) mkdirSync(app + folder, { recursive: true })
const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)))
const [{ port }] = await once(server, 'message')
const origin = `http://127.0.0.1:${port}`
writeFileSync(`${app}app.yao`, '{}')
for (const type of Object.keys(PATHS)) {
  const options = { model: 'm', host: origin, key: 'none' }
  writeFileSync(`${app}connectors/${type}.conn.yao`, JSON.stringify({ type, options }))
}
writeFileSync(`${app}assistants/fox/package.yao`, JSON.stringify({ name: 'Fox', connector: 'openai' }))
writeFileSync(`${app}assistants/fox/prompts.yml`, '- role: system\n  content: You are a helpful assistant.\n')
const line = (_, i) =>
  `${JSON.stringify({ id: `C${i}`, input: `call ${i}`, assert: { type: 'contains', value: 'lazy dog' } })}\n`
for (const calls of [FEW, MANY]) writeFileSync(`${app}${calls}.jsonl`, Array.from({ length: calls }, line).join(''))

const commands = {
  bare: (type, calls) => [
    fileURLToPath(new URL('bare.mjs', import.meta.url)),
    origin + PATHS[type],
    String(calls),
    String(PARALLEL),
  ],
  viva: (type, calls) => [
    VIVA,
    'test',
    '-i',
    `${calls}.jsonl`,
    '-n',
    'fox',
    '-c',
    type,
    '--parallel',
    String(PARALLEL),
    '-o',
    'events.jsonl',
    '--force',
  ],
}

const rows = []
for (const type of Object.keys(PATHS)) {
  const rounds = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const each = {}
    for (const [name, command] of Object.entries(commands)) {
      const cpu = []
      for (const calls of [FEW, MANY]) {
        const result = await measure(process.execPath, command(type, calls), { cwd: app })
        if (result.code !== 0)
          throw new Error(`${name} ${type} exited ${result.code}\n${result.stderr}${result.stdout.slice(-2000)}`)
        cpu.push(result.cpu)
      }
      // What a call adds, without what starting costs.
      each[name] = ((cpu[1] - cpu[0]) / (MANY - FEW)) * 1e6
    }
    rounds.push({ ...each, ratio: each.viva / each.bare })
  }
  const values = (key) => rounds.map((round) => round[key]).toSorted((a, b) => a - b)
  const median = (key) => values(key)[Math.floor(ROUNDS / 2)]
  const ratios = values('ratio')
  const spread = `${ratios[0].toFixed(2)}–${ratios.at(-1).toFixed(2)}`
  rows.push([
    type,
    `${median('bare').toFixed(0)} µs`,
    `${median('viva').toFixed(0)} µs`,
    `${median('ratio').toFixed(2)}× (${spread})`,
    '≤ 3×',
  ])
}
server.kill()
record(
  'Agents',
  `CPU per call, ${PARALLEL} at once, an answer of some 23 events; ${ROUNDS} rounds, median (spread). A case is loaded, run, judged and written.\n\n${table(['connector', 'bare streaming fetch', 'case through package and connector', 'ratio', 'bar'], rows)}`,
)
