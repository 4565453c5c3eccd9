// What a recording holds for each case, and what has become of it in this run.
import type { CaseRecording, ConversationId } from '../model/cassette.js'
import { keyOf } from './keys.js'
import type { WrittenInteraction } from './read-cassette.js'

export class EntriesByCase {
  readonly #nameOf: (id: string) => string
  readonly #byName = new Map<string, CaseEntries>()
  /** Cases that have not ended, by id. */
  readonly #byId = new Map<string, CaseEntries>()

  /** `nameOf`: the name of a case in files. A secret in an id is in no file. */
  constructor(nameOf: (id: string) => string) {
    this.#nameOf = nameOf
  }

  of(id: string): CaseEntries {
    let entries = this.#byId.get(id)
    if (!entries) this.#byId.set(id, (entries = this.named(this.#nameOf(id))))
    return entries
  }

  named(name: string): CaseEntries {
    let entries = this.#byName.get(name)
    if (!entries) this.#byName.set(name, (entries = new CaseEntries(name)))
    return entries
  }

  conversationOf({ case: name, run, variant, attempt }: ConversationId): Conversation {
    return this.named(name).run(run, variant).conversation(attempt)
  }

  /** There are as many ids as cases: only the names of ended ones are kept. */
  forget(id: string): void {
    this.#byId.delete(id)
  }

  all(): IterableIterator<CaseEntries> {
    return this.#byName.values()
  }
}

export class CaseEntries {
  readonly name: string
  /** What is recorded, in the order of the file. */
  readonly items: WrittenInteraction[] = []
  /** By conversation and hat; created on first use: most cases have one. */
  #byKey: Map<string, WrittenInteraction[]> | undefined
  #first: RunEntries | undefined
  #others: Map<number | string, RunEntries> | undefined

  constructor(name: string) {
    this.name = name
  }

  /** What was answered there, by position. */
  recorded(conversation: ConversationId, hat: string): readonly WrittenInteraction[] {
    const { items } = this
    if (items.length <= 1) return items[0] && isOf(items[0], conversation, hat) ? items : []
    if (!this.#byKey) {
      this.#byKey = new Map()
      for (const item of items) {
        const key = keyOf(item, item.hat)
        const list = this.#byKey.get(key)
        if (list) list.push(item)
        else this.#byKey.set(key, [item])
      }
    }
    return this.#byKey.get(keyOf(conversation, hat)) ?? []
  }

  holds(variant: string | undefined): boolean {
    return this.items.some((item) => item.variant === variant)
  }

  run(run: number, variant: string | undefined): RunEntries {
    this.#first ??= new RunEntries(this.name, run, variant)
    if (this.#first.isOf(run, variant)) return this.#first
    this.#others ??= new Map()
    // The name of a variant is not a number: no two runs share a key.
    const key = variant === undefined ? run : `${run}\0${variant}`
    let other = this.#others.get(key)
    if (!other) this.#others.set(key, (other = new RunEntries(this.name, run, variant)))
    return other
  }

  *runs(): Iterable<RunEntries> {
    if (this.#first) yield this.#first
    if (this.#others) yield* this.#others.values()
  }
}

function isOf(item: WrittenInteraction, { run, attempt, variant }: ConversationId, hat: string): boolean {
  return item.run === run && item.attempt === attempt && item.variant === variant && item.hat === hat
}

/** One run of a case. */
export class RunEntries {
  readonly run: number
  readonly variant: string | undefined
  /** What the case says about its recording. */
  rules: CaseRecording | undefined
  /** What a reader of the result should know. */
  notes: string[] | undefined
  /** Why there is no verdict. */
  failure: string | undefined
  /** What is recorded of it counts. */
  isFinished = false
  /** `replaced`: there was a result, and at least part of it was recorded again. */
  end: 'ran' | 'replaced' | undefined
  readonly #case: string
  #conversations: Conversation[] = NO_TAKES

  constructor(caseName: string, run: number, variant: string | undefined) {
    this.#case = caseName
    this.run = run
    this.variant = variant
  }

  isOf(run: number, variant: string | undefined): boolean {
    return this.run === run && this.variant === variant
  }

  conversation(attempt: number): Conversation {
    for (const conversation of this.#conversations) if (conversation.id.attempt === attempt) return conversation
    const conversation = new Conversation(this.#case, this.run, attempt, this.variant)
    this.#conversations = [...this.#conversations, conversation]
    return conversation
  }

  conversations(): readonly Conversation[] {
    return this.#conversations
  }

  isCut(attempt?: number): boolean {
    return this.#conversations.some(({ id, cut }) => cut && (attempt === undefined || id.attempt === attempt))
  }

  note(text: string): void {
    if (!this.notes) this.notes = [text]
    else if (!this.notes.includes(text)) this.notes.push(text)
  }

  /** Nothing more will come: only what is asked about it later is kept. */
  close(): void {
    this.isFinished = true
    // What a conversation that went another way no longer needs is replaced, not left over.
    this.end = this.isCut() ? 'replaced' : 'ran'
    this.#conversations = NO_TAKES
    this.rules = undefined
    this.notes = undefined
    this.failure = undefined
  }
}

const NO_TAKES: Conversation[] = []

/** One conversation, so far. */
export class Conversation {
  readonly id: ConversationId
  /** From here on everything is called and recorded again. */
  diverged = false
  /** What was there is too old. */
  renews = false
  /** Entries that no longer count have been marked. */
  cut = false
  /** From other variants: what has answered here too. */
  borrowed: Set<WrittenInteraction> | undefined
  /** There are only a few: lists are faster to build and search than maps. */
  #hats: string[] = []
  #asked: Positions[] = []

  constructor(name: string, run: number, attempt: number, variant: string | undefined) {
    this.id = variant === undefined ? { case: name, run, attempt } : { case: name, variant, run, attempt }
  }

  /** By hat: the positions of its calls. */
  asked(hat: string): Positions {
    const known = this.#asked[this.#hats.indexOf(hat)]
    if (known) return known
    const positions = new Positions()
    this.#hats.push(hat)
    this.#asked.push(positions)
    return positions
  }

  /** The positions that were asked for, except this one. */
  askedBefore(hat: string, position: number): Record<string, number[]> {
    const kept = Object.fromEntries(this.#hats.map((each, index) => [each, this.#asked[index]?.list() ?? []]))
    kept[hat] = (kept[hat] ?? []).filter((each) => each !== position)
    return kept
  }

  restart(): void {
    this.#hats = []
    this.#asked = []
  }
}

/** Which positions are taken; usually one after the other. */
export class Positions {
  /** The first that is free. */
  #free = 0
  #ahead: Set<number> | undefined

  has(position: number): boolean {
    return position < this.#free || this.#ahead?.has(position) === true
  }

  next(): number {
    const position = this.#free
    this.take(position)
    return position
  }

  take(position: number): void {
    if (position === this.#free) for (this.#free++; this.#ahead?.delete(this.#free);) this.#free++
    else (this.#ahead ??= new Set()).add(position)
  }

  list(): number[] {
    return [...Array(this.#free).keys(), ...(this.#ahead ?? [])]
  }
}
