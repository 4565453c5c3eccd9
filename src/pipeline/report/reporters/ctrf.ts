// `.ctrf.json`: the Common Test Report Format, version 0.0.0. What it has no field for goes under `extra`.
import { createHash } from 'node:crypto'
import type { Attempt, ErrorEvent, ResultEvent } from '../../../model/event.js'
import { visible } from '../../../base/hidden.js'
import { caseTitle } from '../../../model/run-key.js'
import type { ListedStatus } from '../../../model/status.js'
import { defined } from '../../../base/defined.js'
import { caseDuration, caseError, eachCase, isNotGreen, listedStatus, suiteOf, type CaseEvent } from '../cases.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'
import { clipField, heading } from '../text.js'
import { failureText, transcript } from '../transcript.js'

export async function* ctrf(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const head = {
    reportFormat: 'CTRF',
    specVersion: '0.0.0',
    reportId: uuidOf(overview.start.run_id),
    timestamp: isoTime(overview.completed_at),
    generatedBy: 'viva',
  }
  for (const [index, [key, value]] of Object.entries(head).entries())
    yield `${index === 0 ? '{' : ','}\n  "${key}": ${JSON.stringify(value)}`
  if (overview.start.run_id !== '') yield `,\n  "runId": ${JSON.stringify(overview.start.run_id)}`
  yield `,\n  "results": {\n    "tool": ${JSON.stringify(tool(overview))},\n    "summary": ${JSON.stringify(summaryOf(overview))},\n    "tests": [`
  let separator = '\n      '
  for await (const event of eachCase(recording, overview)) {
    yield `${separator}${JSON.stringify(test(event, overview))}`
    separator = ',\n      '
  }
  for (const error of overview.stray) {
    yield `${separator}${JSON.stringify(strayError(error, overview))}`
    separator = ',\n      '
  }
  yield `${separator === '\n      ' ? '' : '\n    '}],\n    "environment": ${JSON.stringify(environment(overview))}\n  }\n}\n`
}

function tool({ start }: Overview): Record<string, unknown> {
  return defined({ name: 'viva', version: start.version === '' ? undefined : start.version })
}

function summaryOf({ listed, start, summary, completed_at, stray }: Overview): Record<string, unknown> {
  const begin = epoch(start.timestamp)
  return {
    tests: listed.total + stray.length,
    passed: listed.passed,
    failed: listed.failed + listed.not_shown + stray.length,
    skipped: listed.skipped,
    pending: 0,
    other: listed.undetermined,
    flaky: listed.flaky,
    suites: start.variants?.length ?? 1,
    start: begin,
    stop: Math.max(begin, epoch(completed_at)),
    duration: Math.round(summary.duration_ms),
    extra: defined({
      not_run: summary.not_run,
      without: summary.without,
      not_shown: summary.not_shown,
      pass_rate: summary.pass_rate,
      by_error_kind: summary.by_error_kind,
      usage: summary.usage,
      cost_dollars: summary.cost_dollars,
      cost_estimated: summary.cost_estimated,
      helpers: summary.helpers,
      overall_pass_rate: summary.overall_pass_rate,
      exit_code: summary.exit_code,
      variants: summary.variants,
    }),
  }
}

function test(event: CaseEvent, overview: Overview): Record<string, unknown> {
  const status = listedStatus(event, overview)
  const error = isNotGreen(status) ? caseError(event, overview) : event.skip_reason
  const text = transcript(event)
  return defined({
    testId: event.id === '' ? undefined : caseTitle(event),
    name: visible(titleOf(event, overview)),
    status: STATUSES[status],
    duration: Math.round(caseDuration(event)),
    suite: suiteOf(event, overview.start),
    message: error === undefined ? undefined : visible(clipField(error, 4_000)),
    trace: isNotGreen(status) ? visible(failureText(event, error ?? 'failed')) : undefined,
    rawStatus: status === 'failed' ? (event.error_kind ?? 'assertion') : status,
    line: event.line,
    filePath: event.file,
    tags: event.tags && event.tags.length > 0 ? event.tags : undefined,
    stdout: text === '' ? undefined : visible(text).split('\n'),
    ...(event.type === 'result' ? resultFields(event) : { extra: stabilityExtra(event) }),
  })
}

/** It has no word for an error: what was not shown must not look like a chosen skip. */
const STATUSES: Record<ListedStatus, string> = {
  passed: 'passed',
  failed: 'failed',
  skipped: 'skipped',
  undetermined: 'other',
  not_shown: 'failed',
}

/** What went wrong outside any case counts as a failed test: there is no other place for it. */
function strayError({ where, message }: ErrorEvent, { start }: Overview): Record<string, unknown> {
  const [first = ''] = message.split('\n')
  return {
    name: `error outside any test: ${heading(where)}`,
    status: 'failed',
    duration: 0,
    suite: [start.script ?? start.agent_id],
    message: visible(clipField(first, 4_000)),
    trace: visible(clipField(message)),
    rawStatus: 'error',
  }
}

function resultFields(event: ResultEvent): Record<string, unknown> {
  const earlier = event.failure_history ?? []
  return {
    stderr:
      event.stderr === undefined || event.stderr === '' ? undefined : visible(clipField(event.stderr)).split('\n'),
    retries: event.attempts === undefined ? undefined : Math.max(0, event.attempts - 1),
    flaky: event.flaky,
    retryAttempts: earlier.length === 0 ? undefined : earlier.map(attempt),
    steps: event.turns?.map((turn) => ({
      name: heading(
        `turn ${turn.turn}: ${typeof turn.input === 'string' ? turn.input : (JSON.stringify(turn.input) ?? '')}`,
      ),
      status: turn.status === 'not_run' ? 'pending' : turn.status,
    })),
    extra: defined({
      run: event.run,
      usage: event.usage,
      cost_dollars: event.cost_dollars,
      cost_estimated: event.cost_estimated,
      helpers: event.helpers,
      score: event.score,
      checkpoints: event.checkpoints,
    }),
  }
}

function attempt(earlier: Attempt): Record<string, unknown> {
  return defined({
    attempt: earlier.attempt,
    status: earlier.status,
    duration: Math.max(0, Math.round(earlier.duration_ms)),
    message: earlier.error === undefined ? undefined : visible(clipField(earlier.error, 4_000)),
  })
}

function stabilityExtra(event: Extract<CaseEvent, { type: 'stability' }>): Record<string, unknown> {
  const {
    type: _type,
    run_details: _details,
    id: _id,
    name: _name,
    input: _input,
    expected: _expected,
    ...numbers
  } = event
  return numbers
}

function titleOf(event: CaseEvent, { start }: Overview): string {
  const isNamed = event.name !== undefined && event.name !== '' && start.mode !== 'test_tools'
  const title = isNamed ? (event.name ?? '') : event.id
  return title === '' ? '(no id)' : title
}

function environment({ start }: Overview): Record<string, unknown> {
  return {
    reportName: start.input,
    appName: start.agent_id,
    extra: defined({ connector: start.connector, ...start.environment, session_file: start.session_file }),
  }
}

function epoch(timestamp: string): number {
  const ms = Date.parse(timestamp)
  return Number.isFinite(ms) ? ms : 0
}

function isoTime(timestamp: string): string {
  return new Date(epoch(timestamp)).toISOString()
}

/** The same id each time the same run is reported. */
function uuidOf(runId: string): string {
  const hex = createHash('sha256').update(runId).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
