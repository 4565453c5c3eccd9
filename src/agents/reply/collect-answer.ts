// What an agent function returned: a value, a stream of chunks, or an SDK's stream result → one reply.
import { AgentError, answerTooLarge } from '../../errors.js'
import type { AgentReply } from '../../model/agent.js'
import { isRecord } from '../../base/record.js'
import { asText, show } from '../../base/text.js'
import { errorFacts } from '../../http/error-facts.js'
import { errorInPiece, isError } from '../../http/reported-error.js'
import { readParts } from './content-parts.js'
import { errorText } from './error-text.js'
import { CallFragments } from '../../connectors/call-fragments.js'
import { endingWordIn, readFinishReason, worseEnding } from '../../connectors/finish-reason.js'
import { apart } from './join-texts.js'
import { normalizeReply } from './normalize-reply.js'
import type { RunReader } from './run-reader.js'
import { openRunReader } from './run-readers.js'
import { responseCalls } from '../../connectors/response-calls.js'
import { DONE, StreamEnd } from './stream-end.js'
import { StreamResults } from './stream-results.js'
import { StreamUsage } from './stream-usage.js'
import { hasCalls, withToolEvidence } from './tool-evidence.js'
import { monotonicNow } from '../../time/clock.js'

/** As for programs and servers: more than anyone reads, and a result line must fit into memory. */
const MAX_CHARACTERS = 16 * 1024 * 1024

/** An AbortSignal, or anything else that knows. */
interface Aborted {
  readonly aborted: boolean
}

/** Gets what the agent returned, for its later turns; of a stream, what it came to. */
type Returned = (value: unknown) => void

/** A promise only if there is something to wait for. */
export function collectAnswer(
  value: unknown,
  onText: (text: string) => void,
  signal: Aborted,
  returned: Returned = () => {},
): AgentReply | Promise<AgentReply> {
  if (isRecord(value) && isAsyncIterable(value['textStream'])) return collectSdkStream(value, onText, signal, returned)
  if (isAsyncIterable(value) && !isAgentRun(value)) return collectChunks(value, onText, signal, returned)
  returned(value)
  if (isAgentRun(value)) return collectAgentRun(value, onText, signal)
  return withinLimit(withToolEvidence(normalizeReply(value), value))
}

/** The value is the answer itself, as a text is: what the agent did is not in it. */
export function isAnswerAlone(value: unknown): boolean {
  if (isAsyncIterable(value) || (isRecord(value) && isAsyncIterable(value['textStream']))) return false
  const { content, tool_calls } = normalizeReply(value)
  return content === value && tool_calls.length === 0
}

