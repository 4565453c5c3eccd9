// What the console shows before the first case.
import type { StartEvent } from '../../../../model/event.js'
import { preview } from '../../../../base/text.js'
import { plural } from '../../../../base/format.js'
import { variantHeader } from '../variant-lines.js'
import type { Screen } from '../../recording.js'
import { AGENT_WIDTH, double, SCRIPT_WIDTH, single } from './rules.js'

export function headerBlock(start: StartEvent, screen: Screen): string {
  return start.mode === 'script_test' ? scriptHeader(start) : agentHeader(start, screen)
}

function agentHeader(start: StartEvent, { brief = false }: Screen): string {
  const lines = [
    double(AGENT_WIDTH),
    start.multi_turn ? '  Agent Test (Multi-Turn)' : '  Agent Test',
    double(AGENT_WIDTH),
    ...(start.variants ? variantHeader(start) : [`ℹ Agent: ${preview(start.agent_id, 200)}`]),
  ]
  // Of interest if it is not simply the agent's own.
  const asked = start.options['connector'] !== undefined || start.options['verbose'] === true
  if (start.connector !== undefined && asked && !start.variants)
    lines.push(`ℹ Connector: ${preview(start.connector, 200)}`)
  lines.push(`ℹ Input: ${preview(start.input, 200)} (${countCases(start.total_cases)})`)
  lines.push(...choice(start))
  if (start.runs_per_case !== 1) lines.push(`ℹ Runs per case: ${start.runs_per_case}`)
  // On a terminal the live lines say that it is running; a first run must fit the screen.
  if (!brief) lines.push('', single(AGENT_WIDTH), '  Running Tests', single(AGENT_WIDTH))
  lines.push('', '')
  return lines.join('\n')
}

function choice({ options }: StartEvent): string[] {
  const { order, last_failed } = options
  return [
    ...(last_failed === true ? ['ℹ Only: what did not pass when it was last run'] : []),
    ...(typeof order === 'string' && order !== 'file' ? [`ℹ Order: ${preview(order, 100)}`] : []),
  ]
}

function scriptHeader(start: StartEvent): string {
  const total = start.total_cases ?? 0
  return [
    double(SCRIPT_WIDTH),
    `  Script Test: ${preview(start.input, 200)}`,
    double(SCRIPT_WIDTH),
    `  Script: ${listedFiles(start.script_path ?? '')}`,
    `  Tests: ${plural(total, 'function')}`,
    `  User: ${preview(start.environment.user_id, 200)}`,
    `  Team: ${preview(start.environment.team_id, 200)}`,
    ...choice(start).map((line) => line.replace('ℹ', ' ')),
    single(SCRIPT_WIDTH),
    '  Running Tests',
    single(SCRIPT_WIDTH),
    '',
  ].join('\n')
}

function listedFiles(paths: string): string {
  const [first = '', ...more] = paths.split(', ')
  const shown = preview(first, 200)
  return more.length === 0 ? shown : `${shown} and ${plural(more.length, 'more file')}`
}

function countCases(total: number | undefined): string {
  if (total === undefined) return 'cases read as they come'
  return plural(total, 'test case')
}
