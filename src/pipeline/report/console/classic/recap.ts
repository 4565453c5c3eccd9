// The failures once more at the end of the console: where each case is, why, and the command that runs just them.
import { plural } from '../../../../base/format.js'
import { oneLine, preview } from '../../../../base/text.js'
import type { ResultEvent, StabilityEvent, StartEvent } from '../../../../model/event.js'
import { lastFailedCommand, rerunCommand, type RerunCase } from '../../../../model/rerun-command.js'
import { caseTitle } from '../../../../model/run-key.js'
import { isNotShown } from '../../../../model/status.js'
import { notShownText } from '../../../../model/not-shown.js'
import { scriptTitle } from '../../cases.js'
import type { Screen } from '../../recording.js'
import { noCommand } from '../assertion-lines.js'
import { paint } from '../paint.js'

const LISTED = 20

export class Recap {
  readonly #start: StartEvent
  readonly #screen: Screen
  readonly #failed: Listing = { lines: [], count: 0 }
  readonly #notShown: Listing = { lines: [], count: 0 }
  /** Not failures: nobody knows yet. */
  readonly #undetermined: Listing = { lines: [], count: 0 }
  readonly #cases: RerunCase[] = []

  constructor(start: StartEvent, screen: Screen) {
    this.#start = start
    this.#screen = screen
  }

  add(event: ResultEvent | StabilityEvent): void {
    const listing = this.#listingOf(event)
    listing.count += 1
    if (listing.count > LISTED) return
    listing.lines.push(this.#line(event))
    if (listing === this.#undetermined) return
    const { id, variant, name } = event
    const script = event.type === 'result' ? event.script : this.#start.script
    this.#cases.push({ id, variant, script, name })
  }

  /** Empty if all is green. */
  text(): string {
    const [failed, notShown, undetermined] = [this.#failed, this.#notShown, this.#undetermined]
    const total = failed.count + notShown.count
    if (total + undetermined.count === 0) return ''
    const lines = [
      ...listed(plural(failed.count, 'failure'), failed),
      ...listed(`${plural(notShown.count, 'case')} not shown`, notShown),
      ...listed(`${plural(undetermined.count, 'case')} undetermined`, undetermined),
    ]
    if (total === 0) return `${lines.join('\n')}\n`
    const command = total > this.#cases.length ? this.#lastFailed() : rerunCommand(this.#start, this.#cases)
    if (command !== undefined) lines.push('', `  To run just ${total === 1 ? 'it' : 'them'} again:`, `    ${command}`)
    return `${lines.join('\n')}\n`
  }

  #listingOf(event: ResultEvent | StabilityEvent): Listing {
    if (isNotShown(event)) return this.#notShown
    return event.status === 'undetermined' ? this.#undetermined : this.#failed
  }

  #line(event: ResultEvent | StabilityEvent): string {
    const color = paint(this.#screen.color)
    const mark = isNotShown(event)
      ? color.yellow('○')
      : event.status === 'undetermined'
        ? color.yellow('?')
        : color.red('✗')
    const title =
      event.type === 'result' && event.script !== undefined ? scriptTitle(event, this.#start) : caseTitle(event)
    const place =
      event.file === undefined ? '' : ` ${preview(event.file, 200)}${event.line === undefined ? '' : `:${event.line}`}`
    const why = whyOf(event)
    return `    ${mark} [${preview(title, 100)}]${place}${why === '' ? '' : ` ${noCommand(why)}`}`
  }

  /** Only if an event file remains that says what failed. */
  #lastFailed(): string | undefined {
    const { options, mode } = this.#start
    const outputs: unknown[] = Array.isArray(options['output']) ? options['output'] : []
    const isKept = outputs.some((path) => typeof path === 'string' && path.endsWith('.jsonl'))
    return isKept || (outputs.length === 0 && mode === 'agent') ? lastFailedCommand(this.#start) : undefined
  }
}

interface Listing {
  /** Of the first ones. */
  lines: string[]
  count: number
}

function listed(title: string, { lines, count }: Listing): string[] {
  if (count === 0) return []
  const more = count - lines.length
  return ['', `  ${title}:`, ...lines, ...(more > 0 ? [`    … and ${more} more`] : [])]
}

function whyOf(event: ResultEvent | StabilityEvent): string {
  if (isNotShown(event)) return preview(oneLine(notShownText(event), 300), 300)
  if (event.type === 'stability') {
    const error = event.error === undefined ? '' : `: ${shortened(event.error)}`
    return `${event.passed}/${event.runs} passed${error}`
  }
  return event.status === 'failed' ? shortened(event.error) : ''
}

function shortened(error: string): string {
  return preview(oneLine(error.replace(/^assertion failed: /, ''), 160))
}
