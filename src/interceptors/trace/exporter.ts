// `--otel`: the run as spans, to a collector or into a file, while it goes on. What cannot be delivered is an error of the run.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { plural } from '../../base/format.js'
import { messageOf } from '../../base/message-of.js'
import { decodeUri } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { cannotWrite } from '../../files/cannot-write.js'
import { makeFolders } from '../../files/make-folders.js'
import { statOf } from '../../files/stat.js'
import { openHttp } from '../../http/open-http.js'
import { responseError } from '../../http/response-error.js'
import { RetryBudget, withRetries } from '../../http/retry.js'
import type { RunEvent } from '../../model/event.js'
import type { EventSink } from '../../pipeline/record/event-log.js'
import { exportRequest, type ExportedSpan } from '../../pipeline/report/telemetry/otlp-json.js'
import { SpanFold } from '../../pipeline/report/telemetry/span-fold.js'
import type { Clock } from '../../time/clock.js'
import { boundBy } from '../../time/deadline.js'
import { version } from '../../version.js'
import { isSameFile, outputTaken } from '../../files/same-file.js'

interface SpanSink extends EventSink {
  /** Waits until everything so far is delivered. Rejects if it could not be. */
  settle(): Promise<void>
}

export interface ExporterInit {
  otel: string | true
  /** The files of `-o`. */
  output: readonly string[]
  cwd: string
  env: NodeJS.ProcessEnv
  clock: Clock
}

/** Spans in one request. */
const BATCH = 512
/** More than this waiting means that the collector is too slow: new spans are dropped, and that is reported. */
const MOST_WAITING = 50_000
const REQUEST_MS = 10_000

export function openExporter(init: ExporterInit): SpanSink {
  const target = targetOf(init)
  return new Exporter(isUrl(target) ? openCollector(new URL(target), init) : openFile(resolve(init.cwd, target), init))
}

interface Delivery {
  send(body: string): Promise<void>
  close(): Promise<void>
}

class Exporter implements SpanSink {
  readonly name = 'otel'
  readonly #delivery: Delivery
  readonly #fold = new SpanFold()
  #waiting: ExportedSpan[] = []
  #sending: Promise<void> | undefined
  #dropped = 0
  #failure: unknown

  constructor(delivery: Delivery) {
    this.#delivery = delivery
  }

