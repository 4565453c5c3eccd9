// An agent behind any JSON endpoint: POST {messages, context, options}, the answer read by paths from the configuration.
import type { ChatEndpoint } from '../../connectors/chat-completions.js'
import { readFinishReason } from '../../connectors/finish-reason.js'
import { normalizeToolCalls } from '../../connectors/tool-calls.js'
import { normalizeUsage } from '../../connectors/usage.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { withPartial } from '../../connectors/with-partial.js'
import { defined } from '../../base/defined.js'
import { parseBody, requireIdentity } from '../../http/read-body.js'
import { errorInBody, errorInEvent } from '../../http/reported-error.js'
import { responseError } from '../../http/response-error.js'
import { withRetries, type RetryOptions } from '../../http/retry.js'
import type { HttpRequest } from '../../http/types.js'
import { parseSse, type SseEvent } from '../../http/sse.js'
import { compilePath } from '../../base/json/json-path.js'
import { clip } from '../../base/text.js'
import { isRecord } from '../../base/record.js'
import { messageOf } from '../../base/message-of.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { misspelt } from './misspelt-path.js'
import { collectChunks } from '../reply/collect-answer.js'
import type { Histories } from '../histories.js'
import { normalizeReply } from '../reply/normalize-reply.js'
import { DONE } from '../reply/stream-end.js'
import { withToolEvidence } from '../reply/tool-evidence.js'
import { SHAPES } from './sent-messages.js'

type Read = (document: unknown) => unknown

interface Paths {
  /** As written. */
  calls: string | undefined
  response: Read | undefined
  toolCalls: Read | undefined
  usage: Read | undefined
}

export function createJsonEndpoint(endpoint: ChatEndpoint, entry: AgentEntry, histories: Histories): Agent['send'] {
  const paths: Paths = {
    calls: entry.tool_calls_path,
    response: compileRead(entry, 'response_path'),
    toolCalls: compileRead(entry, 'tool_calls_path'),
    usage: compileRead(entry, 'usage_path'),
  }
  const shape = SHAPES[entry.messages ?? 'chat']
  // Once, not per call: with many concurrent calls every object counts.
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...endpoint.headers,
  }
  return async (request) => {
    const { messages, context, turn, signal, deadline } = request
    const options = histories.addTo(request.options, context.chat_id, turn)
    const post: HttpRequest = {
      url: endpoint.url,
      headers: request.traceparent === undefined ? headers : { ...headers, traceparent: request.traceparent },
      body: JSON.stringify({ messages: shape(messages), context, options }),
      signal,
    }
    if (endpoint.places?.url !== undefined) post.place = endpoint.places.url
    const retry: RetryOptions = { signal, budget: endpoint.budget }
    if (deadline !== undefined) retry.deadline = deadline
    if (request.onWait) retry.onWait = request.onWait
    if (endpoint.baseMs !== undefined) retry.baseMs = endpoint.baseMs
    const progress = { content: '' }
    const keep = (returned: unknown): void => histories.keep(context.chat_id, turn, returned)
    try {
      const { value, retries } = await withRetries(() => attempt(endpoint, paths, request, post, progress, keep), retry)
      return retries.length > 0 ? { ...value, api_retries: retries } : value
    } catch (error) {
      throw signal.aborted ? abortedCall(signal, progress.content === '' ? undefined : progress) : error
    }
  }
}

function compileRead(entry: AgentEntry, field: 'response_path' | 'tool_calls_path' | 'usage_path'): Read | undefined {
  const path = entry[field]
  if (path === undefined) return undefined
  try {
    const query = compilePath(path)
    return (document) => {
      const found = query.select(document)
      return found.length > 1 ? found : found[0]
    }
  } catch (cause) {
    throw badPath(field, path, entry.target, cause)
  }
}

async function attempt(
  endpoint: ChatEndpoint,
  paths: Paths,
  request: AgentRequest,
  post: HttpRequest,
  progress: { content: string },
  returned: (value: unknown) => void,
): Promise<AgentReply> {
  const { url, secrets, places } = endpoint
  const response = await endpoint.http.send(post)
  const type = response.headers['content-type'] ?? ''
  const isGood = response.status >= 200 && response.status < 300
  const refused = isGood ? requireIdentity(url, response) : undefined
  if (refused) await refused
  if (isGood && type.startsWith('text/event-stream')) {
    progress.content = ''
    const keep = (text: string): void => {
      progress.content += text
      request.onChunk?.(text)
    }
    const events = parseSse(response.chunks())
    return collectChunks(eventChunks(events, url, secrets), keep, request.signal, returned).catch((error: unknown) => {
      throw error instanceof AgentError && progress.content !== '' ? withPartial(error, { ...progress }) : error
    })
  }
  const { text, encoding } = await response.text()
  if (!isGood) {
    const { status, headers } = response
    throw responseError({ url, status, headers, body: encoding ? '' : text, ...defined({ secrets, places }) })
  }
  if (encoding) return { content: text, tool_calls: [], tool_evidence: 'unknown', output_encoding: encoding }
  const reply = readDocument(text, type, url, paths, secrets)
  returned(jsonOrText(text))
  return reply
}

