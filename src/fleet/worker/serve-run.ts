// One run on one worker: takes its jobs, runs their units as `viva test` would, and reports what came of them.
import type { Job, Worker } from 'bullmq'
import type { Redis } from 'ioredis'
import { messageOf } from '../../base/message-of.js'
import { isRecord } from '../../base/record.js'
import type { RunEvent } from '../../model/event.js'
import type { Unit } from '../../model/plan.js'
import { runKey, type RunKey } from '../../model/run-key.js'
import { createBrake } from '../../run/brake.js'
import { createRunUnit, type RunUnit } from '../../run/unit/run-unit.js'
import { createStopper, type Stopper } from '../../run/stopper.js'
import { monotonicNow } from '../../time/clock.js'
import { collectBeside } from '../beside.js'
import { getPieces } from '../pieces.js'
import { aboutJob, aboutPayload, aroundOf, type JobBatch, type NumberedUnit, type RunSpec } from '../protocol.js'
import { lastingKeys, QUEUE_NAME, type RunKeys } from '../redis/keys.js'
import { loadBullmq } from '../redis/open-redis.js'
import type { Seal } from '../seal.js'
import { KEEP_MS, lockMs, STALLED_CHECK_MS } from '../times.js'
import type { OpenedRun } from './open-run.js'
import { Sender } from './sender.js'
import type { SlotShare } from './slots.js'
import type { Turns } from './turns.js'

export interface ServeInit {
  opened: OpenedRun
  spec: RunSpec
  redis: Redis
  keys: RunKeys
  seal: Seal
  worker: string
  slots: number
  /** Of all workers that are known. */
  fleetSlots: number
  share: SlotShare
  /** For units that may be what ends workers. */
  suspects: Turns
  /** For the log of the worker. */
  note(text: string): void
}

/** A unit that has ended this many workers is not run again. */
const MAX_CRASHES = 3

export function serveRun(init: ServeInit): RunService {
  const { Worker } = loadBullmq()
  return new RunService(init, Worker)
}

export interface Running {
  id: string
  since: number
}

export class RunService {
  readonly #init: ServeInit
  readonly #bull: Worker
  readonly #sender: Sender
  readonly #stopper: Stopper
  readonly #runUnit: RunUnit
  readonly #outer = new AbortController()
  /** Which events belong to which unit. */
  readonly #owners = new Map<RunKey, number>()
  readonly running = new Map<number, Running>()
  readonly #under = new Map<number, Promise<boolean>>()
  /** Units that this worker has run. */
  done = 0
  /** Code that has changed, and other changed files that have been reported. */
  #changed: string | undefined
  readonly #told = new Set<string>()
  /** It takes no more jobs, and does not know why. */
  isBroken = false
  #handsBack = false
  #ended = false

