// Gemini CLI: the prompt as the value of -p, NDJSON out, with tool calls and tokens.
import { isRecord, readString } from '../../base/record.js'
import { asText, oneLine } from '../../base/text.js'
import { countOf, jsonLinesReader, nameOf, type JsonAnswer, type JsonEvent } from './json-lines.js'
import type { OutputReader, Program } from './program.js'

export const gemini: Program = {
  name: 'gemini',
  command: 'gemini',
  reports: ['tokens'],
  // A workspace is never a folder that somebody has trusted before.
  invoke: (prompt, args) => ({ args: ['--yolo', '--skip-trust', '-o', 'stream-json', ...args, '-p', prompt] }),
  reader: geminiReader,
}

export function geminiReader(onText: (text: string) => void): OutputReader {
  return jsonLinesReader(onText, { name: 'gemini', take, orText: true })
}

function take(event: JsonEvent, answer: JsonAnswer): boolean {
  switch (event['type']) {
    case 'init':
      return true
    case 'message':
      if (event['role'] === 'assistant') answer.add(readString(event['content']) ?? '')
      return true
    case 'tool_use':
      answer.calls.push({
        ...nameOf(event['tool_name']),
        args: event['parameters'] ?? {},
        id: readString(event['tool_id']) ?? '',
      })
      return true
    case 'tool_result':
      addResult(event, answer)
      return true
    case 'error':
      if (event['severity'] !== 'warning') answer.error = reported(event['message'])
      return true
    case 'result': {
      answer.isOver = true
      if (event['status'] !== 'success') answer.error ??= reported(event['error'] ?? event['status'])
      const stats = isRecord(event['stats']) ? event['stats'] : {}
      const [input_tokens, output_tokens] = [countOf(stats['input_tokens']), countOf(stats['output_tokens'])]
      answer.usage = { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens }
      return true
    }
    default:
      return false
  }
}

function addResult({ tool_id, status, output, error }: JsonEvent, { calls }: JsonAnswer): void {
  const call = calls.findLast(({ id }) => id !== undefined && id === tool_id)
  if (!call) return
  if (status === 'success') call.result = output ?? null
  else call.error = asText(isRecord(error) ? (error['message'] ?? error) : (error ?? output ?? 'failed'))
}

function reported(error: unknown): string {
  const reason = isRecord(error) ? (error['message'] ?? error) : error
  return `gemini reported an error: ${oneLine(asText(reason ?? 'it gave no reason'), 300)}`
}
