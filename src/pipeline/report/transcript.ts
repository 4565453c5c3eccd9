// A case as plain text: what was said and done, for the output fields of CI systems.
import type { AssertionResult } from '../../model/assertion.js'
import type { ResultEvent, StabilityEvent } from '../../model/event.js'
import type { ToolCall } from '../../model/message.js'
import { formatDuration } from '../../base/duration.js'
import type { CaseEvent } from './cases.js'
import { clipField, indented } from './text.js'

/** What happened, as far as it is known. Empty if there is nothing to show. */
export function transcript(event: CaseEvent): string {
  return clipField(event.type === 'result' ? ofResult(event) : ofRuns(event))
}

/** Why it failed: the error, every missed checkpoint, every failed assertion with what was expected, the stack. */
export function failureText(event: CaseEvent, error: string): string {
  const lines = [error]
  if (event.file !== undefined) lines.push(`at ${event.file}${event.line === undefined ? '' : `:${event.line}`}`)
  if (event.type === 'result') {
    lines.push(...missedCheckpoints(event))
    for (const assertion of failedAssertions(event)) lines.push('', ...describeAssertion(assertion))
    if (event.assertion && event.assertions === undefined) lines.push(...describeSides(event.assertion))
    if (event.stack !== undefined) lines.push('', event.stack)
  } else {
    for (const run of event.run_details)
      if (run.status !== 'passed') lines.push(`run ${run.run}: ${run.error ?? run.status}`)
  }
  return clipField(lines.join('\n'))
}

export function failedAssertions(event: ResultEvent): AssertionResult[] {
  const ofTurns = (event.turns ?? []).flatMap((turn) => turn.assertions ?? [])
  return [...ofTurns, ...(event.assertions ?? []), ...(event.final_assertions ?? [])].filter((result) => !result.passed)
}

function missedCheckpoints(event: ResultEvent): string[] {
  const missed = (event.checkpoints ?? []).filter(({ reached, required }) => required && !reached)
  return missed.map(({ id, message }) => `checkpoint ${id}: ${clipField(message ?? 'not reached', 2_000)}`)
}

function describeAssertion(assertion: AssertionResult): string[] {
  const lines = [`${assertion.type}: ${assertion.error ?? assertion.message ?? 'failed'}`, ...describeSides(assertion)]
  if (assertion.diff !== undefined) lines.push(clipField(assertion.diff, 4_000))
  return lines
}

function describeSides({ expected, actual }: { expected?: unknown; actual?: unknown }): string[] {
  const lines: string[] = []
  if (expected !== undefined) lines.push(`  expected: ${clipField(indented(expected), 2_000)}`)
  if (actual !== undefined) lines.push(`  actual: ${clipField(indented(actual), 2_000)}`)
  return lines
}

function ofResult(event: ResultEvent): string {
  const lines: string[] = []
  if (event.turns && event.turns.length > 0) {
    for (const turn of event.turns) {
      lines.push(`Turn ${turn.turn} (${turn.input_source}): ${turn.status}`, `User: ${indented(turn.input)}`)
      if (turn.output !== undefined && turn.output !== '') lines.push(`Agent: ${indented(turn.output)}`)
      lines.push(...calls(turn.tool_calls))
    }
  } else {
    if (event.input !== undefined) lines.push(`Input: ${indented(event.input)}`)
    if (event.output !== undefined || event.response !== undefined)
      lines.push(`Output: ${indented(event.output ?? event.response)}`)
    lines.push(...calls(event.tool_calls))
  }
  if (event.warnings && event.warnings.length > 0) lines.push('Warnings:', ...event.warnings)
  if (event.logs && event.logs.length > 0) lines.push('Logs:', ...event.logs)
  return lines.join('\n')
}

function ofRuns(event: StabilityEvent): string {
  const lines = event.run_details.map((run) => {
    const output = run.output === undefined ? '' : ` ${clipField(indented(run.output), 2_000)}`
    return `Run ${run.run}: ${run.status} (${formatDuration(run.duration_ms)})${output}`
  })
  return lines.join('\n')
}

function calls(toolCalls: ToolCall[] | undefined): string[] {
  return (toolCalls ?? []).map((call) => `Tool: ${call.name}(${JSON.stringify(call.args) ?? ''})`)
}
