// The first pass of a report over its recording: who ran, when, and the counts of what the report will list.
import { defined } from '../../base/defined.js'
import type { ErrorEvent, StartEvent, SummaryEvent } from '../../model/event.js'
import { caseKey, type CaseKey } from '../../model/run-key.js'
import type { JudgedSource } from '../fold/judged/judged-fold.js'
import { ruleOf, type RunRule } from '../fold/run-rule.js'
import { SummaryFold } from '../fold/summary.js'
import type { Recording } from './recording.js'

export interface Overview {
  start: StartEvent
  /** The last one recorded; for a killed run, one computed from its results. */
  summary: SummaryEvent
  /** False if the run was killed, or is still going on: it has no summary after its last result. */
  complete: boolean
  /** Counted from the lines themselves, so that a report's counts agree with what it lists. */
  listed: {
    total: number
    passed: number
    failed: number
    skipped: number
    /** Of those that were skipped, the ones that nobody chose to skip; `skipped` has only the others. */
    not_shown: number
    undetermined: number
    /** Failed, undetermined or not shown. */
    not_green: number
    assertion_failures: number
    flaky: number
  }
  /** Cases were run more than once: the report lists cases, not runs. */
  repeated: boolean
  rule: RunRule
  completed_at: string
  /** What went wrong outside any case, the first few. */
  errors: ErrorEvent[]
  /** For formats that know nothing but tests: the errors, or, if all that is listed is green, why the run is not. */
  stray: ErrorEvent[]
  /** The recorded summary does not match the file: lines were lost or changed. */
  disagreement?: string
  /** With `--runs`: cases of a killed run whose `stability` event is missing. */
  unsettled: Set<CaseKey>
}

const MAX_ERRORS = 100

export async function readOverview(recording: Recording): Promise<Overview> {
  let start: StartEvent | undefined
  let recorded: SummaryEvent | undefined
  let fold: SummaryFold | undefined
  let last = ''
  const unsettled = new Set<CaseKey>()
  const errors: ErrorEvent[] = []
  for await (const event of recording.events()) {
    if (event.type === 'start') start ??= event
    else if (event.type === 'summary') recorded = event
    else if (event.type === 'error' && errors.length < MAX_ERRORS) errors.push(event)
    else if (event.type === 'case_start') last = event.timestamp
    // A resumed run continues after the summary of its first part; until it has its own, that one is out of date.
    else if (event.type === 'result') recorded = undefined
    fold ??= openFold(start, event.type === 'stability')
    fold.add(event)
    if (fold.repeated && event.type === 'result') unsettled.add(caseKey(event))
    if (event.type === 'stability') unsettled.delete(caseKey(event))
  }
  const begun = start ?? unknownStart()
  fold ??= openFold(start, false)
  const folded = fold.summary({
    duration_ms: elapsed(begun.timestamp, last),
    timestamp: last === '' ? begun.timestamp : last,
    ...(begun.total_cases === undefined ? {} : { total_cases: begun.total_cases }),
  })
  const disagreement = fold.disagreement(recorded, folded)
  if (disagreement !== undefined) {
    errors.unshift({ type: 'error', where: 'event file', message: disagreement })
    recorded = undefined
  }
  const summary = recorded ?? inDoubt(folded, disagreement)
  const listed = listedOf(folded)
  const isRed = listed.not_green + errors.length > 0
  return {
    ...defined({ disagreement }),
    start: begun,
    summary,
    complete: recorded !== undefined,
    listed,
    repeated: fold.repeated,
    rule: ruleOf(begun),
    completed_at: summary.timestamp,
    errors,
    stray: isRed || summary.exit_code === 0 ? errors : [whyNotGreen(summary)],
    unsettled,
  }
}

/** Nothing that was not seen to the end is a success. */
function inDoubt(folded: SummaryEvent, disagreement: string | undefined): SummaryEvent {
  if (disagreement === undefined && folded.exit_code !== 0) return folded
  const reason = disagreement ?? 'the run was cut off before its summary'
  const exit_code = folded.exit_code === 0 ? 3 : folded.exit_code
  return { ...folded, exit_code, reasons: [reason, ...(folded.reasons ?? [])] }
}

function whyNotGreen({ exit_code, reasons = [] }: SummaryEvent): ErrorEvent {
  return {
    type: 'error',
    where: 'the run',
    message: reasons.length > 0 ? reasons.join('; ') : `exit code ${exit_code}`,
  }
}

export function openFold(start: StartEvent | undefined, repeated: boolean, judged?: JudgedSource): SummaryFold {
  if (!start) return new SummaryFold({ run_id: '', runs: repeated ? 'auto' : 1, judged })
  const variants = start.variants?.map(({ name }) => name)
  return new SummaryFold({ run_id: start.run_id, ...ruleOf(start), gates: start.options, variants, judged })
}

function listedOf(folded: SummaryEvent): Overview['listed'] {
  const { not_shown = 0, undetermined = 0 } = folded
  return {
    total: folded.passed + folded.failed + folded.skipped + undetermined,
    passed: folded.passed,
    failed: folded.failed,
    skipped: folded.skipped - not_shown,
    not_shown,
    undetermined,
    not_green: folded.failed + undetermined + not_shown,
    assertion_failures: folded.by_error_kind.assertion ?? 0,
    flaky: folded.flaky ?? 0,
  }
}

function elapsed(from: string, to: string): number {
  const ms = Date.parse(to) - Date.parse(from)
  return Number.isFinite(ms) && ms > 0 ? ms : 0
}

function unknownStart(): StartEvent {
  return {
    type: 'start',
    format: 1,
    timestamp: new Date(0).toISOString(),
    run_id: '',
    mode: 'agent',
    agent_id: 'unknown',
    input: '',
    runs_per_case: 1,
    environment: { user_id: '', team_id: '', locale: '' },
    options: {},
    version: '',
  }
}
