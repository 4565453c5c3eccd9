// One run as a small record per case: enough to compare, whatever the size of its outputs.
import type { ResultEvent, StartEvent, SummaryEvent } from '../../../model/event.js'
import { caseTitle } from '../../../model/run-key.js'
import { hasVerdict, isNotShown, isWithheld, type CaseStatus, type ErrorKind } from '../../../model/status.js'
import type { Fingerprints } from '../../fold/behaviour/fingerprints.js'
import { JudgedFold, type JudgedSide, type JudgedSource } from '../../fold/judged/judged-fold.js'
import { outputKey } from '../../fold/output-key.js'
import { readOverview } from '../overview.js'
import type { Recording } from '../recording.js'
import { listsAll, withChecks, type Checks, type KnownChecks } from './checks.js'
import { statusOfRuns } from '../../fold/run-rule.js'
import { stabilityStatus } from '../../../model/case-status.js'
import { addToSample, type Sample } from '../../fold/statistics/welch.js'

export interface CaseRecord extends KnownChecks {
  name: string | undefined
  /** If there are several. */
  variant: string | undefined
  /** A hash of the input; undefined if it is not the author's: scripts, simulated users, people. */
  content: string | undefined
  /** Its fingerprint; undefined for script tests, and in files of earlier versions. */
  asked: string | undefined
  judged: string | undefined
  status: CaseStatus
  /** Runs with a verdict. */
  passes: number
  fails: number
  /** Runs that failed without one, and skipped ones. */
  lost: number
  skipped: number
  /** Of the skipped ones, those that the agent kept from being shown: not passed. */
  withheld: number
  /** Skipped in every run, and nobody chose that. */
  isNotShown: boolean
  error: string | undefined
  error_kind: ErrorKind | undefined
  /** Hashes of the distinct outputs. */
  outputs: readonly string[]
  /** Logarithms of milliseconds and of dollars. */
  durations: Sample
  costs: Sample
  /** The behaviour in each run with a verdict, by number. */
  fingerprints: readonly number[]
}

export interface RunRecord {
  start: StartEvent
  summary: SummaryEvent
  complete: boolean
  /** Its summary does not match its lines. */
  disagreement: string | undefined
  repeated: boolean
  /** By title: with several variants each has its own. */
  cases: Map<string, CaseRecord>
  /** What rests on judges, over all cases. */
  judgements: JudgedSide
}

/** What both runs share. */
export interface Tables {
  fingerprints: Fingerprints
  checks: Checks
}

export async function readRun(
  recording: Recording,
  { fingerprints, checks }: Tables,
  judged?: JudgedSource,
): Promise<RunRecord> {
  const { start, summary, complete, disagreement, repeated, rule } = await readOverview(recording)
  const cases = new Map<string, CaseRecord>()
  const settled = new Map<string, CaseStatus>()
  const judgements = new JudgedFold(judged)
  for await (const event of recording.events()) {
    if (event.type === 'stability') settled.set(caseTitle(event), stabilityStatus(event, rule.min_pass_rate))
    if (event.type !== 'result') continue
    judgements.add(event)
    const title = caseTitle(event)
    let record = cases.get(title)
    if (!record) cases.set(title, (record = newRecord(event)))
    addRun(record, event)
    record.checks = withChecks(record.checks, checks.of(event))
    record.hasAllChecks ||= listsAll(event)
    const print = fingerprints.add(event)
    if (print !== undefined) record.fingerprints = withOne(record.fingerprints, print)
  }
  for (const [id, record] of cases) {
    record.isNotShown &&= record.passes + record.fails + record.lost === 0
    if (!repeated) continue
    const { passes: passed, fails: failed, lost, skipped, withheld } = record
    const status = settled.get(id) ?? statusOfRuns({ passed, failed, lost, skipped, withheld }, rule)
    // Cut short before it could fail or be decided.
    record.status = status === 'not_run' ? 'undetermined' : status
  }
  return { start, summary, complete, disagreement, repeated, cases, judgements }
}

export function verdictsOf(record: CaseRecord): number {
  return record.passes + record.fails + record.withheld
}

const ERROR_LENGTH = 300

function addRun(record: CaseRecord, event: ResultEvent): void {
  record.status = event.status
  if (event.status === 'skipped') {
    record.skipped++
    if (isWithheld(event)) record.withheld++
    if (isNotShown(event)) {
      record.isNotShown = true
      record.error ??= `not shown: ${event.skip_reason}`.slice(0, ERROR_LENGTH)
    }
    return
  }
  const { error, error_kind, assertion_errors } = event
  const isVerdict = hasVerdict(event)
  if (event.status === 'passed') record.passes++
  else {
    if (isVerdict) record.fails++
    // The time until something broke does not measure the agent, so a lost run counts only here.
    else record.lost++
    record.error ??= (error ?? assertion_errors?.[0])?.slice(0, ERROR_LENGTH)
    record.error_kind ??= error_kind
  }
  if (!isVerdict) return
  addToSample(record.durations, Math.log(Math.max(1, event.duration_ms)))
  if (event.cost_dollars !== undefined && event.cost_dollars > 0) {
    if (record.costs === NO_COSTS) record.costs = { count: 0, sum: 0, squares: 0 }
    addToSample(record.costs, Math.log(event.cost_dollars))
  }
  if (event.output === undefined) return
  const key = outputKey(event.output)
  if (!record.outputs.includes(key)) record.outputs = withOne(record.outputs, key)
}

/** Most have one: a list that is pushed to, or spread into, allocates room for seventeen. */
function withOne<T>(list: readonly T[], item: T): readonly T[] {
  return list.length === 0 ? [item] : [...list, item]
}

function contentOf({ input, turns, variant }: ResultEvent): string | undefined {
  if (input === undefined || input === null || (turns?.[0] && turns[0].input_source !== 'static')) return undefined
  return outputKey(variant === undefined ? input : [variant, input])
}

// Shared: there is a record for every case.
const NO_CHECKS: readonly number[] = []
const NO_OUTPUTS: readonly string[] = []
const NO_PRINTS: readonly number[] = []
const NO_COSTS: Sample = Object.freeze({ count: 0, sum: 0, squares: 0 })

function newRecord(event: ResultEvent): CaseRecord {
  return {
    name: event.name,
    variant: event.variant,
    content: contentOf(event),
    asked: event.asked === undefined ? undefined : `${event.variant ?? ''}\0${event.asked}`,
    judged: event.judged,
    status: event.status,
    passes: 0,
    fails: 0,
    lost: 0,
    skipped: 0,
    withheld: 0,
    isNotShown: false,
    error: undefined,
    error_kind: undefined,
    checks: NO_CHECKS,
    hasAllChecks: false,
    outputs: NO_OUTPUTS,
    durations: { count: 0, sum: 0, squares: 0 },
    costs: NO_COSTS,
    fingerprints: NO_PRINTS,
  }
}
