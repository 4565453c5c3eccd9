// The connection to Redis, and what goes wrong with it in words. The library is loaded with the first connection.
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Redis, RedisOptions } from 'ioredis'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import { orAborted } from '../../time/deadline.js'
import { BUS } from './keys.js'

export interface RedisAddress {
  /** `redis://…` or `rediss://…`, as it was given. */
  url: string
  /** For a password that is not in the address: VIVA_QUEUE_PASSWORD. */
  env: NodeJS.ProcessEnv
}

/** How long the first connection may take. */
const CONNECT_MS = 10_000
const RECONNECT_MS = 500

/** Throws a UserError if nothing answers, or not as we need it. */
export async function openRedis(place: RedisAddress): Promise<Redis> {
  const url = requireUrl(place.url)
  const { Redis: Client } = load('ioredis') as typeof import('ioredis')
  const redis = new Client({ ...optionsOf(url, place.env), replyMapping: 'legacy' })
  const late = AbortSignal.timeout(CONNECT_MS)
  let last: unknown
  const onError = (error: unknown): void => void (last = error)
  redis.on('error', onError)
  try {
    // One that is stopped or overloaded accepts connections, and answers nothing.
    await orAborted(begin(redis, place), late, 0)
    return redis
  } catch (error) {
    redis.disconnect()
    if (error instanceof UserError) throw error
    if (late.aborted) throw unreachable(place, new Error(`it does not answer within ${CONNECT_MS / 1000} s`))
    throw unreachable(place, refusal(error) ?? last ?? error)
  } finally {
    redis.off('error', onError)
    // Without a listener, every lost connection is printed.
    redis.on('error', () => {})
    redis.options.retryStrategy = () => RECONNECT_MS
  }
}

async function begin(redis: Redis, place: RedisAddress): Promise<void> {
  await redis.connect()
  await redis.ping()
  await requireSuitable(redis, place)
  await requireWriting(redis, place)
}

/** A separate connection for blocking commands. */
export async function another(redis: Redis): Promise<Redis> {
  const own = redis.duplicate()
  own.on('error', () => {})
  await own.connect()
  return own
}

/** An answer of Redis itself, or its absence: it may be different another time. */
export function isRedisError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'ReplyError' || /Connection is closed/.test(error.message))
}

/** In a form that may be shown. */
export function shownAddress({ url }: Pick<RedisAddress, 'url'>): string {
  if (!URL.canParse(url)) return 'the queue'
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname === '/' ? '' : pathname}`
}

export function loadBullmq(): typeof import('bullmq') {
  return load('bullmq') as typeof import('bullmq')
}

/** Both are CommonJS: requiring them takes half as long as importing them. */
function load(name: string): unknown {
  try {
    return createRequire(import.meta.url)(name)
  } catch (error) {
    throw notInstalled(name, error)
  }
}

function optionsOf(url: URL, env: NodeJS.ProcessEnv): RedisOptions {
  const password = url.password === '' ? env['VIVA_QUEUE_PASSWORD'] : decodeURIComponent(url.password)
  const db = /^\/(\d+)$/.exec(url.pathname)?.[1]
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(url.port === '' ? 6379 : url.port),
    ...(url.username !== '' && { username: decodeURIComponent(url.username) }),
    ...(password !== undefined && { password }),
    ...(db !== undefined && { db: Number(db) }),
    ...(url.protocol === 'rediss:' && { tls: {} }),
    lazyConnect: true,
    connectTimeout: CONNECT_MS,
    // What was asked while Redis restarts is asked again when it is back.
    maxRetriesPerRequest: null,
    // Until the first connection is up, failing is better than waiting.
    retryStrategy: () => null,
    keepAlive: 10_000,
  }
}

function requireUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && (url.protocol === 'redis:' || url.protocol === 'rediss:') && url.hostname !== '') return url
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--queue' },
    message: `expected redis://host:port or rediss://host:port, found "${url ? shownAddress({ url: text }) : text.replace(/\/\/.*@/, '//…@')}"`,
    hint: 'for example: --queue redis://localhost:6379',
  })
}

async function requireSuitable(redis: Redis, place: RedisAddress): Promise<void> {
  const info = await redis.info()
  const found = /^redis_version:(.+)$/m.exec(info)?.[1]?.trim() ?? '0'
  if (Number(found.split('.')[0]) < 6 || found.startsWith('6.0') || found.startsWith('6.1'))
    throw new UserError({
      code: 'QUEUE_UNSUITABLE',
      message: `${shownAddress(place)} is Redis ${found}; 6.2 or later is needed`,
      hint: 'use a newer Redis, or Valkey',
      exitCode: 3,
    })
  const policy = /^maxmemory_policy:(.+)$/m.exec(info)?.[1]?.trim()
  if (policy === undefined || policy === 'noeviction') return
  throw new UserError({
    code: 'QUEUE_UNSUITABLE',
    message: `${shownAddress(place)} has maxmemory-policy ${policy}: it would evict cases and results when full`,
    hint: 'set maxmemory-policy noeviction',
    exitCode: 3,
  })
}

/** A replica, a user without rights, a full disk or memory: discovered now rather than with the first job. */
async function requireWriting(redis: Redis, place: RedisAddress): Promise<void> {
  try {
    const key = `${BUS}:${randomBytes(4).toString('hex')}`
    await redis.set(key, '', 'PX', 1000)
    await redis.del(key)
    await redis.publish(BUS, '')
  } catch (error) {
    throw new UserError({
      code: 'QUEUE_UNSUITABLE',
      message: `${shownAddress(place)} cannot be written to: ${messageOf(error)}`,
      hint: 'name the primary, with free space, and a user with all commands on keys and channels that begin with viva:',
      exitCode: 3,
      cause: error,
    })
  }
}

/** What Redis itself answered says more than the connection that was closed after it. */
function refusal(error: unknown): unknown {
  return /^(NOAUTH|WRONGPASS|NOPERM|ERR|LOADING|MISCONF|READONLY)/.test(messageOf(error)) ? error : undefined
}

function unreachable(place: RedisAddress, error: unknown): UserError {
  const reason = messageOf(error)
  const needsPassword = /NOAUTH|WRONGPASS|AUTH/.test(reason)
  return new UserError({
    code: 'QUEUE_UNREACHABLE',
    message: `cannot reach Redis at ${shownAddress(place)}: ${reason}`,
    hint: needsPassword
      ? 'give the password in VIVA_QUEUE_PASSWORD, or in the address: redis://user:password@host:port'
      : 'start Redis there, or correct --queue',
    exitCode: 3,
    cause: error,
  })
}

function notInstalled(name: string, cause: unknown): UserError {
  return new UserError({
    code: 'NOT_INSTALLED',
    message: `a fleet needs the package ${name}, which cannot be loaded: ${messageOf(cause).split('\n')[0]}`,
    hint: 'npm install bullmq ioredis',
    cause,
  })
}
