// `--cache`: what models have answered, each in a small cassette named after what was asked. A cache may only save time:
// whatever could differ today is asked again.
import { createHash } from 'node:crypto'
import { existsSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { defined } from '../base/defined.js'
import { isEqual } from '../base/equal.js'
import { sortedEntries } from '../files/entries.js'
import { replaceFile } from '../files/replace-file.js'
import { messageOf } from '../base/message-of.js'
import { hatOf, type CaseRecording, type Interaction, type RecordingCounts } from '../model/cassette.js'
import { runKey, type RunKey, type RunName } from '../model/run-key.js'
import { monotonicNow } from '../time/clock.js'
import { writeBodies, type Bodies } from './bodies.js'
import { conversationOf } from './keys.js'
import type { Normaliser } from './normalise.js'
import { tooOld } from './policy.js'
import { readCassette } from './read-cassette.js'
import type { Exchange } from './exchange.js'
import { renderCassette } from './write-cassette.js'

export interface CacheInit {
  dir: string
  /** Older answers are asked for again, e.g. `14d`. */
  max_age: string
  at: Date
  now: string
  normaliser: Normaliser
  warn(text: string): void
}

interface CachedExchange<Answer> extends Exchange<Answer> {
  /** The settings of the connector: another model answers differently. */
  settings: string
}

interface ConversationState {
  /** How often the same was asked in this conversation: votes are not copies of one another. */
  asked: Map<string, number>
  fresh: Array<{ file: string; interaction: Interaction }>
}

/** Finish reasons that leave the answer whole. */
const WHOLE = new Set(['stop', 'tool_calls', 'tool-calls', 'tool_use', 'end_turn', 'stop_sequence'])

export class AnswerCache {
  readonly #init: CacheInit
  readonly #rules = new Map<RunKey, CaseRecording>()
  readonly #conversations = new Map<string, ConversationState>()
  readonly #counts: RecordingCounts = { replayed: 0, recorded: 0, passed_through: 0, unused: 0 }
  #hasWarned = false

  constructor(init: CacheInit) {
    this.#init = init
  }

  begin(name: RunName, rules: CaseRecording | undefined): void {
    if (rules) this.#rules.set(runKey(name), rules)
  }

  async exchange<Answer>(exchange: CachedExchange<Answer>): Promise<Answer> {
    const { call, asked, onWait, settings } = exchange
    const live = (): Promise<Answer> => exchange.live((ms) => onWait?.(ms))
    if (call.lane === 'reporter') return live()
    const id = { case: call.case_id ?? '', run: call.run ?? 1, attempt: call.attempt ?? 1 }
    const { variant } = call
    const rules = this.#rules.get(runKey({ id: id.case, run: id.run, variant }))
    if (rules?.mode === 'live') return live()
    const started = monotonicNow()
    // What two variants both ask has one answer: each counts on its own.
    const conversation = this.#take(conversationOf({ ...id, ...defined({ variant }) }))
    const hat = this.#init.normaliser.hat(hatOf(call))
    const key = sha256([hat, settings, this.#init.normaliser.exactHash(asked), id.run, id.attempt])
    const count = conversation.asked.get(key) ?? 0
    conversation.asked.set(key, count + 1)
    const name = sha256([key, count])
    const file = join(this.#init.dir, name.slice(0, 2), `${name}.yaml`)
    const found = this.#read(file, rules)
    if (found) {
      this.#counts.replayed++
      exchange.onWait?.(monotonicNow() - started - found.duration_ms)
      return exchange.replay(this.#init.normaliser.filled(found))
    }
    const begun = monotonicNow()
    let waited = 0
    const answer = await exchange.live((ms) => {
      waited += ms
      onWait?.(ms)
    })
    const response = exchange.record(answer, monotonicNow() - begun - waited)
    const request = this.#init.normaliser.request(asked)
    const kept = this.#init.normaliser.response(response)
    // A redacted answer is a different answer.
    if (isWhole(response) && isEqual(this.#init.normaliser.filled(kept), response)) {
      const recorded = `${this.#init.at.toISOString().slice(0, 19)}Z`
      const own = { ...id, case: this.#init.normaliser.nameOf(id.case), hat }
      const interaction = {
        ...own,
        prompt_hash: this.#init.normaliser.hash(request),
        request,
        response: kept,
        recorded,
      }
      conversation.fresh.push({ file, interaction })
    }
    return answer
  }

  /** Answers are kept once their case has reached a verdict: what failed along the way may have failed because of them. */
  add(result: {
    id: string
    run: number
    variant?: string | undefined
    attempts?: number | undefined
    status: string
    error_kind?: string | undefined
  }): void {
    const { id, run, variant, attempts = 1, error_kind } = result
    for (let attempt = 1; attempt <= attempts; attempt++) {
      const key = conversationOf({ case: id, run, attempt, ...defined({ variant }) })
      const fresh = this.#conversations.get(key)?.fresh ?? []
      this.#conversations.delete(key)
      if (attempt === attempts && (error_kind === undefined || error_kind === 'assertion')) this.#write(fresh)
    }
    this.#rules.delete(runKey({ id, run, variant }))
  }

  /** What generators were asked belongs to no case that has a result. */
  finish(): RecordingCounts {
    for (const { fresh } of this.#conversations.values())
      this.#write(fresh.filter(({ interaction }) => interaction.hat.startsWith('generator:')))
    this.#conversations.clear()
    return this.#counts
  }

  #take(key: string): ConversationState {
    let conversation = this.#conversations.get(key)
    if (!conversation) this.#conversations.set(key, (conversation = { asked: new Map(), fresh: [] }))
    return conversation
  }

  /** A corrupt file is as good as none. */
  #read(file: string, rules: CaseRecording | undefined): Interaction['response'] | undefined {
    try {
      const found = readCassette(file)?.interactions[0]
      if (!found || found.response.error) return undefined
      const limits = [this.#init.max_age, rules?.max_age]
      return limits.some((limit) => tooOld(found.recorded, limit, this.#init.at) !== undefined)
        ? undefined
        : found.response
    } catch {
      return undefined
    }
  }

  /** Each file is complete or absent, so that runs may share a cache. Failing to write it costs no result. */
  #write(fresh: ConversationState['fresh']): void {
    for (const { file, interaction } of fresh) {
      try {
        const bodies: Bodies = new Map()
        const recorded = interaction.recorded ?? ''
        const facts = { name: 'cache', agent: interaction.hat, recorded, clock: this.#init.now }
        const text = renderCassette(undefined, [{ written: interaction }], facts, bodies)
        writeBodies(file, bodies)
        if (text !== undefined) replaceFile(file, text)
        this.#counts.recorded++
      } catch (error) {
        if (!this.#hasWarned) this.#init.warn(`the cache cannot be written: ${messageOf(error)}`)
        this.#hasWarned = true
      }
    }
  }
}

/** The files of a cache, and its size on disk. Nothing else in the folder is touched. */
export function clearCache(dir: string): number {
  let count = 0
  for (const folder of sortedEntries(dir)) {
    if (!folder.isDirectory() || !/^[0-9a-f]{2}$/.test(folder.name)) continue
    const path = join(dir, folder.name)
    for (const { name } of sortedEntries(path)) {
      if (!/^[0-9a-f]{64}\.(?:yaml|bodies)$/.test(name)) continue
      rmSync(join(path, name), { recursive: true, force: true })
      if (name.endsWith('.yaml')) count++
    }
    if (sortedEntries(path).length === 0) rmSync(path, { recursive: true, force: true })
  }
  if (existsSync(dir) && sortedEntries(dir).length === 0) rmSync(dir, { recursive: true, force: true })
  return count
}

function isWhole({ error, reported_error, finish_reason }: Interaction['response']): boolean {
  if (error !== undefined || reported_error !== undefined) return false
  return finish_reason === undefined || (typeof finish_reason === 'string' && WHOLE.has(finish_reason))
}

function sha256(parts: unknown[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex')
}