  write(event: RunEvent): void {
    const spans = this.#fold.add(event)
    if (this.#failure !== undefined || this.#waiting.length + spans.length > MOST_WAITING) this.#dropped += spans.length
    else this.#waiting.push(...spans)
    if (this.#waiting.length >= BATCH) void this.#deliver()
  }

  async settle(): Promise<void> {
    while (this.#sending || this.#waiting.length > 0) await this.#deliver()
    if (this.#failure !== undefined)
      throw new Error(`${plural(this.#dropped, 'span')} not delivered: ${messageOf(this.#failure)}`)
    if (this.#dropped > 0) throw new Error(`${plural(this.#dropped, 'span')} dropped: the collector was too slow`)
  }

  async close(): Promise<void> {
    try {
      // Earlier failures have been reported.
      if (this.#failure === undefined && this.#dropped === 0) await this.settle()
    } finally {
      await this.#delivery.close()
    }
  }

  /** One request at a time. Never rejects. */
  #deliver(): Promise<void> {
    this.#sending ??= this.#next().finally(() => (this.#sending = undefined))
    return this.#sending
  }

  async #next(): Promise<void> {
    while (this.#waiting.length > 0) {
      const spans = this.#waiting.splice(0, BATCH)
      try {
        await this.#delivery.send(exportRequest(spans, version()))
      } catch (error) {
        this.#failure = error
        this.#dropped += spans.length + this.#waiting.length
        this.#waiting = []
      }
    }
  }
}

/** OTLP/HTTP with JSON. */
function openCollector(url: URL, { env, clock }: ExporterInit): Delivery {
  const http = openHttp({ env })
  const budget = new RetryBudget()
  const given = headersOf(env)
  const headers = { 'content-type': 'application/json', ...given }
  const secrets = Object.values(given)
  const never = new AbortController()
  return {
    send: async (body) => {
      await withRetries(
        async () => {
          const { signal, clear } = boundBy(never.signal, REQUEST_MS, '10s', clock)
          try {
            const response = await http.send({ url, method: 'POST', headers, body, signal, place: '--otel' })
            const { text } = await response.text()
            if (response.status >= 300)
              throw responseError({ url, status: response.status, headers: response.headers, body: text, secrets })
          } finally {
            clear()
          }
        },
        { signal: never.signal, budget, maxRetries: 3 },
      )
    },
    close: () => http.close(),
  }
}

/** A line per request, as collectors write and read files. */
function openFile(path: string, { output, cwd }: ExporterInit): Delivery {
  if (output.some((other) => isSameFile(resolve(cwd, other), path)))
    throw outputTaken('--otel', path, '-o writes there too')
  let file: number
  try {
    if (!mayReplace(path)) throw outputTaken('--otel', path, 'it holds something else than spans, which would be lost')
    makeFolders(dirname(path))
    file = openSync(path, 'w')
  } catch (error) {
    if (error instanceof UserError) throw error
    throw cannotWrite(path, error, 'give --otel another file, or the address of a collector')
  }
  return {
    send: async (body) => void writeSync(file, `${body}\n`),
    close: async () => closeSync(file),
  }
}

/** Spans of an earlier run, or nothing yet; also anything but an ordinary file. */
function mayReplace(path: string): boolean {
  const info = statOf(path)
  if (!info?.isFile() || info.size === 0) return true
  const start = Buffer.from('{"resourceSpans"')
  const found = Buffer.alloc(start.length)
  const file = openSync(path, 'r')
  try {
    readSync(file, found)
  } finally {
    closeSync(file)
  }
  return found.equals(start)
}

function targetOf({ otel, env }: ExporterInit): string {
  if (otel !== true) return /^[a-z][a-z\d+.-]*:\/\//i.test(otel) ? withPath(otel) : otel
  const traces = env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']
  if (traces) return parseUrl(traces).href
  const base = env['OTEL_EXPORTER_OTLP_ENDPOINT']
  if (base) return withPath(base, true)
  throw new UserError({
    code: 'NO_OTEL_TARGET',
    subject: { flag: '--otel' },
    message: 'it does not say where the spans go',
    hint: 'give a collector or a file: --otel http://localhost:4318, --otel spans.jsonl; or set OTEL_EXPORTER_OTLP_ENDPOINT',
  })
}

/** A collector is named by its host; the path of traces is always the same. */
function withPath(given: string, always = false): string {
  const url = parseUrl(given)
  if (url.pathname === '/' || always) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`
  return url.href
}

function parseUrl(given: string): URL {
  if (isUrl(given) && URL.canParse(given)) return new URL(given)
  throw new UserError({
    code: 'BAD_FLAG',
    subject: { flag: '--otel' },
    message: `not the address of a collector: ${given}`,
    hint: 'for example: --otel http://localhost:4318',
  })
}

function isUrl(text: string): boolean {
  return /^https?:\/\//i.test(text)
}

/** `key=value,key=value`, values percent-encoded. */
function headersOf(env: NodeJS.ProcessEnv): Record<string, string> {
  const given = env['OTEL_EXPORTER_OTLP_TRACES_HEADERS'] ?? env['OTEL_EXPORTER_OTLP_HEADERS'] ?? ''
  const pairs = given.split(',').flatMap((pair): Array<[string, string]> => {
    const at = pair.indexOf('=')
    return at < 1 ? [] : [[pair.slice(0, at).trim().toLowerCase(), decodeUri(pair.slice(at + 1).trim())]]
  })
  return Object.fromEntries(pairs)
}
