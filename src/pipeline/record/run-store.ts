// The history of runs in `.viva/history`: one line per run in `runs.jsonl`, one small file per run for its cases.
import { createHash } from 'node:crypto'
import { appendFile, open, readdir, readFile, rename, rm, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { newestFirst } from './newest-first.js'
import { minPassRateOf, stabilityStatus } from '../../model/case-status.js'
import type { ResultEvent, RunEvent, StabilityEvent, StartEvent, SummaryEvent } from '../../model/event.js'
import type { Usage } from '../../model/message.js'
import { CASE_STATUSES, type CaseStatus, type ErrorKind, type SkippedBy } from '../../model/status.js'
import { defined } from '../../base/defined.js'
import { messageOf } from '../../base/message-of.js'
import { UserError } from '../../errors.js'
import { makeFolders } from '../../files/make-folders.js'
import { temporaryFor } from '../../files/temporary.js'
import { isRecord } from '../../base/record.js'
import { parseJson } from '../../base/json/parse-json.js'
import { PLAIN_NAME } from '../../base/plain-name.js'

export interface HistoryRun {
  /** 2: with several variants. */
  format: 1 | 2
  run_id: string
  timestamp: string
  mode: StartEvent['mode']
  agent_id: string
  connector?: string
  input: string
  /** What `input` is relative to. */
  cwd?: string
  /** Only some of the cases were selected. */
  part?: boolean
  version: string
  /** Runs with the same one are comparable: same agent, connector, input and options. */
  config: string
  runs_per_case: number | 'auto'
  total: number
  passed: number
  failed: number
  skipped: number
  not_run: number
  undetermined?: number
  flaky?: number
  pass_rate: number
  overall_pass_rate?: number
  duration_ms: number
  cost_dollars?: number
  usage?: Usage
  exit_code: number
  interrupted?: boolean
}

export interface HistoryCase {
  id: string
  variant?: string
  status: CaseStatus
  skipped_by?: SkippedBy
  duration_ms: number
  cost_dollars?: number
  runs?: number
  pass_rate?: number
  flaky?: boolean
  error_kind?: ErrorKind
  /** As in its results. */
  asked?: string
  judged?: string
}

interface Events {
  events(): AsyncIterable<RunEvent>
}

const INDEX = 'runs.jsonl'

/** Throws a UserError for an index that cannot be read: that is not an empty history. */
export async function requireReadable(dir: string): Promise<void> {
  try {
    await readFile(join(dir, INDEX))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw new UserError({
      code: 'HISTORY_UNREADABLE',
      message: `the history in ${dir} cannot be read: ${messageOf(error)}`,
      hint: 'give the folder that viva test --history writes, .viva/history, with --dir; check its permissions',
    })
  }
}

/** Adds a finished run; a run without a summary (killed) is not kept. Cases first, so that an indexed run is complete. */
export async function recordRun(recording: Events, dir: string): Promise<HistoryRun | undefined> {
  makeFolders(dir)
  const temporary = temporaryFor(join(dir, 'run'))
  const file = await open(temporary, 'wx')
  let run: HistoryRun | undefined
  try {
    run = await writeCases(recording, file)
    await file.sync()
  } finally {
    await file.close()
    if (!run) await rm(temporary, { force: true })
  }
  if (!run) return undefined
  await rename(temporary, caseFile(dir, run.run_id))
  await appendLine(join(dir, INDEX), JSON.stringify(run))
  return run
}

/** Oldest first. Runs whose cases were pruned are gone; the last line of a run counts. */
export async function listRuns(dir: string): Promise<HistoryRun[]> {
  const files = new Set(await readdir(dir).catch(() => []))
  const runs = new Map<string, HistoryRun>()
  for (const line of await readLines(join(dir, INDEX))) {
    const run = parseJson(line)?.value
    if (isRun(run) && files.has(caseFileName(run.run_id))) runs.set(run.run_id, run)
  }
  return [...runs.values()].toSorted((a, b) => newestFirst(b, a))
}

export async function readRunCases(dir: string, runId: string): Promise<HistoryCase[]> {
  const lines = await readLines(caseFile(dir, runId))
  return lines.map((line) => parseJson(line)?.value).filter(isCase)
}

/** Keeps the newest `keep` runs; the ids of those removed. The index only ever grows, so no run can be lost in a race. */
export async function pruneRuns(dir: string, keep: number): Promise<string[]> {
  const runs = await listRuns(dir)
  const old = runs.slice(0, Math.max(0, runs.length - keep))
  for (const run of old) await rm(caseFile(dir, run.run_id), { force: true })
  return old.map((run) => run.run_id)
}

async function writeCases(recording: Events, file: FileHandle): Promise<HistoryRun | undefined> {
  let start: StartEvent | undefined
  let summary: SummaryEvent | undefined
  let text = ''
  for await (const event of recording.events()) {
    if (event.type === 'start') start ??= event
    else if (event.type === 'summary') summary = event
    const line = caseLine(event, start)
    if (line) text += `${JSON.stringify(line)}\n`
    if (text.length < 64 * 1024) continue
    await file.appendFile(text)
    text = ''
  }
  await file.appendFile(text)
  return start && summary ? runLine(start, summary) : undefined
}

function caseLine(event: RunEvent, start: StartEvent | undefined): HistoryCase | undefined {
  const repeated = start !== undefined && start.runs_per_case !== 1
  if (event.type === 'stability') return ofStability(event, start)
  return event.type === 'result' && !repeated ? ofResult(event) : undefined
}

function ofResult(event: ResultEvent): HistoryCase {
  const { id, variant, status, skipped_by, duration_ms, cost_dollars, flaky, error_kind, asked, judged } = event
  return defined({ id, variant, status, skipped_by, duration_ms, cost_dollars, flaky, error_kind, asked, judged })
}

function ofStability(event: StabilityEvent, start: StartEvent | undefined): HistoryCase {
  return defined({
    id: event.id,
    variant: event.variant,
    status: stabilityStatus(event, start ? minPassRateOf(start) : 100),
    skipped_by: event.skipped_by,
    duration_ms: event.avg_duration_ms,
    cost_dollars: event.cost_per_run,
    runs: event.runs,
    pass_rate: event.pass_rate,
    flaky: event.passed > 0 && event.passed < event.runs ? true : undefined,
    error_kind: event.error_kind,
    asked: event.asked,
    judged: event.judged,
  })
}

function runLine(start: StartEvent, summary: SummaryEvent): HistoryRun {
  const { total, passed, failed, skipped, not_run, undetermined, flaky, pass_rate, overall_pass_rate } = summary
  const { duration_ms, cost_dollars, usage, exit_code, interrupted } = summary
  return defined({
    format: start.variants ? (2 as const) : (1 as const),
    run_id: start.run_id,
    timestamp: start.timestamp,
    mode: start.mode,
    agent_id: start.agent_id,
    connector: start.connector,
    input: start.input,
    cwd: typeof start.options['cwd'] === 'string' ? start.options['cwd'] : undefined,
    part: isPart(start) ? true : undefined,
    version: start.version,
    config: configOf(start),
    runs_per_case: start.runs_per_case,
    ...defined({ total, passed, failed, skipped, not_run, undetermined, flaky, pass_rate, overall_pass_rate }),
    ...defined({ duration_ms, cost_dollars, usage, exit_code, interrupted }),
  })
}

/** Whether its options selected only some of the cases. */
export function isPart({ options }: Pick<StartEvent, 'options'>): boolean {
  const { run, tag, shard, last_failed, rerun } = options
  const isTagged = Array.isArray(tag) && tag.length > 0
  return run !== undefined || isTagged || shard !== undefined || last_failed === true || rerun === true
}

// How many cases ran, how many at a time and where the output went does not make two runs different.
const IRRELEVANT = new Set([
  'output',
  'parallel',
  'verbose',
  'json',
  'run',
  'tag',
  'shard',
  'shard_plan',
  'run_group',
  'last_failed',
  'order',
  'stop_after',
  'resume',
  'reporter',
  'history',
  'force',
  'fail_fast',
  // Written out in `variants`.
  'variant',
  'gate',
])

function configOf(start: StartEvent): string {
  const options = Object.entries(start.options).filter(([key]) => !IRRELEVANT.has(key))
  const parts = [
    start.agent_id,
    start.connector,
    ...(start.variants ? [start.variants] : []),
    start.input_hash ?? start.input,
    options.toSorted(([a], [b]) => (a < b ? -1 : 1)),
  ]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 12)
}

