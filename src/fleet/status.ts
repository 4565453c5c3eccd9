// What a fleet is doing: its workers, its runs, what is stuck, and how long it will take.
import type { Redis } from 'ioredis'
import type { RunProgress } from './coordinator/progress.js'
import { queueKey, RUNS, runKeys, WORKERS, workerKey } from './redis/keys.js'
import { openRedis, type RedisPlace } from './redis/open-redis.js'
import { epochNow } from '../time/iso-now.js'
import type { WorkerState } from './worker/worker.js'

export interface FleetStatus {
  workers: WorkerState[]
  runs: FleetRun[]
  /** Bytes that Redis uses, for everything. */
  redis_bytes: number
}

export interface FleetRun extends Partial<RunProgress> {
  run_id: string
  /** Jobs that no worker has taken yet, and that one has. */
  waiting: number
  active: number
  /** Entries that the coordinator has not read yet. */
  unread: number
  /** Milliseconds since the coordinator was seen; undefined: it is gone. */
  coordinator_seen_ms?: number
  /** What keeps it from going on, a sentence each. */
  stuck: string[]
}

/** A unit that runs for this much longer than the average, and for at least half a minute, is worth a look. */
const STUCK_TIMES = 10
const STUCK_MS = 30_000
const UNSEEN_MS = 15_000

export async function readFleetStatus(place: RedisPlace): Promise<FleetStatus> {
  const redis = await openRedis(place)
  try {
    const workers = await readWorkers(redis)
    const runs: FleetRun[] = []
    for (const runId of await redis.zrange(RUNS, '0', '-1')) runs.push(await readRun(redis, runId, workers))
    const memory = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]
    return { workers, runs, redis_bytes: Number(memory ?? 0) }
  } finally {
    redis.disconnect()
  }
}

async function readWorkers(redis: Redis): Promise<WorkerState[]> {
  const workers: WorkerState[] = []
  for (const id of await redis.zrange(WORKERS, '0', '-1')) {
    const text = await redis.get(workerKey(id))
    // It ended without a word.
    if (text === null) await redis.zrem(WORKERS, id)
    else workers.push(JSON.parse(text) as WorkerState)
  }
  return workers
}

async function readRun(redis: Redis, runId: string, workers: WorkerState[]): Promise<FleetRun> {
  const keys = runKeys(runId)
  const progress = await redis.get(keys.progress)
  const known = progress === null ? undefined : (JSON.parse(progress) as RunProgress)
  const waiting = await redis.llen(queueKey(keys, 'wait'))
  const active = await redis.llen(queueKey(keys, 'active'))
  const unread = await redis.xlen(keys.results)
  const seen = known === undefined ? undefined : epochNow() - known.at
  const run: FleetRun = {
    ...known,
    run_id: runId,
    waiting,
    active,
    unread,
    ...((await redis.exists(keys.lease)) === 1 && seen !== undefined && { coordinator_seen_ms: Math.max(0, seen) }),
    stuck: [],
  }
  run.stuck = whatIsStuck(run, workers)
  return run
}

function whatIsStuck(run: FleetRun, workers: WorkerState[]): string[] {
  const stuck: string[] = []
  const serving = workers.filter(({ runs }) => runs.includes(run.run_id))
  if (serving.length === 0) stuck.push('no worker serves it')
  if (run.coordinator_seen_ms === undefined) stuck.push('its coordinator is gone')
  else if (run.coordinator_seen_ms > UNSEEN_MS)
    stuck.push(`its coordinator was not seen for ${Math.round(run.coordinator_seen_ms / 1000)} s`)
  for (const { id, refused } of workers) {
    const reason = refused[run.run_id]
    if (reason !== undefined) stuck.push(`${id} refuses it: ${reason}`)
  }
  const limit = Math.max(STUCK_MS, (run.average_ms ?? 0) * STUCK_TIMES)
  for (const worker of serving)
    for (const { run_id, id, ms } of worker.running)
      if (run_id === run.run_id && ms > limit) stuck.push(`${id} runs for ${Math.round(ms / 1000)} s on ${worker.id}`)
  return stuck
}
