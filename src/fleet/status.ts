// Reads what a fleet is doing: its workers, its runs, what is stuck, and how long it will take.
import type { Redis } from 'ioredis'
import * as v from 'valibot'
import { isRecord } from '../base/record.js'
import type { FleetRun, FleetStatus, RunProgress, WorkerState } from '../model/fleet-status.js'
import { queueKey, RUNS, runKeys, WORKERS, workerKey } from './redis/keys.js'
import { openRedis, shownAddress, type RedisAddress } from './redis/open-redis.js'
import { orAborted } from '../time/deadline.js'
import { LEASE_MS } from './times.js'

export interface FleetWatch {
  /** In a form that may be shown. */
  place: string
  /** Throws if Redis does not answer. */
  read(): Promise<FleetStatus>
  close(): void
}

/** A unit that runs this many times longer than the average, and for at least half a minute, is worth a look. */
const STUCK_TIMES = 10
const STUCK_MS = 30_000
const UNSEEN_MS = 15_000
/** Longer than anyone keeps the page open. */
const PATIENCE_MS = 5_000

export async function openFleetWatch(place: RedisAddress): Promise<FleetWatch> {
  const redis = await openRedis(place)
  return {
    place: shownAddress(place),
    read: async () => {
      const late = AbortSignal.timeout(PATIENCE_MS)
      try {
        if (redis.status === 'ready') return await orAborted(readStatus(redis), late, 0)
      } catch (error) {
        if (!late.aborted) throw error
      }
      throw new Error(`Redis at ${shownAddress(place)} does not answer`)
    },
    close: () => redis.disconnect(),
  }
}

export async function readFleetStatus(place: RedisAddress): Promise<FleetStatus> {
  const watch = await openFleetWatch(place)
  try {
    return await watch.read()
  } finally {
    watch.close()
  }
}

async function readStatus(redis: Redis): Promise<FleetStatus> {
  const workers = await readWorkers(redis)
  const runs: FleetRun[] = []
  for (const runId of await redis.zrange(RUNS, '0', '-1')) runs.push(await readRun(redis, runId, workers))
  const memory = /^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]
  return { workers, runs, redis_bytes: Number(memory ?? 0) }
}

export async function readWorkers(redis: Redis): Promise<WorkerState[]> {
  const ids = await redis.zrange(WORKERS, '0', '-1')
  const texts = ids.length === 0 ? [] : await redis.mget(ids.map(workerKey))
  const ended = ids.filter((_, at) => texts[at] === null)
  // They ended without a message.
  if (ended.length > 0) await redis.zrem(WORKERS, ...ended)
  return texts.flatMap((text) => read(WORKER_STATE, text) ?? [])
}

async function readRun(redis: Redis, runId: string, workers: WorkerState[]): Promise<FleetRun> {
  const keys = runKeys(runId)
  const known = read(RUN_PROGRESS, await redis.get(keys.progress))
  const waiting = await redis.llen(queueKey(keys, 'wait'))
  const active = await redis.llen(queueKey(keys, 'active'))
  const unread = await redis.xlen(keys.results)
  // By what is left of its lease: clocks of different machines differ.
  const lease = await redis.pttl(keys.lease)
  const run: FleetRun = {
    ...known,
    run_id: runId,
    waiting,
    active,
    unread,
    ...(lease > 0 && { coordinator_seen_ms: Math.max(0, LEASE_MS - lease) }),
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
    stuck.push(`its coordinator has not been seen for ${Math.round(run.coordinator_seen_ms / 1000)} s`)
  for (const { id, refused } of workers) {
    const reason = refused[run.run_id]
    if (reason !== undefined) stuck.push(`${id} refuses it: ${reason}`)
  }
  const limit = Math.max(STUCK_MS, (run.average_ms ?? 0) * STUCK_TIMES)
  for (const worker of serving)
    for (const { run_id, id, ms } of worker.running)
      if (run_id === run.run_id && ms > limit)
        stuck.push(`${id} has been running for ${Math.round(ms / 1000)} s on ${worker.id}`)
  return stuck
}

const COUNT = v.pipe(v.number(), v.finite(), v.minValue(0))
const TEXT = v.string()
const WORKER_STATE: v.GenericSchema<WorkerState> = v.object({
  id: TEXT,
  version: TEXT,
  started: TEXT,
  slots: COUNT,
  busy: COUNT,
  done: COUNT,
  refused: v.record(TEXT, TEXT),
  runs: v.array(TEXT),
  running: v.array(v.object({ run_id: TEXT, id: TEXT, ms: COUNT })),
})
const RUN_PROGRESS: v.GenericSchema<RunProgress> = v.object({
  run_id: TEXT,
  started: TEXT,
  at: COUNT,
  units: v.optional(COUNT),
  done: COUNT,
  failed: COUNT,
  in_flight: COUNT,
  workers: COUNT,
  slots: COUNT,
  per_second: COUNT,
  average_ms: v.optional(COUNT),
  left: v.optional(COUNT),
  bundle: v.boolean(),
})

/** It is not sealed, so anyone who can reach Redis may have written it: malformed data counts as absent. */
function read<T>(schema: v.GenericSchema<T>, text: string | null | undefined): T | undefined {
  try {
    const value: unknown = JSON.parse(text ?? '')
    const parsed = isRecord(value) ? v.safeParse(schema, value) : undefined
    return parsed?.success ? parsed.output : undefined
  } catch {
    return undefined
  }
}
