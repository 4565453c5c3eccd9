// `.tap`: TAP version 14. Data appears only in escaped descriptions and in quoted YAML, so it cannot add a line.
import { testedWithout } from '../../../model/without.js'
import { caseTitle } from '../../../model/run-key.js'
import type { ResultEvent, TurnResult } from '../../../model/event.js'
import type { ListedStatus } from '../../../model/status.js'
import { caseError, listedStatus, eachCase, isNotGreen, scriptTitle, type CaseEvent } from '../cases.js'
import { readOverview, type Overview } from '../overview.js'
import type { Recording } from '../recording.js'
import { clipField, heading } from '../text.js'
import { failedAssertions } from '../transcript.js'

export async function* tap(recording: Recording): AsyncGenerator<string> {
  const overview = await readOverview(recording)
  const total = overview.listed.total + overview.stray.length
  yield `TAP version 14\n1..${total}${total === 0 ? ' # SKIP no results' : ''}\n`
  const { session_file } = overview.start
  if (session_file !== undefined) yield `# Session trace available at: ${description(session_file)}\n`
  const without = testedWithout(overview.summary.without)
  if (without !== undefined) yield `# ${description(without)}\n`
  let number = 0
  for await (const event of eachCase(recording, overview)) {
    number++
    if (event.type === 'result') yield subtests(event)
    yield testPoint(number, event, overview)
  }
  for (const { where, message } of overview.stray) {
    number++
    const fields = { message: clipField(message, 4_000), severity: 'error' }
    yield `not ok ${number} - error outside any test: ${description(where)}\n${yamlBlock(fields, '  ')}`
  }
}

function testPoint(number: number, event: CaseEvent, overview: Overview): string {
  const status = listedStatus(event, overview)
  const title = titleOf(event, overview)
  const head = `${isNotGreen(status) ? 'not ok' : 'ok'} ${number} - ${description(title)}`
  if (status === 'skipped') return `${head} # SKIP ${description(event.skip_reason ?? '')}\n`
  const error = isNotGreen(status) ? caseError(event, overview) : undefined
  if (overview.start.mode === 'test_tools') return `${head}\n${checkDiagnostics(event, error)}`
  return `${head}\n${diagnostics(event, status, error)}`
}

function titleOf(event: CaseEvent, { start }: Overview): string {
  if (start.mode === 'script_test') return scriptTitle(event, start)
  if (event.name === undefined) return caseTitle(event)
  return start.mode === 'test_tools' ? `${event.id}: ${event.name}` : `${caseTitle(event)} - ${event.name}`
}

/** Each turn, checkpoint and group of final assertions as a test of its own, indented under the case. */
function subtests(event: ResultEvent): string {
  const points = [...(event.turns ?? []).map(turnPoint), ...checkpointPoints(event), ...finalPoint(event)]
  if (points.length === 0) return ''
  const lines = points.map((point, index) => {
    const head = `    ${point.ok ? 'ok' : 'not ok'} ${index + 1} - ${point.title}`
    if (point.skip !== undefined) return `${head} # SKIP ${description(point.skip)}\n`
    return `${head}\n${point.message === undefined ? '' : yamlBlock({ message: point.message }, '      ')}`
  })
  return `# Subtest: ${description(caseTitle(event))}\n${lines.join('')}    1..${points.length}\n`
}

interface Point {
  ok: boolean
  title: string
  skip?: string
  message?: string
}

function turnPoint(turn: TurnResult): Point {
  const title = description(
    `turn ${turn.turn}: ${typeof turn.input === 'string' ? turn.input : (JSON.stringify(turn.input) ?? '')}`,
  )
  if (turn.status === 'skipped') return { ok: true, title, skip: turn.skip_reason ?? 'skipped' }
  if (turn.status === 'not_run') return { ok: true, title, skip: 'not run' }
  if (turn.status === 'passed') return { ok: true, title }
  return { ok: false, title, message: turn.error ?? turn.assertion_errors?.[0] ?? 'failed' }
}

function checkpointPoints(event: ResultEvent): Point[] {
  return (event.checkpoints ?? []).map((checkpoint) => {
    const title = description(`checkpoint ${checkpoint.id}`)
    if (!checkpoint.reached && !checkpoint.required) return { ok: true, title, skip: 'optional, not reached' }
    return checkpoint.passed ? { ok: true, title } : { ok: false, title, message: checkpoint.message ?? 'not reached' }
  })
}

