// One orchestrator run in a folder: what tools, cases and the command line call. Two runs share nothing.
import { join, relative } from 'node:path'
import { defined } from '../base/defined.js'
import { cutLine } from '../base/output-buffer.js'
import { UserError } from '../errors.js'
import { cannotWrite } from '../files/cannot-write.js'
import { makeFolders } from '../files/make-folders.js'
import type { SessionData, SessionKind, SessionRecord } from '../model/session.js'
import { TERMINATION_EXIT_CODES } from '../model/termination.js'
import { Clock } from '../time/clock.js'
import { epochNow } from '../time/iso-now.js'
import { openBackends } from './backends/open-backends.js'
import { DEFAULT_MAX_ITERATIONS, DEFAULT_MAX_RUNTIME_SECS } from './config/config.js'
import { EVENTS_VARIABLES } from './emit-event.js'
import { EventsFile } from './events-file.js'
import type { BackendChoice } from './hats.js'
import { Loop, type Limits } from './loop.js'
import type { Engine, LoopResult, RunLoopInit, RunParts } from './run-types.js'
import { keepOld, openSession, requireInside, type SessionFile } from './session/write-session.js'
import { TerminalLog } from './session/terminal-log.js'

const EVENTS_FOLDER = '.agent'

function topicsOf({ hats, start_event }: RunLoopInit['config']): string[] {
  const named = hats.flatMap(({ triggers, publishes, default_publishes }) => [
    ...triggers,
    ...publishes,
    default_publishes ?? '',
  ])
  return [...new Set([start_event, ...named])].filter((topic) => topic !== '' && !topic.includes('*'))
}

/** Throws a UserError if the run cannot begin, or if something else changed its session. */
export async function runLoop(init: RunLoopInit): Promise<LoopResult> {
  const { cwd, config, run_id } = init
  const choice = typeof init.backend === 'string' ? { type: init.backend } : (init.backend ?? { type: 'mock' })
  const limits = limitsOf(init)
  const warnings: string[] = []
  const warn = (text: string): void => {
    warnings.push(text)
    init.warn?.(text)
  }
  const prepare = choice.type === 'ralph' ? (await import('./ralph/run-ralph.js')).prepareRalph : prepareEmbedded
  const engine = await prepare(init, choice, limits, warn)
  const events = openEventsFile(cwd)
  const session = openSession(init.session_file ?? join(cwd, 'session.jsonl'), init.redactor)
  try {
    const clock = init.clock ?? new Clock()
    const recorder = createRecorder(init, session, clock)
    recorder.record('_meta.loop_start', {
      prompt_file: '',
      max_iterations: limits.max_iterations,
      ux_mode: 'cli',
      task: init.task,
      backend: choice.type,
      hats: config.hats.map(({ id }) => id),
      topics: topicsOf(config),
    })
    const env = { ...init.env, ...Object.fromEntries(EVENTS_VARIABLES.map((name) => [name, events.path])) }
    const end = await engine({ init, choice, limits, clock, events, env, warn, ...recorder })
    recorder.flush()
    for (const message of warnings) recorder.record('_meta.warning', { message })
    const exit_code = TERMINATION_EXIT_CODES[end.reason]
    const { iterations, elapsed_secs } = end
    recorder.record('_meta.termination', {
      reason: end.reason,
      iterations,
      elapsed_secs,
      exit_code,
      ...defined({ message: end.message }),
    })
    await session.check()
    return {
      run_id,
      exit_code,
      termination_reason: end.reason,
      iterations,
      elapsed_secs,
      events_count: recorder.published(),
      session_file: session.path,
      hats: end.hats,
      stdout: joined(end.outputs),
      stderr: joined(end.stderr),
      tokens: end.spending.tokens,
      warnings,
      ...defined({
        message: end.message,
        usage: end.spending.usage,
        cost_dollars: end.spending.cost,
        mock_responses_consumed: end.mock_responses_consumed,
        mock_responses_remaining: end.mock_responses_remaining,
        recording: end.recording,
        error: end.error,
      }),
    }
  } finally {
    session.close()
  }
}

function limitsOf({ limits = {}, config }: RunLoopInit): Limits {
  const { max_cost = config.max_cost, max_tokens = config.max_tokens } = limits
  return {
    max_iterations: limits.max_iterations ?? config.max_iterations ?? DEFAULT_MAX_ITERATIONS,
    max_runtime_secs: limits.max_runtime_secs ?? config.max_runtime_secs ?? DEFAULT_MAX_RUNTIME_SECS,
    ...defined({ max_cost, max_tokens }),
  }
}

/** Everything that can be wrong is found before the session begins. */
async function prepareEmbedded(
  init: RunLoopInit,
  choice: BackendChoice,
  _limits: Limits,
  warn: (text: string) => void,
): Promise<Engine> {
  const opened = await openBackends(init, choice, warn)
  return async ({ limits, clock, events, env, record, say }) => {
    try {
      const loop = new Loop({
        cwd: init.cwd,
        task: init.task,
        config: init.config,
        limits,
        backendOf: async (hat) => {
          const backend = await opened.get(hat.backend, { env, events, own: ownFiles(init, events) })
          return init.wrap?.(backend) ?? backend
        },
        events,
        on_exhausted: init.on_exhausted ?? 'error',
        signal: init.signal,
        clock,
        record,
        say,
      })
      const end = await loop.run()
      return { ...end, ...opened.finish(end) }
    } finally {
      opened.close()
    }
  }
}

function ownFiles({ cwd, session_file = join(cwd, 'session.jsonl') }: RunLoopInit, events: EventsFile): Set<string> {
  return new Set([session_file, events.path].map((path) => relative(cwd, path)))
}

/** A fresh one for each run; what an earlier run left is kept. */
function openEventsFile(cwd: string): EventsFile {
  const folder = join(cwd, EVENTS_FOLDER)
  const path = join(folder, 'events.jsonl')
  requireInside(cwd, folder)
  try {
    makeFolders(folder)
    keepOld(path, cwd, EVENTS_FOLDER)
  } catch (error) {
    if (error instanceof UserError) throw error
    throw cannotWrite(folder, error, 'run in a folder that you may write to')
  }
  return new EventsFile(path)
}

interface Recorder extends Pick<RunParts, 'record' | 'merge' | 'say'> {
  flush(): void
  published(): number
}

function createRecorder(init: RunLoopInit, session: SessionFile, clock: Clock): Recorder {
  let published = 0
  const merge = (record: SessionRecord): void => {
    const own = { ...record, run_id: init.run_id }
    session.write(own)
    if (record.event === 'bus.publish') published++
    init.emit?.(own)
  }
  const write = <Kind extends SessionKind>(event: Kind, data: SessionData[Kind]): void =>
    merge({ ts: epochNow(), event, data })
  const terminal = new TerminalLog(init.redactor, clock, (data) => write('ux.terminal.write', data))
  return {
    merge,
    record: (event, data) => {
      // What was said comes before what became of it.
      terminal.flush()
      write(event, data)
    },
    say: (text, stdout) => {
      terminal.write(text, stdout)
      init.onOutput?.(text, stdout)
    },
    flush: () => terminal.flush(),
    published: () => published,
  }
}

const MAX_TEXT = 16 * 1024 * 1024

/** Only its end, if there is too much. */
function joined(texts: string[]): string {
  const text = texts.map((part) => (part === '' || part.endsWith('\n') ? part : `${part}\n`)).join('')
  const missing = text.length - MAX_TEXT
  return missing > 0 ? `${cutLine(missing)}${text.slice(missing)}` : text
}
