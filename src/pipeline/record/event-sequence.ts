// The order of an event file, line by line: one start, each result once, one summary after the last result.
import type { ErrorCode } from '../../model/error-codes.js'
import { IdTable } from '../../base/id-table.js'
import { show } from '../../base/text.js'
import { UserError } from '../../errors.js'
import { EVENT_FORMATS, type RunEvent, type StartEvent } from '../../model/event.js'
import { caseTitle, runKey } from '../../model/run-key.js'
import { parseEventLine } from '../../model/parse-event.js'
import { isBlank, type Line } from './lines.js'

const ONE_VARIANT: ReadonlySet<string | undefined> = new Set([undefined])

export class EventSequence {
  readonly #path: string
  readonly #results = new IdTable()
  #line = 0
  #started = false
  #variants: ReadonlySet<string | undefined> = ONE_VARIANT
  #summaryAt = 0

  constructor(path: string) {
    this.#path = path
  }

  /** `skip`: an empty line, an event of a newer version, or the torn end of a killed run. Throws a UserError. */
  next({ text, complete }: Line): RunEvent | 'skip' {
    this.#line += 1
    if (isBlank(text)) return 'skip'
    const parsed = parseEventLine(text)
    if (parsed.kind === 'event') {
      this.#place(parsed.event)
      return complete ? parsed.event : 'skip'
    }
    if (!complete && parsed.kind === 'garbage') return 'skip'
    if (parsed.kind === 'bad') throw this.#badEvent(parsed.problem)
    if (!this.#started) throw this.#notARun()
    if (parsed.kind === 'unknown') return 'skip'
    throw this.#garbage(text)
  }

  /** A line of no interest. */
  pass(): 'skip' {
    this.#line += 1
    return 'skip'
  }

  /** Call at the end of the file. */
  end(): void {
    if (!this.#started) throw this.#notARun()
  }

  #place(event: RunEvent): void {
    if (event.type === 'start') return this.#start(event)
    if (!this.#started) throw this.#notARun()
    if (event.type === 'result') {
      if (!this.#variants.has(event.variant)) throw this.#badEvent(this.#strangeVariant(event.variant))
      const earlier = this.#results.add(runKey(event), this.#line)
      if (earlier > 0) throw this.#doubled(`result of ${show(caseTitle(event), 80)}, run ${event.run}`, earlier)
      // A resumed run continues after the summary of its first part.
      this.#summaryAt = 0
    } else if (event.type === 'summary') {
      if (this.#summaryAt > 0) throw this.#doubled('summary', this.#summaryAt)
      this.#summaryAt = this.#line
    }
  }

  #start({ format, variants }: StartEvent): void {
    if (this.#started) throw this.#error('TWO_RUNS', 'two runs in one file', 'cut it before this line into two files')
    if (!EVENT_FORMATS.includes(format))
      throw this.#error(
        'UNKNOWN_FORMAT_VERSION',
        `written in format ${format}, this version reads format ${EVENT_FORMATS.join(' and ')}`,
        'use the version of viva that wrote the file, or a newer one',
      )
    this.#started = true
    if (variants) this.#variants = new Set(variants.map(({ name }) => name))
  }

  #strangeVariant(variant: string | undefined): string {
    if (this.#variants === ONE_VARIANT) return `a result of the variant ${show(variant, 80)}, in a run of one`
    return variant === undefined
      ? 'a result of no variant, in a run of several'
      : `no variant is called ${show(variant, 80)}`
  }

  #notARun(): UserError {
    const message = 'not a run file (no start record)'
    return this.#error('NOT_A_RUN_FILE', message, 'give the .jsonl file that viva test wrote')
  }

  #badEvent(problem: string): UserError {
    return this.#error(
      'CORRUPT_EVENT_FILE',
      problem,
      'the file was changed after viva test wrote it: fix or remove the line',
    )
  }

  #garbage(text: string): UserError {
    const nul = text.includes('\0')
    return new UserError({
      code: 'CORRUPT_EVENT_FILE',
      message: `${this.#path}:${this.#line}: ${nul ? 'NUL bytes: the file was cut by a power loss' : 'this line is not an event'}`,
      hint: 'the lines before it are whole: cut the file there by hand and try again',
      problems: [{ file: this.#path, line: this.#line, message: JSON.stringify(text.slice(0, 80)) }],
    })
  }

  #doubled(what: string, earlier: number): UserError {
    const hint = 'two files were joined, or a line was copied: remove one of the two lines'
    return this.#error('DOUBLED_EVENT', `a second ${what} (the first is on line ${earlier})`, hint)
  }

  #error(code: ErrorCode, message: string, hint: string): UserError {
    return new UserError({ code, message: `${this.#path}:${Math.max(1, this.#line)}: ${message}`, hint })
  }
}
