// What a worker keeps of the runs it has served: nothing.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { until } from '../faults/support.js'
import { leftByRuns, QUEUE_KEY, startRedis, startWorker, withRedis, type TestRedis } from '../support/redis.js'
import { makeFolder, parseEvents, viva, type Files } from '../support/run-cli.js'
import { onLinux } from '../support/systems.js'

const RUNS = 2
const FILES: Files = {
  'agent.mjs': 'export const run = (messages) => messages.at(-1).content',
  'cases.jsonl': [{ id: 'T1', input: 'hello', assert: { type: 'contains', value: 'hello' } }],
}

withRedis('a worker', () => {
  let redis: TestRedis
  beforeAll(async () => {
    redis = await startRedis()
  })
  afterAll(() => redis.stop())

  onLinux('a finished run leaves its memory', async () => {
    const snapshots = makeFolder()
    const worker = await startWorker(redis, {
      cwd: makeFolder(FILES),
      env: { NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots}` },
    })
    const cwd = makeFolder(FILES)
    for (let n = 1; n <= RUNS; n += 1) {
      const args = ['test', '-i', 'cases.jsonl', '-n', './agent.mjs#run', '--queue', redis.url, '-o', `out-${n}.jsonl`]
      const run = await viva(args, { cwd, env: { VIVA_QUEUE_KEY: QUEUE_KEY } })
      expect(run.code, run.stderr).toBe(0)
      const [start] = parseEvents(readFileSync(join(cwd, `out-${n}.jsonl`), 'utf8'))
      await worker.saw(`${String(start?.['run_id'])}: ended`)
    }
    expect(await leftByRuns(redis)).toEqual([])
    worker.process.kill('SIGUSR2')
    let names = new Map<string, number>()
    await until(() => (names = objectsIn(snapshots)).size > 0, 'no heap snapshot')
    // The worker is there, its runs are not.
    expect([names.get('FleetWorker'), names.get('RunService') ?? 0, names.get('Processes') ?? 0]).toEqual([1, 0, 0])
  })
})

interface HeapSnapshot {
  snapshot: { meta: { node_fields: string[]; node_types: [string[], ...unknown[]] } }
  nodes: number[]
  strings: string[]
}

/** How many objects of which class; empty while the snapshot is still being written. */
function objectsIn(folder: string): Map<string, number> {
  const counts = new Map<string, number>()
  const [name] = readdirSync(folder)
  const text = name === undefined ? '' : readFileSync(join(folder, name), 'utf8')
  if (!text.trimEnd().endsWith(']}')) return counts
  const { snapshot, nodes, strings } = JSON.parse(text) as HeapSnapshot
  const { node_fields: fields, node_types: types } = snapshot.meta
  const object = types[0].indexOf('object')
  for (let at = 0; at < nodes.length; at += fields.length) {
    if (nodes[at] !== object) continue
    const type = strings[nodes[at + 1] ?? 0] ?? ''
    counts.set(type, (counts.get(type) ?? 0) + 1)
  }
  return counts
}
