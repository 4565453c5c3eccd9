// What a run leaves in Redis is removed with it, even if its coordinator has died.
import type { Redis } from 'ioredis'
import { RUNS, runIdOf, runKeys } from './keys.js'

const SCAN_COUNT = 1000

export async function removeRun(redis: Redis, runId: string, except: string[] = []): Promise<void> {
  const { below } = runKeys(runId)
  await redis.zrem(RUNS, runId)
  for await (const found of scan(redis, `${below.replaceAll(/[\\*?[\]]/g, '\\$&')}:*`)) {
    const keys = found.filter((key) => !except.includes(key))
    if (keys.length > 0) await redis.unlink(...keys)
  }
}

/** Runs that have not been renewed for long. */
export async function sweepRuns(redis: Redis): Promise<void> {
  await removeDead(redis, await redis.zrange(RUNS, '0', '-1'))
}

/** The same, and leftovers of unknown runs. It looks at every key of the database. */
export async function sweepLost(redis: Redis): Promise<void> {
  await sweepRuns(redis)
  const left = new Set<string>()
  for await (const found of scan(redis, 'viva:{*}:*')) for (const key of found) left.add(runIdOf(key) ?? '')
  await removeDead(
    redis,
    [...left].filter((runId) => runId !== ''),
  )
}

async function removeDead(redis: Redis, runIds: string[]): Promise<void> {
  for (const runId of runIds) if ((await redis.exists(runKeys(runId).lease)) === 0) await removeRun(redis, runId)
}

async function* scan(redis: Redis, pattern: string): AsyncGenerator<string[]> {
  let cursor = '0'
  do {
    const [next, found] = await redis.scan(cursor, 'MATCH', pattern, 'COUNT', SCAN_COUNT)
    cursor = next
    yield found
  } while (cursor !== '0')
}
