// What a checkpoint's assertion sees: for text types the answer and the messages of this turn's tool results.
import type { AssertionSpec } from '../../../model/assertion.js'
import type { Evidence } from '../../../model/evidence.js'
import type { ToolCall } from '../../../model/message.js'
import { asText } from '../../../base/text.js'
import { readNonEmpty } from '../../../base/record.js'

const TEXT_TYPES = new Set(['contains', 'not_contains', 'regex'])

export function checkpointEvidence(spec: AssertionSpec, evidence: Evidence): Evidence {
  if (!isTextual(spec)) return evidence
  const messages = evidence.tool_calls.map(resultMessage).filter((message) => message !== undefined)
  if (messages.length === 0) return evidence
  const answer = asText(evidence.output)
  const unheard = messages.filter((message) => message !== answer)
  return { ...evidence, output: [answer, ...unheard].filter((text) => text !== '').join('\n') }
}

function isTextual(spec: AssertionSpec): boolean {
  const parts: unknown = spec.assertions
  if (Array.isArray(parts)) return parts.length > 0 && (parts as AssertionSpec[]).every(isTextual)
  return TEXT_TYPES.has(spec.type) && spec.path === undefined
}

function resultMessage({ result }: ToolCall): string | undefined {
  if (typeof result !== 'object' || result === null) return undefined
  const { message } = result as { message?: unknown }
  return readNonEmpty(message)
}
