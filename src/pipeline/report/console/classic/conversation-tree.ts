// A conversation as a tree: its turns, its checkpoints, and how it ended.
import { caseTitle } from '../../../../model/run-key.js'
import type { AssertionResult } from '../../../../model/assertion.js'
import type { CheckpointResult, ResultEvent, TurnResult } from '../../../../model/event.js'
import { formatDuration } from '../../../../base/duration.js'
import { preview } from '../../../../base/text.js'
import { displayWidth } from '../../../../base/width.js'
import { plural } from '../../../../base/format.js'
import type { Screen } from '../../recording.js'
import { agentLines, fitted } from '../agent-lines.js'
import { assertionLines, indented } from '../assertion-lines.js'
import { inputText } from '../../input-text.js'
import { paint } from '../paint.js'

const BAR = '  │'
const TURN_INDENT = '          '

export function conversationTree(result: ResultEvent, screen: Screen): string[] {
  const turns = result.turns ?? []
  const simulated = isSimulated(result)
  const lines = [heading(result, simulated)]
  turns.forEach((turn, index) => {
    const details = turnDetails(turn, simulated, screen)
    lines.push(`  ├─ ${turnHeading(turn, simulated, screen)}`, ...details.map((line) => `${BAR}${line}`))
    // Turns on a single line stay close together as long as more of them follow.
    const closes = index === turns.length - 1
    if (details.length > 0 || !simulated || closes) lines.push(BAR)
  })
  if (result.checkpoints) lines.push(...branch('Checkpoints', checkpointLines(result.checkpoints, screen)))
  if (result.assertions && result.assertions.length > 0) {
    lines.push(
      ...branch(`Assertions: ${verdictOf(result.assertions, screen)}`, listed(result.assertions, simulated, screen)),
    )
  }
  lines.push(...ending(result, simulated, screen))
  return lines
}

function isSimulated({ turns, simulator, checkpoints }: ResultEvent): boolean {
  if (turns?.some((turn) => turn.input_source === 'simulator' && turn.status !== 'skipped')) return true
  return simulator !== undefined && checkpoints !== undefined
}

function heading(result: ResultEvent, simulated: boolean): string {
  const name = result.name === undefined ? '' : ` ${preview(result.name)}`
  const run = result.run > 1 ? ` run ${result.run}` : ''
  return `► [${preview(caseTitle(result))}]${name}${run}${headingNote(result, simulated)}`
}

function headingNote(result: ResultEvent, simulated: boolean): string {
  if (simulated && result.simulator !== undefined) return ` (simulator: ${preview(result.simulator)})`
  if (result.status === 'skipped') return ''
  return ` (${plural(result.turns?.length ?? 0, 'turn')})`
}

function turnHeading(turn: TurnResult, simulated: boolean, screen: Screen): string {
  const start = `Turn ${turn.turn}: `
  const status = statusText(turn.status, screen)
  if (turn.input === null || turn.input === undefined) return `${start}${status}`
  const source = sourceMark(turn, simulated)
  const time = turn.status === 'passed' || turn.status === 'failed' ? ` (${formatDuration(turn.duration_ms)})` : ''
  const used = displayWidth(start + source) + 5 + 24
  return `${start}${source}"${fitted(inputText(turn.input), used, screen)}" → ${status}${time}`
}

function sourceMark(turn: TurnResult, simulated: boolean): string {
  if (turn.input_source === 'simulator') return '[Simulated] '
  if (turn.input_source === 'human') return '[Human] '
  return simulated && turn.turn === 1 ? '[Initial] ' : ''
}

