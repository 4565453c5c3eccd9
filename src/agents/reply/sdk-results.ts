// What the common SDKs return as the result of a whole run → the one reply, with every tool call of the run.
import { endingWordIn, readFinishReason } from '../../connectors/finish-reason.js'
import { normalizeToolCalls, toolCallsOf } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import type { AgentReply } from '../../model/agent.js'
import type { ToolCall, Usage } from '../../model/message.js'
import { addUsage } from '../../model/usage.js'
import { errorInRun, isError } from '../../http/reported-error.js'
import { readParts } from './content-parts.js'
import { missingCalls } from './bad-ending.js'
import { fromRunResult, isRunResult } from './claude-messages.js'
import { plainContent, toolResults, withToolResult, type ToolResult } from './tool-results.js'
import { responseCalls } from '../../connectors/response-calls.js'
import { defined } from '../../base/defined.js'
import { isAmount, isRecord, readNonEmpty, readString } from '../../base/record.js'
import { asText } from '../../base/text.js'

type Fields = Record<string, unknown>

export function readSdkResult(value: Fields): AgentReply | undefined {
  const failed = readFailedRun(value)
  if (failed) return failed
  if (isRunResult(value)) return fromRunResult(value, [])
  if (typeof value['text'] === 'string' && ('toolCalls' in value || 'finishReason' in value)) return fromAiSdk(value)
  if ('finalOutput' in value && Array.isArray(value['newItems'])) return fromOpenaiAgents(value, value['newItems'])
  // What Viva asked, sent back unchanged, is data.
  if (!Array.isArray(value['messages']) || ('context' in value && 'options' in value)) return undefined
  const transcript = withUsage(readTranscript(value['messages']), value['usage'])
  if (!transcript || !('content' in value)) return transcript
  // The answer beside the conversation it came from, which alone has the calls.
  return 'tool_calls' in value || 'toolCalls' in value
    ? undefined
    : { ...transcript, content: value['content'] ?? null }
}

function withUsage(reply: AgentReply | undefined, given: unknown): AgentReply | undefined {
  const usage = normalizeUsage(given)
  return reply && usage ? { ...reply, usage } : reply
}

/** The last message of a run of Claude's agent SDK, or of a command line that speaks like it, unless the run went well. */
export function readFailedRun(value: unknown): AgentReply | undefined {
  const failed = errorInRun(value)
  if (!failed || !isRecord(value)) return undefined
  const { usage, total_cost_usd: cost } = value
  return {
    content: null,
    tool_calls: [],
    error: failed.error,
    ...defined({ usage: normalizeUsage(usage), cost_dollars: isAmount(cost) ? cost : undefined }),
  }
}

/** AI SDK: `toolCalls` are those of the last step only, `steps` has them all, with their results. */
function fromAiSdk(value: Fields): AgentReply {
  const steps = records(value['steps'])
  const last = steps.at(-1) ?? value
  const calls = steps.length > 0 ? steps.flatMap((step) => callsOfStep(step)) : callsOfStep(value)
  return {
    // Mastra runs the texts of all steps together.
    content: readString(last['text']) ?? value['text'],
    tool_calls: calls,
    ...defined({
      // The reason is that of the last step, whatever the others called.
      error: givenUp(value) ?? missingCalls(value['finishReason'], callsOfStep(last)),
      // The common word for a refusal is that of a filter.
      finish_reason:
        readFinishReason(value['rawFinishReason']) === 'refusal' ? 'refusal' : readFinishReason(value['finishReason']),
      usage: normalizeUsage(value['totalUsage']) ?? normalizeUsage(value['usage']),
    }),
  }
}

/** What stopped a run that has a result nevertheless: Mastra's guards and errors. */
function givenUp({ error, tripwire, tripwireReason }: Fields): unknown {
  if (isError(error)) return error instanceof Error ? error.message : error
  if (!isError(tripwire)) return undefined
  const reason = isRecord(tripwire) ? tripwire['reason'] : tripwireReason
  return `tripwire: ${readNonEmpty(reason) ?? 'no reason given'}`
}

