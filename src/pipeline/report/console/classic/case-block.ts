// One finished case on the console: a line and its figures, or the tree of a conversation.
import { caseTitle } from '../../../../model/run-key.js'
import type { ResultEvent } from '../../../../model/event.js'
import { formatDuration } from '../../../../base/duration.js'
import { plural } from '../../../../base/format.js'
import { preview } from '../../../../base/text.js'
import type { Screen } from '../../recording.js'
import { agentLines, fitted } from '../agent-lines.js'
import { assertionLines, indented } from '../assertion-lines.js'
import { conversationTree } from './conversation-tree.js'
import { inputText } from '../../input-text.js'
import { paint } from '../paint.js'
import { fileLines, sessionLines, stateLines } from '../session-lines.js'
import { traceLines } from '../trace-lines.js'

export function caseBlock(result: ResultEvent, screen: Screen): string {
  const lines = result.turns === undefined ? standardLines(result, screen) : conversationTree(result, screen)
  return `${[...lines, ...frames(result, screen), ...remarks(result, screen)].join('\n')}\n\n`
}

function standardLines(result: ResultEvent, screen: Screen): string[] {
  const color = paint(screen.color)
  const name = result.name === undefined ? '' : ` ${preview(result.name)}`
  const run = result.run > 1 ? ` run ${result.run}` : ''
  const title = `[${preview(caseTitle(result))}]${name}${run}`
  if (result.status === 'skipped') {
    const reason = result.skip_reason === undefined ? [] : [`  Reason: ${preview(result.skip_reason)}`]
    return [`${color.yellow('○')} ${title} SKIPPED`, ...reason]
  }
  const mark = result.status === 'passed' ? color.green('✓') : color.red('✗')
  const lines = [`${mark} ${title} (${formatDuration(result.duration_ms)})`]
  const figures = figuresOf(result)
  if (figures !== '') lines.push(`  ${figures}`)
  if (screen.verbose) lines.push(...spoken(result, screen))
  else if (result.status === 'failed') lines.push(...agentLines(result, '  ', screen, true))
  lines.push(...why(result, screen))
  return lines
}

function figuresOf(result: ResultEvent): string {
  const figures: string[] = []
  if (result.messages_count !== undefined) figures.push(`Messages: ${result.messages_count}`)
  const all = result.assertions ?? []
  if (all.length > 0) figures.push(`Assertions: ${all.filter((item) => item.passed).length}/${all.length} passed`)
  if (result.score !== undefined) figures.push(scoreText(result.score, result.min_score))
  return figures.join(', ')
}

function scoreText(score: number, least: number | undefined): string {
  return `Score: ${score.toFixed(2)}${least === undefined ? '' : ` (at least ${least})`}`
}

function spoken(result: ResultEvent, screen: Screen): string[] {
  const input = result.input === undefined ? [] : [`  User: "${fitted(inputText(result.input), 8, screen)}"`]
  return [...input, ...agentLines(result, '  ', screen)]
}

function why(result: ResultEvent, screen: Screen): string[] {
  const shown = (result.assertions ?? []).filter((item) => screen.verbose || !item.passed || item.error !== undefined)
  const lines = shown.flatMap((item) => assertionLines(item, screen)).map((line) => `  ${line}`)
  // A failed assertion speaks for itself; the error says everything else.
  const told =
    lines.length > 0 &&
    result.error_kind !== undefined &&
    ['assertion', 'validator', 'script'].includes(result.error_kind)
  if (result.error === undefined || told) return lines
  const [first = '', ...more] = indented(result.error, '', 30)
  return [`  Error: ${first}`, ...more.map((line) => `    ${line}`), ...lines]
}

/** Where in the user's script it went wrong. */
function frames({ status, stack, error_kind = 'assertion' }: ResultEvent, screen: Screen): string[] {
  if (status !== 'failed' || stack === undefined) return []
  // Those of an agent's module have no message before them; the error has said where it was.
  if (['agent', 'simulator', 'validator'].includes(error_kind) && /^\s+at /.test(stack)) return []
  const all = stack.split('\n').filter((line) => /^\s+at /.test(line))
  return all.slice(0, screen.verbose ? 20 : 3).map((line) => `    ${preview(line.trim(), 500)}`)
}

function remarks(result: ResultEvent, screen: Screen): string[] {
  const color = paint(screen.color)
  const lines: string[] = []
  if (result.flaky === true) lines.push(`  ${color.yellow('⚠')} flaky: passed at attempt ${result.attempts ?? 2}`)
  else if ((result.attempts ?? 1) > 1) lines.push(`  ${color.yellow('⚠')} tried ${result.attempts} times`)
  for (const { reason } of result.reruns ?? []) {
    lines.push(`  ${color.yellow('⚠')} run again alone: ${preview(reason, 500)}`)
  }
  for (const warning of result.warnings ?? []) lines.push(`  ${color.yellow('⚠')} ${preview(warning, 500)}`)
  if (result.leaked && result.leaked.length > 0) {
    lines.push(`  ${color.yellow('⚠')} left processes behind: ${preview(result.leaked.join(', '), 500)}`)
  }
  if (!screen.verbose) return lines
  lines.push(...retryLines(result))
  for (const log of result.logs ?? []) lines.push(...indented(log, '  │ '))
  return [
    ...lines,
    ...traceLines(result.trace ?? []),
    ...sessionLines(result),
    ...fileLines(result),
    ...stateLines(result),
  ]
}

/** What was tried again, why, and after how long. */
function retryLines({ failure_history = [], api_retries = 0, api_retry_log = [] }: ResultEvent): string[] {
  const attempts = failure_history.map(
    ({ attempt, error = '', wait_ms = 0 }) =>
      `  ↻ attempt ${attempt} failed, next one after ${formatDuration(wait_ms)}: ${preview(error, 500)}`,
  )
  const requests = api_retry_log.map(
    ({ reason, wait_ms }) => `  ↻ request repeated after ${formatDuration(wait_ms)}: ${preview(reason, 500)}`,
  )
  const unseen = api_retries - api_retry_log.length
  return [...attempts, ...requests, ...(unseen > 0 ? [`  ↻ ${plural(unseen, 'more request')} repeated`] : [])]
}
