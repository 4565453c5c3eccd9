// Where the events of a run go on a terminal: the console, live or plain, `--json`, or the answer alone.
import type { RunEvent } from '../model/event.js'
import type { RunOptions } from '../config/options.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import { createConsoleText, troubleText } from '../pipeline/report/console/console.js'
import { foreignText } from './foreign-text.js'
import { createLiveConsole, type LiveConsole } from './live.js'
import { plural } from '../base/format.js'
import { screenOf, type Terminal } from './screen.js'
import { isEvents } from '../run/outputs/is-events.js'
import { doorTo, stderr, stdout, type Door } from './terminal.js'

export interface Display {
  /** Where the console goes; undefined if there is none. */
  door?: Door
  screen: Terminal
  sinks: EventSink[]
  live?: LiveConsole
}

/** `message`: one message is sent, and standard output is for its answer. */
export function openDisplay(
  options: RunOptions,
  message: boolean,
  color: boolean | undefined,
  noHeader = false,
): Display {
  const { json, verbose, classic } = options
  const piped = takesStdout(options)
  const out = message || piped ? process.stderr : process.stdout
  const base = screenOf(out, process.env, { verbose, ...(color !== undefined && { color }) })
  const screen = { ...base, classic, noHeader }
  if (json) return { screen, sinks: [jsonSink()] }
  if (screen.live && !message) {
    const live = createLiveConsole(out, screen)
    return { screen, sinks: [live], live, door: doorTo(out) }
  }
  const sinks: EventSink[] = []
  if (!message || verbose) sinks.push(plainConsole(out, screen))
  if (message && !piped) sinks.push(answerSink(screen, verbose))
  return { screen, sinks, ...(!message && { door: doorTo(out) }) }
}

/** Events or a report on standard output can be piped on: then nothing else goes there. */
function takesStdout({ json, reporter, output }: RunOptions): boolean {
  return json || (reporter !== undefined && output.every(isEvents))
}

function plainConsole(out: NodeJS.WriteStream, screen: Terminal): EventSink {
  const { textOf, recall } = createConsoleText(screen)
  return { ...gathered('console', doorTo(out).write, (event) => textOf(event) ?? ''), recall }
}

function jsonSink(): EventSink {
  return gathered('--json', stdout.json, (event) => `${JSON.stringify(event)}\n`)
}

/** One write for a batch of events: under load, writing each separately costs more than producing it. */
function gathered(name: string, write: (text: string) => void, textOf: (event: RunEvent) => string): EventSink {
  let text = ''
  return {
    name,
    write: (event) => {
      text += textOf(event)
    },
    flush: () => {
      if (text !== '') write(text)
      text = ''
    },
  }
}

/** The answer alone on standard output, so that it can be piped; trouble, and what it was worth, on standard error. */
function answerSink(screen: Terminal, verbose: boolean): EventSink {
  const answer = foreignText(process.stdout)
  let checks = 0
  return {
    name: 'answer',
    write: (event) => {
      if (event.type === 'summary' && event.exit_code === 0)
        stderr.write(checks === 0 ? 'answered, nothing checked\n' : `passed, ${plural(checks, 'check')}\n`)
      if (event.type !== 'result') return
      checks += event.assertions?.length ?? 0
      if (event.variant !== undefined) stderr.write(`${event.variant}:\n`)
      if (event.output !== undefined)
        answer.write(`${typeof event.output === 'string' ? event.output : JSON.stringify(event.output, null, 2)}\n`)
      if (event.status !== 'passed' && !verbose) stderr.write(troubleText(event, { ...screen, verbose: false }))
    },
  }
}
