// What a worker reports about a run: collected for a moment, sealed, and put into the stream of the run.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Redis } from 'ioredis'
import type { RunKeys } from '../redis/keys.js'
import { piecesOf } from '../pieces.js'
import { aboutResults, type RunSpec, type WorkerMessage } from '../protocol.js'
import type { Seal } from '../seal.js'

/** One entry for many units: sealing, sending and reading cost per entry. */
const GATHER_MS = 20
const GATHER_CHARACTERS = 100_000
const AGAIN_MS = 300

export interface SenderInit {
  redis: Redis
  keys: RunKeys
  spec: Pick<RunSpec, 'run_id' | 'term'>
  seal: Seal
  worker: string
}

interface Report {
  n: number | undefined
  lines: string[]
  done_ms?: number
  crashed?: number
  /** As JSON. */
  beside: string[]
}

export class Sender {
  readonly #init: SenderInit
  #reports: Report[] = []
  #characters = 0
  #timer: NodeJS.Timeout | undefined
  /** Resolves when everything given before is in Redis. */
  #tail: Promise<void> = Promise.resolve()
  #closed = false

  constructor(init: SenderInit) {
    this.#init = init
  }

  /** `lines`: events as JSON; `beside`: what comes with them. */
  report(
    n: number | undefined,
    lines: string[],
    end: Pick<Report, 'done_ms' | 'crashed'> = {},
    beside: string[] = [],
  ): void {
    const last = this.#reports.at(-1)
    // A result and the end of its unit follow each other.
    if (last && last.n === n) {
      Object.assign(last, end).lines.push(...lines)
      last.beside.push(...beside)
    } else this.#reports.push({ n, lines: [...lines], ...end, beside: [...beside] })
    for (const { length } of [...lines, ...beside]) this.#characters += length
    if (this.#characters >= GATHER_CHARACTERS) this.#flush()
    else this.#timer ??= setTimeout(() => this.#flush(), GATHER_MS)
  }

  tell(message: Exclude<WorkerMessage, { kind: 'events' }>): Promise<void> {
    this.#flush()
    return this.#send(JSON.stringify(message))
  }

  /** Resolves when everything reported so far is in Redis. */
  sent(): Promise<void> {
    this.#flush()
    return this.#tail
  }

  /** What cannot be sent now is never sent. */
  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #flush(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#reports.length === 0) return
    const { worker } = this.#init
    const units = this.#reports.map(jsonOf).join(',')
    const text = `{"kind":"events","worker":${JSON.stringify(worker)},"units":[${units}]}`
    this.#reports = []
    this.#characters = 0
    this.#send(text).catch(() => {})
  }

  #send(text: string): Promise<void> {
    const { redis, keys, spec, seal } = this.#init
    const pieces = piecesOf(seal.close(aboutResults(spec), text))
    const message = randomBytes(8).toString('hex')
    this.#tail = this.#tail.then(async () => {
      for (const [index, piece] of pieces.entries()) {
        const fields = pieces.length === 1 ? [] : ['m', message, 'i', index, 'of', pieces.length]
        await this.#untilTaken(() => redis.xadd(keys.results, '*', ...fields, 'd', piece))
      }
    })
    return this.#tail
  }

  /** A Redis that is full or loading refuses for a while; a result is not lost because of that. */
  async #untilTaken(add: () => Promise<unknown>): Promise<void> {
    for (;;) {
      try {
        await add()
        return
      } catch (error) {
        if (this.#closed) throw error
        await sleep(AGAIN_MS)
      }
    }
  }
}

function jsonOf({ n, lines, done_ms, crashed, beside }: Report): string {
  const fields = [
    ...(n === undefined ? [] : [`"n":${n}`]),
    `"events":[${lines.join(',')}]`,
    ...(done_ms === undefined ? [] : [`"done_ms":${Math.round(done_ms)}`]),
    ...(crashed === undefined ? [] : [`"crashed":${crashed}`]),
    ...(beside.length === 0 ? [] : [`"beside":[${beside.join(',')}]`]),
  ]
  return `{${fields.join(',')}}`
}
