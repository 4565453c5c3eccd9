// `.xml`: JUnit XML. A wrong answer is a <failure>; a case that could not be tested is an <error>.
import { helpersTotal } from '../../../model/helper-cost.js'
import type { ErrorEvent, ResultEvent } from '../../../model/event.js'
import { caseDuration, caseError, eachCase, listedStatus, suiteOf, type CaseEvent } from '../cases.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'
import { clipField, indented } from '../text.js'
import { failureText, transcript } from '../transcript.js'
import { xmlAttributes, xmlText } from '../xml.js'

export async function* junit(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const { listed, start } = overview
  const counts = {
    tests: listed.total + overview.stray.length,
    failures: listed.assertion_failures,
    errors: listed.not_green - listed.assertion_failures + overview.stray.length,
    time: seconds(overview.summary.duration_ms),
  }
  const suite = {
    name: suiteName(overview),
    ...counts,
    skipped: listed.skipped,
    timestamp: start.timestamp,
    id: start.run_id,
    file: start.input,
  }
  yield '<?xml version="1.0" encoding="UTF-8"?>\n'
  yield `<testsuites${xmlAttributes({ name: 'viva', ...counts })}>\n  <testsuite${xmlAttributes(suite)}>\n`
  yield properties(overview)
  for await (const event of eachCase(recording, overview)) yield testcase(event, overview)
  for (const error of overview.stray) yield strayError(error)
  if (start.session_file !== undefined)
    yield `    <system-out>${xmlText(`Session trace available at: ${start.session_file}`)}</system-out>\n`
  yield '  </testsuite>\n</testsuites>\n'
}

function properties({ start, summary }: Overview): string {
  const all: Record<string, unknown> = {
    run_id: start.run_id,
    agent_id: start.agent_id,
    connector: start.connector,
    input: start.input,
    runs_per_case: start.runs_per_case,
    version: start.version,
    pass_rate: summary.pass_rate,
    overall_pass_rate: summary.overall_pass_rate,
    flaky: summary.flaky,
    not_run: summary.not_run,
    tested_without: summary.without?.join(', '),
    not_shown: summary.not_shown,
    undetermined: summary.undetermined,
    exit_code: summary.exit_code,
    reasons: summary.reasons?.join('; '),
    cost_dollars: summary.cost_dollars,
    cost_estimated: summary.cost_estimated,
    helpers_cost_dollars: helpersTotal(summary.helpers),
    total_tokens: summary.usage?.total_tokens,
    ...start.environment,
  }
  const lines = Object.entries(all).flatMap(([name, value]) =>
    value === undefined
      ? []
      : [`      <property${xmlAttributes({ name, value: clipField(indented(value), 2_000) })}/>\n`],
  )
  return `    <properties>\n${lines.join('')}    </properties>\n`
}

function testcase(event: CaseEvent, overview: Overview): string {
  const name = nameOf(event, overview)
  const isOwn = event.type === 'result' && event.script !== undefined
  const classname = isOwn ? event.script : suiteOf(event, overview.start).join('.')
  const body = verdict(event, overview) + (event.type === 'result' ? attempts(event) : '') + output(event)
  const head = `    <testcase${xmlAttributes({ name, classname, time: seconds(caseDuration(event)) })}`
  return body === '' ? `${head}/>\n` : `${head}>\n${body}    </testcase>\n`
}

function nameOf({ id, name }: CaseEvent, { start }: Overview): string {
  // What test tools say about a check differs each time; CI systems identify a test by its name.
  if (name === undefined || start.mode === 'test_tools') return id
  return start.mode === 'script_test' ? name : `${id} - ${name}`
}

/** What went wrong outside any case: CI systems only see test cases, so it is reported as a failed one. */
function strayError({ where, message }: ErrorEvent): string {
  const [first = ''] = message.split('\n')
  const attributes = xmlAttributes({ message: clipField(first, 2_000), type: 'outside any test' })
  const head = `    <testcase${xmlAttributes({ name: 'error outside any test', classname: where, time: seconds(0) })}`
  return `${head}>\n      <error${attributes}>${xmlText(clipField(message))}</error>\n    </testcase>\n`
}

function verdict(event: CaseEvent, overview: Overview): string {
  const status = listedStatus(event, overview)
  if (status === 'passed') return ''
  if (status === 'skipped') return `      <skipped${xmlAttributes({ message: event.skip_reason ?? 'skipped' })}/>\n`
  const error = caseError(event, overview)
  // JUnit has no third outcome: what could not be decided, or was not shown, is an error, not a wrong answer.
  const type = status === 'failed' ? (event.error_kind ?? 'assertion') : status
  const tag = type === 'assertion' ? 'failure' : 'error'
  const attributes = xmlAttributes({ message: clipField(error, 2_000), type })
  return `      <${tag}${attributes}>${xmlText(failureText(event, error))}</${tag}>\n`
}

/** Earlier attempts: flaky… if the last one passed, rerun… if it did not. */
function attempts(event: ResultEvent): string {
  const prefix = event.status === 'passed' ? 'flaky' : 'rerun'
  const earlier = (event.failure_history ?? []).filter((attempt) => attempt.status !== 'passed')
  return earlier
    .map((attempt) => {
      const tag = `${prefix}${(attempt.error_kind ?? 'assertion') === 'assertion' ? 'Failure' : 'Error'}`
      const message = `attempt ${attempt.attempt}: ${attempt.error ?? attempt.status}`
      return `      <${tag}${xmlAttributes({ message: clipField(message, 2_000), type: attempt.error_kind ?? 'assertion' })}/>\n`
    })
    .join('')
}

function output(event: CaseEvent): string {
  const out = transcript(event)
  const err = event.type === 'result' ? clipField(event.stderr ?? '') : ''
  const outText = out === '' ? '' : `      <system-out>${xmlText(out)}</system-out>\n`
  return err === '' ? outText : `${outText}      <system-err>${xmlText(err)}</system-err>\n`
}

function suiteName({ start }: Overview): string {
  return start.mode === 'script_test' ? (start.script ?? start.input) : start.agent_id
}

function seconds(ms: number): string {
  return (Math.max(0, ms) / 1000).toFixed(3)
}
