// OpenCode: the prompt as the last argument of `run`, or on standard input; NDJSON out, with tool calls, tokens and cost.
import { isRecord, readString } from '../../base/record.js'
import { asText, oneLine } from '../../base/text.js'
import { addUsage } from '../../model/usage.js'
import { countOf, jsonLinesReader, nameOf, type JsonAnswer, type JsonEvent } from './json-lines.js'
import type { OutputReader, Program } from './program.js'

export const opencode: Program = {
  name: 'opencode',
  command: 'opencode',
  reports: ['tokens', 'cost'],
  invoke: (prompt, args) => ({ args: ['run', '--format', 'json', ...args, prompt] }),
  invokeLong: (prompt, args) => ({ args: ['run', '--format', 'json', ...args], stdin: prompt }),
  reader: opencodeReader,
}

export function opencodeReader(onText: (text: string) => void): OutputReader {
  return jsonLinesReader(onText, { name: 'opencode', take, orText: true })
}

function take(event: JsonEvent, answer: JsonAnswer): boolean {
  const { type, error } = event
  const part = isRecord(event['part']) ? event['part'] : {}
  switch (type) {
    case 'text':
      answer.say(readString(part['text']) ?? '')
      return true
    case 'tool_use':
      addCall(part, answer)
      return true
    case 'step_finish':
      addStep(part, answer)
      return true
    case 'error':
      answer.error = reported(error)
      return true
    default:
      return type === 'step_start' || type === 'reasoning'
  }
}

function addCall({ tool, callID, state }: JsonEvent, { calls }: JsonAnswer): void {
  const { status, input, output, error } = isRecord(state) ? state : {}
  calls.push({
    ...nameOf(tool),
    args: input ?? {},
    id: readString(callID) ?? '',
    ...(status === 'error' ? { error: asText(error ?? 'failed') } : { result: output ?? null }),
  })
}

/** What is read from and written to the cache counts as input. */
function addStep({ reason, tokens, cost }: JsonEvent, answer: JsonAnswer): void {
  // After a step that called tools comes another one.
  answer.isOver = reason !== 'tool-calls'
  const counts = isRecord(tokens) ? tokens : {}
  const cache = isRecord(counts['cache']) ? counts['cache'] : {}
  const input_tokens = countOf(counts['input']) + countOf(cache['read']) + countOf(cache['write'])
  const output_tokens = countOf(counts['output']) + countOf(counts['reasoning'])
  answer.usage = addUsage(answer.usage, { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens })
  // A model without a price costs 0 here, which is not known to be true.
  if (countOf(cost) > 0) answer.cost = (answer.cost ?? 0) + countOf(cost)
}

function reported(error: unknown): string {
  const data = isRecord(error) && isRecord(error['data']) ? error['data'] : error
  const reason = isRecord(data) ? (data['message'] ?? data) : data
  return `opencode reported an error: ${oneLine(asText(reason ?? 'it gave no reason'), 300)}`
}
