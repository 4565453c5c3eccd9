// Reads what workers report. An entry is acknowledged, by removing it, once its content is on disk.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import { aboutResults, type RunSpec, type WorkerMessage } from '../protocol.js'
import type { RunKeys } from '../redis/keys.js'
import type { Seal } from '../seal.js'
import { monotonicNow } from '../../time/clock.js'

const BLOCK_MS = 1000
const AGAIN_MS = 200
const GATHER_MS = 40
const COUNT = 200
/** A killed worker leaves at most one unfinished: more than a fleet has workers is noise. */
const MAX_PARTIAL = 1000

export interface ReaderInit {
  /** Its own connection: reading blocks. */
  redis: Redis
  keys: RunKeys
  spec: RunSpec
  seal: Seal
  take(message: WorkerMessage): void
  /** Puts what was taken on disk; throws if it cannot. */
  flush(): void
  /** Not sealed by a worker of this fleet for this run. */
  onForeign(): void
}

/** Its id and its fields. */
type Entry = [string, string[]]

export class Reader {
  readonly #init: ReaderInit
  /** The last entry that was read and is on disk. */
  #last = '0-0'
  /** Those that were read last: they are on disk, and removed with the next read. */
  #read: string[] = []
  #closed = false
  /** Messages of which some pieces have come. */
  readonly #partial = new Map<string, string[]>()

  constructor(init: ReaderInit) {
    this.#init = init
  }

  /** Everything up to here has been taken. */
  get last(): string {
    return this.#last
  }

  close(): void {
    this.#closed = true
  }

  async run(): Promise<void> {
    while (!this.#closed) {
      const entries = await orLater(() => this.#next())
      if (!entries || entries.length === 0 || this.#closed) continue
      const read = monotonicNow()
      // What could not be removed comes again.
      for (const [id, fields] of entries) if (!this.#read.includes(id)) this.#entry(fields)
      this.#init.flush()
      this.#read = entries.map(([id]) => id)
      this.#last = this.#read.at(-1) ?? this.#last
      // Many workers send much in little time: what arrives together costs one read, one write and one look at the queue.
      await sleep(Math.max(0, GATHER_MS - (monotonicNow() - read)))
    }
  }

  /**
   * Removes what is on disk, by id, and waits for whatever there is. Ids cannot tell old from new: a Redis
   * that has lost its data may have a clock that is behind.
   */
  async #next(): Promise<Entry[]> {
    const { redis, keys } = this.#init
    const ask = redis.pipeline()
    if (this.#read.length > 0) ask.xdel(keys.results, ...this.#read)
    ask.xread('COUNT', COUNT, 'BLOCK', BLOCK_MS, 'STREAMS', keys.results, '0-0')
    const [error, reply] = (await ask.exec())?.at(-1) ?? []
    if (error) throw error
    return (reply as Array<[string, Entry[]]> | null)?.[0]?.[1] ?? []
  }

  #entry(fields: string[]): void {
    const { seal, spec, take, onForeign } = this.#init
    const text = this.#whole(fields)
    if (text === undefined) return
    const opened = seal.open(aboutResults(spec), text)
    if (opened === undefined) return onForeign()
    take(JSON.parse(opened) as WorkerMessage)
  }

  /** Undefined until all its pieces are there. */
  #whole(fields: string[]): string | undefined {
    const values = new Map<string, string>()
    for (let at = 0; at + 1 < fields.length; at += 2) values.set(fields[at] ?? '', fields[at + 1] ?? '')
    const data = values.get('d') ?? ''
    const message = values.get('m')
    if (message === undefined) return data
    const pieces = this.#partial.get(message) ?? []
    pieces[Number(values.get('i'))] = data
    this.#partial.set(message, pieces)
    const [oldest] = this.#partial.keys()
    if (this.#partial.size > MAX_PARTIAL && oldest !== undefined) this.#partial.delete(oldest)
    const count = Number(values.get('of'))
    for (let at = 0; at < count; at += 1) if (pieces[at] === undefined) return undefined
    this.#partial.delete(message)
    return pieces.join('')
  }
}

/** A restarting Redis answers with errors until it has read its files. */
async function orLater<T>(ask: () => Promise<T>): Promise<T | undefined> {
  try {
    return await ask()
  } catch {
    await sleep(AGAIN_MS)
    return undefined
  }
}