export async function collectChunks(
  value: AsyncIterable<unknown>,
  onText: (text: string) => void,
  signal: Aborted,
  returned: Returned = () => {},
): Promise<AgentReply> {
  const start = monotonicNow()
  let text = ''
  let reply: AgentReply = { content: null, tool_calls: [] }
  let firstChunk: number | undefined
  const fragments = new CallFragments()
  const results = new StreamResults()
  const end = new StreamEnd()
  const usage = new StreamUsage()
  let isReported = false
  let isAfterCall = false
  let reader: RunReader | undefined
  const say = (piece: string): void => {
    text += piece
    if (text.length > MAX_CHARACTERS) throw answerTooLarge(MAX_CHARACTERS)
    onText(piece)
  }
  for await (const wrapped of value) {
    if (signal.aborted) break
    firstChunk ??= monotonicNow() - start
    reader ??= openRunReader(wrapped)
    if (reader) {
      const failed = reader.errorIn(wrapped)
      if (failed) throw streamError(failed.error)
      const piece = reader.take(wrapped)
      if (piece !== undefined) say(piece)
      continue
    }
    const given = fromMastra(wrapped)
    end.take(given)
    if (given === DONE) break
    requireNoError(given)
    requireChunk(given)
    usage.take(given)
    isReported ||= isRecord(given) && (hasCalls(given) || given['type'] === 'finish')
    const called = reply.tool_calls.length + fragments.size
    if (results.take(given)) {
      isAfterCall = true
      continue
    }
    const chunk = readChunk(given, fragments)
    const piece = textOfChunk(chunk)
    if (piece !== undefined && piece !== '') {
      say(isAfterCall ? apart(text, piece) : piece)
      isAfterCall = false
    }
    if (isRecord(chunk)) reply = mergeReply(reply, chunk)
    isAfterCall ||= reply.tool_calls.length + fragments.size > called
  }
  if (reader && !signal.aborted) {
    const read = withinLimit(reader.reply())
    returned(reader.returned())
    return firstChunk === undefined ? read : { ...read, first_chunk_ms: firstChunk }
  }
  const total = usage.total(reply.usage)
  if (total) reply.usage = total
  else delete reply.usage
  if (!signal.aborted) fragments.requireNames()
  reply.tool_calls = results.addTo([...reply.tool_calls, ...fragments.calls()])
  // Each piece had only its own calls.
  const finishReason = readFinishReason(reply.finish_reason, reply.tool_calls)
  if (finishReason !== undefined) reply.finish_reason = finishReason
  if (!signal.aborted) end.requireEnd()
  if (signal.aborted) reply.tool_evidence = 'partial'
  else if (!isReported && reply.tool_calls.length === 0) reply.tool_evidence = 'unknown'
  if (text !== '' || reply.content === null) reply.content = text
  returned({ ...reply })
  if (firstChunk !== undefined) reply.first_chunk_ms = firstChunk
  return reply
}

function withinLimit(reply: AgentReply): AgentReply {
  if (typeof reply.content === 'string' && reply.content.length > MAX_CHARACTERS) throw answerTooLarge(MAX_CHARACTERS)
  return reply
}

function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/** Model chunks in our own form: what they say, and their calls, assembled from pieces. */
function readChunk(chunk: unknown, fragments: CallFragments): unknown {
  if (!isRecord(chunk)) return chunk
  if (Array.isArray(chunk['tool_call_chunks'])) {
    // LangChain: `tool_calls` beside them is only what this piece alone amounts to.
    fragments.add(chunk['tool_call_chunks'])
    const { content, usage_metadata, response_metadata } = chunk
    const { stop_reason, ...facts } = isRecord(response_metadata) ? response_metadata : {}
    return { content, usage_metadata, finish_reason: endingWordIn(facts), stop_reason }
  }
  const choice: unknown = Array.isArray(chunk['choices']) ? chunk['choices'][0] : undefined
  const delta = isRecord(choice) ? choice['delta'] : undefined
  if (!isRecord(choice) || !isRecord(delta)) return wholeChunk(chunk) ?? callOf(chunk)
  // Of several answers to one question the first counts, as in an answer that is not streamed.
  if ((choice['index'] ?? 0) !== 0) return { content: null }
  const { tool_calls, ...said } = delta
  fragments.add(tool_calls ?? [])
  return { content: null, refusal: null, ...said, finish_reason: choice['finish_reason'], usage: chunk['usage'] }
}

/** A piece in which what is said stands in a message of its own: of Gemini, of Ollama, of a server that does not stream. */
function wholeChunk(chunk: Record<string, unknown>): Record<string, unknown> | undefined {
  const hasMessage = ['candidates', 'choices', 'message'].some((name) => typeof chunk[name] === 'object')
  if (!hasMessage || 'content' in chunk) return undefined
  const reply = normalizeReply(chunk)
  return reply.content === null || typeof reply.content === 'string' ? { ...reply } : undefined
}

