// What a recording holds for each case, and what has become of it in this run.
import type { CaseRecording, TakeId } from '../model/cassette.js'
import { keyOf } from './keys.js'
import type { WrittenInteraction } from './read-cassette.js'

export class CaseTapes {
  readonly #nameOf: (id: string) => string
  readonly #byName = new Map<string, CaseTape>()
  /** Cases that have not ended, by id. */
  readonly #byId = new Map<string, CaseTape>()

  /** `nameOf`: the name of a case in files. A secret in an id is in no file. */
  constructor(nameOf: (id: string) => string) {
    this.#nameOf = nameOf
  }

  of(id: string): CaseTape {
    let tape = this.#byId.get(id)
    if (!tape) this.#byId.set(id, (tape = this.named(this.#nameOf(id))))
    return tape
  }

  named(name: string): CaseTape {
    let tape = this.#byName.get(name)
    if (!tape) this.#byName.set(name, (tape = new CaseTape(name)))
    return tape
  }

  takeOf({ case: name, run, variant, attempt }: TakeId): Take {
    return this.named(name).run(run, variant).take(attempt)
  }

  /** There are as many ids as cases: only the names of ended ones are kept. */
  forget(id: string): void {
    this.#byId.delete(id)
  }

  all(): IterableIterator<CaseTape> {
    return this.#byName.values()
  }
}

export class CaseTape {
  readonly name: string
  /** What is recorded, in the order of the file. */
  readonly items: WrittenInteraction[] = []
  /** By conversation and hat; created on first use: most cases have one. */
  #byKey: Map<string, WrittenInteraction[]> | undefined
  #first: RunTape | undefined
  #others: Map<number | string, RunTape> | undefined

  constructor(name: string) {
    this.name = name
  }

  /** What was answered there, by position. */
  recorded(take: TakeId, hat: string): readonly WrittenInteraction[] {
    const { items } = this
    if (items.length <= 1) return items[0] && isOf(items[0], take, hat) ? items : []
    if (!this.#byKey) {
      this.#byKey = new Map()
      for (const item of items) {
        const key = keyOf(item, item.hat)
        const list = this.#byKey.get(key)
        if (list) list.push(item)
        else this.#byKey.set(key, [item])
      }
    }
    return this.#byKey.get(keyOf(take, hat)) ?? []
  }

  holds(variant: string | undefined): boolean {
    return this.items.some((item) => item.variant === variant)
  }

  run(run: number, variant: string | undefined): RunTape {
    this.#first ??= new RunTape(this.name, run, variant)
    if (this.#first.isOf(run, variant)) return this.#first
    this.#others ??= new Map()
    // The name of a variant is not a number: no two runs share a key.
    const key = variant === undefined ? run : `${run}\0${variant}`
    let other = this.#others.get(key)
    if (!other) this.#others.set(key, (other = new RunTape(this.name, run, variant)))
    return other
  }

  *runs(): Iterable<RunTape> {
    if (this.#first) yield this.#first
    if (this.#others) yield* this.#others.values()
  }
}

function isOf(item: WrittenInteraction, { run, attempt, variant }: TakeId, hat: string): boolean {
  return item.run === run && item.attempt === attempt && item.variant === variant && item.hat === hat
}

/** One run of a case. */
export class RunTape {
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
  #takes: Take[] = NO_TAKES

  constructor(caseName: string, run: number, variant: string | undefined) {
    this.#case = caseName
    this.run = run
    this.variant = variant
  }

  isOf(run: number, variant: string | undefined): boolean {
    return this.run === run && this.variant === variant
  }

  take(attempt: number): Take {
    for (const take of this.#takes) if (take.id.attempt === attempt) return take
    const take = new Take(this.#case, this.run, attempt, this.variant)
    this.#takes = [...this.#takes, take]
    return take
  }

  takes(): readonly Take[] {
    return this.#takes
  }

  isCut(attempt?: number): boolean {
    return this.#takes.some(({ id, cut }) => cut && (attempt === undefined || id.attempt === attempt))
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
    this.#takes = NO_TAKES
    this.rules = undefined
    this.notes = undefined
    this.failure = undefined
  }
}

const NO_TAKES: Take[] = []

/** One conversation, so far. */
export class Take {
  readonly id: TakeId
  /** From here on everything is called and recorded again. */
  diverged = false
  /** What was there is too old. */
  renews = false
  /** Interactions on the tape that no longer count have been marked. */
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
