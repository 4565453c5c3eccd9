// `a2a:url`: an agent that speaks the A2A protocol.
import { randomUUID } from 'node:crypto'
import type { Message as A2aMessage, SendMessageRequest } from '@a2a-js/sdk'
import type { Client } from '@a2a-js/sdk/client'
import { bearer, expandHeaders } from '../../connectors/env-values.js'
import { createSdkFetch } from '../../connectors/sdk-fetch.js'
import { AgentError, UserError } from '../../errors.js'
import type { Agent, AgentReply, AgentRequest } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { abortedCall } from '../../connectors/aborted-call.js'
import { orAborted } from '../../time/deadline.js'
import { defined } from '../../base/defined.js'
import { takeCredentials } from '../../http/credentials.js'
import type { HttpClient } from '../../http/types.js'
import { errorInEvent } from '../../http/reported-error.js'
import { RetryBudget, withRetries } from '../../http/retry.js'
import { parseSse } from '../../http/sse.js'
import { jsonOrText } from '../../base/json/parse-json.js'
import { withPartial } from '../../connectors/with-partial.js'
import { A2aAnswer, ROLE_USER } from './a2a-answer.js'
import { toAgentError } from './call-errors.js'
import { keySourceOf, twoKeys } from '../../connectors/endpoint-key.js'
import { newText, RecentMap } from './stateful.js'

export interface A2aOptions {
  http: HttpClient
  env: Record<string, string | undefined>
  /** First wait between tries; for tests. */
  retry_base_ms?: number
  /** Where the agent is defined, for errors. Default: on the command line. */
  written?: string
}

interface Conversation {
  contextId: string
  /** A task that waits for input is continued by the next message. */
  taskId?: string
  seen: number
}

const MAX_CONVERSATIONS = 10_000
const CANCEL_MS = 2000
const CONNECT_MS = 30_000

export function createA2aAgent(entry: AgentEntry | string, options: A2aOptions): Agent {
  const given: AgentEntry = typeof entry === 'string' ? { target: entry } : entry
  const address = given.target.replace(/^a2a:/, '')
  if (!URL.canParse(address) || !/^https?:/.test(address)) throw badUrl(given.target)
  options.http.requireLive('A2A agents')
  const bare = new URL(address)
  const credentials = takeCredentials(bare)
  const url = credentials ? bare.href : address
  const id = credentials ? `a2a:${url}` : given.target
  const headers = expandHeaders(given.headers ?? {}, options.env, id)
  const keySource = keySourceOf(given, options.written)
  if (given.key !== undefined) headers['authorization'] = bearer(given.key, options.env, keySource)
  if (given.key !== undefined && credentials) throw twoKeys(keySource)
  if (credentials) headers['authorization'] ??= credentials.authorization
  const conversations = new RecentMap<Conversation>(MAX_CONVERSATIONS)
  const budget = new RetryBudget({}, options.http.sharePace?.(bare.host, headers['authorization'] ?? ''))
  const place = options.written === undefined ? 'the target given with -n' : `the target of ${options.written}`
  const endpoint = options.http.endpoints.at(bare.host, headers['authorization'])
  let client: Promise<Client> | undefined

  // Shared by all calls, so it has its own time limit, and no caller waits for it beyond its own deadline.
  const connect = (signal: AbortSignal): Promise<Client> => {
    client ??= openClient(options.http, url, headers, place, AbortSignal.timeout(CONNECT_MS)).catch(
      (error: unknown) => {
        client = undefined
        throw error
      },
    )
    return orAborted(client, signal, 0)
  }

  const send: Agent['send'] = async (request) => {
    const { signal, deadline, context } = request
    const known = conversations.take(context.chat_id) ?? { contextId: '', seen: 0 }
    const answer = new A2aAnswer(request.onChunk)
    let connected: Client | undefined
    try {
      const { value, retries } = await withRetries(
        async () => {
          connected = await connect(signal)
          return ask(connected, request, known, answer).catch((error: unknown) => {
            const failed = toAgentError(error)
            throw failed instanceof AgentError ? withPartial(failed, answer.partial()) : failed
          })
        },
        { signal, budget, ...defined({ deadline, onWait: request.onWait, baseMs: options.retry_base_ms }) },
      )
      conversations.put(context.chat_id, { seen: request.messages.length, ...answer.ids() })
      return retries.length > 0 ? { ...value, api_retries: retries } : value
    } catch (error) {
      if (!signal.aborted) throw error instanceof AgentError ? error : toAgentError(error)
      cancelTask(connected, answer.taskId)
      throw abortedCall(signal, answer.partial())
    }
  }

  return {
    id,
    sees: 'nothing',
    ...defined({ description: given.description }),
    isStopped: () => endpoint.isStopped(),
    send: (request) => endpoint.call(() => send(request)),
  }
}

