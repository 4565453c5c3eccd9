// The cassette of a run: every call of a lane passes here, and is answered from it, live, or live and recorded.
import { dirname, relative } from 'node:path'
import { defined } from '../base/defined.js'
import { AgentError, UserError } from '../errors.js'
import {
  hatOf,
  GENERATED,
  isAroundCases,
  isHelperLane,
  laneOfHat,
  isRecordedLane,
  type CaseRecording,
  type Interaction,
  type RecordedLane,
  type RecordedResponse,
  type RecordingCounts,
  type ConversationId,
} from '../model/cassette.js'
import type { ModelCall } from '../model/model-call.js'
import { lockFile } from '../process/lock-file.js'
import { offAbort, onAbort } from '../time/abort.js'
import { monotonicNow } from '../time/clock.js'
import { cannotWrite } from '../files/cannot-write.js'
import { bodiesFolder } from './bodies.js'
import { EntriesByCase, type CaseEntries, type RunEntries, type Conversation } from './case-entries.js'
import { CommonAnswers } from './common-answers.js'
import { answerOfAnother, isSame, mismatchOf, positionOf } from './find-recorded.js'
import type { Exchange } from './exchange.js'
import { foldUnsaved } from './fold.js'
import { UnsavedFile, unsavedFileOf, readUnsaved, type Unsaved } from './unsaved.js'
import { NewEntries, MODEL_CALL, SHARED } from './new-entries.js'
import { lendFiles, type BorrowedCassette } from './borrowed.js'
import type { Normaliser } from './normalise.js'
import { openCassettes, prepareBase, type CassetteFiles } from './cassette-files.js'
import { policyOf, tooOld, type LaneMode, type OnMissing } from './policy.js'
import type { Cassette, WrittenInteraction } from './read-cassette.js'
import { recordError, thrownFrom } from './responses.js'
import {
  inTwoFiles,
  keptText,
  leftOver,
  noSuchCassette,
  notOfACase,
  ofAnotherAgent,
  ofOtherVariants,
} from './cassette-errors.js'
import { saveCassettes } from './save-cassettes.js'
import { asRecorded } from './signed-exchange.js'
import { toleratedOf, type CurrentCall } from './tolerated.js'
import { problemOfShare, Shares, type EntryShare } from './share.js'
import type { CassetteFacts, Slot } from './write-cassette.js'
import { caseKey, caseTitle, runKey, type CaseKey, type RunName } from '../model/run-key.js'

export interface RunCassetteInit {
  path: string
  /** The flag that named it. */
  flag: string
  lanes: Record<RecordedLane, LaneMode>
  /** With `replay`: what happens to a call that the cassette has no answer to. */
  onMissing: OnMissing
  /** Requests must be the recorded ones; otherwise their position is enough. */
  strict: boolean
  normaliser: Normaliser
  run_id: string
  /** The local time, as `YYYY-MM-DDTHH:MM:SS`, with its distance to UTC. */
  now: string
  /** Its time zone. Asked for only if needed: finding out takes longer than opening a cassette. */
  timezone?: () => string
  /** When the run began; default: as `now` says. */
  at?: Date
  /** For a resumed run: what already has a result. */
  isDone?: ((name: RunName) => boolean) | undefined
  /** Names, if there are several. */
  variants?: readonly string[]
  /** The name of the only variant: of a recording with several, only this one's part is used. */
  variant?: string
  /** The recording is elsewhere: these are its files, and what is recorded is fetched with `collect`. */
  lent?: CassetteFiles | undefined
  warn(text: string): void
}

export interface CassetteEnd {
  /** Who answered. */
  agent: string
  recorded: string
  /** Every case has run, so nothing can still need what was not asked for. */
  whole: boolean
  /** Further facts for `metadata`. */
  more?: Record<string, string | number>
}

const MOST_PLACES = 20

