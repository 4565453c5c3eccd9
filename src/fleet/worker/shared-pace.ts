// How fast a fleet may call an endpoint: what one worker learns, all of them know. Kept in Redis, with the time of Redis.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { usedUp } from '../../http/throttle/minute-share.js'
import type { Waiter } from '../../model/agent.js'
import type { Limits, SharedPace } from '../../http/throttle/throttle.js'
import type { SharePace } from '../../http/types.js'
import { orAborted } from '../../time/deadline.js'
import { paceKeys } from '../redis/keys.js'
import { runScript } from '../redis/run-script.js'
import type { Seal } from '../seal.js'
import { SharedSlots } from './shared-slots.js'

export function createSharedPaces(redis: Redis, seal: Seal): SharePace {
  const paces = new Map<string, SharedPace>()
  return (host, credential) => {
    const name = seal.nameOf(`${host}\0${credential.replace(/^\w+\s+/, '')}`)
    const known = paces.get(name) ?? createPace(redis, name)
    paces.set(name, known)
    return known
  }
}

/**
 * Milliseconds to wait, and why: 0 for nothing, the call is counted; 1 for the endpoint's demand, 2 for calls, 3 for tokens.
 * Tokens are kept by second: their sum is known when calls end.
 */
const TAKE = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local resting = tonumber(redis.call('GET', KEYS[1]) or '0') - now
if resting > 0 then return {resting, 1} end
local calls, tokens = tonumber(ARGV[1]), tonumber(ARGV[2])
if tokens > 0 then
  local sum, seconds = 0, {}
  local used = redis.call('HGETALL', KEYS[3])
  for i = 1, #used, 2 do
    local second = tonumber(used[i])
    if second <= now / 1000 - 60 then redis.call('HDEL', KEYS[3], used[i])
    else
      sum = sum + used[i + 1]
      table.insert(seconds, {second, tonumber(used[i + 1])})
    end
  end
  if sum >= tokens then
    table.sort(seconds, function (a, b) return a[1] < b[1] end)
    for _, each in ipairs(seconds) do
      sum = sum - each[2]
      if sum < tokens then return {math.ceil((each[1] + 60) * 1000 - now) + 1, 3} end
    end
  end
end
if calls > 0 then
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now - 60000)
  local count = redis.call('ZCARD', KEYS[2])
  if count >= calls then
    local before = redis.call('ZRANGE', KEYS[2], count - calls, count - calls, 'WITHSCORES')
    return {math.ceil(before[2] + 60000 - now) + 1, 2}
  end
  redis.call('ZADD', KEYS[2], now, ARGV[3])
  redis.call('PEXPIRE', KEYS[2], 61000)
end
return {0, 0}
`
const REST = `
local t = redis.call('TIME')
local until_ = t[1] * 1000 + math.floor(t[2] / 1000) + ARGV[1]
if until_ > tonumber(redis.call('GET', KEYS[1]) or '0') then redis.call('SET', KEYS[1], until_, 'PX', ARGV[1] + 1000) end
`
const USED = `
redis.call('HINCRBY', KEYS[1], redis.call('TIME')[1], ARGV[1])
redis.call('PEXPIRE', KEYS[1], 61000)
`

function createPace(redis: Redis, name: string): SharedPace {
  const keys = paceKeys(name)
  const slots = new SharedSlots(redis, keys)
  const take = async ({ per_minute = 0, tokens_per_minute = 0 }: Limits): Promise<[number, number]> => {
    const id = randomBytes(8).toString('hex')
    const names = [keys.until, keys.calls, keys.tokens]
    return (await runScript(redis, TAKE, names, [per_minute, tokens_per_minute, id])) as [number, number]
  }
  return {
    hold: (limit, { signal }) => slots.take(limit, signal),
    enter: async (waiter, limits) => {
      for (;;) {
        const [wait, why] = await orAborted(take(limits), waiter.signal, 0)
        if (wait <= 0) return
        if (wait > left(waiter)) throw usedUp(limitOf(why, limits), wait)
        await sleep(wait, undefined, { signal: waiter.signal }).catch(() => {
          throw waiter.signal.reason
        })
      }
    },
    used: (tokens) => {
      if (tokens > 0) runScript(redis, USED, [keys.tokens], [Math.round(tokens)]).catch(() => {})
    },
    refused: (waitMs) => {
      runScript(redis, REST, [keys.until], [Math.max(1, Math.ceil(waitMs))]).catch(() => {})
    },
  }
}

function left({ deadline }: Waiter): number {
  return deadline?.left() ?? Number.POSITIVE_INFINITY
}

function limitOf(why: number, { per_minute, tokens_per_minute }: Limits): string {
  if (why === 2) return `limits.per_minute ${per_minute} of the fleet`
  if (why === 3) return `limits.tokens_per_minute ${tokens_per_minute} of the fleet`
  return 'what the endpoint allows the fleet'
}