async function openClient(
  http: HttpClient,
  url: string,
  headers: Record<string, string>,
  place: string,
  signal: AbortSignal,
): Promise<Client> {
  const { ClientFactory, DefaultAgentCardResolver, JsonRpcTransportFactory, RestTransportFactory } =
    await import('@a2a-js/sdk/client')
  const send = createSdkFetch({ http, secrets: Object.values(headers), errorsInBody: false, places: { url: place } })
  const { origin, pathname } = new URL(url)
  const fetchImpl: typeof fetch = async (input, init = {}) => {
    const asked = new URL(input instanceof Request ? input.url : input)
    // A card may name another host, which is not the one the headers were meant for.
    const isOwn = asked.origin === origin
    const response = await send(input, {
      ...init,
      headers: { ...Object.fromEntries(new Headers(init.headers)), ...(isOwn && headers) },
      signal: init.signal ?? signal,
    })
    return withErrors(response, asked, Object.values(headers))
  }
  const shared = { fetchImpl, legacyCompat: { enabled: true } }
  const factory = new ClientFactory({
    transports: [new JsonRpcTransportFactory(shared), new RestTransportFactory(shared)],
    cardResolver: new DefaultAgentCardResolver(shared),
  })
  try {
    // The address of the card itself, or of the place whose well-known card is meant.
    return await (pathname.endsWith('.json') ? factory.createFromUrl(origin, pathname) : factory.createFromUrl(url))
  } catch (error) {
    throw noCard(url, error)
  }
}

/** The package looks at the content of an event, not at whether it is an `event: error`. */
function withErrors(response: Response, url: URL, secrets: string[]): Response {
  const { body, status, statusText, headers } = response
  if (!body || !headers.get('content-type')?.startsWith('text/event-stream')) return response
  return new Response(ReadableStream.from(requireNoErrors(body, url, secrets)), { status, statusText, headers })
}

async function* requireNoErrors(
  body: ReadableStream<Uint8Array>,
  url: URL,
  secrets: string[],
): AsyncGenerator<Uint8Array> {
  for await (const { event, data } of parseSse(body)) {
    const reported = errorInEvent(event, jsonOrText(data), url, secrets)
    if (reported) throw reported
    yield Buffer.from(`event: ${event}\ndata: ${data.replaceAll('\n', '\ndata: ')}\n\n`)
  }
}

async function ask(client: Client, request: AgentRequest, known: Conversation, answer: A2aAnswer): Promise<AgentReply> {
  const message = userMessage(newText(request.messages, known.seen), known)
  const payload: SendMessageRequest = {
    tenant: '',
    message,
    configuration: undefined,
    metadata: request.options.metadata ?? undefined,
  }
  const options = { signal: request.signal }
  answer.reset()
  if (request.onChunk) {
    for await (const event of client.sendMessageStream(payload, options)) answer.take(event)
  } else {
    const result = await client.sendMessage(payload, options)
    answer.take({
      payload: 'status' in result ? { $case: 'task', value: result } : { $case: 'message', value: result },
    })
  }
  return answer.reply()
}

function userMessage(text: string, { contextId, taskId }: Conversation): A2aMessage {
  return {
    messageId: randomUUID(),
    contextId,
    taskId: taskId ?? '',
    role: ROLE_USER,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: 'text/plain' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
  }
}

/** Otherwise the agent would keep working for nothing. Best effort: the case is over either way. */
function cancelTask(client: Client | undefined, id: string | undefined): void {
  if (!client || !id) return
  const signal = AbortSignal.timeout(CANCEL_MS)
  client.cancelTask({ tenant: '', id, metadata: undefined }, { signal }).catch(() => {})
}

function badUrl(target: string): UserError {
  return new UserError({
    code: 'BAD_URL',
    message: `"${target}" is not the address of an A2A agent`,
    hint: 'write e.g. a2a:http://localhost:41241',
  })
}

function noCard(url: string, cause: unknown): AgentError {
  const error = toAgentError(cause)
  return new AgentError({
    code: error instanceof AgentError ? error.code : 'failed',
    message: `no agent card at ${url}: ${error.message}`,
    hint: error.hint ?? 'the agent must serve /.well-known/agent-card.json',
    cause,
    ...(error instanceof AgentError &&
      defined({ status: error.status, retry: error.retry, retry_after_ms: error.retryAfterMs })),
  })
}
