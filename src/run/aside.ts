// What agents say and do outside their calls: events of the run, from before its stream is open until it ends.
import type { ErrorEvent, LogEvent } from '../model/event.js'
import { isoNow } from '../time/iso-now.js'

type Emit = (event: ErrorEvent | LogEvent) => void

/** More than anyone reads; the rest is counted. */
const MAX_LINES = 10_000

export class Aside {
  /** For the person at the terminal, at once. */
  readonly notice: (text: string) => void
  #emit: Emit | undefined
  #waiting: (ErrorEvent | LogEvent)[] = []
  #lines = 0
  #dropped = 0

  constructor(notice: (text: string) => void) {
    this.notice = notice
  }

  /** An exception or rejection that nobody caught. */
  stray(message: string, where: string): void {
    this.#tell({ type: 'error', message, where, timestamp: isoNow() })
  }

  log(lines: string[], where: string): void {
    const kept = lines.slice(0, Math.max(0, MAX_LINES - this.#lines))
    this.#lines += lines.length
    this.#dropped += lines.length - kept.length
    if (kept.length > 0) this.#tell({ type: 'log', where, lines: kept, timestamp: isoNow() })
  }

  /** The stream is open: what came before goes first. */
  open(emit: Emit): void {
    this.#emit = emit
    for (const event of this.#waiting.splice(0)) emit(event)
  }

  /** The summary comes next. What comes after it goes to `late`. */
  end(late: Emit): void {
    if (this.#dropped > 0) this.#tell({ type: 'log', where: 'agents', lines: [], lines_dropped: this.#dropped })
    this.#emit = late
  }

  #tell(event: ErrorEvent | LogEvent): void {
    if (this.#emit) this.#emit(event)
    else this.#waiting.push(event)
  }
}
