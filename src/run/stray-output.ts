// What agents say and do outside their calls: events of the run, from before its stream is open until it ends.
import { clip } from '../base/text.js'
import type { ErrorEvent, LogEvent } from '../model/event.js'
import { isoNow } from '../time/iso-now.js'

type Emit = (event: ErrorEvent | LogEvent) => void

/** More than anyone reads; the rest is counted. */
const MAX_LINES = 10_000
const MAX_LINE_CHARACTERS = 10_000
const MAX_STRAYS = 100

export class StrayOutput {
  /** For the person at the terminal, immediately. */
  readonly notice: (text: string) => void
  #emit: Emit | undefined
  #waiting: (ErrorEvent | LogEvent)[] = []
  #lines = 0
  #strays = 0

  constructor(notice: (text: string) => void) {
    this.notice = notice
  }

  /** An uncaught exception or rejection. */
  stray(message: string, where: string): void {
    this.#strays += 1
    if (this.#strays <= MAX_STRAYS) this.#tell({ type: 'error', message, where, timestamp: isoNow() })
  }

  log(lines: string[], where: string): void {
    const kept = lines.slice(0, Math.max(0, MAX_LINES - this.#lines))
    this.#lines += lines.length
    if (kept.length === 0) return
    this.#tell({ type: 'log', where, lines: kept.map((line) => clip(line, MAX_LINE_CHARACTERS)), timestamp: isoNow() })
  }

  /** The stream is open: what came before goes first. */
  open(emit: Emit): void {
    this.#emit = emit
    for (const event of this.#waiting.splice(0)) emit(event)
  }

  /** The summary comes next. Anything after it goes to `late`. */
  end(late: Emit): void {
    const where = 'agents'
    if (this.#lines > MAX_LINES) {
      this.#tell({ type: 'log', where, lines: [], lines_dropped: this.#lines - MAX_LINES })
    }
    if (this.#strays > MAX_STRAYS) {
      this.#tell({ type: 'error', where, message: `${this.#strays - MAX_STRAYS} more uncaught errors` })
    }
    this.#emit = late
  }

  #tell(event: ErrorEvent | LogEvent): void {
    if (this.#emit) this.#emit(event)
    else this.#waiting.push(event)
  }
}
