// Made-up runs that look like real ones, for the tests of reports, viewer and history.
import type { ResultEvent, RunEvent, StabilityEvent, StartEvent, SummaryEvent } from '../../src/model/event.js'
import type { ErrorKind } from '../../src/model/status.js'
import type { Recording } from '../../src/pipeline/report/recording.js'
import { createStabilityFold } from '../../src/pipeline/fold/stability.js'
import { seededRandom } from '../../src/pipeline/fold/statistics/random.js'
import { createSummaryFold } from '../../src/pipeline/fold/summary.js'

export function recordingOf(events: readonly RunEvent[]): Recording {
  return {
    async *events() {
      yield* events
    },
  }
}

export function startEvent(overrides: Partial<StartEvent> = {}): StartEvent {
  return {
    type: 'start',
    format: 1,
    timestamp: '2024-12-17T10:00:00Z',
    run_id: 'run-20241217-100000',
    mode: 'agent',
    agent_id: 'keyword',
    connector: 'deepseek.v3',
    input: 'tests/inputs.jsonl',
    runs_per_case: 1,
    environment: { user_id: 'test-user', team_id: 'test-team', locale: 'en-us' },
    options: {},
    plan: { count: 1, digest: '0'.repeat(32), options: { runs: 1 } },
    version: '0.10.5',
    ...overrides,
  }
}

/** Any fields of a result, whatever its status: readers must live with what old files hold. */
export type ResultFields = { [Key in keyof ResultEvent]?: ResultEvent[Key] }

export function resultEvent(id: string, overrides: ResultFields = {}): ResultEvent {
  return {
    type: 'result',
    run_id: 'run-20241217-100000',
    id,
    run: 1,
    status: 'passed',
    duration_ms: 234,
    input: `Question ${id}`,
    ...(overrides.status === 'skipped' ? {} : { output: `Answer ${id}` }),
    ...overrides,
  } as ResultEvent
}

export function failedEvent(
  id: string,
  error: string,
  kind: ErrorKind = 'assertion',
  overrides: ResultFields = {},
): ResultEvent {
  return resultEvent(id, { status: 'failed', error, error_kind: kind, ...overrides })
}

/** The events of a whole run: start, results, with repetition the stability of each case, and the summary. */
export function wholeRun(
  results: readonly ResultEvent[],
  overrides: Partial<StartEvent> = {},
  duration_ms = 12_345,
): RunEvent[] {
  const start = startEvent({ total_cases: new Set(results.map((result) => result.id)).size, ...overrides })
  const min = start.options['min_pass_rate']
  const min_pass_rate = typeof min === 'number' ? min : 100
  const fold = createSummaryFold({ run_id: start.run_id, runs: start.runs_per_case, min_pass_rate })
  const events: RunEvent[] = [start, ...results]
  if (start.runs_per_case !== 1) events.push(...stabilityOf(results, start, min_pass_rate))
  for (const event of events) fold.add(event)
  const summary: SummaryEvent = fold.summary({
    duration_ms,
    timestamp: '2024-12-17T10:00:12Z',
    ...(start.total_cases === undefined ? {} : { total_cases: start.total_cases }),
  })
  return [...events, summary]
}

export function stabilityOf(results: readonly ResultEvent[], start: StartEvent, min_pass_rate = 100): StabilityEvent[] {
  const folds = new Map<string, ReturnType<typeof createStabilityFold>>()
  for (const result of results) {
    const fold = folds.get(result.id) ?? createStabilityFold({ runs: start.runs_per_case, min_pass_rate, max_runs: 30 })
    fold.add(result)
    folds.set(result.id, fold)
  }
  return [...folds.values()].map((fold) => fold.event())
}

export interface MadeRun {
  cases: number
  runs?: number
  seed?: number
  /** Chance that a run of a case passes. */
  passRate?: number
  /** Characters of an answer. */
  outputLength?: number
  run_id?: string
}

/** Any number of results, one at a time and the same each time: nothing of it is kept in memory. */
export function madeRun(options: MadeRun): Recording {
  return { events: () => makeEvents(options) }
}

// Real recordings are read asynchronously; one turn of the loop now and then is enough to be like them.
async function* makeEvents(options: MadeRun): AsyncGenerator<RunEvent> {
  const { cases, runs = 1, seed = 1, run_id = 'run-made' } = options
  const random = seededRandom(seed)
  const start = startEvent({ run_id, total_cases: cases, runs_per_case: runs })
  const fold = createSummaryFold({ run_id, runs })
  yield start
  for (let number = 1; number <= cases; number++) {
    const stability = createStabilityFold({ runs })
    for (let run = 1; run <= runs; run++) {
      const result = makeResult(number, run, options, random)
      yield { type: 'case_start', id: result.id, run, timestamp: start.timestamp }
      yield result
      fold.add(result)
      if (runs > 1) stability.add(result)
    }
    if (runs > 1) {
      const event = stability.event()
      fold.add(event)
      yield event
    }
    if (number % 1000 === 0) await Promise.resolve()
  }
  yield fold.summary({ duration_ms: cases * runs * 10, timestamp: '2024-12-17T10:05:00Z', total_cases: cases })
}

const WORDS =
  'the agent found three invoices for travel and asked whether the dinner in Köln 東京 counts as client entertainment 🙂'.split(
    ' ',
  )

function makeResult(number: number, run: number, options: MadeRun, random: () => number): ResultEvent {
  const { passRate = 0.9, outputLength = 400, run_id = 'run-made' } = options
  const id = `T${String(number).padStart(6, '0')}`
  const passed = random() < passRate
  const skipped = !passed && run === 1 && (options.runs ?? 1) === 1 && random() < 0.1
  const kind: ErrorKind = random() < 0.85 ? 'assertion' : random() < 0.5 ? 'timeout' : 'agent'
  const tokens = 200 + Math.floor(random() * 800)
  const { output, ...result } = {
    type: 'result',
    run_id,
    id,
    name: `Case ${number}: ${words(random, 4)}`,
    run,
    status: skipped ? 'skipped' : passed ? 'passed' : 'failed',
    ...(skipped ? { skip_reason: 'not yet' } : {}),
    duration_ms: Math.round(100 + 900 * random() ** 3),
    input: words(random, 12),
    output: text(random, outputLength),
    ...(passed || skipped ? {} : failure(kind)),
    assertions: [
      {
        type: 'contains',
        value: 'invoice',
        passed: passed || kind !== 'assertion',
        message: 'output contains "invoice"',
      },
    ],
    tool_calls:
      random() < 0.3
        ? [{ name: 'create_expense', args: { amount: tokens, type: 'travel' }, result: { ok: true } }]
        : [],
    usage: { input_tokens: tokens, output_tokens: tokens >> 1, total_tokens: tokens + (tokens >> 1) },
    cost_dollars: tokens / 1_000_000,
    tags: [number % 2 === 0 ? 'travel' : 'meals'],
    file: 'tests/inputs.jsonl',
    line: number,
  }
  return { ...result, ...(skipped ? {} : { output }) } as ResultEvent
}

function failure(kind: ErrorKind): ResultFields {
  if (kind === 'timeout') return { error: 'timeout after 30s', error_kind: kind }
  if (kind === 'agent') return { error: 'agent error: 503 Service Unavailable', error_kind: kind }
  return { error: 'output does not contain "invoice"', error_kind: kind }
}

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ')
}

function text(random: () => number, length: number): string {
  let result = ''
  while (result.length < length) result += `${words(random, 10)}. `
  return result.slice(0, length)
}
