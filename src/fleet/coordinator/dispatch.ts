// Units out, results in: hands units to the queue as workers have room, and accepts each result once.
import type { Queue } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../../base/message-of.js'
import type { FailedResult, ResultEvent } from '../../model/event.js'
import type { Planned, Unit } from '../../model/plan.js'
import { runKey, type RunKey } from '../../model/run-key.js'
import type { RunUnitInit } from '../../run/unit/run-unit.js'
import type { BesideTaker } from '../beside.js'
import { putPieces } from '../pieces.js'
import {
  aboutJob,
  aboutPayload,
  aroundOf,
  belongsTo,
  type Beside,
  type JobBatch,
  type RunSpec,
  type UnitReport,
} from '../protocol.js'
import { BUS, lastingKeys, madeByAdding, type RunKeys } from '../redis/keys.js'
import type { Seal } from '../seal.js'
import { KEEP_MS } from '../times.js'
import { Progress } from './progress.js'
import type { Roster } from './roster.js'
import { jobsAtOnce, Sizing } from './sizing.js'

export interface DispatchInit extends RunUnitInit {
  redis: Redis
  queue: Queue
  keys: RunKeys
  seal: Seal
  spec: RunSpec
  roster: Roster
  beside: BesideTaker
}

/** Larger units do not go into the job itself. */
const MAX_IN_JOB = 64 * 1024
/** All units of a job together. */
const MAX_JOB = 200 * 1024
/** A worker may return a job as often as it has to. */
const ATTEMPTS = 1_000_000

/** A unit that is wanted and does not have all its results yet. */
interface Open {
  n: number
  unit: Unit
  onResult(result: ResultEvent): void
  done(): void
  /** Which of its cases have been announced or have a result. */
  begun: Set<RunKey>
  got: Set<RunKey>
  /** It is in Redis beside its job. */
  isStored?: boolean
}

/** A job that is in the queue or with a worker. */
interface Sent {
  units: Set<number>
  /** When it was first missed: the end of the stream then. */
  missedAt?: string
}

/** As BullMQ takes it. */
interface QueuedJob {
  name: string
  data: { sealed: string }
  opts: { jobId: string; attempts: number; removeOnComplete: boolean; removeOnFail: boolean }
}

export class Dispatch {
  readonly #init: DispatchInit
  readonly #sizing = new Sizing()
  readonly #progress: Progress
  readonly #waiting: Open[] = []
  readonly #flying = new Map<number, Open>()
  readonly #jobs = new Map<string, Sent>()
  readonly #jobOf = new Map<number, string>()
  readonly #isBudgeted: boolean
  readonly #several: boolean
  #lastUnit = 0
  #lastJob = 0
  #pumping = false
  #ended = false
  /** Results that came again, and what they cost. */
  readonly twice = { results: 0, cost: 0 }

  constructor(init: DispatchInit) {
    this.#init = init
    this.#isBudgeted = init.prepared.options.max_cost !== undefined || init.prepared.options.stop_after !== undefined
    this.#several = init.prepared.variants.length > 1
    this.#progress = new Progress(init.spec, unitsOf(init), init.prepared.interrupted?.results ?? 0)
  }

