// What a run needs from the world around it, and what it does without: by default it prints nothing and listens to nothing.
import type { Readable } from 'node:stream'
import type { RunOptions } from '../config/options.js'
import type { Human } from '../pipeline/execute/conversation/contract.js'
import type { EventSink } from '../pipeline/record/event-log.js'
import type { Screen } from '../pipeline/report/recording.js'
import type { WrittenInteraction } from '../recordings/read-cassette.js'
import type { Processes } from '../process/processes.js'
import { Clock } from '../time/clock.js'
import { dateNow } from '../time/iso-now.js'
import type { Redactor } from '../redact/redactor.js'

export interface RunIo {
  /** Where relative paths start. Default: the working directory of the process. */
  cwd?: string
  /** Keys, secrets, and what programs under test may see of it. Default: the environment of the process. */
  env: NodeJS.ProcessEnv
  /** For `-i -`; a function is called only then. Default: none, and `-i -` is refused. */
  stdin?: Readable | (() => Readable)
  /** What reports are laid out for. Default: 80 columns without colour. */
  screen: Screen
  /** Receive every event once it is written: the console, `--json`. */
  sinks: EventSink[]
  /** Warnings are in the outcome too. */
  warn?(text: string): void
  /** For people, after the summary. */
  note?(text: string): void
  /** Takes the report without a file name. Default: it is in the outcome. */
  print?(text: string): void
  /** Takes annotations for GitHub; the job summary is written too. Default: neither. */
  annotate?(text: string): void
  now(): Date
  /** For a caller that stops the whole process. Default: the run's own. */
  clock: Clock
  human?: Human
  /**
   * The outputs are open and the first case is about to run: from now on a stop must be orderly. A caller that ends the
   * process all the same calls `lastWords` before, which writes the summary of what is known.
   */
  began?(lastWords: () => void): void
  /** For error messages that do not pass through the event log. */
  useRedactor?(redactor: Redactor): void
  /** The programs of the run, for a caller that must stop or kill them with the process. The run ends them itself when it closes. */
  useProcesses?(processes: Processes): void
  /** False: only scripted and recorded answers. No program, module, hook or script is started, no connection opened. Default: true. */
  live?: boolean
  /** What a recording holds that nothing asked for. */
  onUnused?(unused: WrittenInteraction[]): void
  /** Receives uncaught errors during the run; true means that they have been dealt with. */
  onStray?(take: ((error: unknown) => boolean) | undefined): void
}

export const IO_KEYS = {
  cwd: true,
  env: true,
  stdin: true,
  screen: true,
  sinks: true,
  warn: true,
  note: true,
  print: true,
  annotate: true,
  now: true,
  clock: true,
  human: true,
  began: true,
  useRedactor: true,
  useProcesses: true,
  live: true,
  onUnused: true,
  onStray: true,
} satisfies Record<keyof RunIo, true>

export function workingDir({ cwd }: Partial<RunIo>): string {
  return cwd ?? process.cwd()
}

export function envOf({ env }: Partial<RunIo>): NodeJS.ProcessEnv {
  return env ?? process.env
}

export function completeIo(given: Partial<RunIo>, { verbose }: RunOptions): RunIo {
  return {
    ...given,
    env: envOf(given),
    screen: given.screen ?? { columns: 80, color: false, verbose },
    sinks: given.sinks ?? [],
    now: given.now ?? dateNow,
    clock: given.clock ?? new Clock(),
  }
}
