// Many simulated conversations at once: 200 cases of 10 turns, every answer after 20 ms, against the ideal; and none
// may hear a word of another.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mb, measure, ratio, seconds, table } from '../support/measure.mjs'
import { VIVA, WORK } from '../support/paths.mjs'
import { record } from '../support/record.mjs'

const CASES = 200
const TURNS = 10
const DELAY_MS = 20
const PARALLEL = 50
const ROUNDS = 5

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
const args = ['test', '-i', path, '-n', `${at}/agent`, '--simulator', `${at}/user`, '--parallel', String(PARALLEL), '-o', out]

const runs = []
for (let round = 0; round < ROUNDS; round += 1) {
  rmSync(out, { force: true })
  const result = await measure(process.execPath, [VIVA, ...args])
  if (result.code !== 0) throw new Error(`${result.stdout.slice(-2000)}\n${result.stderr.slice(-2000)}`)
  checkTranscripts()
  runs.push(result)
}
server.kill()

// Each turn is a call of the simulator and one of the agent.
const ideal = (Math.ceil(CASES / PARALLEL) * TURNS * 2 * DELAY_MS) / 1000
runs.sort((a, b) => a.wall - b.wall)
const median = runs[Math.floor(runs.length / 2)]
const rows = [[PARALLEL, seconds(ideal), seconds(median.wall), `${seconds(runs[0].wall)} – ${seconds(runs.at(-1).wall)}`, ratio(median.wall, ideal), seconds(median.cpu), mb(median.rss)]]
record(
  'Conversations',
  `${CASES} simulated conversations of ${TURNS} turns, ${DELAY_MS} ms per answer; the server shares the machine. Wall time includes start-up.\nEvery turn of every transcript was checked: none was mixed up with another. Bar: at most 1.25 times the ideal.\n\n${table(['--parallel', 'ideal', `wall (median of ${ROUNDS})`, 'spread', 'against the ideal', 'CPU', 'memory'], rows)}`,
)
if (median.wall > ideal * 1.25) process.exitCode = 1

function checkTranscripts() {
  const results = readFileSync(out, 'utf8').trim().split('\n').map((line) => JSON.parse(line)).filter((event) => event.type === 'result')
  if (results.length !== CASES) throw new Error(`${results.length} results`)
  for (const { id, turns } of results) {
    if (turns.length !== TURNS) throw new Error(`${id} has ${turns.length} turns`)
    turns.forEach(({ input, output }, index) => {
      if (input !== `${id} says ${index + 1}` || output !== `${id} heard ${index + 1}`) throw new Error(`${id}: ${input} → ${output}`)
    })
  }
}
