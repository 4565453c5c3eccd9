// What an agent said and did in one answer, line by line: its tool calls, then its words.
import { asText } from '../../base/text.js'
import { evidenceText, isContractEvidence } from '../../model/contract-text.js'
import type { ToolCall } from '../../model/message.js'
import { callText, looseJson } from './call-text.js'

export function answerLines({
  output,
  tool_calls: calls = [],
}: {
  output?: unknown
  tool_calls?: ToolCall[]
}): string[] {
  const lines = calls.map((call) => callText(call))
  if (asText(output) === '' || isSummaryOf(output, calls)) return lines
  if (isContractEvidence(output)) return [...lines, evidenceText(output)]
  if (typeof output !== 'string') return [...lines, looseJson(output)]
  const said = output.trimEnd().split(/\r?\n/)
  return [...lines, ...(said.length === 1 ? [`"${said[0] ?? ''}"`] : said)]
}

/** If an answer has no words, its output is derived from the calls that are already shown. */
export function isSummaryOf(output: unknown, calls: ToolCall[]): boolean {
  return typeof output === 'string' && calls.some((call) => output.startsWith(`[${call.name}`))
}
