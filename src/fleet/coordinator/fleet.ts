// `viva test --queue`: lets the workers of a fleet run units. What runs, how often and how long is decided here alone.
import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { plural } from '../../base/format.js'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import type { ResultEvent } from '../../model/event.js'
import type { Planned } from '../../model/plan.js'
import type { Prepared } from '../../run/prepare.js'
import type { Runner, RunUnitInit, Units } from '../../run/unit/run-unit.js'
import { BesideTaker } from '../beside.js'
import { keepBundle } from '../bundle.js'
import { putPieces } from '../pieces.js'
import { aboutSpec, OTHER_KEY, type WorkerMessage } from '../protocol.js'
import { BUS, QUEUE_NAME, RUNS, runKeys, type RunKeys } from '../redis/keys.js'
import { another, isRedisError, loadBullmq, openRedis, shownAddress, type RedisAddress } from '../redis/open-redis.js'
import { removeRun, sweepLost } from '../redis/remove-run.js'
import { createSeal, type Seal } from '../seal.js'
import { keepParcels } from '../parcels.js'
import { readWorkers } from '../status.js'
import { BEAT_MS, KEEP_MS, LEASE_MS, RENEW_MS } from '../times.js'
import { epochNow } from '../../time/iso-now.js'
import { monotonicNow } from '../../time/clock.js'
import { orAborted } from '../../time/deadline.js'
import { Dispatch } from './dispatch.js'
import { Reader } from './reader.js'
import { requireFleetOptions } from './require-options.js'
import { describeRun, type Described } from './run-spec.js'
import { Roster } from './roster.js'

/** Units that are planned ahead; how many of them are queued depends on the workers. */
const PLANNED_AHEAD = 4096
/** A Redis that is away for longer does not come back on its own. */
const LOST_MS = 60_000
/** Workers may have to be started first. */
const NO_WORKER_MS = 600_000
/** More are not named one by one. */
const MAX_STRANGERS = 20
/** What cannot be removed by then is removed by others. */
const CLOSE_MS = 10_000

/** Connects; nothing is announced yet. Throws a UserError if there is no Redis, or the run cannot be handed over. */
export async function openFleet(prepared: Prepared): Promise<Runner> {
  const { options, io } = prepared
  const place: RedisAddress = { url: options.queue ?? '', env: io.env }
  requireFleetOptions(options)
  const seal = createSeal(io.env)
  const described = describeRun(prepared)
  const redis = await openRedis(place)
  try {
    const { Queue } = loadBullmq()
    const keys = runKeys(described.spec.run_id)
    const queue = new Queue(QUEUE_NAME, {
      connection: redis,
      prefix: keys.below,
      streams: { events: { maxLen: 10 } },
      skipVersionCheck: true,
    })
    queue.on('error', () => {})
    return new Fleet({ prepared, place, described, redis, reading: await another(redis), queue, keys, seal })
  } catch (error) {
    redis.disconnect()
    throw error
  }
}

interface FleetInit {
  prepared: Prepared
  place: RedisAddress
  described: Described
  redis: Redis
  reading: Redis
  queue: Queue
  keys: RunKeys
  seal: Seal
}

class Fleet implements Runner {
  readonly #init: FleetInit
  readonly #roster = new Roster()
  #dispatch: Dispatch | undefined
  #reader: Reader | undefined
  #timer: NodeJS.Timeout | undefined
  #strangerTimer: NodeJS.Timeout | undefined
  readonly #strangers = new Set<string>()
  /** Since when Redis has owed an answer. */
  #asked: number | undefined
  #closed = false
  #foreign = 0
  #isTakenOver = false
  #began = 0
  #lostSince: number | undefined
  #failed: UserError | undefined
  #fail: ((error: UserError) => void) | undefined

  constructor(init: FleetInit) {
    this.#init = init
  }