function finalPoint(event: ResultEvent): Point[] {
  if (!event.final_assertions || event.final_assertions.length === 0) return []
  const failed = event.final_assertions.find((assertion) => !assertion.passed)
  const title = 'final assertions'
  if (failed?.not_evaluated) return [{ ok: true, title, skip: 'not evaluated' }]
  return [failed ? { ok: false, title, message: failed.error ?? failed.message ?? failed.type } : { ok: true, title }]
}

function diagnostics(event: CaseEvent, status: ListedStatus, error: string | undefined): string {
  const fields: Record<string, unknown> = {}
  if (error !== undefined) fields['message'] = clipField(error, 4_000)
  if (status === 'undetermined') fields['severity'] = status
  if (status === 'not_shown') Object.assign(fields, { severity: 'error', error_kind: status })
  if (status === 'failed') {
    fields['severity'] = (event.error_kind ?? 'assertion') === 'assertion' ? 'fail' : 'error'
    fields['error_kind'] = event.error_kind ?? 'assertion'
  }
  if (event.type === 'result') {
    fields['duration_ms'] = event.duration_ms
    if (event.flaky) Object.assign(fields, { flaky: true, attempts: event.attempts })
    if (error !== undefined) Object.assign(fields, expectation(event))
  } else {
    fields['duration_ms'] = event.avg_duration_ms
    const { runs, passed, failed, pass_rate, classification, label } = event
    Object.assign(fields, { runs, passed, failed, pass_rate, classification, label })
  }
  if (error !== undefined && event.file !== undefined) fields['at'] = { file: event.file, line: event.line }
  return yamlBlock(fields, '  ')
}

/** For test tools: what was expected and what came; for a check that passed at once the title says it all. */
function checkDiagnostics(event: CaseEvent, error: string | undefined): string {
  if (event.type !== 'result') return ''
  const { flaky, attempts } = event
  if (error === undefined) return flaky ? yamlBlock({ flaky, attempts }, '  ', plainYaml) : ''
  const { expected, actual } = expectation(event)
  const isError = (event.error_kind ?? 'assertion') !== 'assertion'
  // The title is cut, and for a sequence it says less than what follows.
  const isShort = error.length <= 120 || event.assertions?.[0]?.type === 'event_sequence'
  const said = (expected === undefined && actual === undefined) || !isShort
  const fields = {
    ...(said && { message: clipField(error, 4_000) }),
    ...(isError && { severity: 'error' }),
    expected,
    actual,
  }
  return yamlBlock(fields, '  ', plainYaml)
}

/** As people write it, if no reader could take it for anything else. */
function plainYaml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(plainYaml).join(', ')}]`
  const isPlain = typeof value === 'string' && /^[A-Za-z][\w./-]*$/.test(value) && !YAML_WORDS.test(value)
  return isPlain ? value : yamlValue(value)
}

const YAML_WORDS = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i

function expectation(event: ResultEvent): Record<string, unknown> {
  const [first] = failedAssertions(event)
  const expected = first?.expected ?? event.assertion?.expected ?? (event.assertions ? undefined : event.expected)
  return {
    expected: limited(expected),
    actual: limited(first?.actual ?? event.assertion?.actual),
    output: limited(event.output),
  }
}

function limited(value: unknown): unknown {
  if (value === undefined) return undefined
  const text = JSON.stringify(value) ?? ''
  return text.length <= 4_000 ? value : clipField(typeof value === 'string' ? value : text, 4_000)
}

// JSON is YAML; on one line, with the characters escaped that YAML treats as line breaks or forbids.
function yamlBlock(fields: Record<string, unknown>, indent: string, write = yamlValue): string {
  const lines = Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [`${indent}${key}: ${write(value)}\n`],
  )
  return `${indent}---\n${lines.join('')}${indent}...\n`
}

function yamlValue(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll(LONE_SURROGATE, '\ufffd')
    .replaceAll(
      /[\u007f-\u009f\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff]/g,
      (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
    )
}

// JSON's form of an unpaired surrogate. After an escaped backslash it is text that only looks like it.
const LONE_SURROGATE = /(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/gi

/** One line in which `#` begins no directive. */
function description(text: string): string {
  return heading(text).replaceAll(/[\\#]/g, String.raw`\$&`)
}