function caseFile(dir: string, runId: string): string {
  return join(dir, caseFileName(runId))
}

// A run id read from a file is as untrusted as the file.
function caseFileName(runId: string): string {
  if (PLAIN_NAME.test(runId) && runId !== 'runs') return `${runId}.jsonl`
  return `run-${createHash('sha256').update(runId).digest('hex').slice(0, 16)}.jsonl`
}

// One write in append mode: lines of two processes do not mix. A line torn by an earlier kill is terminated first.
async function appendLine(path: string, line: string): Promise<void> {
  const torn = await endsInsideLine(path)
  await appendFile(path, `${torn ? '\n' : ''}${line}\n`, { flush: true })
}

async function endsInsideLine(path: string): Promise<boolean> {
  const file = await open(path, 'r').catch(() => undefined)
  if (!file) return false
  try {
    const { size } = await file.stat()
    if (size === 0) return false
    const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1)
    return buffer[0] !== 10
  } finally {
    await file.close()
  }
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch(() => '')
  return text.split('\n').filter((line) => line !== '')
}

/** What people edit, or another tool has written, may be anything. */
function isRun(value: unknown): value is HistoryRun {
  if (!isRecord(value) || ![undefined, 1, 2].includes(value['format'] as undefined)) return false
  return has(value, 'string', RUN_TEXTS) && has(value, 'number', RUN_NUMBERS)
}

const RUN_TEXTS = ['run_id', 'timestamp', 'agent_id', 'input', 'config']
const RUN_NUMBERS = ['total', 'passed', 'failed', 'skipped', 'not_run', 'pass_rate', 'duration_ms']

function isCase(value: unknown): value is HistoryCase {
  if (!isRecord(value) || !has(value, 'string', ['id']) || !has(value, 'number', ['duration_ms'])) return false
  return CASE_STATUSES.some((status) => status === value['status'])
}

function has(value: Record<string, unknown>, type: 'string' | 'number', keys: readonly string[]): boolean {
  return keys.every((key) => typeof value[key] === type)
}
