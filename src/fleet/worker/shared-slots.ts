// How many calls a fleet has in flight at an endpoint. A slot is lent: it returns on its own if its worker has died.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { Line } from '../../http/throttle/line.js'
import { orAborted } from '../../time/deadline.js'
import type { SlotKeys } from '../redis/keys.js'
import { runScript } from '../redis/run-script.js'

const LEASE_MS = 10_000
const RENEW_MS = 3_000

/**
 * Milliseconds until it should ask again; 0: the slot is taken. Waiters are served in the order in which they
 * came, so that a worker that has just freed a slot does not get it back immediately. One that has not asked for two seconds is gone.
 */
const ENTER = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
local limit, id, lease = tonumber(ARGV[1]), ARGV[2], tonumber(ARGV[3])
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
for _, gone in ipairs(redis.call('ZRANGEBYSCORE', KEYS[3], '-inf', now - 2000)) do
  redis.call('ZREM', KEYS[2], gone)
  redis.call('ZREM', KEYS[3], gone)
end
redis.call('ZADD', KEYS[2], 'NX', now, id)
local before = redis.call('ZRANK', KEYS[2], id)
local free = limit - redis.call('ZCARD', KEYS[1])
if before < free then
  redis.call('ZREM', KEYS[2], id)
  redis.call('ZREM', KEYS[3], id)
  redis.call('ZADD', KEYS[1], now + lease, id)
  redis.call('PEXPIRE', KEYS[1], lease + 1000)
  return 0
end
redis.call('ZADD', KEYS[3], now, id)
redis.call('PEXPIRE', KEYS[2], 5000)
redis.call('PEXPIRE', KEYS[3], 5000)
return math.min(250, 15 * (before - math.max(free, 0) + 1))
`
const RENEW = `
local t = redis.call('TIME')
local now = t[1] * 1000 + math.floor(t[2] / 1000)
for i = 2, #ARGV do redis.call('ZADD', KEYS[1], now + ARGV[1], ARGV[i]) end
redis.call('PEXPIRE', KEYS[1], ARGV[1] + 1000)
`

export class SharedSlots {
  readonly #redis: Redis
  readonly #keys: SlotKeys
  /** One request at a time per worker: it represents those behind it. */
  readonly #line = new Line()
  #asking = false
  readonly #held = new Set<string>()
  #timer: NodeJS.Timeout | undefined

  constructor(redis: Redis, keys: SlotKeys) {
    this.#redis = redis
    this.#keys = keys
  }

  /** Returns a function that gives the slot back. Rejects with the signal's reason. */
  async take(limit: number, signal: AbortSignal): Promise<() => void> {
    if (this.#asking) await this.#line.join(signal)
    this.#asking = true
    const id = randomBytes(8).toString('hex')
    try {
      for (;;) {
        const wait = Number(await orAborted(this.#enter(limit, id), signal, 0))
        if (wait <= 0) break
        await sleep(wait, undefined, { signal }).catch(() => {
          throw signal.reason
        })
      }
    } catch (error) {
      this.#giveBack(id)
      throw error
    } finally {
      this.#asking = this.#line.pass()
    }
    this.#held.add(id)
    this.#timer ??= setInterval(() => this.#renew(), RENEW_MS).unref()
    return () => this.#giveBack(id)
  }

  #enter(limit: number, id: string): Promise<unknown> {
    const { held, line, seen } = this.#keys
    return runScript(this.#redis, ENTER, [held, line, seen], [limit, id, LEASE_MS])
  }

  #giveBack(id: string): void {
    this.#held.delete(id)
    if (this.#held.size === 0) {
      clearInterval(this.#timer)
      this.#timer = undefined
    }
    const { held, line, seen } = this.#keys
    const change = this.#redis.pipeline()
    for (const key of [held, line, seen]) change.zrem(key, id)
    change.exec().catch(() => {})
  }

  /** Including what was lost meanwhile: the calls are in flight. */
  #renew(): void {
    runScript(this.#redis, RENEW, [this.#keys.held], [LEASE_MS, ...this.#held]).catch(() => {})
  }
}
