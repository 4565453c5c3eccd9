// The recording of a run: every call of a lane passes here, and is answered from the tape, live, or live and kept.
import { basename } from 'node:path'
import { AgentError, UserError } from '../errors.js'
import {
  hatOf,
  laneOfHat,
  isRecordedLane,
  type Interaction,
  type RecordedLane,
  type RecordedRequest,
  type RecordedResponse,
  type RecordingCounts,
  type TakeId,
} from '../model/cassette.js'
import type { ModelCall } from '../model/model-call.js'
import { lockFile } from '../process/lock-file.js'
import { offAbort, onAbort } from '../time/abort.js'
import { monotonicNow } from '../time/clock.js'
import { replaceFile } from '../files/replace-file.js'
import { cannotWrite } from '../files/cannot-write.js'
import { foldJournal } from './fold.js'
import { JournalFile, journalOf, readJournal, type Journal } from './journal.js'
import { keyOf, takeOf } from './keys.js'
import { describeMismatch } from './mismatch.js'
import { hashOf, type AskedRequest, type Normaliser } from './normalise.js'
import { openCassettes, prepareBase, type CassetteFiles } from './cassette-files.js'
import type { WrittenInteraction } from './read-cassette.js'
import { recordError, thrownFrom } from './responses.js'
import { keptText, leftOver, missing, noSuchTape, notOfACase } from './tape-errors.js'
import { renderCassette, type CassetteFacts, type Slot } from './write-cassette.js'
import { runKey } from '../model/run-key.js'

/** What is done with a call: answered from the tape, called and kept, or called only. */
export type LaneMode = 'replay' | 'record' | 'live'

export interface TapesInit {
  path: string
  /** The flag that named it. */
  flag: string
  lanes: Record<RecordedLane, LaneMode>
  /** With `replay`: what becomes of a call that the tape has no answer to. */
  onMissing: 'error' | 'record' | 'live'
  /** Requests must be the recorded ones; otherwise their position is enough. */
  strict: boolean
  normaliser: Normaliser
  run_id: string
  /** The local time, as `YYYY-MM-DDTHH:MM:SS`. */
  now: string
  /** Of a run that goes on: what has a result. */
  isDone?: ((id: string, run: number) => boolean) | undefined
  warn(text: string): void
}

export interface TapesEnd {
  /** Who answered. */
  agent: string
  recorded: string
  /** Every case has run, so that nothing else can be waiting for what was not asked for. */
  whole: boolean
  /** Further facts for `metadata`. */
  more?: Record<string, string | number>
}

export interface Exchange<Answer> {
  call: ModelCall
  asked: AskedRequest
  /** Calls that run side by side come in another order every time: what is asked decides, then the position. */
  anyOrder?: true
  signal: AbortSignal
  onWait?: ((ms: number) => void) | undefined
  live(onWait: (ms: number) => void): Promise<Answer>
  record(answer: Answer, durationMs: number): RecordedResponse
  replay(response: RecordedResponse): Answer
}

/** As `modelOf` names them. */
const MODEL_CALL = /^[a-z]+:model:/

/** The case of what is recorded once for all. */
const SHARED = ''

interface TakeState {
  id: TakeId
  /** By hat: the positions of the calls there were. */
  asked: Map<string, Set<number>>
  replayed: number
  /** From here on everything is called and recorded again. */
  diverged: boolean
  /** Interactions of the tape that no longer count have been marked. */
  cut: boolean
  /** Why the tape could not answer: then there is no verdict. */
  failure?: string
}

export class Tapes {
  /** The time of day that prompts are told. */
  readonly clock: string
  readonly #init: TapesInit
  readonly #files: CassetteFiles
  readonly #old: WrittenInteraction[]
  readonly #byKey = new Map<string, WrittenInteraction[]>()
  /** Interactions of the tape by case and run, for the lanes that are answered from it. */
  readonly #perRun = new Map<string, number>()
  readonly #takes = new Map<string, TakeState>()
  readonly #finished = new Set<string>()
  readonly #failures = new Map<string, string>()
  readonly #counts: RecordingCounts = { replayed: 0, recorded: 0, passed_through: 0, unused: 0 }
  readonly #unlock: (() => void) | undefined
  #journal: JournalFile | undefined
  readonly #shared = new Map<string, Promise<unknown>>()
  #order = 0