  /** Resolves when the unit has its results, or will not get any. */
  run({ unit }: Planned, onResult: (result: ResultEvent) => void): Promise<void> {
    if (this.#ended) return Promise.resolve()
    return new Promise((resolve) => {
      this.#lastUnit += 1
      this.#waiting.push({ n: this.#lastUnit, unit, onResult, done: resolve, begun: new Set(), got: new Set() })
      this.pump()
    })
  }

  /** Queues as much as the workers have room for; units planned together are queued together. */
  pump(): void {
    if (this.#pumping || this.#ended) return
    this.#pumping = true
    setImmediate(() => {
      void this.#queueAll()
        .catch((error: unknown) => this.#refused(error))
        .finally(() => {
          this.#pumping = false
        })
    })
  }

  report(report: UnitReport, worker: string): void {
    const { beside } = this.#init
    beside.shared(report.beside)
    if (report.n === undefined) {
      for (const event of report.events) if (event.type !== 'result') this.#init.emit(event)
      return
    }
    const open = this.#flying.get(report.n)
    for (const event of report.events) {
      if (event.type === 'result') this.#result(event, open, report.beside)
      else if (event.type === 'case_start') this.#started(event, open)
      else if (open) this.#init.emit(event)
    }
    if (!open) return
    if (report.crashed !== undefined) this.#crashed(open, report.crashed, worker)
    if (report.done_ms === undefined && report.crashed === undefined) return
    if (report.done_ms !== undefined) this.#sizing.add(report.done_ms)
    const around = aroundOf(open.unit)
    if (around) beside.of(around, report.beside)
    this.#settle(open)
    this.pump()
  }

  /** This variant runs no further. */
  end(variant: string | undefined): void {
    if (!this.#several || this.#ended) return
    const { redis, keys, spec } = this.#init
    void redis
      .sadd(keys.ended, variant ?? '')
      .then(() => redis.publish(BUS, spec.run_id))
      .catch(() => {})
    for (const open of this.#flying.values()) if (variantOf(open.unit) === variant) this.#settle(open)
  }

  /** Nothing more is wanted. */
  async endAll(): Promise<void> {
    if (this.#ended) return
    this.#ended = true
    this.giveUp()
    const { redis, keys, spec } = this.#init
    await redis.sadd(keys.ended, '*')
    await redis.publish(BUS, spec.run_id)
  }

  /** What has no result gets none. */
  giveUp(): void {
    for (const open of [...this.#waiting.splice(0), ...this.#flying.values()]) this.#settle(open)
  }

  /** Keeps what is queued alive, and requeues what Redis has lost. `last`: up to where results have been read. */
  async audit(last: string): Promise<void> {
    const { redis, keys, queue } = this.#init
    const renew = redis.pipeline()
    const lasting = lastingKeys(keys)
    for (const key of lasting) renew.pexpire(key, KEEP_MS)
    const ids = [...this.#jobs.keys()]
    for (const id of ids) renew.pexpire(queue.toKey(id), KEEP_MS)
    for (const { n, isStored } of this.#flying.values()) if (isStored) renew.pexpire(keys.payload(String(n)), KEEP_MS)
    const answers = (await renew.exec()) ?? []
    const [newest] = await redis.xrevrange(keys.results, '+', '-', 'COUNT', 1)
    for (const [index, id] of ids.entries()) {
      const sent = this.#jobs.get(id)
      if (!sent) continue
      if (answers[lasting.length + index]?.[1] !== 0) delete sent.missedAt
      else if (sent.missedAt === undefined) sent.missedAt = newest?.[0] ?? last
      else if (isUpTo(last, sent.missedAt)) this.#again(id, sent)
    }
    await redis.set(
      keys.progress,
      this.#progress.text(this.#flying.size, this.#init.roster, this.#sizing),
      'PX',
      KEEP_MS,
    )
    this.pump()
  }

  /** A full Redis takes nothing for a while: what it does not have is requeued by the next audit. */
  #refused(error: unknown): void {
    const warning = `Redis did not take a job, which will be retried: ${messageOf(error)}`
    if (!this.#ended && !this.#init.prepared.warnings.includes(warning)) this.#init.prepared.warn(warning)
  }

  async #queueAll(): Promise<void> {
    const { roster, queue, redis, keys } = this.#init
    for (;;) {
      const room = jobsAtOnce(roster.slots, this.#isBudgeted) - this.#jobs.size
      if (room <= 0 || this.#waiting.length === 0 || this.#ended) return
      const jobs: QueuedJob[] = []
      while (jobs.length < room) {
        const batch = this.#take(roster.slots)
        if (batch.length === 0) break
        jobs.push(await this.#job(batch))
      }
      if (jobs.length === 0) return
      await queue.addBulk(jobs)
      // What was empty has been created again; the rest is renewed by the audit.
      const keep = redis.pipeline()
      for (const key of madeByAdding(keys)) keep.pexpire(key, KEEP_MS)
      for (const { opts } of jobs) keep.pexpire(queue.toKey(opts.jobId), KEEP_MS)
      await keep.exec()
    }
  }

  /** The next units that may be started. The variants of a run of a case stay together: they begin alike. */
  #take(slots: number): Open[] {
    const most = this.#isBudgeted ? 1 : this.#sizing.unitsPerJob(this.#waiting.length, slots)
    const batch: Open[] = []
    while (this.#waiting.length > 0) {
      const next = this.#waiting[0] as Open
      if (batch.length >= most && !(this.#several && isSameRun(batch.at(-1)?.unit, next.unit))) break
      this.#waiting.shift()
      if (this.#mayStart(next.unit)) batch.push(next)
      else next.done()
    }
    return batch
  }

  #mayStart(unit: Unit): boolean {
    const { brake, stopper } = this.#init
    if (unit.kind === 'case' && stopper.hasEnded(unit.variant)) return false
    if (!brake.isPulled(unit.kind === 'case' ? unit.testCase.id : unit.script)) return true
    if (!this.#several) stopper.startNoMore('limit')
    return false
  }

  async #job(batch: Open[]): Promise<QueuedJob> {
    const { seal, spec, redis, keys } = this.#init
    this.#lastJob += 1
    const id = `j${spec.term}-${this.#lastJob}`
    const units: string[] = []
    const sent: Sent = { units: new Set() }
    this.#jobs.set(id, sent)
    let size = 0
    for (const open of batch) {
      this.#flying.set(open.n, open)
      this.#jobOf.set(open.n, id)
      sent.units.add(open.n)
      const text = JSON.stringify(open.unit)
      const isLarge = text.length > MAX_IN_JOB || size + text.length > MAX_JOB
      if (isLarge) {
        const stored = String(open.n)
        open.isStored = true
        await putPieces(redis, keys.payload(stored), seal.close(aboutPayload(spec, stored), text), KEEP_MS)
        units.push(JSON.stringify({ n: open.n, stored }))
      } else {
        size += text.length
        units.push(`{"n":${open.n},"unit":${text}}`)
      }
    }
    const data: keyof JobBatch = 'units'
    return {
      name: 'units',
      data: { sealed: seal.close(aboutJob(spec, id), `{"${data}":[${units.join(',')}]}`) },
      opts: { jobId: id, attempts: ATTEMPTS, removeOnComplete: true, removeOnFail: true },
    }
  }

  /** The units of a job that is gone, as new jobs. */
  #again(id: string, sent: Sent): void {
    this.#jobs.delete(id)
    const lost = [...sent.units].flatMap((n) => this.#flying.get(n) ?? [])
    for (const open of lost) this.#flying.delete(open.n)
    this.#waiting.unshift(...lost)
  }

  #started(event: Parameters<RunUnitInit['emit']>[0] & { type: 'case_start' }, open: Open | undefined): void {
    const key = runKey(event)
    if (!open || open.begun.has(key)) return
    open.begun.add(key)
    this.#init.emit(event)
  }

  #result(result: ResultEvent, open: Open | undefined, beside?: Beside[]): void {
    const key = runKey(result)
    if (!open || open.got.has(key)) {
      // It was spent, whether it counts or not.
      this.#init.brake.spent(result.cost_dollars ?? 0)
      // What arrives after the end was under way, and is no longer wanted.
      if (!open && (this.#ended || this.#init.stopper.hasEnded(result.variant))) return
      this.twice.results += 1
      this.twice.cost += result.cost_dollars ?? 0
      return
    }
    if (!belongsTo(result, open.unit) || result.run_id !== this.#init.spec.run_id) {
      this.#init.prepared.warn(
        `a worker reported a result of ${result.id} for a unit that has no such case: it is left out`,
      )
      return
    }
    open.got.add(key)
    // On disk before the result, which says that it counts.
    this.#init.beside.of(result, beside)
    this.#progress.add(result)
    open.onResult(result)
  }

  /** Every worker that ran it ended: it is not given to another. */
  #crashed(open: Open, times: number, worker: string): void {
    const error = `agent error: ${times} workers ended while they ran it, the last one was ${worker}`
    for (const result of missing(open, this.#init.spec.run_id, error)) this.#result(result, open)
  }

  #settle(open: Open): void {
    const { n } = open
    this.#flying.delete(n)
    const id = this.#jobOf.get(n)
    this.#jobOf.delete(n)
    const sent = id === undefined ? undefined : this.#jobs.get(id)
    sent?.units.delete(n)
    if (id !== undefined && sent?.units.size === 0) this.#jobs.delete(id)
    if (open.isStored) this.#init.redis.unlink(this.#init.keys.payload(String(n))).catch(() => {})
    open.done()
  }
}

function missing({ unit, got }: Open, run_id: string, error: string): FailedResult[] {
  const names =
    unit.kind === 'case'
      ? [{ id: unit.testCase.id, variant: unit.variant, name: unit.testCase.name }]
      : unit.tests.map(({ id, name }) => ({ id, variant: undefined, name }))
  return names
    .filter(({ id, variant }) => !got.has(runKey({ id, variant, run: unit.run })))
    .map(({ id, variant, name }) => ({
      type: 'result' as const,
      run_id,
      id,
      run: unit.run,
      status: 'failed' as const,
      error,
      error_kind: 'crashed' as const,
      duration_ms: 0,
      ...(variant !== undefined && { variant }),
      ...(name !== undefined && { name }),
      ...(unit.kind === 'case' && { input: unit.testCase.input }),
    }))
}

function variantOf(unit: Unit): string | undefined {
  return unit.kind === 'case' ? unit.variant : undefined
}

function isSameRun(one: Unit | undefined, other: Unit): boolean {
  return one?.kind === 'case' && other.kind === 'case' && one.testCase.id === other.testCase.id && one.run === other.run
}

/** Ids of a stream: `milliseconds-number`. */
function isUpTo(last: string, wanted: string): boolean {
  const [time = '0', number = '0'] = last.split('-')
  const [wantedTime = '0', wantedNumber = '0'] = wanted.split('-')
  return Number(time) === Number(wantedTime)
    ? Number(number) >= Number(wantedNumber)
    : Number(time) > Number(wantedTime)
}

function unitsOf({ prepared: { options, work, variants } }: DispatchInit): number | undefined {
  return options.runs === 'auto' ? undefined : work.total * options.runs * variants.length
}