export class RunCassette {
  /** The time of day that prompts state, unless their case was recorded at another. */
  readonly clock: string
  readonly #init: RunCassetteInit
  readonly #files: CassetteFiles
  readonly #byFile = new Map<string, Cassette>()
  readonly #firstTold: Cassette | undefined
  readonly #old: WrittenInteraction[]
  readonly #cases: EntriesByCase
  readonly #recordedVariants = new Set<string>()
  readonly #common = new CommonAnswers()
  /** The variant of calls that name none. */
  readonly #only: string | undefined
  readonly #used = new Set<WrittenInteraction>()
  readonly #tolerated = new Set<string>()
  readonly #at: Date
  readonly #counts: RecordingCounts = { replayed: 0, recorded: 0, passed_through: 0, unused: 0 }
  readonly #unlock: (() => void) | undefined
  readonly #shares: Shares | undefined
  readonly #added = new NewEntries()
  /** What came from elsewhere and could not be kept. */
  readonly #refused: string[] = []
  readonly #shared = new Map<CaseKey, Promise<unknown>>()
  readonly #recordedAt: string

  /** Throws a UserError if the cassette cannot be read or written. */
  constructor(init: RunCassetteInit) {
    this.#init = init
    this.#cases = new EntriesByCase((id) => init.normaliser.nameOf(id))
    this.#at = init.at ?? new Date(init.now)
    this.#recordedAt = `${this.#at.toISOString().slice(0, 19)}Z`
    const { path, flag, lent } = init
    const writes = !lent && (init.onMissing === 'record' || Object.values(init.lanes).includes('record'))
    this.#unlock = writes ? lockFile(prepareBase(path, flag), { flag }) : undefined
    try {
      this.#files = lent ?? openCassettes(path)
      const { cassettes, base } = this.#files
      for (const cassette of cassettes) this.#byFile.set(cassette.path, cassette)
      this.#old = cassettes.flatMap(({ interactions }) => interactions)
      this.#shares = lent && new Shares(this.#old)
      this.#added.shares = this.#shares
      const { variant } = init
      if (variant !== undefined && this.#old.some((item) => item.variant === variant)) this.#only = variant
      const texts = cassettes.map(({ text }) => text)
      init.normaliser.expectPlaces(texts, init.onMissing === 'record')
      if (cassettes.length === 0 && Object.values(init.lanes).includes('replay')) throw noSuchCassette(path, base, flag)
      const left = writes ? this.#leftOver() : undefined
      // Cases that are not recorded now stated that time.
      this.#firstTold = cassettes.find(({ clock }) => clock !== undefined)
      this.clock = left?.start.clock ?? this.#firstTold?.clock ?? init.now
      if (writes) this.#openUnsaved(left ?? { start: { run_id: init.run_id, clock: this.clock }, lines: [] })
      for (const interaction of this.#old) this.#index(interaction)
    } catch (error) {
      this.close()
      throw error
    }
  }

  isReplayed(lane: RecordedLane): boolean {
    return this.#init.lanes[lane] === 'replay'
  }

  /** The time of day that the prompts of a case state, and its time zone. */
  timeOf(caseId: string | undefined): { clock: string; timezone?: string | undefined } {
    const own = this.#cassetteOf(this.#cases.of(caseId ?? SHARED).items[0]?.file)
    const told = own?.clock === undefined ? this.#firstTold : own
    return { clock: told?.clock ?? this.clock, timezone: told ? told.timezone : this.#init.timezone?.() }
  }

  /** Throws if what is replayed was recorded with another agent. */
  requireAgent(id: string, variant: string | undefined): void {
    const { cassettes } = this.#files
    if (!this.isReplayed('agent') || this.#init.onMissing === 'record') return
    const hat = this.#init.normaliser.hat(`agent:${id}`)
    const own = variant ?? this.#only
    const agents = this.#old.filter((item) => item.hat.startsWith('agent:') && item.variant === own)
    if (agents.length === 0 && own !== undefined && this.#old.length > 0) throw ofOtherVariants(own, this.#old)
    // The file-level agent covers one variant only.
    const isKnown =
      own === undefined && cassettes.some(({ agent }) => agent === id || agent === hat.slice('agent:'.length))
    if (isKnown || agents.length === 0 || agents.some((item) => item.hat.replace(MODEL_CALL, 'agent:') === hat)) return
    throw ofAnotherAgent(id, agents[0])
  }

  /** A case begins; `rules` are its own. */
  begin(name: RunName, rules: CaseRecording | undefined): void {
    // What came too late for a result here does not belong to the next one.
    this.#shares?.take(runKey(this.#named(name)))
    if (rules) this.#run(name).rules = rules
  }

  async exchange<Answer>(exchange: Exchange<Answer>): Promise<Answer> {
    const { call, asked, onWait } = exchange
    const lane = isRecordedLane(call.lane) ? this.#init.lanes[call.lane] : 'live'
    if (call.within) return exchange.live((ms) => onWait?.(ms))
    if (lane === 'live') return this.#live(exchange)
    if (call.case_id === undefined) throw notOfACase(call)
    const place = this.#placeOf(call)
    const { entries, run, conversation } = place
    const { rules } = run
    const { mode, onMissing } = policyOf(rules?.mode, { lane, onMissing: this.#init.onMissing }, () =>
      entries.holds(run.variant),
    )
    if (mode === 'live') return this.#passThrough(exchange, conversation)
    const started = monotonicNow()
    const hat = this.#init.normaliser.hat(hatOf(call))
    const isReplayed = mode === 'replay' && !conversation.diverged
    const recorded = isReplayed ? entries.recorded(conversation.id, hat) : []
    // By the rule that they were recorded with.
    const normaliser = this.#normaliserOf(recorded[0])
    const wanted = exchange.anyOrder && isReplayed ? normaliser.hash(normaliser.request(asked)) : undefined
    const position = positionOf(conversation.asked(hat), recorded, wanted, normaliser)
    const order = this.#added.nextOrder()
    const found = recorded[position]
    // Most requests are the recorded ones: then nothing needs to be computed.
    const then = found ? asRecorded(exchange, found.request) : exchange
    const current = { asked: then.asked, hat, position, normaliser }
    if (found && isSame(then.asked, found, normaliser) && this.#tooOld(found, rules) === undefined) {
      this.#tolerate(found, current, run)
      return this.#replay(found, then, place, started)
    }
    const own = this.#init.normaliser
    const request = own.request(asked)
    const prompt_hash = own.hash(request)
    if (isReplayed) {
      const at = { conversation, hat, position }
      const told = then === exchange && normaliser === own ? request : normaliser.request(then.asked)
      const mismatch = mismatchOf(found, { request: told, prompt_hash: normaliser.hash(told) }, at, {
        ...this.#init,
        normaliser,
        recorded: this.#old,
      })
      const old = found && mismatch === undefined ? this.#tooOld(found, rules) : undefined
      if (found && mismatch === undefined && (old === undefined || onMissing !== 'record')) {
        if (old !== undefined) this.#stale(place, old)
        this.#tolerate(found, current, run)
        return this.#replay(found, then, place, started)
      }
      const elsewhere = found ? undefined : this.#ofAnother(exchange, entries, conversation, hat)
      if (elsewhere) {
        const { response, recorded: at } = elsewhere
        const copy = { ...conversation.id, hat, prompt_hash, request, response, ...defined({ recorded: at }) }
        if (onMissing === 'record') this.#added.add(copy, { order, position })
        return this.#replay(elsewhere, exchange, place, started)
      }
      if (onMissing === 'error') throw failed(run, mismatch ?? '')
      if (onMissing === 'live') return this.#passThrough(exchange, conversation)
      if (old !== undefined) conversation.renews = true
      if (found) this.#diverge(run, conversation, { hat, position, reason: mismatch ?? old ?? '' })
    } else this.#added.cut(conversation, {})
    return this.#record(exchange, { ...conversation.id, hat, prompt_hash, request }, place, { order, position })
  }

  /** What applies to the whole run, whichever case asks first; the end of that case does not end it. */
  async once<Answer>(exchange: Omit<Exchange<Answer>, 'signal'>): Promise<Answer> {
    const { call } = exchange
    if (call.within) return exchange.live(() => {})
    const { lane, role } = call
    // A server may list different tools for another variant; a helper has no variants.
    const variant = isHelperLane(lane) ? undefined : call.variant
    const key = caseKey({ id: role, variant })
    let answering = this.#shared.get(key) as Promise<Answer> | undefined
    if (!answering) {
      const { signal } = new AbortController()
      const own = { lane, role, case_id: SHARED, ...defined({ variant }) }
      answering = this.exchange({ ...exchange, signal, call: own })
      this.#shared.set(key, answering)
      answering.catch(() => this.#shared.delete(key))
    }
    try {
      return await answering
    } catch (error) {
      const { failure } = this.#run({ id: SHARED, run: 1, variant })
      if (failure !== undefined) this.#placeOf(call).run.failure = failure
      throw error
    }
  }

  /** A call that an agent made to its model directly was recorded in this run. */
  get keptModelCalls(): boolean {
    return this.#added.hasModelCalls
  }

  /** Whether calls that agents make to their models directly are recorded. */
  holdsModelCalls(): boolean {
    return this.#old.some(({ hat }) => hat.includes(':model:') && MODEL_CALL.test(hat))
  }

  /** The case of this call has no verdict, whatever comes of it. */
  fail(call: ModelCall, reason: string): void {
    failed(this.#placeOf(call).run, reason)
  }

  /** A case that the cassette could not answer has no verdict, whatever came of it. */
  settle<
    Result extends {
      id: string
      run: number
      variant?: string | undefined
      status: string
      error?: string | undefined
      warnings?: string[] | undefined
    },
  >(result: Result): Result {
    const { notes, failure } = this.#run(result)
    const noted = notes ? { ...result, warnings: [...(result.warnings ?? []), ...notes] } : result
    if (failure === undefined || result.error?.includes(failure)) return noted
    return { ...noted, status: 'failed', error: failure, error_kind: 'agent' }
  }

  /** What the recording could not answer outside cases: the run is not what it was, whatever its scripts made of it. */
  unsettled(): string[] {
    const around = [...this.#cases.all()].filter(({ name }) => isAroundCases(name))
    const failures = around.flatMap((entries) =>
      [...entries.runs()].flatMap(({ failure }) => (failure === undefined ? [] : [`${entries.name}: ${failure}`])),
    )
    return [...failures, ...this.#refused]
  }

  /** For running cases of this run elsewhere. */
  lend(shown: string): BorrowedCassette {
    const { timezone } = this.#init
    return {
      ...lendFiles(this.#files),
      path: shown,
      clock: this.clock,
      timezone: timezone?.() ?? '',
      at: this.#at.toISOString(),
    }
  }

  /** Its files, and the folders for what is too long for them. */
  places(): string[] {
    return this.#files.cassettes.flatMap(({ path }) => [path, bodiesFolder(path)])
  }

  /** For a recording that is elsewhere: what this case has used and recorded. Without a case: what is recorded once for all. */
  collect(own?: RunName): EntryShare | undefined {
    if (!own) return this.#shares?.take()
    const share = this.#shares?.take(runKey(this.#named(own)))
    const failure = isAroundCases(own.id) ? this.#run(own).failure : undefined
    return failure === undefined ? share : { ...(share ?? NOTHING), failure }
  }

  /** What a case that ran elsewhere has used and recorded; stored before its result is. Without a case: once for all. */
  take(share: EntryShare, own?: RunName & { attempts?: number | undefined }): void {
    const named = own && this.#named(own)
    const problem = problemOfShare(share, { own: named, attempts: own?.attempts ?? 1, recorded: this.#old })
    if (problem !== undefined) return void this.#refused.push(notKept(own, problem))
    if (share.failure !== undefined && own) this.#run(own).failure = share.failure
    const fresh = share.used.flatMap((number) => this.#old[number] ?? []).filter((item) => !this.#used.has(item))
    for (const item of fresh) this.#used.add(item)
    // What is asked once for all was asked by everyone who runs cases.
    this.#counts.replayed += own ? share.replayed : fresh.length
    this.#counts.passed_through += share.passed_through
    if (share.stale > 0) this.#counts.stale = (this.#counts.stale ?? 0) + share.stale
    this.#added.take(share.lines, {
      conversationOf: (id) => this.#cases.conversationOf(id),
      hidden: (interaction) => this.#hidden(interaction),
    })
  }

  /** Without what is secret here; what is secret there was removed where it was recorded. */
  #hidden(interaction: Interaction): Interaction {
    const { normaliser } = this.#init
    const request = normaliser.redacted(interaction.request)
    return {
      ...interaction,
      request,
      prompt_hash: normaliser.hash(request),
      response: normaliser.response(interaction.response),
    }
  }

  /** What was recorded for the replayed lanes and not asked for. `whole`: including cases that did not run. */
  unused(whole: boolean): WrittenInteraction[] {
    return this.#old.filter((item) => {
      if (this.#used.has(item)) return false
      const lane = laneOfHat(item.hat)
      if (!isRecordedLane(lane) || !this.isReplayed(lane)) return false
      if (item.case === SHARED && lane !== 'hat') return false
      // From a variant that this run does not have: another run may need it.
      if (!this.#isOfThisRun(item)) return false
      const run = this.#cases.named(item.case).run(item.run, item.variant)
      return run.end === 'ran' || (whole && run.end !== 'replaced' && !run.isCut(item.attempt))
    })
  }

  /** The case has its result: what is recorded of it counts, and nothing more will come. */
  add(name: RunName): void {
    const run = this.#run(name)
    for (const conversation of run.conversations()) this.#common.forget(conversation.id)
    run.close()
    this.#cases.forget(name.id)
  }

  /** Writes the file. */
  finish({ agent, recorded, whole, more }: CassetteEnd): RecordingCounts {
    this.#counts.recorded = this.#added.count
    this.#countUnused(whole)
    const { unsaved } = this.#added
    if (!unsaved) return this.#counts
    const place = unsavedFileOf(this.#files.base)
    unsaved.close()
    const kept: string[] = []
    const slots = foldUnsaved(
      this.#old,
      readUnsaved(place)?.lines ?? [],
      (conversation) => this.#isFinished(conversation),
      (conversation) => kept.push(conversation.case),
    )
    if (kept.length > 0) this.#init.warn(keptText(kept, this.#init.path))
    try {
      this.#write(slots, { agent, recorded, ...(more && { more }) })
    } catch (error) {
      if (error instanceof UserError) throw error
      throw cannotWrite(this.#init.path, error, `what was recorded is in ${place}`, 3)
    }
    unsaved.remove()
    return this.#counts
  }

  /** What was recorded does not count: the file stays as it is. False if there was nothing to discard. */
  discard(): boolean {
    if (!this.#added.unsaved) return false
    this.#added.unsaved.remove()
    this.#added.unsaved = undefined
    return this.#added.count > 0
  }

  close(): void {
    this.#added.unsaved?.leave()
    this.#unlock?.()
  }

  #countUnused(whole: boolean): void {
    const unused = this.unused(whole)
    this.#counts.unused = unused.length
    if (unused.length > 0)
      this.#counts.unused_at = unused
        .slice(0, MOST_PLACES)
        .map(({ file, line }) => `${relative(dirname(this.#files.base), file)}:${line}`)
  }

  #cassetteOf(file: string | undefined): Cassette | undefined {
    return file === undefined ? undefined : this.#byFile.get(file)
  }

  #write(slots: Slot[], facts: Pick<CassetteFacts, 'agent' | 'recorded' | 'more'>): void {
    saveCassettes({
      files: this.#files,
      slots,
      facts: (file) => {
        const { clock, timezone } = this.#cassetteOf(file) ?? {}
        const { matching } = this.#init.normaliser
        return { ...facts, matching, ...(clock === undefined ? this.timeOf(undefined) : { clock, timezone }) }
      },
    })
  }

  #isFinished(conversation: ConversationId): boolean {
    const { case: id, run, variant } = conversation
    return isRunWide(id) || this.#cases.named(id).run(run, variant).isFinished || this.#isDone(conversation)
  }

  /** The only variant has no name in its results. */
  #isDone({ case: id, run, variant }: ConversationId): boolean {
    return this.#init.isDone?.({ id, run, variant: variant === this.#only ? undefined : variant }) === true
  }

  #isOfThisRun({ case: id, variant, hat }: WrittenInteraction): boolean {
    const { variants = [] } = this.#init
    if (isAroundCases(id) || laneOfHat(hat) === 'generator') return true
    return variants.length > 0 ? variants.includes(variant ?? '') : variant === this.#only
  }

  /** What a killed run has recorded: the run resumes with what belongs to results. */
  #leftOver(): Unsaved | undefined {
    const { run_id, isDone } = this.#init
    const path = unsavedFileOf(this.#files.base)
    const unsaved = readUnsaved(path)
    if (!unsaved) return undefined
    // Killed before the first call: nothing is lost, and there may be no run to resume.
    if (unsaved.start.run_id !== run_id && !unsaved.lines.some(({ type }) => type === 'interaction')) return undefined
    if (unsaved.start.run_id !== run_id || !isDone) throw leftOver(path)
    const lines = unsaved.lines.filter((line) => {
      const conversation = line.type === 'interaction' ? line.interaction : line.conversation
      return isRunWide(conversation.case) || this.#isDone(conversation)
    })
    return { ...unsaved, lines }
  }

  #openUnsaved(left: Unsaved): void {
    this.#added.unsaved = new UnsavedFile(unsavedFileOf(this.#files.base))
    this.#added.unsaved.open(left)
    this.#added.goOn(left)
    for (const line of left.lines) if (line.type === 'interaction') this.#know(line.interaction)
  }

  /** What helpers were asked in an earlier part of the run. */
  #know({ hat, request, response, ...conversation }: Interaction): void {
    if (conversation.variant === undefined || !isHelperLane(laneOfHat(hat)) || response.error) return
    const { normaliser } = this.#init
    this.#common.know(conversation, questionOf(hat, normaliser.exactHash(request)), normaliser.filled(response))
  }

  #index(interaction: WrittenInteraction): void {
    const { case: id, variant, file } = interaction
    const { items } = this.#cases.named(id)
    const [first] = items
    if (first && first.file !== file && id !== SHARED) throw inTwoFiles(interaction, first.file)
    items.push(interaction)
    if (variant !== undefined) this.#recordedVariants.add(variant)
  }

  /** By its name in the cassette. */
  #named({ id, run, variant }: RunName): RunName {
    return { id: this.#cases.of(id).name, run, variant: this.#variantOf(id, variant) }
  }

  #run({ id, run, variant }: RunName): RunEntries {
    return this.#cases.of(id).run(run, this.#variantOf(id, variant))
  }

  /** Cases are created once for all variants, and so is what happens around them. */
  #variantOf(id: string, variant: string | undefined): string | undefined {
    if (variant !== undefined || this.#only === undefined) return variant
    return isAroundCases(id) || id === GENERATED ? undefined : this.#only
  }

  #placeOf({ case_id = SHARED, run = 1, attempt = 1, variant }: ModelCall): Place {
    const entries = this.#cases.of(case_id)
    const own = entries.run(run, this.#variantOf(case_id, variant))
    return { entries, run: own, conversation: own.conversation(attempt) }
  }

  #normaliserOf(found: WrittenInteraction | undefined): Normaliser {
    const { normaliser } = this.#init
    const matching = this.#cassetteOf(found?.file)?.matching ?? normaliser.matching
    return matching === 'exact' ? normaliser : normaliser.by(matching)
  }

  /** What was not compared is said in the result. */
  #tolerate(found: WrittenInteraction, current: CurrentCall, run: RunEntries): void {
    const tolerated = toleratedOf(found, current)
    if (tolerated === undefined) return
    run.note(tolerated)
    this.#tolerated.add(tolerated)
  }

  /** What was not compared in requests that were answered from the cassette. */
  tolerated(): string[] {
    return [...this.#tolerated]
  }

  #replay<Answer>(
    found: WrittenInteraction,
    exchange: Exchange<Answer>,
    { run, conversation }: Place,
    started: number,
  ): Answer {
    const response = this.#init.normaliser.filled(found.response)
    this.#counts.replayed++
    this.#used.add(found)
    this.#shares?.use(conversation.id, found)
    if (exchange.call.lane === 'generator') run.isFinished = true
    // The time that the answer took then is the time that counts.
    exchange.onWait?.(monotonicNow() - started - response.duration_ms)
    if (response.error) throw thrownFrom(response.error)
    return exchange.replay(response)
  }

  async #record<Answer>(
    exchange: Exchange<Answer>,
    asked: Omit<Interaction, 'response'>,
    { run, conversation }: Place,
    place: { order: number; position: number },
  ): Promise<Answer> {
    const started = monotonicNow()
    let waited = 0
    let isKept = false
    const keep = (response: RecordedResponse | undefined): void => {
      if (isKept) return
      isKept = true
      if (!response) return
      const interaction = { ...asked, response: this.#init.normaliser.response(response), recorded: this.#recordedAt }
      this.#added.add(interaction, { ...place, ...(conversation.renews && { renews: true }) })
    }
    const spent = (): number => monotonicNow() - started - waited
    // A call that ignores its abort may answer after the result of its case.
    const onEnd = (): void => keep(recordError(exchange.signal.reason, spent()))
    onAbort(exchange.signal, onEnd)
    try {
      const answer = await this.#ask(exchange, (ms) => {
        waited += ms
        exchange.onWait?.(ms)
      })
      keep(exchange.record(answer, spent()))
      if (exchange.call.lane === 'generator') run.isFinished = true
      return answer
    } catch (error) {
      if (error instanceof AgentError && error.code === 'lost') this.#restart(conversation)
      keep(recordError(exchange.signal.aborted ? exchange.signal.reason : error, spent()))
      throw error
    } finally {
      offAbort(exchange.signal, onEnd)
    }
  }