function readDocument(text: string, type: string, url: URL, paths: Paths, secrets: string[] | undefined): AgentReply {
  let document: unknown
  try {
    document = parseBody(text)
  } catch {
    if (type.startsWith('text/plain') && !paths.response)
      return { content: text, tool_calls: [], tool_evidence: 'unknown' }
    throw notJson(text, type, url)
  }
  const reported = paths.response ? undefined : errorInBody(document, url, secrets)
  const reply = withToolEvidence(normalizeReply(document), document)
  if (reported && !mayBeAnswer(reply, reported)) throw reported
  if (paths.response) {
    const content = paths.response(document)
    if (content === undefined) throw nothingAtPath(text, url)
    reply.content = content ?? null
    // Whatever else the document calls an error, the answer is where the path says.
    delete reply.next
  }
  if (paths.toolCalls) {
    const calls = paths.toolCalls(document)
    if (calls === undefined && paths.calls !== undefined && !reported) requirePlace(document, paths.calls, url)
    // Left out where nothing was called, or misspelt beyond recognition: there is no telling.
    if (calls === undefined || calls === null) reply.tool_evidence = 'unknown'
    else {
      reply.tool_calls = normalizeToolCalls(calls)
      delete reply.tool_evidence
    }
    const finishReason = readFinishReason(reply.finish_reason, reply.tool_calls)
    if (finishReason !== undefined) reply.finish_reason = finishReason
  }
  const usage = paths.usage && normalizeUsage(paths.usage(document))
  return usage ? { ...reply, usage } : reply
}

/** `{error}` and nothing beside it may be what the case asks for, unless it says itself that something went wrong. */
function mayBeAnswer({ content, error }: AgentReply, reported: AgentError): boolean {
  return reported.retry === false && isRecord(content) && error !== undefined && content['error'] === error
}

/** Each event's data as a chunk: parsed if it is JSON, else text. */
async function* eventChunks(events: AsyncIterable<SseEvent>, url: URL, secrets: string[] | undefined): AsyncGenerator {
  for await (const { event, data } of events) {
    if (data === '[DONE]') {
      yield DONE
      return
    }
    const chunk = jsonOrText(data)
    const reported = errorInEvent(event, chunk, url, secrets)
    if (reported) throw reported
    yield chunk
  }
}

function notJson(text: string, type: string, url: URL): AgentError {
  const found = text.trim() === '' ? 'is empty' : `is not JSON: ${clip(text.trim(), 200)}`
  return new AgentError({
    code: 'bad_response',
    message: `the answer of ${url.host} (${type || 'no content type'}) ${found}`,
    hint: 'the endpoint must answer a POST with JSON, or with text/plain',
  })
}

function nothingAtPath(text: string, url: URL): AgentError {
  return new AgentError({
    code: 'bad_response',
    message: `the answer of ${url.host} has nothing at response_path: ${clip(text, 200)}`,
    hint: 'correct response_path of the agent in the configuration; an answer of tool calls alone has null there',
  })
}

/** Throws if what is there shows that the path is misspelt: whatever was called would be overlooked. */
function requirePlace(document: unknown, path: string, url: URL): void {
  const why = misspelt(document, path)
  if (why === undefined) return
  throw new AgentError({
    code: 'bad_response',
    message: `the answer of ${url.host} has nothing at tool_calls_path ${path}: ${why}`,
    hint: 'correct tool_calls_path of the agent in the configuration; only the last name in it may be missing, if nothing was called',
  })
}

function badPath(field: string, path: string, target: string, cause: unknown): UserError {
  const why = messageOf(cause)
  return new UserError({
    code: 'BAD_PATH',
    message: `${field} of the agent ${target} is not a JSONPath: ${path}: ${why}`,
    hint: 'write e.g. $.choices[0].message.content',
    problems: [{ field: `agents.*.${field}`, message: why }],
    cause,
  })
}
