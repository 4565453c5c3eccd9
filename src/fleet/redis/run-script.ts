// Several steps as one: nothing else is served in between.
import type { Redis } from 'ioredis'

export function runScript(redis: Redis, text: string, keys: string[], args: Array<string | number>): Promise<unknown> {
  return redis.call('EVAL', text, keys.length, ...keys, ...args)
}
