// What a run leaves in Redis goes with it, also when its coordinator has died.
import type { Redis } from 'ioredis'
import { RUNS, runKeys } from './keys.js'

const SCAN_COUNT = 1000

export async function removeRun(redis: Redis, runId: string, except: string[] = []): Promise<void> {
  const { below } = runKeys(runId)
  await redis.zrem(RUNS, runId)
  const pattern = `${below.replaceAll(/[\\*?[\]]/g, '\\$&')}:*`
  let cursor = '0'
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT)
    cursor = next
    const keys = found.filter((key) => !except.includes(key))
    if (keys.length > 0) await redis.unlink(...keys)
  } while (cursor !== '0')
}

/** Runs that nobody has renewed for long. */
export async function sweepRuns(redis: Redis): Promise<string[]> {
  const dead: string[] = []
  for (const runId of await redis.zrange(RUNS, '0', '-1')) {
    if ((await redis.exists(runKeys(runId).lease)) === 1) continue
    await removeRun(redis, runId)
    dead.push(runId)
  }
  return dead
}
