// Recorded once, replayed often: two hundred conversations without a socket, and a run that is killed at every step.
import { cpSync, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { makeFolder, parseEvents, viva } from '../support/run-cli.js'
import { app, conversations, KEY, lasting, run, startChat, type Json } from './support.js'

/** Whatever opens a connection ends the process at once. */
const NO_SOCKETS = `
import net from 'node:net'
import dns from 'node:dns'
const refuse = () => { process.stderr.write('a socket was opened\\n'); process.exit(99) }
net.Socket.prototype.connect = refuse
dns.lookup = refuse
`

test(
  '200 conversations replay to the same stream without sockets, however many run at once',
  { timeout: 240_000 },
  async () => {
    const chat = await startChat()
    const dir = app(chat.url, conversations(200), { 'no-sockets.mjs': NO_SOCKETS })
    const live = await run(dir, ['--record', 'tape.yaml', '--parallel', '16'], { live: true })
    expect(live.summary).toMatchObject({ passed: 200, recording: { recorded: 1400 } })
    const env = { PATH: '', HOME: '', NODE_OPTIONS: `--import=${join(dir, 'no-sockets.mjs')}` }
    const recorded = streamOf(live.events)
    expect(recorded.length).toBeGreaterThan(400)
    // It would notice.
    const args = ['test', '-i', 'cases.jsonl', '-n', 'desk']
    expect(
      (await viva([...args, '--run', '^T1$', '-o', 'x.jsonl'], { cwd: dir, env: { ...env, MODEL_KEY: KEY } })).code,
    ).toBe(99)
    for (const parallel of ['1', '8', '50']) {
      const file = `p${parallel}.jsonl`
      const { code, stderr } = await viva([...args, '--replay', 'tape.yaml', '--parallel', parallel, '-o', file], {
        cwd: dir,
        env,
      })
      expect([code, stderr]).toEqual([0, expect.not.stringContaining('socket')])
      const events = parseEvents(readFileSync(join(dir, file), 'utf8'))
      // Not toEqual: the difference of two texts of this size takes long to print.
      expect(firstDifference(streamOf(events), recorded)).toBeUndefined()
      expect(events.at(-1)).toMatchObject({
        type: 'summary',
        passed: 200,
        cost_dollars: 0,
        recording: { replayed: 1400, recorded: 0, passed_through: 0, unused: 0 },
      })
    }
  },
)

/** Every event as text, the cases in order of their ids, without what two runs of one thing differ in. */
function streamOf(events: readonly Json[]): string[] {
  const inOrder = events.toSorted((a, b) => Number(isOfCase(a)) - Number(isOfCase(b)) || compare(a, b))
  return inOrder.map(({ recording: _counts, options: _flags, plan: _plan, ...event }) => JSON.stringify(lasting(event)))
}

/** Cases that run side by side end in any order; what is said of one stays in order. */
function compare(a: Json, b: Json): number {
  return isOfCase(a) && isOfCase(b) ? String(a['id']).localeCompare(String(b['id'])) : 0
}

function isOfCase({ id }: Json): boolean {
  return id !== undefined
}

function firstDifference(left: readonly string[], right: readonly string[]): object | undefined {
  const at = left.findIndex((text, index) => text !== right[index])
  if (at < 0 && left.length === right.length) return undefined
  return { at, left: left[at], right: right[at], lengths: [left.length, right.length] }
}

/** Ends the process silently before its nth write to a file, whatever that is. */
const KILLER = `
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
let left = Number(process.env.KILL_AT)
for (const name of ['writeSync', 'writeFileSync', 'renameSync', 'rmSync']) {
  const real = fs[name]
  fs[name] = (...args) => {
    if (/\\.(?:yaml|journal|lock|jsonl)|\\.tmp$/.test(String(args[0])) || typeof args[0] === 'number' && args[0] > 2) {
      if (--left === 0) process.kill(process.pid, 'SIGKILL')
    }
    return real(...args)
  }
}
syncBuiltinESMExports()
`

test('killed at 50 points while recording: it resumes, and every case replays', { timeout: 240_000 }, async () => {
  const cases = Array.from({ length: 4 }, (_, n) => ({
    id: `T${n}`,
    turns: [{ input: `said one ${n}` }, { input: `said two ${n}` }],
    assert: { type: 'contains', value: 'said' },
  }))
  const origin = makeFolder({ 'cases.jsonl': cases, 'killer.mjs': KILLER })
  // What an earlier run has recorded is there before, and is the old one or the new one, never torn.
  await viva([...RECORD, '-o', 'first.jsonl', '--run', 'T[01]'], { cwd: origin })
  const points = Array.from({ length: 50 }, (_, n) => n + 1)
  let kills = 0
  const workers = Array.from({ length: 4 }, async () => {
    for (let point = points.shift(); point !== undefined; point = points.shift())
      if (await survives(origin, point)) kills++
  })
  await Promise.all(workers)
  expect(kills).toBeGreaterThan(20)
})

const AGENT = ['test', '-i', 'cases.jsonl', '-n', 'builtin:echo']
const RECORD = [...AGENT, '--record', 'tape.yaml', '-o', 'events.jsonl']

/** Whether it came to the kill: small runs have fewer points. */
async function survives(origin: string, point: number): Promise<boolean> {
  const dir = makeFolder()
  for (const file of ['cases.jsonl', 'tape.yaml']) cpSync(join(origin, file), join(dir, file))
  const NODE_OPTIONS = `--import=${join(origin, 'killer.mjs')}`
  const { code } = await viva(RECORD, { cwd: dir, env: { NODE_OPTIONS, KILL_AT: String(point) } })
  const events = join(dir, 'events.jsonl')
  if (code === null) {
    const hasBegun = existsSync(events) && readFileSync(events, 'utf8').includes('\n')
    const next = await viva(hasBegun ? ['test', '--resume', 'events.jsonl'] : RECORD, { cwd: dir })
    expect([point, next.code, next.stderr]).toEqual([point, 0, expect.not.stringContaining('error')])
  }
  const replay = await viva([...AGENT, '--replay', 'tape.yaml', '-o', 'replay.jsonl', '--json'], { cwd: dir })
  expect([point, replay.code, replay.stdout]).toEqual([point, 0, expect.stringMatching(/"replayed":8,.*"unused":0/)])
  return code === null
}
