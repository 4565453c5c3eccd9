// What model APIs answer, passed on as it came: the Responses API and Gemini's; chat completions without a choice.
import { readFinishReason } from '../../connectors/finish-reason.js'
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import { defined } from '../../base/defined.js'
import { isRecord, readString } from '../../base/record.js'
import { isError } from '../../http/reported-error.js'
import type { AgentReply } from '../../model/agent.js'
import { readParts } from './content-parts.js'
import { responseCalls } from './response-calls.js'

type Fields = Record<string, unknown>

export function readApiResult(value: Fields): AgentReply | undefined {
  if (value['object'] === 'response' && Array.isArray(value['output'])) return fromResponse(value, value['output'])
  const { candidates } = value
  if (Array.isArray(candidates) && isGemini(value, candidates)) return fromGemini(value, candidates)
  const isEmpty = Array.isArray(value['choices']) && value['choices'].length === 0
  return isEmpty && value['object'] === 'chat.completion' ? { content: null, tool_calls: [] } : undefined
}

function fromResponse(value: Fields, output: unknown[]): AgentReply {
  const items = output.filter(isRecord)
  const messages = items.filter((item) => item['type'] === 'message').map((item) => readParts(item['content']))
  const texts = messages.flatMap(({ content }) => (typeof content === 'string' ? content : []))
  const refusal = messages.find((message) => message.refusal !== undefined)?.refusal
  const details = isRecord(value['incomplete_details']) ? value['incomplete_details'] : {}
  const status = readString(value['status']) ?? 'completed'
  const failed = OPEN.has(status) ? (value['error'] ?? `the status of the response is ${status}`) : value['error']
  return {
    content: texts.length > 0 ? texts.join('') : (refusal ?? null),
    tool_calls: items.flatMap(responseCalls),
    ...(isError(failed) && { error: failed }),
    ...defined({
      finish_reason: refusal === undefined ? readFinishReason(details['reason']) : 'refusal',
      usage: normalizeUsage(value['usage']),
    }),
  }
}

/** There is no answer, or none yet. */
const OPEN = new Set(['failed', 'cancelled', 'in_progress', 'queued'])

function isGemini(value: Fields, [first]: unknown[]): boolean {
  const content = isRecord(first) && isRecord(first['content']) ? first['content'] : {}
  const isOwn = ['usageMetadata', 'modelVersion', 'promptFeedback'].some((name) => name in value)
  return isOwn || Array.isArray(content['parts']) || (isRecord(first) && typeof first['finishReason'] === 'string')
}

function fromGemini(value: Fields, candidates: unknown[]): AgentReply {
  const [first] = candidates.filter(isRecord)
  const content = isRecord(first?.['content']) ? first['content'] : {}
  const parts = Array.isArray(content['parts']) ? content['parts'].filter(isRecord) : []
  const texts = parts.flatMap((part) => (part['thought'] === true ? [] : (readString(part['text']) ?? [])))
  const feedback = isRecord(value['promptFeedback']) ? value['promptFeedback'] : {}
  const blocked = feedback['blockReason'] === undefined ? undefined : 'content_filter'
  return {
    content: texts.length > 0 ? texts.join('') : null,
    tool_calls: normalizeToolCalls(parts.flatMap((part) => part['functionCall'] ?? [])),
    ...defined({
      finish_reason: blocked ?? readFinishReason(first?.['finishReason']),
      usage: normalizeUsage(value['usageMetadata']),
    }),
  }
}
