// One case as a section of a Markdown report.
import { inputText } from './input-text.js'
import {
  asksForContract,
  contractFinding,
  evidenceText,
  isContractEvidence,
  probeLines,
} from '../../model/contract-text.js'
import { caseTitle } from '../../model/run-key.js'
import { helpersText } from '../../model/helper-cost.js'
import type { AssertionResult } from '../../model/assertion.js'
import type { ResultEvent, StabilityEvent, TurnResult } from '../../model/event.js'
import type { ToolCall } from '../../model/message.js'
import type { ListedStatus } from '../../model/status.js'
import { labelWords } from '../../model/stability-label.js'
import { formatDuration } from '../../base/duration.js'
import { asJson } from '../../base/text.js'
import { blameText } from './blame/blame-text.js'
import { caseError, describeRate, listedStatus, scriptTitle, type CaseEvent } from './cases.js'
import { explainResult } from './explain/explain.js'
import { markdownSession, markdownState } from './markdown-session.js'
import { table } from './markdown-table.js'
import { cell, codeSpan, fenced, inline } from './markdown-text.js'
import type { Overview } from './overview.js'
import { formatSpent, formatPercent } from '../../base/format.js'
import { heading, indented } from './text.js'

export function markdownCase(event: CaseEvent, overview: Overview): string {
  const status = listedStatus(event, overview)
  const time = formatDuration(event.type === 'result' ? event.duration_ms : event.avg_duration_ms)
  const title = overview.start.mode === 'script_test' ? scriptTitle(event, overview.start) : caseTitle(event)
  const flaky = event.type === 'result' && event.flaky ? `, flaky: ${event.attempts ?? 2} attempts` : ''
  const heading = `### ${MARKS[status]} ${inline(title)} - ${WORDS[status]} (${time}${flaky})\n`
  return [
    heading,
    ...facts(event, status, overview),
    ...(event.type === 'result' ? resultBody(event) : stabilityBody(event)),
  ].join('\n')
}

const MARKS: Record<ListedStatus, string> = {
  passed: '✅',
  failed: '❌',
  skipped: '⏭️',
  undetermined: '❔',
  not_shown: '🚫',
}
const WORDS: Record<ListedStatus, string> = {
  passed: 'Passed',
  failed: 'Failed',
  skipped: 'Skipped',
  undetermined: 'Undetermined',
  not_shown: 'Not shown',
}

function facts(event: CaseEvent, status: ListedStatus, overview: Overview): string[] {
  const lines: string[] = []
  if (event.name !== undefined && overview.start.mode !== 'script_test') lines.push(`- **Name:** ${inline(event.name)}`)
  if (event.file !== undefined)
    lines.push(`- **Where:** ${inline(event.line === undefined ? event.file : `${event.file}:${event.line}`)}`)
  if (status === 'skipped') lines.push(`- **Reason:** ${inline(event.skip_reason ?? 'skipped')}`)
  if (status === 'not_shown') lines.push(`- **Error:** ${inline(caseError(event, overview), 500)}`)
  if (status === 'failed') {
    const kind = event.error_kind === undefined || event.error_kind === 'assertion' ? '' : ` (${event.error_kind})`
    lines.push(`- **Error${kind}:** ${inline(caseError(event, overview), 500)}`)
    const blame = event.type === 'result' ? explainResult(event).blame : undefined
    // That the agent failed is what everybody expects.
    if (blame !== undefined && blame.party !== 'agent') lines.push(`- **Blame:** ${inline(blameText(blame), 500)}`)
  } else if (event.type === 'stability' && status !== 'skipped' && status !== 'not_shown')
    lines.push(`- **Runs:** ${describeRate(event, overview)}`)
  if (event.type === 'result' && event.cost_dollars !== undefined)
    lines.push(`- **Cost:** ${formatSpent(event.cost_dollars, event.cost_estimated)}`)
  const helpers = event.type === 'result' ? helpersText(event.helpers) : undefined
  if (helpers !== undefined) lines.push(`- **Helpers:** ${inline(helpers)}`)
  return lines.length === 0 ? [] : [`${lines.join('\n')}\n`]
}

function resultBody(event: ResultEvent): string[] {
  const parts: string[] = []
  if (event.turns && event.turns.length > 0) parts.push(...event.turns.map(turn))
  else {
    const evidence = isContractEvidence(event.output) ? event.output : undefined
    if (event.input !== undefined)
      parts.push(block('Input', asksForContract(event.input) ? inputText(event.input) : event.input))
    if (evidence) parts.push(block('Calls', [evidenceText(evidence), ...probeLines(evidence)].join('\n')))
    else if (event.output !== undefined || event.response !== undefined)
      parts.push(block('Output', event.output ?? event.response))
    parts.push(...toolCalls(event.tool_calls))
  }
  if (event.expected !== undefined) parts.push(block('Expected', event.expected))
  parts.push(...markdownSession(event), ...markdownState(event))
  parts.push(
    ...assertions('Assertions', event.assertion ? listOf(event) : event.assertions),
    ...checkpoints(event),
    ...assertions('Final assertions', event.final_assertions),
  )
  if (event.assertion) parts.push(...scriptAssertion(event.assertion))
  if (event.warnings && event.warnings.length > 0) parts.push(block('Warnings', event.warnings.join('\n')))
  if (event.logs && event.logs.length > 0) parts.push(block('Logs', event.logs.join('\n')))
  if (event.stack !== undefined) parts.push(block('Stack', event.stack))
  if (event.stderr !== undefined && event.stderr !== '') parts.push(block('Standard error', event.stderr))
  return parts
}