  async begin(init: RunUnitInit): Promise<Units> {
    const { prepared, redis, reading, queue, keys, seal, described } = this.#init
    const { spec, root } = described
    this.#began = monotonicNow()
    // First of all: a run without a lease is swept away.
    await redis.set(keys.lease, spec.term, 'PX', LEASE_MS)
    await removeRun(redis, spec.run_id, [keys.lease])
    await sweepLost(redis)
    if (spec.bundle) await keepBundle(redis, keys, spec.files, root)
    const beside = new BesideTaker(prepared.interceptors)
    const dispatch = new Dispatch({ ...init, redis, queue, keys, seal, spec, roster: this.#roster, beside })
    this.#dispatch = dispatch
    const reader = new Reader({
      redis: reading,
      keys,
      spec,
      seal,
      take: (message) => this.#take(message, init, dispatch),
      flush: init.flush,
      onForeign: () => {
        this.#foreign += 1
        if (this.#foreign === 1)
          prepared.warn('the queue has results that no worker of this fleet has sealed: they are left out')
      },
    })
    this.#reader = reader
    const failing = new Promise<never>((_, reject) => {
      this.#fail = (error) => {
        this.#failed ??= error
        init.stopper.stop(error.message)
        reject(error)
      }
    })
    failing.catch(() => {})
    reader.run().catch((error: unknown) => {
      if (!this.#closed) this.#fail?.(brokenQueue(this.#init.place, error))
    })
    await this.#announce()
    void this.#renew()
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS)
    this.#strangerTimer = setInterval(() => void this.#nameStrangers().catch(() => {}), BEAT_MS)
    const onStop = (): void => void dispatch.endAll().catch(() => {})
    init.stopper.signal.addEventListener('abort', onStop, { once: true })
    return {
      parallel: prepared.atMost ?? PLANNED_AHEAD,
      run: (planned: Planned, onResult: (result: ResultEvent) => void) => dispatch.run(planned, onResult),
      end: (variant, reason) => {
        init.stopper.end(variant, reason)
        dispatch.end(variant)
      },
      finish: async () => {
        init.stopper.signal.removeEventListener('abort', onStop)
        const { twice } = dispatch
        if (twice.results > 0)
          prepared.warn(
            `${plural(twice.results, 'result')} arrived twice, since a worker was lost or slow; the first counts${twice.cost > 0 ? `, and $${twice.cost.toFixed(4)} were spent on the others` : ''}`,
          )
        if (this.#failed) throw this.#failed
        return beside.problems
      },
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    const { redis, reading, queue, described } = this.#init
    clearInterval(this.#timer)
    clearInterval(this.#strangerTimer)
    this.#reader?.close()
    reading.disconnect()
    const leave = async (): Promise<void> => {
      if (redis.status === 'ready' && this.#dispatch && !this.#isTakenOver) {
        await this.#dispatch.endAll()
        await removeRun(redis, described.spec.run_id)
        await redis.publish(BUS, described.spec.run_id)
      }
      await queue.close()
    }
    try {
      await orAborted(leave(), AbortSignal.timeout(CLOSE_MS), 0)
    } catch {
      // Workers remove it when the lease has run out.
    } finally {
      redis.disconnect()
    }
  }

  async #announce(): Promise<void> {
    const { redis, keys, seal, described, prepared } = this.#init
    const { spec } = described
    await keepParcels({ redis, keys, seal, spec }, prepared)
    await putPieces(redis, keys.spec, seal.close(aboutSpec(spec.run_id), JSON.stringify(spec)), KEEP_MS)
    await redis.set(keys.lease, spec.term, 'PX', LEASE_MS)
    await redis.zadd(RUNS, epochNow(), spec.run_id)
    await redis.pexpire(RUNS, KEEP_MS)
    await redis.publish(BUS, spec.run_id)
  }

  /** The run is still wanted; and what Redis has lost is put there again. */
  async #renew(): Promise<void> {
    if (this.#closed) return
    if (this.#asked !== undefined) return this.#requireAnswer(this.#asked)
    this.#asked = monotonicNow()
    try {
      const { redis, keys, seal, described, prepared } = this.#init
      if (redis.status !== 'ready') return this.#lost(new Error('no connection'))
      await this.#requireLease()
      await redis.set(keys.lease, described.spec.term, 'PX', LEASE_MS)
      await redis.pexpire(RUNS, KEEP_MS)
      const isKnown = await redis.pexpire(keys.spec, KEEP_MS)
      if (isKnown === 0 || (await redis.zscore(RUNS, described.spec.run_id)) === null) await this.#announce()
      await keepParcels({ redis, keys, seal, spec: described.spec }, prepared)
      if (described.spec.bundle) await keepBundle(redis, keys, described.spec.files, described.root)
      await this.#roster.look(redis)
      await this.#dispatch?.audit(this.#reader?.last ?? '')
      this.#lostSince = undefined
      this.#requireWorkers()
    } catch (error) {
      if (this.#closed) return
      if (error instanceof UserError) this.#fail?.(error)
      else if (isRedisError(error)) this.#lost(error)
    } finally {
      this.#asked = undefined
    }
  }

  /**
   * Workers with another key cannot seal a message; what they say of themselves in Redis anyone may have written, so it is
   * shown and decides nothing.
   */
  async #nameStrangers(): Promise<void> {
    const { redis, prepared, described } = this.#init
    if (redis.status !== 'ready' || this.#strangers.size >= MAX_STRANGERS) return
    for (const { id, refused } of await readWorkers(redis)) {
      if (refused[described.spec.run_id] !== OTHER_KEY || !/^[\w.-]{1,80}$/.test(id) || this.#strangers.has(id))
        continue
      this.#strangers.add(id)
      prepared.warn(`worker ${id} has another VIVA_QUEUE_KEY: it takes no part in this run`)
    }
  }

  /** A Redis that hangs keeps its connections. */
  #requireAnswer(since: number): void {
    if (monotonicNow() - since > LOST_MS)
      this.#fail?.(brokenQueue(this.#init.place, new Error(`no answer for ${LOST_MS / 1000} s`)))
  }

  /** Two coordinators of one run would each write half of its results: the later one wins. */
  async #requireLease(): Promise<void> {
    const { redis, keys, described } = this.#init
    const holder = await redis.get(keys.lease)
    if (holder === null || holder === described.spec.term) return
    this.#isTakenOver = true
    throw new UserError({
      code: 'RUN_TAKEN_OVER',
      message: `run ${described.spec.run_id} was taken over by another viva test --resume`,
      hint: 'the results are in its event file',
      exitCode: 3,
    })
  }

  /** It is away, or refuses what it is asked: a primary that has become a replica, a full disk. */
  #lost(error: unknown): void {
    const now = monotonicNow()
    this.#lostSince ??= now
    if (now - this.#lostSince > LOST_MS)
      this.#fail?.(brokenQueue(this.#init.place, new Error(`${messageOf(error)} (for ${LOST_MS / 1000} s)`)))
  }

  #requireWorkers(): void {
    const { prepared, place } = this.#init
    const roster = this.#roster
    if (roster.slots > 0) {
      this.#began = monotonicNow()
      return
    }
    const waited = monotonicNow() - this.#began
    const why = roster.whyNone()
    if (why !== undefined && waited > RENEW_MS) {
      // As when a single process is refused: what has not run is not run, and the summary says why.
      if (roster.isStopped) return this.#dispatch?.giveUp()
      throw new UserError({
        code: 'NO_WORKER',
        message: `no worker at ${shownAddress(place)} takes this run`,
        hint: 'fix what differs, or send the files along with --bundle',
        problems: why.map((message) => ({ message })),
        exitCode: 3,
      })
    }
    if (waited > NO_WORKER_MS)
      throw new UserError({
        code: 'NO_WORKER',
        message: `no worker connected to ${shownAddress(place)} within ${NO_WORKER_MS / 60_000} minutes`,
        hint: 'start one: viva worker --queue …, with the same VIVA_QUEUE_KEY',
        exitCode: 3,
      })
    if (waited > 3 * RENEW_MS) roster.warnOnce(() => prepared.warn(`waiting for workers at ${shownAddress(place)}`))
  }

  #take(message: WorkerMessage, init: RunUnitInit, dispatch: Dispatch): void {
    const { prepared } = this.#init
    switch (message.kind) {
      case 'events':
        for (const report of message.units) dispatch.report(report, message.worker)
        return
      case 'serves':
        this.#roster.serves(message.worker, message.slots)
        dispatch.pump()
        return
      case 'leaves':
        this.#roster.leaves(message.worker)
        return
      case 'refuses':
        if (this.#roster.refuses(message.worker, message.reason))
          prepared.warn(`worker ${message.worker} refuses the run: ${message.reason}`)
        return
      case 'stopped':
        this.#roster.stopped(message.worker, message.reason)
        prepared.project.noteStopped(message.reason)
        return
      case 'warns':
        // Every worker reads the same files, and finds the same problems.
        if (!prepared.warnings.includes(message.text)) prepared.warn(message.text)
        return
      case 'foreign':
        prepared.warn(`worker ${message.worker} refused a job: ${message.reason}`)
        return
      case 'fails':
        this.#fail?.(
          new UserError({
            code: 'WORKER_FAILED',
            message: `worker ${message.worker}: ${message.reason}`,
            hint: "the worker's log says more",
            exitCode: 3,
          }),
        )
    }
  }
}

function brokenQueue(place: RedisAddress, error: unknown): UserError {
  return new UserError({
    code: 'QUEUE_LOST',
    message: `lost Redis at ${shownAddress(place)}: ${messageOf(error)}`,
    hint: 'results up to here are kept; resume with viva test --resume FILE --queue …',
    exitCode: 3,
    cause: error,
  })
}
