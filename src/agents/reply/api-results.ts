// What model APIs answer, passed on as it came: the Responses API and Gemini's; chat completions without a choice.
import { readEnding, readFinishReason } from '../../connectors/finish-reason.js'
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import { defined } from '../../base/defined.js'
import { isRecord, readNonEmpty, readString } from '../../base/record.js'
import { show } from '../../base/text.js'
import { isError } from '../../http/reported-error.js'
import type { AgentReply } from '../../model/agent.js'
import { readParts } from './content-parts.js'
import { joinTexts } from './join-texts.js'
import { responseCalls } from '../../connectors/response-calls.js'

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
  const texts = messages.flatMap(({ content }) => (typeof content === 'string' ? [content, undefined] : []))
  const refusal = messages.find((message) => message.refusal !== undefined)?.refusal
  const details = isRecord(value['incomplete_details']) ? value['incomplete_details'] : {}
  const status = readString(value['status']) ?? 'completed'
  const reason = readFinishReason(details['reason'])
  // Whatever else cut it short, or is not over yet.
  const isEnded =
    status === 'completed' || (status === 'incomplete' && (reason === 'length' || reason === 'content_filter'))
  const failed = isEnded || isError(value['error']) ? value['error'] : unended(status, details['reason'])
  return {
    content: texts.length > 0 ? joinTexts(texts) : (refusal ?? null),
    tool_calls: items.flatMap(responseCalls),
    ...(isError(failed) && { error: failed }),
    ...defined({
      finish_reason: refusal === undefined ? reason : 'refusal',
      refusal: refusal !== undefined,
      usage: normalizeUsage(value['usage']),
    }),
  }
}

function textOrCall(part: Fields): string | undefined {
  return part['functionCall'] === undefined && part['thought'] !== true ? (readString(part['text']) ?? '') : undefined
}

function unended(status: string, reason: unknown): string {
  return `the status of the response is ${status}${reason === undefined ? '' : `, reason ${show(reason)}`}`
}

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
  const block = readNonEmpty(feedback['blockReason'])
  const isBlocked = block !== undefined && !block.endsWith('_UNSPECIFIED')
  const word = readNonEmpty(first?.['finishReason'])
  const isBad = !isBlocked && word !== undefined && readEnding('google', word) === undefined
  const calls = normalizeToolCalls(parts.flatMap((part) => part['functionCall'] ?? []))
  const isAnswered = texts.length > 0 || calls.length > 0
  return {
    content: texts.length > 0 ? joinTexts(parts.map(textOrCall)) : null,
    tool_calls: calls,
    ...(isBad && { error: `finish reason ${show(word)}` }),
    ...(isBlocked && isAnswered && { error: `block reason ${show(block)}` }),
    ...defined({
      finish_reason: isBlocked ? 'content_filter' : readFinishReason(word),
      usage: normalizeUsage(value['usageMetadata']),
    }),
  }
}