  constructor(init: ServeInit, BullWorker: typeof Worker) {
    this.#init = init
    const { opened, spec, redis, keys, seal, worker, slots } = init
    const { prepared } = opened
    this.#sender = new Sender({ redis, keys, spec, seal, worker })
    this.#stopper = createStopper(
      this.#outer.signal,
      prepared.io.clock,
      prepared.work.mode === 'agent' ? prepared.work.tested.map(({ variant }) => variant) : undefined,
    )
    const emit = (event: RunEvent): void => this.#emit(event)
    prepared.strayOutput.open(emit)
    this.#runUnit = createRunUnit({
      prepared,
      run_id: spec.run_id,
      stopper: this.#stopper,
      emit,
      brake: createBrake([], false),
      flush: () => {},
    })
    this.#bull = new BullWorker(QUEUE_NAME, (job: Job) => this.#work(job), {
      connection: redis,
      prefix: keys.below,
      concurrency: slots,
      lockDuration: lockMs(init.fleetSlots),
      stalledInterval: STALLED_CHECK_MS,
      // We keep our own count of which unit ended a worker.
      maxStalledCount: 1_000_000,
      skipVersionCheck: true,
      autorun: false,
    })
    // A lost lock, a connection that is down: then another worker has the job, and its results count once.
    this.#bull.on('error', () => {})
  }

  get spec(): RunSpec {
    return this.#init.spec
  }

  async begin(): Promise<void> {
    const { worker, slots, note } = this.#init
    void this.#bull.run().catch((error: unknown) => {
      if (this.#ended) return
      this.isBroken = true
      note(`run ${this.spec.run_id}: ${messageOf(error)}`)
    })
    await this.#sender.tell({ kind: 'serves', worker, slots })
    await this.keep()
  }

  /** What BullMQ creates again on the way expires as well, should everyone be gone in a moment. */
  async keep(): Promise<void> {
    const { redis, keys } = this.#init
    const renew = redis.pipeline()
    for (const key of lastingKeys(keys)) renew.pexpire(key, KEEP_MS)
    await renew.exec()
  }

  warn(text: string): void {
    const { worker } = this.#init
    this.#sender.tell({ kind: 'warns', worker, text }).catch(() => {})
  }

  set slots(slots: number) {
    this.#bull.concurrency = slots
  }

  /** The coordinator wants no more of this variant; `*`: of any. */
  end(variant: string): void {
    if (variant === '*') this.#stop('the run has ended')
    else this.#stopper.end(variant === '' ? undefined : variant, 'the variant has ended')
  }

  /** Takes no more jobs. Resolves when those it has are done. */
  async drain(): Promise<void> {
    await this.#sender.tell({ kind: 'leaves', worker: this.#init.worker })
    await this.#bull.close()
  }

  /** What is running goes back to the queue. */
  handBack(): void {
    this.#handsBack = true
    this.#stopper.stop('handed back')
  }

  async close(): Promise<void> {
    this.#stop('the run has ended')
    await this.#bull.close().catch(() => {})
    this.#sender.close()
    this.#stopper.release()
    await this.#init.opened.close()
  }

  #stop(reason: string): void {
    this.#ended = true
    this.#stopper.stop(reason)
  }

  async #work(job: Job): Promise<void> {
    const { share, spec } = this.#init
    await share.take(spec.run_id)
    try {
      const units = await this.#open(job)
      if (units) await this.#runAll(job, units)
    } finally {
      share.free(spec.run_id)
    }
  }

  /** Undefined: it is not a job of our coordinator. None of it runs. */
  async #open(job: Job): Promise<NumberedUnit[] | undefined> {
    const { seal, spec, redis, keys } = this.#init
    const id = job.id ?? ''
    const data: unknown = job.data
    const sealed = isRecord(data) && typeof data['sealed'] === 'string' ? data['sealed'] : ''
    const text = seal.open(aboutJob(spec, id), sealed)
    if (text === undefined) return this.#refuse(`job ${id} is not sealed with the key of this fleet for this run`)
    const { units } = JSON.parse(text) as JobBatch
    const opened: NumberedUnit[] = []
    for (const each of units) {
      if ('unit' in each) {
        opened.push(each)
        continue
      }
      const stored = await getPieces(redis, keys.payload(each.stored))
      // Its result has meanwhile come from elsewhere.
      if (stored === undefined) continue
      const unit = seal.open(aboutPayload(spec, each.stored), stored)
      if (unit === undefined) return this.#refuse(`a unit of job ${id} is not sealed with the key of this fleet`)
      opened.push({ n: each.n, unit: JSON.parse(unit) as Unit })
    }
    return opened
  }

  #refuse(reason: string): undefined {
    const { worker, note, spec } = this.#init
    note(`run ${spec.run_id}: refused, nothing was run: ${reason}`)
    this.#sender.tell({ kind: 'foreign', worker, reason }).catch(() => {})
    return undefined
  }

  async #runAll(job: Job, units: NumberedUnit[]): Promise<void> {
    // Another worker had it before and did not come back.
    const isCareful = job.stalledCounter > 0
    for (const [index, numbered] of units.entries()) {
      if (this.#ended) return
      if (isCareful ? await this.#runCarefully(numbered) : !this.#handsBack && (await this.#runOne(numbered))) continue
      if (this.#ended) return
      return this.#giveBack(job, units.slice(index))
    }
    // Only now may the job be removed: its results are safe.
    await this.#sender.sent()
  }

  /** For a job that was lost before. False: it must be run elsewhere. */
  async #runCarefully(numbered: NumberedUnit): Promise<boolean> {
    const { redis, keys, suspects } = this.#init
    const n = String(numbered.n)
    // Of the units under way when workers ended, running one at a time shows which of them it was.
    const leave = Number(await redis.hget(keys.begun, n)) > 0 ? await suspects.take() : undefined
    try {
      if (!(await this.#mayRun(numbered))) return true
      if (this.#handsBack || !(await this.#runOne(numbered))) {
        // It was not the unit that ended the worker.
        await redis.hincrby(keys.begun, n, -1)
        return false
      }
      await this.#note(numbered)
      return true
    } finally {
      leave?.()
    }
  }

  /** A job that was thought lost can come back to the worker that still has it: a case runs only once at a time. */
  #runOne(numbered: NumberedUnit): Promise<boolean> {
    const { n } = numbered
    const running = this.#under.get(n) ?? this.#runNow(numbered).finally(() => this.#under.delete(n))
    this.#under.set(n, running)
    return running
  }

  /** False: it has no result, and must be run elsewhere. */
  async #runNow({ n, unit }: NumberedUnit): Promise<boolean> {
    const { prepared } = this.#init.opened
    const { interceptors } = prepared
    const keys = keysOf(unit)
    for (const key of keys) this.#owners.set(key, n)
    const started = monotonicNow()
    this.running.set(n, { id: nameOf(unit), since: started })
    let results = 0
    try {
      await this.#runUnit({ unit }, (result) => {
        if (this.#hasChanged()) return
        results += 1
        this.#sender.report(n, [prepared.redactor.line(result)], {}, collectBeside(result, interceptors))
        interceptors.add(result)
      })
    } catch (error) {
      await this.#fail(error)
      return false
    } finally {
      for (const key of keys) this.#owners.delete(key)
      this.running.delete(n)
    }
    if (this.#hasChanged()) {
      await this.#fail(new Error(`${this.#changed} has changed on this worker during the run`))
      return false
    }
    if (this.#handsBack || this.#ended) {
      if (results < keys.length) return false
    } else if (results === 0 && prepared.project.stoppedEndpoints() !== undefined) {
      await this.#leave(prepared.project.stoppedEndpoints() ?? '')
      return false
    }
    this.done += 1
    const around = aroundOf(unit)
    this.#sender.report(n, [], { done_ms: monotonicNow() - started }, around ? collectBeside(around, interceptors) : [])
    return true
  }

  /** Results from another version of the files do not belong to this run. */
  #hasChanged(): boolean {
    const { code, data } = this.#init.opened.files.changes()
    this.#changed ??= code.length === 0 ? undefined : code.join(', ')
    for (const path of data) {
      if (this.#told.has(path)) continue
      this.#told.add(path)
      this.warn(`${path} has changed on worker ${this.#init.worker} during the run`)
    }
    return this.#changed !== undefined
  }

  /** Asked for a job that was lost before: whether this unit may be the reason, and whether it is already done. */
  async #mayRun({ n }: NumberedUnit): Promise<boolean> {
    const { redis, keys } = this.#init
    if ((await redis.hget(keys.begun, `${n} done`)) !== null) return false
    const times = await redis.hincrby(keys.begun, String(n), 1)
    if (times < MAX_CRASHES) return true
    this.#sender.report(n, [], { crashed: times })
    await this.#sender.sent()
    return false
  }

  async #note({ n }: NumberedUnit): Promise<void> {
    await this.#sender.sent()
    await this.#init.redis.hset(this.#init.keys.begun, `${n} done`, 1)
  }

  /** The rest of the job goes to another worker. */
  async #giveBack(job: Job, rest: NumberedUnit[]): Promise<never> {
    const { seal, spec } = this.#init
    await this.#sender.sent()
    await job.updateData({ sealed: seal.close(aboutJob(spec, job.id ?? ''), JSON.stringify({ units: rest })) })
    throw new Error('handed back')
  }

  /** An endpoint that refuses this worker would turn every unit it takes into one that was not run. */
  async #leave(reason: string): Promise<void> {
    const { worker, note, spec } = this.#init
    this.#handsBack = true
    note(`run ${spec.run_id}: left: ${reason}`)
    await this.#sender.tell({ kind: 'stopped', worker, reason })
    void this.#bull.pause(true)
  }

  async #fail(error: unknown): Promise<void> {
    const { worker, note, spec, opened } = this.#init
    const reason = opened.prepared.redactor.text(messageOf(error))
    note(`run ${spec.run_id}: ${reason}`)
    this.#handsBack = true
    await this.#sender.tell({ kind: 'fails', worker, reason })
  }

  #emit(event: RunEvent): void {
    if (event.type === 'start' || event.type === 'stability' || event.type === 'summary') return
    const n = event.type === 'case_start' ? this.#owners.get(runKey(event)) : undefined
    if (event.type === 'case_start' && n === undefined) return
    this.#sender.report(n, [this.#init.opened.prepared.redactor.line(event)])
  }
}

function keysOf(unit: Unit): RunKey[] {
  if (unit.kind === 'case') return [runKey({ id: unit.testCase.id, variant: unit.variant, run: unit.run })]
  return unit.tests.map(({ id }) => runKey({ id, run: unit.run }))
}

function nameOf(unit: Unit): string {
  return unit.kind === 'case' ? unit.testCase.id : unit.script
}
