// Whatever an agent answers with → the one reply. Text, our own form, and the forms of the common SDKs and wire formats.
import { readSpans } from './read-spans.js'
import { defined } from '../../base/defined.js'
import { isAmount, isRecord, readNonEmpty, readString } from '../../base/record.js'
import { errorFacts } from '../../http/error-facts.js'
import { isError, saysError } from '../../http/reported-error.js'
import { endingWordIn, readFinishReason } from '../../connectors/finish-reason.js'
import { toolCallsOf } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import type { AgentReply } from '../../model/agent.js'
import { addSkillUse, skillsIn } from '../../model/skill-use.js'
import { readApiResult } from './api-results.js'
import { isPart, readParts } from './content-parts.js'
import { errorInText } from './error-in-text.js'
import { parseStructure } from './parse-structure.js'
import { readSkillUse } from './read-skill-use.js'
import { readRun } from './run-readers.js'
import { readFailedRun, readSdkResult, readTranscript } from './sdk-results.js'
import { withToolEvidence } from './tool-evidence.js'
import { requireNoCutReply, requireNoToolCalls } from './unread-tool-calls.js'

export function normalizeReply(value: unknown): AgentReply {
  if (value === undefined || value === null) return { content: null, tool_calls: [] }
  if (value instanceof Error) return { content: null, tool_calls: [], error: plainError(value) }
  if (Array.isArray(value)) return fromList(value)
  if (!isRecord(value)) return { content: value, tool_calls: [] }
  const choice = Array.isArray(value['choices']) ? value['choices'][0] : undefined
  if (isRecord(choice) && isRecord(choice['message'])) return fromChoice(choice, value)
  if (isRecord(value['message']) && isReply(value['message'])) return fromFields({ ...value, ...value['message'] })
  // Before the fields: the AI SDK's result has `content` too, that of its last step.
  return readSdkResult(value) ?? readApiResult(value) ?? (isReply(value) ? fromFields(value) : fromData(value))
}

/** Text that is JSON as a whole is parsed, and so is a reply after lines of debug output; any other text is the answer. */
export function parseReplyText(text: string): AgentReply {
  const whole = parseStructure(text)
  if (whole) return withToolEvidence(normalizeReply(whole.value), whole.value)
  if (text.trim() === 'null') return { content: null, tool_calls: [], tool_evidence: 'unknown' }
  const last = text.slice(text.trimEnd().lastIndexOf('\n') + 1)
  const line = last === text ? undefined : parseStructure(last)
  if (line && isRecord(line.value) && 'content' in line.value && 'tool_calls' in line.value) {
    requireNoToolCalls(text.slice(0, -last.length))
    return { ...withToolEvidence(normalizeReply(line.value), line.value), raw: text }
  }
  requireNoToolCalls(text)
  requireNoCutReply(text)
  const reply: AgentReply = { content: text.replace(/\r?\n$/, ''), tool_calls: [], tool_evidence: 'unknown' }
  const failed = errorInText(text)
  if (failed) reply.error = failed.error
  return reply
}

/** Its message; with the rest of what it says, if it says more. */
function plainError(error: Error): unknown {
  const { retry: isRetryable, ...facts } = errorFacts(error)
  const said = defined({ ...facts, isRetryable })
  return Object.keys(said).length === 0 ? error.message : { message: error.message, ...said }
}

/** The messages of the conversation, the parts of one, or data. */
function fromList(value: unknown[]): AgentReply {
  const run = readRun(value) ?? readFailedRun(value.at(-1))
  if (run) return run
  const transcript = readTranscript(value)
  if (transcript) return transcript
  return value.length > 0 && value.every(isPart) ? fromFields({ content: value }) : { content: value, tool_calls: [] }
}

const REPLY_FIELDS = ['content', 'tool_calls', 'toolCalls', 'function_call', 'next', 'awaiting_input']

function isReply(value: Record<string, unknown>): boolean {
  return REPLY_FIELDS.some((name) => name in value) || isRefusal(value)
}

/** Among other data a refusal is just another field. */
function isRefusal(value: Record<string, unknown>): boolean {
  return typeof value['refusal'] === 'string' && ('role' in value || Object.keys(value).length === 1)
}

/** Data that is the answer itself. One that is an error may still be what the case asks for. */
function fromData(value: Record<string, unknown>): AgentReply {
  const reply: AgentReply = { content: value, tool_calls: toolCallsOf(value) }
  if (isError(value['error'])) reply.error = value['error']
  return reply
}

function fromChoice(choice: Record<string, unknown>, body: Record<string, unknown>): AgentReply {
  const message = isRecord(choice['message']) ? choice['message'] : {}
  const error = [choice['error'], body['error']].find(isError)
  const reply = fromFields({ error, ...message, finish_reason: choice['finish_reason'], usage: body['usage'] })
  if (reply.content === null && reply.tool_calls.length === 0) reply.content = ''
  reply.refusal ??= false
  return reply
}

// Field by field: this runs for every answer, and a spread costs more than the rest of it put together.
function fromFields(value: Record<string, unknown>): AgentReply {
  const parts = readParts(value['content'])
  const reply: AgentReply = { content: parts.content, tool_calls: toolCallsOf(value) }
  if (parts.calls.length > 0) reply.tool_calls.push(...parts.calls)
  // An empty message says nothing; anywhere else an empty list is data.
  if (value['role'] === 'assistant' && isEmptyList(reply.content)) reply.content = null
  if (isError(value['error'])) reply.error = value['error']
  // A tool's result, handed on as MCP or Anthropic spells it.
  else if (saysError(value)) reply.error = reply.content ?? 'an error'
  const refusal = readString(value['refusal']) ?? parts.refusal
  if (refusal !== undefined && refusal !== '') {
    if (reply.content === null || reply.content === '') reply.content = refusal
    reply.finish_reason = 'refusal'
  }
  if (value['refusal'] === true) reply.finish_reason = 'refusal'
  const stop = readNonEmpty(value['stop_reason'])
  const finishReason = readFinishReason(endingWordIn(value), reply.tool_calls)
  if (finishReason !== undefined && reply.finish_reason === undefined) reply.finish_reason = finishReason
  if (reply.finish_reason === 'refusal') reply.refusal = true
  // Anthropic's stop reasons include refusals; OpenAI's messages have a field for them.
  else if (stop !== undefined || 'refusal' in value) reply.refusal = false
  if (typeof value['awaiting_input'] === 'boolean') reply.awaiting_input = value['awaiting_input']
  const hint = readString(value['input_hint'])
  if (hint !== undefined) reply.input_hint = hint
  const usage = normalizeUsage(value['usage']) ?? normalizeUsage(value['usage_metadata'])
  if (usage) reply.usage = usage
  const cost = readCost(value['cost_dollars'])
  if (cost !== undefined) reply.cost_dollars = cost
  if (value['next'] !== undefined) reply.next = value['next']
  if (value['raw'] !== undefined) reply.raw = value['raw']
  if (value['state'] !== undefined && value['state'] !== null) reply.state = value['state']
  const skills = readSkillUse(value['skills'])
  // What its calls show counts as well: a report that says otherwise would be a false pass.
  if (skills) reply.skills = addSkillUse(skills, skillsIn(reply.tool_calls)) ?? skills
  const spans = value['spans'] === undefined ? undefined : readSpans(value['spans'])
  if (spans && spans.length > 0) reply.spans = spans
  return reply
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0
}

function readCost(value: unknown): number | undefined {
  return isAmount(value) ? value : undefined
}