  /** Throws a UserError when the tape cannot be read, or cannot be written. */
  constructor(init: TapesInit) {
    this.#init = init
    const { path, flag } = init
    const writes = init.onMissing === 'record' || Object.values(init.lanes).includes('record')
    this.#unlock = writes ? lockFile(prepareBase(path, flag), { flag }) : undefined
    try {
      this.#files = openCassettes(path)
      const { cassettes, base } = this.#files
      this.#old = cassettes.flatMap(({ interactions }) => interactions)
      if (cassettes.length === 0 && Object.values(init.lanes).includes('replay')) throw noSuchTape(path, base, flag)
      const left = writes ? this.#leftOver() : undefined
      // Cases that are not recorded now were told that time.
      this.clock = left?.start.clock ?? cassettes.find(({ clock }) => clock !== undefined)?.clock ?? init.now
      if (writes) {
        this.#journal = new JournalFile(journalOf(base))
        this.#journal.open(left ?? { start: { run_id: init.run_id, clock: this.clock }, lines: [] })
        for (const line of left?.lines ?? [])
          if (line.type === 'interaction') this.#order = Math.max(this.#order, line.order + 1)
      }
      for (const interaction of this.#old) this.#index(interaction)
    } catch (error) {
      this.close()
      throw error
    }
  }

  isReplayed(lane: RecordedLane): boolean {
    return this.#init.lanes[lane] === 'replay'
  }

  async exchange<Answer>(exchange: Exchange<Answer>): Promise<Answer> {
    const { call, asked, onWait } = exchange
    const mode = isRecordedLane(call.lane) ? this.#init.lanes[call.lane] : 'live'
    if (mode === 'live' || call.within) return exchange.live((ms) => onWait?.(ms))
    if (call.case_id === undefined) throw notOfACase(call)
    const started = monotonicNow()
    const take = this.#take({ case: call.case_id, run: call.run ?? 1, attempt: call.attempt ?? 1 })
    const hat = this.#init.normaliser.hat(hatOf(call))
    const request = this.#init.normaliser.request(asked)
    const prompt_hash = hashOf(request)
    const isReplayed = mode === 'replay' && !take.diverged
    const position = this.#position(take, hat, exchange.anyOrder && isReplayed ? prompt_hash : undefined)
    const order = this.#order++
    if (isReplayed) {
      const found = this.#byKey.get(keyOf(take.id, hat))?.[position]
      const mismatch = this.#mismatch(found, request, prompt_hash, { take, hat, position })
      if (found && mismatch === undefined) return this.#replay(found, exchange, take, started)
      const { onMissing } = this.#init
      if (onMissing === 'error') throw this.#failed(take, mismatch ?? '')
      if (onMissing === 'live') {
        this.#counts.passed_through++
        return exchange.live((ms) => onWait?.(ms))
      }
      if (found) this.#diverge(take, hat, position, mismatch ?? '')
    } else this.#cut(take, {})
    return this.#record(exchange, { ...take.id, hat, prompt_hash, request }, take, { order, position })
  }

  /** What holds for the whole run, whichever case asks first; the end of that case does not end it. */
  async once<Answer>(exchange: Omit<Exchange<Answer>, 'signal'>): Promise<Answer> {
    const { call } = exchange
    if (call.within) return exchange.live(() => {})
    let answering = this.#shared.get(call.role) as Promise<Answer> | undefined
    if (!answering) {
      const { signal } = new AbortController()
      answering = this.exchange({ ...exchange, signal, call: { lane: call.lane, role: call.role, case_id: SHARED } })
      this.#shared.set(call.role, answering)
      answering.catch(() => this.#shared.delete(call.role))
    }
    try {
      return await answering
    } catch (error) {
      const failure = this.#failures.get(runKey(SHARED, 1))
      if (failure !== undefined) this.#failures.set(runKey(call.case_id ?? SHARED, call.run ?? 1), failure)
      throw error
    }
  }

  /** Whether calls of a model that agents make by themselves are recorded. */
  holdsModelCalls(): boolean {
    return this.#old.some(({ hat }) => MODEL_CALL.test(hat))
  }

  /** The case of this call has no verdict, whatever comes of it. */
  fail({ case_id = SHARED, run = 1, attempt = 1 }: ModelCall, reason: string): void {
    this.#failed(this.#take({ case: case_id, run, attempt }), reason)
  }

  /** A case that the tape could not answer has no verdict, whatever came of it. */
  settle<Result extends { id: string; run: number; status: string; error?: string | undefined }>(
    result: Result,
  ): Result {
    const failure = this.#failures.get(runKey(result.id, result.run))
    if (failure === undefined || result.error?.includes(failure)) return result
    return { ...result, status: 'failed', error: failure, error_kind: 'agent' }
  }

  /** The case has its result: what is recorded of it counts, and nothing more will come. */
  add({ id, run, attempts = 1 }: { id: string; run: number; attempts?: number | undefined }): void {
    let replayed = 0
    let diverged = false
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const key = takeOf({ case: id, run, attempt })
      const take = this.#takes.get(key)
      if (!take) continue
      replayed += take.replayed
      diverged ||= take.diverged
      this.#takes.delete(key)
    }
    const key = runKey(id, run)
    this.#finished.add(key)
    this.#failures.delete(key)
    if (!diverged) this.#counts.unused += Math.max(0, (this.#perRun.get(key) ?? 0) - replayed)
    this.#perRun.delete(key)
  }

  /** Writes the file. */
  finish({ agent, recorded, whole, more }: TapesEnd): RecordingCounts {
    if (whole) this.#counts.unused += this.#neverAsked()
    if (!this.#journal) return this.#counts
    const { base } = this.#files
    this.#journal.close()
    const journal = readJournal(journalOf(base))
    const kept: string[] = []
    const slots = foldJournal(
      this.#old,
      journal?.lines ?? [],
      (take) => this.#isFinished(take),
      (take) => kept.push(take.case),
    )
    if (kept.length > 0) this.#init.warn(keptText(kept, this.#init.path))
    try {
      this.#write(slots, { agent, recorded, clock: this.clock, ...(more && { more }) })
    } catch (error) {
      if (error instanceof UserError) throw error
      throw cannotWrite(this.#init.path, error, `what was recorded is in ${journalOf(base)}`, 3)
    }
    this.#journal.remove()
    return this.#counts
  }

  /** What was recorded does not count: the file stays as it is. False when there was nothing to discard. */
  discard(): boolean {
    if (!this.#journal) return false
    this.#journal.close()
    this.#journal.remove()
    this.#journal = undefined
    return this.#counts.recorded > 0
  }

  close(): void {
    this.#journal?.close()
    this.#unlock?.()
  }

  /** Of what no result was told of: cases that are gone, and what a generator was not asked. */
  #neverAsked(): number {
    let count = 0
    for (const left of this.#perRun.values()) count += left
    for (const { id, replayed } of this.#takes.values())
      count -= this.#perRun.has(runKey(id.case, id.run)) ? replayed : 0
    return Math.max(0, count)
  }

  #write(slots: Slot[], facts: Omit<CassetteFacts, 'name'>): void {
    const { cassettes, fileFor } = this.#files
    const known = new Map(this.#old.map((interaction) => [interaction.case, interaction.file]))
    const byFile = new Map<string, Slot[]>(cassettes.map(({ path }) => [path, []]))
    for (const slot of slots) {
      const { case: id } = 'kept' in slot ? slot.kept : slot.written
      const file = 'kept' in slot ? slot.kept.file : (known.get(id) ?? fileFor(id))
      const own = byFile.get(file)
      if (own) own.push(slot)
      else byFile.set(file, [slot])
    }
    for (const [file, own] of byFile) {
      const old = cassettes.find(({ path }) => path === file)
      const text = renderCassette(old, own, { ...facts, name: basename(file) })
      if (text !== undefined) replaceFile(file, text)
    }
  }

  #isFinished({ case: id, run }: TakeId): boolean {
    return id === SHARED || this.#finished.has(runKey(id, run)) || this.#init.isDone?.(id, run) === true
  }

  /** What a run that was killed has recorded: it goes on with what belongs to results. */
  #leftOver(): Journal | undefined {
    const { run_id, isDone } = this.#init
    const path = journalOf(this.#files.base)
    const journal = readJournal(path)
    if (!journal) return undefined
    if (journal.start.run_id !== run_id || !isDone) throw leftOver(path)
    const lines = journal.lines.filter((line) => {
      const take = line.type === 'interaction' ? line.interaction : line.take
      return take.case === SHARED || isDone(take.case, take.run)
    })
    return { ...journal, lines }
  }

  #index(interaction: WrittenInteraction): void {
    const key = keyOf(interaction, interaction.hat)
    const list = this.#byKey.get(key)
    if (list) list.push(interaction)
    else this.#byKey.set(key, [interaction])
    const lane = laneOfHat(interaction.hat)
    if (!isRecordedLane(lane) || !this.isReplayed(lane)) return
    if (interaction.case === SHARED && lane !== 'hat') return
    const run = runKey(interaction.case, interaction.run)
    this.#perRun.set(run, (this.#perRun.get(run) ?? 0) + 1)
  }

  #take(id: TakeId): TakeState {
    const key = takeOf(id)
    let take = this.#takes.get(key)
    if (!take) this.#takes.set(key, (take = { id, asked: new Map(), replayed: 0, diverged: false, cut: false }))
    return take
  }

  /** Of the call that is made now: the first that is free, or of those the first that asks for `hash`. */
  #position({ id, asked }: TakeState, hat: string, hash: string | undefined): number {
    let used = asked.get(hat)
    if (!used) asked.set(hat, (used = new Set()))
    let position = hash === undefined ? -1 : this.#sameRequest(keyOf(id, hat), hash, used)
    if (position < 0) for (position = 0; used.has(position);) position++
    used.add(position)
    return position
  }

  #sameRequest(key: string, hash: string, used: ReadonlySet<number>): number {
    const { normaliser } = this.#init
    const all = this.#byKey.get(key) ?? []
    const same = all.findIndex(({ prompt_hash }, index) => !used.has(index) && prompt_hash === hash)
    if (same >= 0) return same
    return all.findIndex(({ request }, index) => !used.has(index) && hashOf(normaliser.again(request)) === hash)
  }

