// What the agent said and did in one answer, as lines: `Agent: "…"`, `Agent: [tool: create({amount: 3500})]`.
import { evidenceText, isContractEvidence, probeLines } from '../../../model/contract-text.js'
import type { ToolCall } from '../../../model/message.js'
import { escapeControls } from '../../../base/hidden.js'
import { plural } from '../../../base/format.js'
import { displayWidth, fitWidth } from '../../../base/width.js'
import { isSummaryOf } from '../answer-lines.js'
import { callText, looseJson } from '../call-text.js'
import type { Screen } from '../recording.js'

const NARROWEST = 40
const LONGEST = 2000
const MOST_LINES = 12
const MOST_LINES_VERBOSE = 1000

export function agentLines(
  answer: { output?: unknown; tool_calls?: ToolCall[] },
  indent: string,
  screen: Screen,
  /** An answer of several lines is shown as such. */
  whole = screen.verbose,
): string[] {
  const calls = answer.tool_calls ?? []
  const lines = calls.map(
    (call) => `${indent}Agent: [tool: ${fitted(callText(call), displayWidth(indent) + 15, screen)}]`,
  )
  const { output } = answer
  if (output === undefined || output === null || output === '' || isSummaryOf(output, calls)) return lines
  if (isContractEvidence(output))
    return [...lines, ...paragraph([evidenceText(output), ...probeLines(output)].join('\n'), indent, screen)]
  if (whole && typeof output === 'string' && /\n\s*\S/.test(output))
    return [...lines, ...paragraph(output, indent, screen)]
  const text = fitted(typeof output === 'string' ? output : looseJson(output), displayWidth(indent) + 9, screen)
  return [...lines, `${indent}Agent: ${typeof output === 'string' ? `"${text}"` : text}`]
}

/** Each further line follows a bar, so that nothing an agent said is at the start of one. */
function paragraph(text: string, indent: string, screen: Screen): string[] {
  const all = text.trimEnd().split(/\r?\n/)
  const most = screen.verbose ? MOST_LINES_VERBOSE : MOST_LINES
  const shown = all.length > most + 1 ? all.slice(0, most) : all
  const left = all.length - shown.length
  const [first = '', ...more] = shown.map((line) => fitted(line, displayWidth(indent) + 9, screen))
  const lines = [`${indent}Agent: "${first}`, ...more.map((line) => `${indent}      │ ${line}`.trimEnd())]
  if (left === 0) return [...lines.slice(0, -1), `${lines.at(-1) ?? ''}"`]
  return [...lines, `${indent}      │ … ${plural(left, 'more line')}${screen.verbose ? '' : ' (-v shows them)'}`]
}

/** One line that fits beside what precedes it; with `-v` practically all of it. */
export function fitted(text: string, used: number, screen: Screen): string {
  const line = escapeControls(text.length > LONGEST * 2 ? text.slice(0, LONGEST * 2) : text)
  return fitWidth(line, screen.verbose ? LONGEST : Math.max(NARROWEST, screen.columns - used))
}