function turnDetails(turn: TurnResult, simulated: boolean, screen: Screen): string[] {
  const lines: string[] = []
  const brief = simulated && !screen.verbose && turn.status === 'passed'
  const whole = screen.verbose || turn.status === 'failed'
  if (!brief) lines.push(...agentLines(turn, TURN_INDENT, { ...screen, columns: screen.columns - BAR.length }, whole))
  if (screen.verbose && turn.reasoning !== undefined) lines.push(`${TURN_INDENT}Reasoning: ${preview(turn.reasoning)}`)
  if (turn.skip_reason !== undefined) lines.push(`${TURN_INDENT}Reason: ${preview(turn.skip_reason)}`)
  if (turn.question !== undefined) lines.push(`${TURN_INDENT}Agent asked: "${preview(turn.question)}"`)
  if (turn.hint !== undefined) lines.push(`${TURN_INDENT}Hint: ${preview(turn.hint)}`)
  if (turn.error !== undefined) lines.push(...errorLines(turn.error, TURN_INDENT))
  for (const assertion of turn.assertions ?? []) {
    if (!brief || !assertion.passed)
      lines.push(...assertionLines(assertion, screen).map((line) => `${TURN_INDENT}${line}`))
  }
  if (turn.goal_achieved === true) {
    lines.push(
      `${TURN_INDENT}Goal achieved${turn.goal_reasoning === undefined ? '' : `: ${preview(turn.goal_reasoning)}`}`,
    )
  }
  return lines
}

function checkpointLines(checkpoints: CheckpointResult[], screen: Screen): string[] {
  const color = paint(screen.color)
  return checkpoints.map((checkpoint) => {
    const what = checkpoint.description === undefined ? '' : ` ${preview(checkpoint.description)}`
    const id = preview(checkpoint.id)
    if (checkpoint.reached) return `${color.green('✓')} ${id} (turn ${checkpoint.reached_at_turn ?? '?'})${what}`
    const mark = checkpoint.required ? color.red('✗') : color.yellow('○')
    const optional = checkpoint.required ? '' : ' (optional)'
    return `${mark} ${id}${optional}${what}: ${preview(checkpoint.message ?? 'not reached')}`
  })
}

function ending(result: ResultEvent, simulated: boolean, screen: Screen): string[] {
  const final = result.final_assertions ?? []
  const title = `Final Assertions: ${verdictOf(final, screen)}`
  if (final.length > 0 && result.status !== 'skipped') {
    const lines = listed(final, simulated, screen).map((line) => `     ${line}`)
    return [`  └─ ${title}`, ...lines]
  }
  const lines = final.length > 0 ? branch(title, listed(final, simulated, screen)) : []
  lines.push(`  └─ Result: ${statusText(result.status, screen)}`)
  const toldByTurn = result.turns?.some((turn) => turn.error !== undefined && turn.error === result.error)
  const toldByAssertion = result.error_kind === 'assertion' && (result.assertion_errors?.length ?? 0) > 0
  if (result.error !== undefined && !toldByTurn && !toldByAssertion) lines.push(...errorLines(result.error, '     '))
  return lines
}

function listed(assertions: AssertionResult[], simulated: boolean, screen: Screen): string[] {
  const shown = simulated && !screen.verbose ? assertions.filter((item) => !item.passed) : assertions
  return shown.flatMap((item) => assertionLines(item, screen))
}

function branch(title: string, lines: string[]): string[] {
  return [`  ├─ ${title}`, ...lines.map((line) => `  │  ${line}`), '  │']
}

function errorLines(error: string, indent: string): string[] {
  const [first = '', ...more] = indented(error, '')
  return [`${indent}Error: ${first}`, ...more.map((line) => `${indent}  ${line}`)]
}

function verdictOf(assertions: AssertionResult[], screen: Screen): string {
  if (assertions.some((item) => item.not_evaluated)) return statusText('not_run', screen)
  return statusText(assertions.every((item) => item.passed && item.error === undefined) ? 'passed' : 'failed', screen)
}

function statusText(status: TurnResult['status'], screen: Screen): string {
  const color = paint(screen.color)
  switch (status) {
    case 'passed':
      return color.green('PASSED')
    case 'failed':
      return color.red('FAILED')
    case 'skipped':
      return color.yellow('SKIPPED')
    case 'not_run':
      return color.dim('NOT RUN')
  }
}
