// `viva worker`: a member of a fleet. Looks for runs, takes those it can run as intended, and leaves in an orderly way.
import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import type { Redis } from 'ioredis'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import type { SharePace } from '../../http/types.js'
import type { WorkerState } from '../../model/fleet-status.js'
import { envOf, type RunIo } from '../../run/io.js'
import { monotonicNow } from '../../time/clock.js'
import { epochNow, isoNow } from '../../time/iso-now.js'
import { version } from '../../version.js'
import { getPieces } from '../pieces.js'
import { aboutSpec, OTHER_KEY, type RunSpec } from '../protocol.js'
import { BUS, RUNS, runKeys, WORKERS, workerKey } from '../redis/keys.js'
import { another, isRedisError, openRedis, shownAddress } from '../redis/open-redis.js'
import { removeRun, sweepLost, sweepRuns } from '../redis/remove-run.js'
import { createSeal, type Seal } from '../seal.js'
import { readWorkers } from '../status.js'
import { ALIVE_MS, BEAT_MS, DRAIN_MS, KEEP_MS } from '../times.js'
import { openRun } from './open-run.js'
import { Sender } from './sender.js'
import { serveRun, type RunService } from './serve-run.js'
import { createSharedPaces } from './shared-pace.js'
import { SlotShare } from './slots.js'
import { Turns } from './turns.js'

export interface WorkerInit {
  queue: string
  /** Units at a time. */
  slots: number
  /** The folder that corresponds to where `viva test` is started, or to the application root above it. */
  root: string
  /** The name others see; default: the host. */
  name?: string
  io: Partial<RunIo>
  note(text: string): void
}

const MAX_RUNNING_SHOWN = 20

/** Serves until the signal aborts, then drains: what is not done in time goes back to the queue. */
export async function runWorker(init: WorkerInit, signal: AbortSignal): Promise<void> {
  const seal = createSeal(envOf(init.io))
  const place = { url: init.queue, env: envOf(init.io) }
  const redis = await openRedis(place)
  try {
    const hearing = await another(redis)
    try {
      const worker = new FleetWorker(init, redis, seal)
      init.note(`worker ${worker.id}: ${init.slots} units at a time, waiting for runs at ${shownAddress(place)}`)
      await worker.serve(hearing, signal)
    } finally {
      hearing.disconnect()
    }
  } finally {
    redis.disconnect()
  }
}

class FleetWorker {
  readonly id: string
  readonly #init: WorkerInit
  readonly #redis: Redis
  readonly #seal: Seal
  readonly #share: SlotShare
  readonly #suspects = new Turns()
  readonly #sharePace: SharePace
  readonly #started = isoNow()
  /** By run. */
  readonly #services = new Map<string, RunService>()
  /** By run: which term of it, and why not. */
  readonly #refused = new Map<string, { term: string; reason: string }>()
  /** The agent under test must not be able to seal anything. */
  readonly #runEnv: NodeJS.ProcessEnv
  /** What it must not show either, should it find out. */
  readonly #ownSecrets: string[]
  #done = 0
  #looking: Promise<void> | undefined
  #lookAgain = false
  #draining = false

  constructor(init: WorkerInit, redis: Redis, seal: Seal) {
    this.#init = init
    this.#redis = redis
    this.#seal = seal
    this.#share = new SlotShare(init.slots)
    this.#sharePace = createSharedPaces(redis, seal)
    const { VIVA_QUEUE_KEY: key, VIVA_QUEUE_PASSWORD: password, ...runEnv } = envOf(init.io)
    this.#runEnv = runEnv
    this.#ownSecrets = [key, password].filter((value) => value !== undefined)
    this.id = `${(init.name ?? hostname()).replaceAll(/[^\w.-]/g, '-')}-${randomBytes(3).toString('hex')}`
  }

