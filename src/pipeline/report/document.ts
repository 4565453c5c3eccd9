// The parts of the JSON document: the seeds' keys first and always, then what else is known.
import { VARIANTS_FORMAT, type ResultEvent, type StabilityEvent } from '../../model/event.js'
import { defined } from '../../base/defined.js'
import type { CaseEvent } from './cases.js'
import { caseStatus } from './cases.js'
import { explainResult } from './explain/explain.js'
import type { Overview } from './overview.js'

type Fields = Record<string, unknown>

interface Head {
  type?: string
  script?: string
  script_path?: string
}

export interface Before extends Head {
  summary: Fields
  environment: Fields
}

export interface After {
  errors?: Fields[]
  metadata: Fields
}

/** Everything but the lists of cases: what precedes them, and what follows. */
export function documentFrame(overview: Overview): { before: Before; after: After } {
  const { start, errors } = overview
  const isScript = start.mode === 'script_test'
  const summary = isScript ? scriptSummary(overview) : documentSummary(overview)
  return {
    before: { ...documentHead(overview), summary, environment: start.environment },
    after: { ...(errors.length > 0 && { errors: documentErrors(overview) }), metadata: documentMetadata(overview) },
  }
}

export interface CaseListing {
  key: 'results' | 'skipped'
  holds(status: string): boolean
}

/** With `--runs` every entry of `results` has a pass rate; a skipped case has none, and its own list. */
export function documentLists({ repeated, listed }: Overview): CaseListing[] {
  if (!repeated) return [{ key: 'results', holds: () => true }]
  const results: CaseListing = { key: 'results', holds: (status: string) => status !== 'skipped' }
  return listed.skipped + listed.not_shown === 0
    ? [results]
    : [results, { key: 'skipped', holds: (status) => status === 'skipped' }]
}

function documentSummary({ start, summary, repeated, complete }: Overview): Fields {
  const { type: _type, run_id: _run, timestamp: _time, total, passed, failed, skipped, duration_ms, ...rest } = summary
  return defined({
    total,
    passed,
    failed,
    skipped,
    duration_ms,
    agent_id: start.agent_id,
    connector: start.connector,
    runs_per_case: start.runs_per_case,
    overall_pass_rate: repeated ? (rest.overall_pass_rate ?? 0) : rest.pass_rate,
    ...rest,
    // A killed run: what is listed is all there is.
    incomplete: complete ? undefined : true,
  })
}

export function documentCase(event: CaseEvent, overview: Overview): Fields {
  if (overview.start.mode === 'script_test' && event.type === 'result') return scriptCase(event, overview)
  if (event.type === 'result') {
    const { type: _type, run_id: _run, ...rest } = event
    const { id, variant, name, status, input = null, output = null, expected = null, duration_ms, error = null } = event
    const blame = status === 'failed' ? explainResult(event).blame : undefined
    return defined({
      ...defined({ id, variant, name, status, input, output, expected, duration_ms, error }),
      ...rest,
      blame,
    })
  }
  const { type: _type, id, variant, name, status: _status, ...rest } = event
  const status = caseStatus(event, overview)
  if (status === 'skipped') return skippedCase(event)
  return { ...defined({ id, variant, name }), status, ...rest }
}

// Never run, so it has no numbers.
function skippedCase(event: StabilityEvent): Fields {
  const { id, variant, name, skip_reason, skipped_by, input, expected, file, line, tags } = event
  return {
    ...defined({ id, variant, name }),
    status: 'skipped',
    ...defined({ skip_reason, skipped_by, input, expected, file, line, tags }),
  }
}

function documentMetadata({ start, completed_at }: Overview): Fields {
  const times = { started_at: start.timestamp, completed_at, version: start.version }
  if (start.mode === 'script_test') return times
  const { run_id, input, agent_path, session_file, variants } = start
  return defined({
    ...times,
    run_id,
    input,
    agent_path,
    session_file,
    format: variants ? VARIANTS_FORMAT : undefined,
    variants,
  })
}

/** What went wrong outside any case. */
function documentErrors({ errors }: Overview): Fields[] {
  return errors.map(({ where, message, timestamp }) => defined({ where, message, timestamp }))
}

/** `type`, `script` and `script_path` of a script test; nothing for agent tests. */
function documentHead({ start }: Overview): Head {
  if (start.mode !== 'script_test') return {}
  return { type: 'script_test', script: start.script ?? start.input, script_path: start.script_path ?? '' }
}

function scriptSummary({ summary, repeated }: Overview): Fields {
  const { total, passed, failed, skipped, undetermined, duration_ms, without } = summary
  const { total_cases, total_runs, runs_per_case, overall_pass_rate, stable_cases, unstable_cases } = summary
  const runs = { total_cases, total_runs, runs_per_case, overall_pass_rate, stable_cases, unstable_cases }
  return {
    ...defined({ total, passed, failed, skipped, undetermined }),
    duration_ms,
    ...defined({ without }),
    ...(repeated ? defined(runs) : {}),
  }
}

function scriptCase(event: ResultEvent, { start }: Overview): Fields {
  const elsewhere = event.script !== undefined && event.script !== start.script
  return defined({
    name: event.name ?? event.id,
    status: event.status,
    duration_ms: event.duration_ms,
    error: event.error,
    // An assertion already says what it is.
    error_kind: event.error_kind === 'assertion' ? undefined : event.error_kind,
    assertion: event.assertion,
    // The only failure is above; the list is only needed for more than that.
    assertions: event.assertions && event.assertions.length > 1 ? event.assertions : undefined,
    logs: event.logs ?? [],
    logs_dropped: event.logs_dropped,
    skip_reason: event.skip_reason,
    asserts_nothing: event.asserts_nothing,
    stack: event.stack,
    // `scripts.*` runs many files: then each result says which is its own.
    script: elsewhere ? event.script : undefined,
    script_path: elsewhere ? event.script_path : undefined,
  })
}
