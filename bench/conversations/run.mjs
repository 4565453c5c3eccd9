// Many simulated conversations at once: 200 cases of 10 turns, every answer after 20 ms, against the ideal; and none
// may hear a word of another.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mb, measure, ratio, seconds, table } from '../support/measure.mjs'
import { WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'
import { VIVA } from '../support/viva.mjs'

const CASES = 200
const TURNS = 10
const DELAY_MS = 20
const PARALLEL = 50
const ROUNDS = 5
// Each turn is a call of the simulator and one of the agent.
const IDEAL = (Math.ceil(CASES / PARALLEL) * TURNS * 2 * DELAY_MS) / 1000

const path = `${WORK}conversations.jsonl`
const out = `${WORK}conversations-out.jsonl`
const cases = Array.from({ length: CASES }, (_, index) => {
  const id = `C${index}`
  const last = { id: 'last', assertion: { type: 'equals', value: `${id} heard ${TURNS}` } }
  return { id, simulator: {}, checkpoints: [last], max_turns: TURNS }
})
writeFileSync(path, cases.map((each) => `${JSON.stringify(each)}\n`).join(''))

const server = fork(fileURLToPath(new URL('server.mjs', import.meta.url)), [String(DELAY_MS)])
const [{ port }] = await once(server, 'message')
const at = `http://127.0.0.1:${port}`
const parallel = String(PARALLEL)
const viva = [
  VIVA,
  'test',
  '-i',
  path,
  '-n',
  `${at}/agent`,
  '--simulator',
  `${at}/user`,
  '--parallel',
  parallel,
  '-o',
  out,
]
const bare = [fileURLToPath(new URL('bare.mjs', import.meta.url)), String(port), String(CASES), String(TURNS), parallel]

const runs = { viva: [], bare: [] }
for (let round = 0; round < ROUNDS; round += 1) {
  rmSync(out, { force: true })
  runs.viva.push(await run(viva))
  checkTranscripts()
  runs.bare.push(await run(bare))
}
server.kill()

const rows = [row('viva', runs.viva), row('the same calls by a bare Node script', runs.bare)]
const head = ['what', 'calls, median (spread)', 'against the ideal', 'bar', 'whole command', 'CPU', 'memory']
record(
  'Conversations',
  `${CASES} simulated conversations of ${TURNS} turns at --parallel ${PARALLEL}, ${DELAY_MS} ms per answer: ideally ${seconds(IDEAL)}. The server shares the machine. Calls: from the first request to the last answer, as the server sees them.
Every turn of every transcript was checked: none heard a word of another.\n\n${table(head, rows)}`,
)

async function run(args) {
  // Reading a certificate store at every start is not part of this.
  const result = await measure(process.execPath, args, { env: { NODE_EXTRA_CA_CERTS: undefined } })
  if (result.code !== 0) throw new Error(`${result.stdout.slice(-2000)}\n${result.stderr.slice(-2000)}`)
  server.send('took')
  const [{ took }] = await once(server, 'message')
  return { ...result, took }
}

function row(name, results) {
  const sorted = (key) => results.map((result) => result[key]).toSorted((a, b) => a - b)
  const median = (key) => sorted(key)[Math.floor(results.length / 2)]
  const spread = `${seconds(sorted('took')[0])} – ${seconds(sorted('took').at(-1))}`
  const calls = `${seconds(median('took'))} (${spread})`
  const whole = `${seconds(median('wall'))}, ${ratio(median('wall'), IDEAL)}`
  return [name, calls, ratio(median('took'), IDEAL), '≤ 1.25×', whole, seconds(median('cpu')), mb(median('rss'))]
}

function checkTranscripts() {
  const lines = readFileSync(out, 'utf8').trim().split('\n')
  const results = lines.map((line) => JSON.parse(line)).filter((event) => event.type === 'result')
  if (results.length !== CASES) throw new Error(`${results.length} results`)
  for (const { id, turns } of results) {
    if (turns.length !== TURNS) throw new Error(`${id} has ${turns.length} turns`)
    for (const [index, { input, output }] of turns.entries()) {
      const fine = input === `${id} says ${index + 1}` && output === `${id} heard ${index + 1}`
      if (!fine) throw new Error(`${id}: ${input} → ${output}`)
    }
  }
}
