// What the common SDKs hand back as the result of a whole run → the one reply, with every tool call of the run.
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall, Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import { defined } from '../../base/defined.js'
import { isRecord, readString } from '../../base/record.js'
import { asText } from '../../base/text.js'

type Fields = Record<string, unknown>

export function readSdkResult(value: Fields): AgentReply | undefined {
  if (typeof value['text'] === 'string' && ('toolCalls' in value || 'finishReason' in value)) return fromAiSdk(value)
  if ('finalOutput' in value && Array.isArray(value['newItems'])) return fromOpenaiAgents(value, value['newItems'])
  if (Array.isArray(value['messages'])) return fromGraphState(value['messages'])
  return undefined
}

/** AI SDK: `toolCalls` are those of the last step only, `steps` has them all, with their results. */
function fromAiSdk(value: Fields): AgentReply {
  const steps = records(value['steps'])
  const calls = steps.length > 0 ? steps.flatMap((step) => callsOfStep(step)) : callsOfStep(value)
  return {
    content: value['text'],
    tool_calls: calls,
    ...defined({
      finish_reason: readString(value['finishReason']),
      usage: normalizeUsage(value['totalUsage']) ?? normalizeUsage(value['usage']),
    }),
  }
}

function callsOfStep(step: Fields): ToolCall[] {
  const results = new Map(records(step['toolResults']).map((result) => [result['toolCallId'], result]))
  const errors = new Map(
    records(step['content'])
      .filter((part) => part['type'] === 'tool-error')
      .map((part) => [part['toolCallId'], part['error']]),
  )
  return normalizeToolCalls(step['toolCalls']).map((call) => {
    const error = errors.has(call.id) ? errorText(errors.get(call.id)) : undefined
    return { ...call, ...defined({ result: results.get(call.id)?.['output'], error }) }
  })
}

/** OpenAI Agents SDK: the items of the run, in order; a result belongs to its call by id. */
function fromOpenaiAgents(value: Fields, items: unknown[]): AgentReply {
  const raw = records(items).flatMap((item) => (isRecord(item['rawItem']) ? [{ item, raw: item['rawItem'] }] : []))
  const results = new Map(
    raw
      .filter(({ item }) => item['type'] === 'tool_call_output_item')
      .map(({ item, raw: { callId } }) => [callId, item]),
  )
  const calls = raw
    .filter(({ raw: { type } }) => type === 'function_call')
    .flatMap(({ raw: call }) =>
      normalizeToolCalls([{ ...call, id: call['callId'] }]).map((made) => ({
        ...made,
        ...defined({ result: results.get(call['callId'])?.['output'] }),
      })),
    )
  const usage = wholeUsage(records(value['rawResponses']).map((response) => response['usage']))
  return { content: value['finalOutput'] ?? null, tool_calls: calls, ...defined({ usage }) }
}

/** LangChain and LangGraph: the state's messages; what came after the last human message is the answer. */
function fromGraphState(messages: unknown[]): AgentReply | undefined {
  const types = messages.map(messageType)
  if (types.length === 0 || types.includes(undefined)) return undefined
  const added = records(messages.slice(types.lastIndexOf('human') + 1))
  const answers = added.filter((message) => messageType(message) === 'ai')
  const last = answers.at(-1)
  if (!last) return undefined
  const results = new Map(
    added.filter((message) => messageType(message) === 'tool').map((message) => [message['tool_call_id'], message]),
  )
  const calls = answers.flatMap((message) => normalizeToolCalls(message['tool_calls']))
  const metadata = isRecord(last['response_metadata']) ? last['response_metadata'] : {}
  return {
    content: contentOf(last['content']),
    tool_calls: calls.map((call) => withToolMessage(call, results.get(call.id))),
    ...defined({
      finish_reason: readString(metadata['finish_reason']) ?? readString(metadata['stop_reason']),
      usage: wholeUsage(answers.map((message) => message['usage_metadata'])),
    }),
  }
}

function messageType(message: unknown): string | undefined {
  if (!isRecord(message)) return undefined
  const tell = message['getType'] ?? message['_getType']
  return typeof tell === 'function' ? readString(tell.call(message)) : undefined
}

function withToolMessage(call: ToolCall, message: Fields | undefined): ToolCall {
  if (!message) return call
  const content = contentOf(message['content'])
  return message['status'] === 'error' ? { ...call, error: asText(content) } : { ...call, result: content }
}

/** Parts that are all text are one text. */
function contentOf(content: unknown): unknown {
  if (!Array.isArray(content)) return content ?? null
  const texts = content.map((part) => (isRecord(part) ? readString(part['text']) : readString(part)))
  return texts.includes(undefined) ? content : texts.join('')
}

/** Unknown as soon as one call's is: a sum that leaves something out is wrong. */
function wholeUsage(given: unknown[]): Usage | undefined {
  let sum: Usage | undefined
  for (const usage of given.map(normalizeUsage)) {
    if (!usage) return undefined
    sum = addUsage(sum, usage)
  }
  return sum
}

function records(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

function errorText(error: unknown): string {
  return error instanceof Error ? error.message : asText(error)
}