function callsOfStep(step: Fields): ToolCall[] {
  const results = new Map(records(step['toolResults']).map((item) => [payloadOf(item)['toolCallId'], payloadOf(item)]))
  const errors = new Map(
    records(step['content'])
      .filter((part) => part['type'] === 'tool-error')
      .map((part) => [part['toolCallId'], part['error']]),
  )
  const { toolCalls } = step
  const made = normalizeToolCalls(Array.isArray(toolCalls) ? toolCalls.map(payloadOf) : toolCalls)
  // Mastra 0 lists only the results.
  const unlisted = [...results.values()]
    .filter(({ toolName, toolCallId }) => toolName !== undefined && !made.some(({ id }) => id === toolCallId))
    .map(({ toolName, toolCallId, args, input }) => ({ toolName, toolCallId, args, input }))
  return [...made, ...normalizeToolCalls(unlisted)].map((call) => {
    const { output, result = output, isError: isFailed } = results.get(call.id) ?? {}
    if (isFailed === true) return { ...call, error: errorText(result) }
    const error = errors.has(call.id) ? errorText(errors.get(call.id)) : undefined
    return { ...call, ...defined({ result, error }) }
  })
}

/** Mastra wraps what the AI SDK has. */
function payloadOf(item: unknown): Fields {
  if (!isRecord(item)) return { item }
  return isRecord(item['payload']) ? item['payload'] : item
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
    // A call that waits for approval is listed twice.
    .filter(({ item }) => item['type'] !== 'tool_call_output_item' && item['type'] !== 'tool_approval_item')
    .flatMap(({ raw: call }) =>
      responseCalls(call).map((made) => ({
        ...made,
        ...defined({ result: results.get(call['callId'])?.['output'] }),
      })),
    )
  const usage = wholeUsage(records(value['rawResponses']).map((response) => response['usage']))
  const said = raw.filter(({ raw: item }) => item['type'] === 'message').at(-1)?.raw
  const refusal = said && readParts(said['content']).refusal
  return {
    content: value['finalOutput'] ?? refusal ?? null,
    tool_calls: calls,
    refusal: refusal !== undefined,
    ...defined({
      error: refusal === undefined ? unfinished(value) : undefined,
      usage,
      finish_reason: refusal === undefined ? undefined : 'refusal',
    }),
  }
}

function unfinished({ finalOutput, interruptions }: Fields): string | undefined {
  const names = records(interruptions).map(({ rawItem }) => asText(isRecord(rawItem) ? rawItem['name'] : 'a tool'))
  if (names.length > 0) return `the run waits for approval: ${names.join(', ')}`
  return finalOutput === undefined ? 'the run has no final output' : undefined
}

/**
 * The messages of a conversation, as in LangGraph's state and in many agents: what came after the user's last
 * message is the answer. Undefined if something in the list is not a message.
 */
export function readTranscript(list: unknown[]): AgentReply | undefined {
  const added = addedMessages(list)
  return added && readAdded(added)
}

/** What an agent and its tools said in one turn. */
export function readAdded(added: Fields[]): AgentReply {
  const answers = added.filter((message) => messageType(message) === 'ai')
  const last = answers.at(-1)
  if (!last) return { content: null, tool_calls: [] }
  const tools = added.filter((message) => messageType(message) === 'tool').flatMap(resultsOf)
  const results = new Map(tools.map((result) => [result.id, result]))
  const calls = answers.flatMap(callsOfMessage)
  const metadata = isRecord(last['response_metadata']) ? last['response_metadata'] : {}
  const parts = readParts(last['content'])
  const extra = isRecord(last['additional_kwargs']) ? last['additional_kwargs'] : {}
  const refusal = readNonEmpty(last['refusal']) ?? readNonEmpty(extra['refusal']) ?? parts.refusal
  const stop = readNonEmpty(metadata['stop_reason'])
  const word = endingWordIn(metadata)
  const finishReason = refusal === undefined ? readFinishReason(word) : 'refusal'
  const isReported = stop !== undefined || 'refusal' in last || 'refusal' in extra
  return {
    content: parts.content ?? refusal ?? null,
    tool_calls: calls.map((call) => withToolResult(call, results.get(call.id))),
    ...defined({
      error: missingCalls(word, callsOfMessage(last)),
      finish_reason: finishReason,
      refusal: finishReason === 'refusal' || (isReported ? false : undefined),
      usage: wholeUsage(answers.map((message) => message['usage_metadata'])),
    }),
  }
}

