// Token counts in every spelling → one form. A count that makes no sense is unknown, never a number.
import type { Usage } from '../model/message.js'
import { isAmount, isRecord } from '../base/record.js'

export function normalizeUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined
  const input = readCount(value, ['input_tokens', 'prompt_tokens', 'inputTokens', 'promptTokens', 'promptTokenCount'])
  const output = readCount(value, [
    'output_tokens',
    'completion_tokens',
    'outputTokens',
    'completionTokens',
    'candidatesTokenCount',
  ])
  if (input === undefined || output === undefined) return undefined
  const total = readCount(value, ['total_tokens', 'totalTokens', 'totalTokenCount'])
  // Some count reasoning only in the total; no total is less than its parts.
  return { input_tokens: input, output_tokens: output, total_tokens: Math.max(total ?? 0, input + output) }
}

function readCount(record: Record<string, unknown>, names: string[]): number | undefined {
  for (const name of names) {
    const value = record[name]
    // The AI SDK's providers return `{ total, … }` per direction.
    const count = isRecord(value) ? value['total'] : value
    if (count === undefined) continue
    return isAmount(count) ? count : undefined
  }
  return undefined
}