  async serve(hearing: Redis, signal: AbortSignal): Promise<void> {
    await sweepLost(this.#redis)
    await this.#beat()
    hearing.on('message', () => void this.#look())
    await hearing.subscribe(BUS)
    await this.#look()
    const timer = setInterval(() => {
      void this.#beat()
      void this.#look()
    }, BEAT_MS)
    if (!signal.aborted)
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
    clearInterval(timer)
    await this.#drain()
  }

  /** One at a time; a request meanwhile is served next. */
  #look(): Promise<void> {
    if (this.#looking) {
      this.#lookAgain = true
      return this.#looking
    }
    this.#looking = this.#lookOnce()
      .catch(() => {})
      .finally(() => {
        this.#looking = undefined
        if (this.#lookAgain && !this.#draining) {
          this.#lookAgain = false
          void this.#look()
        }
      })
    return this.#looking
  }

  async #lookOnce(): Promise<void> {
    if (this.#draining || this.#redis.status !== 'ready') return
    await sweepRuns(this.#redis)
    const runs = await this.#redis.zrange(RUNS, '0', '-1')
    for (const [runId, service] of this.#services) {
      const keys = runKeys(runId)
      const term = await this.#redis.get(keys.lease)
      if (!runs.includes(runId) || term !== service.spec.term || service.isBroken) await this.#leave(runId, service)
      else {
        await service.keep()
        for (const variant of await this.#redis.smembers(keys.ended)) service.end(variant)
      }
    }
    for (const runId of this.#refused.keys()) if (!runs.includes(runId)) this.#refused.delete(runId)
    for (const runId of runs) if (!this.#services.has(runId)) await this.#consider(runId)
    const each = Math.max(1, Math.ceil(this.#init.slots / Math.max(1, this.#services.size)))
    for (const service of this.#services.values()) service.slots = each
  }

  async #consider(runId: string): Promise<void> {
    const keys = runKeys(runId)
    const term = await this.#redis.get(keys.lease)
    if (term === null || this.#refused.get(runId)?.term === term || this.#draining) return
    const sealed = await getPieces(this.#redis, keys.spec)
    if (sealed === undefined) return
    const text = this.#seal.open(aboutSpec(runId), sealed)
    if (text === undefined) {
      this.#note(runId, term, OTHER_KEY)
      return this.#beat()
    }
    const spec = JSON.parse(text) as RunSpec
    // Between two coordinators of one run; the next look will show.
    if (spec.term !== term || spec.run_id !== runId) return
    const sender = new Sender({ redis: this.#redis, keys, spec, seal: this.#seal, worker: this.id })
    let service: RunService | undefined
    const early: string[] = []
    const warn = (warning: string): void => {
      if (service) service.warn(warning)
      else early.push(warning)
    }
    try {
      const opened = await openRun({
        spec,
        root: this.#init.root,
        slots: this.#init.slots,
        io: { ...this.#init.io, env: this.#runEnv, warn },
        secrets: this.#ownSecrets,
        redis: this.#redis,
        keys,
        seal: this.#seal,
        sharePace: this.#sharePace,
        signal: new AbortController().signal,
      })
      const { slots, note } = this.#init
      const base = {
        redis: this.#redis,
        keys,
        seal: this.#seal,
        worker: this.id,
        share: this.#share,
        suspects: this.#suspects,
        note,
      }
      const others = (await readWorkers(this.#redis)).filter(({ id }) => id !== this.id)
      const fleetSlots = others.reduce((sum, other) => sum + other.slots, slots)
      service = serveRun({ ...base, opened, spec, slots, fleetSlots })
      this.#services.set(runId, service)
      note(`run ${runId}: serving`)
      for (const warning of early) service.warn(warning)
      await service.begin()
    } catch (error) {
      // Checked again with the next beat.
      if (isRedisError(error)) return this.#forget(runId)
      const reason = error instanceof UserError ? describe(error) : messageOf(error)
      this.#note(runId, term, reason)
      await sender.tell({ kind: 'refuses', worker: this.id, reason })
    }
  }

  async #forget(runId: string): Promise<void> {
    const service = this.#services.get(runId)
    this.#services.delete(runId)
    await service?.close()
  }

  #note(runId: string, term: string, reason: string): void {
    this.#refused.set(runId, { term, reason })
    this.#init.note(`run ${runId}: refused: ${reason}`)
  }

  async #leave(runId: string, service: RunService): Promise<void> {
    this.#services.delete(runId)
    this.#done += service.done
    await service.close()
    this.#init.note(`run ${runId}: ended, ${service.done} units were run here`)
    // What a job wrote at the end would otherwise never be removed.
    if ((await this.#redis.exists(runKeys(runId).lease)) === 0) await removeRun(this.#redis, runId)
  }

  async #drain(): Promise<void> {
    this.#draining = true
    this.#init.note(`worker ${this.id}: ending, ${this.#share.busy} units are under way`)
    await this.#looking
    const timer = setTimeout(() => {
      for (const service of this.#services.values()) service.handBack()
    }, DRAIN_MS)
    for (const service of this.#services.values()) await service.drain().catch(() => {})
    clearTimeout(timer)
    for (const service of this.#services.values()) await service.close().catch(() => {})
    await this.#redis.zrem(WORKERS, this.id)
    await this.#redis.del(workerKey(this.id))
  }

  async #beat(): Promise<void> {
    if (this.#redis.status !== 'ready') return
    const now = monotonicNow()
    const services = [...this.#services]
    const state: WorkerState = {
      id: this.id,
      version: version(),
      started: this.#started,
      slots: this.#init.slots,
      busy: this.#share.busy,
      done: services.reduce((sum, [, { done }]) => sum + done, this.#done),
      refused: Object.fromEntries([...this.#refused].map(([run, { reason }]) => [run, reason])),
      runs: services.map(([run]) => run),
      running: services
        .flatMap(([run_id, { running }]) =>
          [...running.values()].map(({ id, since }) => ({ run_id, id, ms: Math.round(now - since) })),
        )
        .toSorted((a, b) => b.ms - a.ms)
        .slice(0, MAX_RUNNING_SHOWN),
    }
    try {
      await this.#redis.set(workerKey(this.id), JSON.stringify(state), 'PX', ALIVE_MS)
      await this.#redis.zadd(WORKERS, epochNow(), this.id)
      await this.#redis.pexpire(WORKERS, KEEP_MS)
    } catch {
      // Redis is away; the next beat will show.
    }
  }
}

function describe({ message, hint, problems }: UserError): string {
  const details = problems.map((problem) => problem.message)
  return [message, ...details, ...(hint === undefined ? [] : [`(${hint})`])].join('; ')
}