  /** Why the tape has no answer; undefined when it has one. */
  #mismatch(
    found: WrittenInteraction | undefined,
    current: RecordedRequest,
    hash: string,
    { take, hat, position }: { take: TakeState; hat: string; position: number },
  ): string | undefined {
    const { normaliser, strict, path } = this.#init
    if (!found) return missing(path, take.id, hat, position, this.#old)
    if (!strict || found.prompt_hash === hash) return undefined
    // Patterns may have been added since: what was recorded is looked at with them.
    const recorded = normaliser.again(found.request)
    const recorded_hash = hashOf(recorded)
    if (recorded_hash === hash) return undefined
    return describeMismatch(
      { number: found.number, hat, recorded, recorded_hash, current, current_hash: hash },
      normaliser,
    )
  }

  #replay<Answer>(found: WrittenInteraction, exchange: Exchange<Answer>, take: TakeState, started: number): Answer {
    const response = this.#init.normaliser.filled(found.response)
    this.#counts.replayed++
    take.replayed++
    if (exchange.call.lane === 'generator') this.#finished.add(runKey(take.id.case, take.id.run))
    // The time that the answer took then is the time that counts.
    exchange.onWait?.(monotonicNow() - started - response.duration_ms)
    if (response.error) throw thrownFrom(response.error)
    return exchange.replay(response)
  }

  async #record<Answer>(
    exchange: Exchange<Answer>,
    asked: Omit<Interaction, 'response'>,
    take: TakeState,
    place: { order: number; position: number },
  ): Promise<Answer> {
    const started = monotonicNow()
    let waited = 0
    let isKept = false
    const keep = (response: RecordedResponse | undefined): void => {
      if (isKept) return
      isKept = true
      if (response) this.#keep({ ...asked, response: this.#init.normaliser.response(response) }, place)
    }
    const spent = (): number => monotonicNow() - started - waited
    // A call that does not heed its end may answer after the result of its case.
    const onEnd = (): void => keep(recordError(exchange.signal.reason, spent()))
    onAbort(exchange.signal, onEnd)
    try {
      const answer = await exchange.live((ms) => {
        waited += ms
        exchange.onWait?.(ms)
      })
      keep(exchange.record(answer, spent()))
      if (exchange.call.lane === 'generator') this.#finished.add(runKey(asked.case, asked.run))
      return answer
    } catch (error) {
      if (error instanceof AgentError && error.code === 'lost') this.#restart(take)
      keep(recordError(exchange.signal.aborted ? exchange.signal.reason : error, spent()))
      throw error
    } finally {
      offAbort(exchange.signal, onEnd)
    }
  }

  #keep(interaction: Interaction, place: { order: number; position: number }): void {
    this.#journal?.append({ type: 'interaction', ...place, interaction })
    this.#counts.recorded++
  }

  #cut(take: TakeState, kept: Record<string, number[]>): void {
    if (take.cut) return
    take.cut = true
    this.#journal?.append({ type: 'cut', take: take.id, kept })
  }

  /** The prefix stays; the call that differs and all that follow it in this conversation are made and recorded again. */
  #diverge(take: TakeState, hat: string, position: number, reason: string): void {
    const kept = Object.fromEntries(Array.from(take.asked, ([each, used]) => [each, [...used]]))
    kept[hat] = (kept[hat] ?? []).filter((each) => each !== position)
    this.#cut(take, kept)
    take.diverged = true
    const { case: id, run } = take.id
    this.#init.warn(`${id}${run === 1 ? '' : ` (run ${run})`} is recorded again from here on.\n${reason}`)
  }

  /** A process that others shared has ended: the conversation begins again, alone. */
  #restart(take: TakeState): void {
    this.#journal?.append({ type: 'restart', take: take.id })
    take.asked.clear()
  }

  #failed(take: TakeState, reason: string): AgentError {
    const key = runKey(take.id.case, take.id.run)
    if (!this.#failures.has(key)) this.#failures.set(key, reason)
    return new AgentError({ code: 'config', message: reason, retry: false })
  }
}