  /** The prefix stays; the call that differs and everything after it in this conversation is called and recorded again. */
  #diverge(run: RunEntries, conversation: Conversation, at: { hat: string; position: number; reason: string }): void {
    const { hat, position, reason } = at
    this.#added.cut(conversation, conversation.askedBefore(hat, position))
    conversation.diverged = true
    run.note(`recorded again from call ${position + 1} of ${hat} on: ${reason}`)
  }

  #passThrough<Answer>(exchange: Exchange<Answer>, conversation: Conversation): Promise<Answer> {
    this.#counts.passed_through++
    if (this.#shares) this.#shares.of(conversation.id).passed_through++
    return this.#live(exchange)
  }

  #live<Answer>(exchange: Exchange<Answer>): Promise<Answer> {
    return this.#ask(exchange, (ms) => exchange.onWait?.(ms))
  }

  /** Makes the call, unless another variant has made it: what differs between variants comes from the agent. */
  async #ask<Answer>(exchange: Exchange<Answer>, wait: (ms: number) => void): Promise<Answer> {
    const { call, isCommon, asked } = exchange
    const isShared = call.variant !== undefined && call.case_id !== undefined && isHelperLane(call.lane)
    if (!isShared || !isCommon || !(await isCommon())) return exchange.live(wait)
    const { normaliser } = this.#init
    // Two answers that differ in a time or an id are two questions for a judge.
    const question = questionOf(normaliser.hat(hatOf(call)), normaliser.exactHash(asked))
    let own: { answer: Answer } | undefined
    const response = await this.#common.ask(
      this.#placeOf(call).conversation.id,
      question,
      exchange.signal,
      async () => {
        own = { answer: await exchange.live(wait) }
        return exchange.record(own.answer, 0)
      },
    )
    return own ? own.answer : exchange.replay(response)
  }

  /** A new variant may be answered from what helpers were asked for another. */
  #ofAnother<Answer>(
    { call, isCommon, asked }: Exchange<Answer>,
    entries: CaseEntries,
    conversation: Conversation,
    hat: string,
  ): WrittenInteraction | undefined {
    const mayBorrow = conversation.id.variant !== undefined && isHelperLane(call.lane) && isCommon !== undefined
    return mayBorrow
      ? answerOfAnother(this.#recordedVariants, entries, conversation, { hat, asked }, this.#init.normaliser)
      : undefined
  }

  #tooOld({ recorded }: WrittenInteraction, rules: CaseRecording | undefined): string | undefined {
    return tooOld(recorded, rules?.max_age, this.#at)
  }

  /** Nothing may be called instead; using it anyway is reported. */
  #stale({ run, conversation }: Place, why: string): void {
    this.#counts.stale = (this.#counts.stale ?? 0) + 1
    if (this.#shares) this.#shares.of(conversation.id).stale++
    run.note(`an old answer is replayed: ${why}`)
  }

  /** A shared process has ended: the conversation begins again, alone. */
  #restart(conversation: Conversation): void {
    this.#added.restart(conversation.id)
    conversation.restart()
  }
}

/** Where a call belongs. */
interface Place {
  entries: CaseEntries
  run: RunEntries
  conversation: Conversation
}

function failed(run: RunEntries, reason: string): AgentError {
  run.failure ??= reason
  return new AgentError({ code: 'config', message: reason, retry: false })
}

const NOTHING: EntryShare = { lines: [], used: [], replayed: 0, passed_through: 0, stale: 0 }

function notKept(own: RunName | undefined, problem: string): string {
  const what = own ? `${caseTitle(own)}${own.run === 1 ? '' : `, run ${own.run}`}` : 'the whole run'
  return `what a worker recorded of ${what} is not kept: ${problem}`
}

function questionOf(hat: string, hash: string): string {
  return `${hat}\0${hash}`
}

/** It belongs to the run and not to a case. */
function isRunWide(id: string): boolean {
  return id === SHARED || isAroundCases(id)
}
