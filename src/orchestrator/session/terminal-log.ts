// What backends print, as `ux.terminal.write` records. Secrets are hidden before the text becomes base64.
import type { TerminalWrite } from '../../model/session.js'
import type { Redactor } from '../../redact/redactor.js'
import type { RedactionStream } from '../../redact/stream.js'
import type { Clock } from '../../time/clock.js'

export class TerminalLog {
  readonly #redactor: Redactor
  readonly #clock: Clock
  readonly #started: number
  readonly #write: (data: TerminalWrite) => void
  #streams = new Map<boolean, RedactionStream>()

  constructor(redactor: Redactor, clock: Clock, write: (data: TerminalWrite) => void) {
    this.#redactor = redactor
    this.#clock = clock
    this.#started = clock.now()
    this.#write = write
  }

  write(text: string, stdout: boolean): void {
    let stream = this.#streams.get(stdout)
    if (!stream) this.#streams.set(stdout, (stream = this.#redactor.stream()))
    this.#record(stream.write(text), stdout)
  }

  /** What was held back because it might have been half of a secret. */
  flush(): void {
    for (const [stdout, stream] of this.#streams) this.#record(stream.end(), stdout)
    this.#streams.clear()
  }

  #record(text: string, stdout: boolean): void {
    if (text === '') return
    this.#write({
      bytes: Buffer.from(text).toString('base64'),
      stdout,
      offset_ms: Math.round(this.#clock.now() - this.#started),
    })
  }
}