export function isMessage(value: unknown): value is Fields {
  return messageType(unwrapped(value)) !== undefined
}

/** Whether each answer in it has a place for calls: a conversation that was only sent back has none. */
export function isTranscriptWithCalls(list: unknown[]): boolean {
  const answers = (addedMessages(list) ?? []).filter((message) => messageType(message) === 'ai')
  return answers.length > 0 && answers.every(hasPlaceForCalls)
}

/** LangChain's messages, which have no role, keep all that was called; parts can be calls. */
function hasPlaceForCalls(message: Fields): boolean {
  return !('role' in message) || ['tool_calls', 'toolCalls', 'content'].some((key) => Array.isArray(message[key]))
}

/** What came after the user's last message. Undefined if something in the list is not a message. */
export function addedMessages(list: unknown[]): Fields[] | undefined {
  const messages = list.map(unwrapped)
  const types = messages.map(messageType)
  if (types.length === 0 || types.includes(undefined)) return undefined
  return records(messages.slice(types.lastIndexOf('human') + 1))
}

/** LangChain repeats in `tool_calls` what the parts contain. */
function callsOfMessage(message: Fields): ToolCall[] {
  // With arguments that are not JSON; the model did call.
  const invalid = records(message['invalid_tool_calls']).map(({ name, args, id }) => ({ name, args, id }))
  const calls = [...toolCallsOf(message), ...normalizeToolCalls(invalid)]
  return calls.length > 0 ? calls : readParts(message['content']).calls
}

/** One per message, or Anthropic's parts. */
function resultsOf(message: Fields): ToolResult[] {
  const { tool_call_id: id, content, status } = message
  if (isToolResult(content)) return toolResults(content)
  return [{ id, content: plainContent(content), isError: status === 'error' }]
}

/** LangChain's messages as JSON: `{lc: 1, type: "constructor", id: […, "AIMessage"], kwargs}`. */
function unwrapped(message: unknown): unknown {
  if (!isRecord(message) || message['lc'] !== 1 || !isRecord(message['kwargs'])) return message
  const name = Array.isArray(message['id']) ? readString(message['id'].at(-1)) : undefined
  return { type: name?.replace(/Message(Chunk)?$/, '').toLowerCase(), ...message['kwargs'] }
}

type MessageType = 'human' | 'ai' | 'tool' | 'system'

const TYPES: Record<string, MessageType> = {
  user: 'human',
  human: 'human',
  assistant: 'ai',
  ai: 'ai',
  tool: 'tool',
  function: 'tool',
  system: 'system',
  developer: 'system',
}

function messageType(message: unknown): MessageType | undefined {
  if (!isRecord(message)) return undefined
  const tell = message['getType'] ?? message['_getType']
  const word = typeof tell === 'function' ? tell.call(message) : (message['role'] ?? message['type'])
  const type = typeof word === 'string' && ('content' in message || 'tool_calls' in message) ? TYPES[word] : undefined
  return type === 'human' && isToolResult(message['content']) ? 'tool' : type
}

/** Anthropic's tool results have the user's role. */
function isToolResult(content: unknown): boolean {
  const parts = records(content)
  return parts.length > 0 && parts.every((part) => part['type'] === 'tool_result')
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
