// An agent behind a URL: OpenAI-compatible chat completions, or any JSON endpoint.
import { chatUrl, completeChat, type ChatEndpoint } from '../../connectors/chat-completions.js'
import { bearer, expandHeaders } from '../../connectors/env-values.js'
import { readFinishReasons } from '../../connectors/finish-reason.js'
import { MODEL_VENDORS } from '../../connectors/model-vendors.js'
import { modelParameters } from '../../connectors/model-parameters.js'
import { UserError } from '../../errors.js'
import type { Agent } from '../../model/agent.js'
import type { AgentEntry } from '../../model/config.js'
import { defined } from '../../base/defined.js'
import { takeCredentials } from '../../http/credentials.js'
import type { HttpClient } from '../../http/types.js'
import { RetryBudget } from '../../http/retry.js'
import { keySourceOf, twoKeys } from '../../connectors/endpoint-key.js'
import { toWire } from '../../connectors/wire-tools.js'
import { asOffered, offerTools } from '../package/tools/offered.js'
import { Histories } from '../histories.js'
import { createJsonEndpoint } from './json-endpoint.js'
import { isChatEndpoint } from './sent-messages.js'
import { isSecretSetting } from '../../redact/secret-names.js'

export interface HttpOptions {
  http: HttpClient
  env: Record<string, string | undefined>
  /** First wait between tries; for tests. */
  retry_base_ms?: number
  /** Where the agent is defined, for errors: `agents.desk in viva.config.json`. Default: on the command line. */
  written?: string
}

export function createHttpAgent(entry: AgentEntry | string, options: HttpOptions): Agent {
  const written: AgentEntry = typeof entry === 'string' ? { target: entry } : entry
  const url = parseUrl(written.target)
  options.http.requireLive(`the agent at ${url.origin}`)
  const credentials = takeCredentials(url)
  const given = credentials ? { ...written, target: url.href } : written
  const { env } = options
  const keySource = keySourceOf(given, options.written)
  const headers = expandHeaders(given.headers ?? {}, env, given.target)
  if (given.key !== undefined) headers['authorization'] = bearer(given.key, env, keySource)
  if (given.key !== undefined && credentials) throw twoKeys(keySource)
  if (credentials) headers['authorization'] ??= credentials.authorization
  addKnownKey(headers, url, env)
  const secrets = [...secretsOf(headers), ...(credentials?.secrets ?? [])]
  const shared = {
    http: options.http,
    url,
    headers,
    budget: new RetryBudget({}, options.http.sharePace?.(url.host, secrets[0] ?? '')),
    secrets,
    places: {
      url: placeOf(options.written, 'target'),
      key: keySource,
      model: placeOf(options.written, 'model'),
    },
    ...defined({
      model: given.model,
      baseMs: options.retry_base_ms,
      finishReasons: readFinishReasons(given.finish_reasons),
    }),
  }
  const endpoint = options.http.endpoints.at(url.host, shared.secrets[0])
  const isChat = isChatEndpoint(given)
  /** Conversations in which the endpoint has shown that it reports its calls. */
  const reporting = new Set<string>()
  const histories = new Histories()
  const send = isChat
    ? chatSender({ ...shared, url: chatUrl(given.target) }, given, reporting)
    : createJsonEndpoint(shared, given, histories)
  return {
    id: given.target,
    ...defined({ description: given.description, sees: isChat ? ('parameters' as const) : undefined }),
    ...(isChat ? { offers: true } : { givenTools: 'served' }),
    isStopped: () => endpoint.isStopped(),
    send: (request) => endpoint.call(() => send(request)),
    release(chatId) {
      reporting.delete(chatId)
      histories.forget(chatId)
    },
  }
}

function chatSender(endpoint: ChatEndpoint, entry: AgentEntry, reporting: Set<string>): Agent['send'] {
  return async ({ messages, context, options, signal, deadline, onChunk, onWait, traceparent, ...asked }) => {
    const offer = asked.offered && offerTools(asked.offered, asked.descriptions)
    const wire = toWire({ messages, tools: offer?.specs })
    const { reasoning: _reasoning, ...answer } = await completeChat(
      traceparent === undefined ? endpoint : { ...endpoint, headers: { ...endpoint.headers, traceparent } },
      {
        messages: wire.messages,
        parameters: modelParameters(options),
        stream: entry.stream ?? false,
        signal,
        ...defined({ deadline, onChunk, onWait, tools: wire.tools }),
      },
    )
    const calls = wire.read(answer.tool_calls)
    const reply = { ...answer, tool_calls: offer ? calls.map((call) => asOffered(offer, call)) : calls }
    if (reply.tool_calls.length > 0) reporting.add(context.chat_id)
    return reporting.has(context.chat_id) ? reply : { ...reply, tool_evidence: 'unknown' }
  }
}

function parseUrl(target: string): URL {
  try {
    const url = new URL(target)
    if (url.protocol === 'http:' || url.protocol === 'https:') return url
  } catch {
    // Reported below.
  }
  throw new UserError({
    code: 'BAD_URL',
    message: `"${target.replace(/\/\/[^/]*@/, '//[SECRET]@')}" is not a URL that can be called`,
    hint: 'write it with its scheme, e.g. http://localhost:8080/v1',
  })
}

/** The environment's usual key of a vendor is meant for that vendor's host; no other gets it unasked. */
function addKnownKey(headers: Record<string, string>, url: URL, env: Record<string, string | undefined>): void {
  const vendor = MODEL_VENDORS.find(({ host }) => new URL(host).origin === url.origin)
  const key = vendor?.keyVariables.map((name) => env[name]?.trim()).find(Boolean)
  if (key !== undefined && !headers['authorization']) headers['authorization'] = bearer(key, env, url.host)
}

function placeOf(written: string | undefined, field: 'target' | 'model'): string {
  if (written !== undefined) return `the ${field} of ${written}`
  return field === 'target' ? 'the target given with -n' : '--model'
}

function secretsOf(headers: Record<string, string>): string[] {
  const values = Object.entries(headers).filter(([name]) => isSecretSetting(name))
  return values.flatMap(([, value]) => [value, value.replace(/^\w+\s+/, '')])
}
