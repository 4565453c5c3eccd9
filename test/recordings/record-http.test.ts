// `viva test --record-http`: agents that Viva starts, run for real while their models are recorded and played back.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { makeFolder, viva } from '../support/run-cli.js'
import { resultsIn, tape, type Json } from './support.js'
import { KEYS, startUpstream, type Upstream } from './upstream.js'

const LIGHT = fileURLToPath(new URL('./clients/light.mjs', import.meta.url))
const SDK = fileURLToPath(new URL('./clients/sdk.mjs', import.meta.url))
const TOWNS = Array.from({ length: 50 }, (_, index) => `Town${index}`)

interface Ran {
  code: number | null
  results: Json[]
  summary: Json
  stderr: string
}

let runs = 0

async function run(dir: string, args: string[], env: Record<string, string> = {}): Promise<Ran> {
  const file = `o-${++runs}.jsonl`
  const ran = await viva(['test', '-i', 'cases.jsonl', '-o', file, ...args], { cwd: dir, env })
  return { ...ran, ...(ran.code === 2 ? { results: [], summary: {} } : resultsIn(join(dir, file))) }
}

const pass = Object.keys(KEYS).flatMap((name) => ['--pass-env', name])

function casesFor(towns: string[]): object[] {
  return towns.map((town) => ({
    id: `T-${town}`,
    input: `The weather in ${town}?`,
    assert: { type: 'contains', value: `Rain in ${town}, café closed` },
  }))
}

/** Every interaction, by the case that it belongs to. */
function interactions(dir: string): Array<{ request: Json; response: Json }> {
  return (parse(tape(dir)) as { interactions: Array<{ request: Json; response: Json }> }).interactions
}

function expectAttributed(dir: string, towns: string[]): void {
  const all = interactions(dir)
  expect(all).toHaveLength(towns.length * 2)
  for (const { request, response } of all)
    expect(JSON.stringify(response)).toContain(String(request['case']).slice('T-'.length))
}

async function expectReplay(dir: string, upstream: Upstream, args: string[], before: Ran): Promise<void> {
  const asked = upstream.requests.length
  await upstream.close()
  const replayed = await run(dir, [...args, '--replay', 'tape.yaml'])
  expect(replayed.results.map(({ id, status, output }) => ({ id, status, output }))).toEqual(
    before.results.map(({ id, status, output }) => ({ id, status, output })),
  )
  expect(replayed.code).toBe(0)
  expect(replayed.summary['recording']).toMatchObject({ replayed: asked, recorded: 0, unused: 0 })
  expect(upstream.requests).toHaveLength(asked)
}

test('50 conversations at once: every call is recorded with its case, and replayed', async () => {
  const upstream = await startUpstream()
  const dir = makeFolder({ 'cases.jsonl': casesFor(TOWNS) })
  // None is answered before all have asked.
  const waiting: Array<() => void> = []
  upstream.hold = async () => {
    if (waiting.length >= TOWNS.length) return
    await new Promise<void>((resolve) => {
      waiting.push(resolve)
      if (waiting.length === TOWNS.length) for (const go of waiting) go()
    })
  }
  const agent = ['-n', `exec:node ${LIGHT}`, '--parallel', '50']
  const recorded = await run(dir, [...agent, ...pass, '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(waiting).toHaveLength(50)
  expect(recorded.code).toBe(0)
  expect(recorded.summary['recording']).toMatchObject({ recorded: 100 })
  expectAttributed(dir, TOWNS)
  await expectReplay(dir, upstream, agent, recorded)
}, 300_000)

test('a module has a process for each conversation, so that its calls can be told apart', async () => {
  const upstream = await startUpstream()
  const towns = TOWNS.slice(0, 4)
  const dir = makeFolder({ 'cases.jsonl': casesFor(towns) })
  const agent = ['-n', `${SDK}#openaiAgent`, '--parallel', '4']
  const recorded = await run(dir, [...agent, '--record', 'tape.yaml', '--record-http'], upstream.env)
  expect(recorded.code).toBe(0)
  expectAttributed(dir, towns)
  await expectReplay(dir, upstream, agent, recorded)
}, 120_000)