/** Mastra wraps the parts of the AI SDK's streams. */
function fromMastra(piece: unknown): unknown {
  if (!isRecord(piece) || typeof piece['from'] !== 'string' || !isRecord(piece['payload'])) return piece
  const { type, payload } = piece
  if (type !== 'finish') return { ...payload, type }
  const { stepResult, output } = payload
  return {
    type,
    finishReason: isRecord(stepResult) ? stepResult['reason'] : undefined,
    totalUsage: isRecord(output) ? output['usage'] : undefined,
  }
}

/** A piece that is a whole call: of the AI SDK's streams, of the Responses API, or in plain words. */
function callOf(chunk: Record<string, unknown>): Record<string, unknown> {
  const { type, item } = chunk
  if (type === 'response.output_item.done' && isRecord(item)) return { tool_calls: responseCalls(item) }
  if (type === 'response.refusal.done') return { content: null, finish_reason: 'refusal' }
  if (typeof type === 'string' && LAST_OF_RESPONSE.has(type)) return lastOfResponse(chunk['response'])
  // Of the AI SDK's streams: the last part has the tokens of all steps.
  if (type === 'finish-step' || type === 'step-finish') return { content: null }
  if (type === 'finish' && isRecord(chunk['totalUsage'])) return { ...chunk, usage: chunk['totalUsage'] }
  return typeof type === 'string' && CALLS.has(type) ? { tool_calls: [chunk] } : chunk
}

const LAST_OF_RESPONSE = new Set(['response.completed', 'response.incomplete'])

/** The whole response once more: how it ended and what it cost. What it says came in pieces. */
function lastOfResponse(response: unknown): Record<string, unknown> {
  if (!isRecord(response)) return { content: null }
  const {
    content: _content,
    tool_calls: _calls,
    ...rest
  } = normalizeReply({ output: [], ...response, object: 'response' })
  return { content: null, ...rest }
}

const CALLS = new Set(['tool-call', 'tool-input-available', 'tool_call', 'tool_use', 'function_call'])

/** A chunk is text, `{content: "…"}`, or a part of an SDK's stream (such as `text-delta`). */
function textOfChunk(chunk: unknown): string | undefined {
  if (typeof chunk === 'string') return chunk
  if (!isRecord(chunk)) return undefined
  for (const name of ['content', 'delta', 'text', 'textDelta', 'refusal']) {
    const value = name === 'content' ? readParts(chunk[name]).content : chunk[name]
    if (typeof value === 'string') return isOtherText(chunk['type']) ? undefined : value
  }
  return undefined
}

function isOtherText(type: unknown): boolean {
  return typeof type === 'string' && /reason|think|tool|function|source/.test(type)
}

/** Throws for a piece that says that the stream failed, whatever came before it. */
function requireNoError(piece: unknown): void {
  const found = errorInPiece(piece)
  if (found) throw streamError(found.error)
  if (!isRecord(piece)) return
  // Parts of the AI SDK's stream: why it ended.
  if (piece['type'] === 'abort') throw new AgentError({ code: 'cut_off', message: 'the stream was aborted' })
  if (piece['type'] === 'finish' && piece['finishReason'] === 'error') throw streamError('finish reason "error"')
  if (piece['type'] === 'tripwire')
    throw streamError(`tripwire: ${asText(piece['reason'] ?? piece['tripwireReason'] ?? 'no reason given')}`)
}

/** Throws for a piece that is neither text nor an object: left out, the answer would say less than the agent did. */
function requireChunk(piece: unknown): void {
  if (piece === undefined || piece === null || typeof piece === 'string') return
  if (isRecord(piece) && !ArrayBuffer.isView(piece)) return
  const what = ArrayBuffer.isView(piece) ? `bytes (${piece.constructor.name}): decode them` : show(piece)
  throw new AgentError({
    code: 'bad_response',
    message: `a piece of the stream cannot be understood: ${what}`,
    hint: 'yield text, or {"content": "…"} and {"tool_calls": […]}',
    retry: false,
  })
}