function stabilityBody(event: StabilityEvent): string[] {
  if (event.status === 'skipped') return []
  const shown = labelWords(event)
  const rows: Array<[string, string]> = [
    ['Pass rate', formatPercent(event.pass_rate)],
    ...(shown === undefined ? [] : [['Verdict', shown] satisfies [string, string]]),
    ['Consistency', event.consistency.toFixed(2)],
    [
      'Duration',
      `${formatDuration(event.avg_duration_ms)} (${formatDuration(event.min_duration_ms)} to ${formatDuration(event.max_duration_ms)})`,
    ],
  ]
  if (event.interval)
    rows.push([
      `${Math.round(event.interval.confidence * 1000) / 10}% interval`,
      `${formatPercent(event.interval.low * 100)} to ${formatPercent(event.interval.high * 100)}`,
    ])
  if (event.decision !== undefined)
    rows.push(['Decision', `${event.decision} (threshold ${formatPercent((event.threshold ?? 0) * 100)})`])
  const runs = event.run_details.map((run) => [
    String(run.run),
    run.status,
    formatDuration(run.duration_ms),
    cell(run.error ?? '', 120),
  ])
  return [table(['Measure', 'Value'], rows), table(['Run', 'Status', 'Duration', 'Error'], runs)]
}

function turn(result: TurnResult): string {
  const source = result.input_source === 'static' ? '' : ` (${result.input_source})`
  const parts = [`**Turn ${result.turn}**${source}: ${result.status} (${formatDuration(result.duration_ms)})\n`]
  if (result.input !== undefined) parts.push(block('User', result.input))
  if (result.output !== undefined && result.output !== '') parts.push(block('Agent', result.output))
  parts.push(...toolCalls(result.tool_calls))
  if (result.error !== undefined) parts.push(`- ${inline(result.error, 500)}\n`)
  if (result.skip_reason !== undefined) parts.push(`- ${inline(result.skip_reason, 500)}\n`)
  parts.push(...assertions('Assertions', result.assertions))
  return parts.join('\n')
}

function toolCalls(calls: ToolCall[] | undefined): string[] {
  if (!calls || calls.length === 0) return []
  const lines = calls.map((call) => `- ${inline(call.name)} ${inline(JSON.stringify(call.args) ?? '', 300)}`)
  return [`**Tool calls**\n\n${lines.join('\n')}\n`]
}

function assertions(title: string, results: AssertionResult[] | undefined): string[] {
  if (!results || results.length === 0) return []
  const lines = results.map((result) => {
    const mark = result.passed ? '✓' : result.not_evaluated ? '○' : '✗'
    const subject = result.value ?? result.name ?? result.params?.['rule']
    const what = [result.type, result.path, subject === undefined ? undefined : asJson(subject)]
      .filter(Boolean)
      .join(' ')
    const why = result.passed ? undefined : (result.error ?? result.message)
    return `- ${mark} ${inline(what)}${why === undefined ? '' : `: ${inline(why, 500)}`}`
  })
  const diffs = results.flatMap((result) =>
    result.passed || result.diff === undefined ? [] : [fenced(result.diff, 'diff')],
  )
  return [`**${title}**\n\n${lines.join('\n')}\n`, ...results.flatMap(contractDetails), ...diffs]
}

/** Why a rule of a contract matters, how to fix what breaks it, and the exchange that shows it. */
function contractDetails(result: AssertionResult): string[] {
  const finding = result.passed ? undefined : contractFinding(result)
  if (!finding) return []
  const { rule, reason, fix, request, answer, before, after } = finding
  const shown = Object.entries({ request, answer, before, after }).filter(([, value]) => value !== undefined)
  const raw = shown.map(([name, value]) => `${name}: ${asJson(value)}`).join('\n')
  return [
    `- ${inline(rule)}, why: ${inline(reason, 500)}\n- fix: ${inline(fix, 500)}\n`,
    ...(raw === '' ? [] : [fenced(raw, 'text')]),
  ]
}

function scriptAssertion({ type, expected, actual }: NonNullable<ResultEvent['assertion']>): string[] {
  const sides = Object.entries({ expected, actual }).filter(([, value]) => value !== undefined)
  return [
    [`- ${inline(type)}`, ...sides.map(([name, value]) => `- ${name}: ${codeSpan(heading(asJson(value), 500))}`)].join(
      '\n',
    ) + '\n',
  ]
}

/** For a script test: the only failure is shown with both sides below, so a list of just that adds nothing. */
function listOf({ assertions: all }: ResultEvent): AssertionResult[] | undefined {
  return all && all.length > 1 ? all : undefined
}

function checkpoints(event: ResultEvent): string[] {
  if (!event.checkpoints || event.checkpoints.length === 0) return []
  const lines = event.checkpoints.map((checkpoint) => {
    const { id, reached, reached_at_turn, message = 'not reached' } = checkpoint
    const what = reached ? `reached at turn ${reached_at_turn ?? '?'}` : inline(message, 500)
    return `- ${checkpoint.passed ? '✓' : checkpoint.required ? '✗' : '○'} ${inline(id)}: ${what}`
  })
  return [`**Checkpoints**\n\n${lines.join('\n')}\n`]
}

function block(title: string, value: unknown): string {
  return `**${title}**\n\n${fenced(indented(value), typeof value === 'string' ? '' : 'json')}`
}