function streamError(error: unknown): AgentError {
  return new AgentError({
    code: 'failed',
    message: `the stream reported an error: ${errorText(error)}`,
    cause: error,
    ...errorFacts(error),
  })
}

function mergeReply(reply: AgentReply, chunk: Record<string, unknown>): AgentReply {
  const { content, tool_calls, ...rest } = normalizeReply({ content: null, ...chunk })
  const structured = content !== null && typeof content !== 'string' ? content : reply.content
  const ending = worseEnding(reply.finish_reason, rest.finish_reason)
  if (ending !== undefined) rest.finish_reason = ending
  if (ending === 'refusal') rest.refusal = true
  return { ...reply, ...rest, content: structured, tool_calls: [...reply.tool_calls, ...tool_calls] }
}

async function collectSdkStream(
  value: Record<string, unknown>,
  onText: (text: string) => void,
  signal: Aborted,
  returned: Returned,
): Promise<AgentReply> {
  const start = monotonicNow()
  // The text stream omits errors.
  const stream = isAsyncIterable(value['fullStream']) ? value['fullStream'] : value['textStream']
  let text = ''
  let firstChunk: number | undefined
  if (isAsyncIterable(stream)) {
    let isAfterCall = false
    for await (const wrapped of stream) {
      if (signal.aborted) break
      const chunk = fromMastra(wrapped)
      requireNoError(chunk)
      isAfterCall ||= isRecord(chunk) && CALLS.has(asText(chunk['type']))
      const part = textOfPart(chunk)
      if (part === undefined || part === '') continue
      const piece = isAfterCall ? apart(text, part) : part
      isAfterCall = false
      firstChunk ??= monotonicNow() - start
      text += piece
      if (text.length > MAX_CHARACTERS) throw answerTooLarge(MAX_CHARACTERS)
      onText(piece)
    }
  }
  const given: Record<string, unknown> = { text }
  await Promise.all(OF_STREAMS.map(async (name) => (given[name] = await value[name])))
  returned(given)
  const reply = withToolEvidence(normalizeReply(given), given)
  return firstChunk === undefined ? reply : { ...reply, first_chunk_ms: firstChunk }
}

/** Promises, kept once the stream is over. */
const OF_STREAMS = [
  'steps',
  'toolCalls',
  'finishReason',
  'rawFinishReason',
  'totalUsage',
  'usage',
  'response',
  'responseMessages',
  'error',
  'tripwire',
]

/** Of the AI SDK's streams: only what the model says, under the names of version 4 or later. */
function textOfPart(part: unknown): string | undefined {
  if (typeof part === 'string') return part
  if (!isRecord(part) || part['type'] !== 'text-delta') return undefined
  const text = part['text'] ?? part['textDelta'] ?? part['delta']
  return typeof text === 'string' ? text : undefined
}

type AgentRun = AsyncIterable<unknown> & Record<string, unknown>

function isAgentRun(value: unknown): value is AgentRun {
  return isAsyncIterable(value) && isRecord(value) && 'finalOutput' in value
}

/** The OpenAI Agents SDK's streamed run: events while it lasts, the result in the same object when it is over. */
async function collectAgentRun(run: AgentRun, onText: (text: string) => void, signal: Aborted): Promise<AgentReply> {
  const start = monotonicNow()
  let firstChunk: number | undefined
  for await (const event of run) {
    if (signal.aborted) break
    const data = isRecord(event) ? event['data'] : undefined
    // What the model's own stream said is kept inside.
    for (const piece of [event, data, isRecord(data) ? data['event'] : undefined]) requireNoError(piece)
    if (!isRecord(data) || data['type'] !== 'output_text_delta' || typeof data['delta'] !== 'string') continue
    firstChunk ??= monotonicNow() - start
    onText(data['delta'])
  }
  if (isError(run['error'])) throw streamError(run['error'])
  const reply = normalizeReply(run)
  return firstChunk === undefined ? reply : { ...reply, first_chunk_ms: firstChunk }
}
