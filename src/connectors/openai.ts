// `openai`: any OpenAI-compatible endpoint.
import type { Connector } from '../model/connector.js'
import { defined } from '../base/defined.js'
import { takeCredentials } from '../http/credentials.js'
import { readString } from '../base/record.js'
import { chatUrl, completeChat, type ChatEndpoint } from './chat-completions.js'
import { wantsStream } from './completion-options.js'
import { modelParameters } from './model-parameters.js'
import { missingKey, missingModel, parseHost, readHeaders } from './option-errors.js'
import { placesOf } from './places.js'
import type { ConnectorFile, ConnectorTools } from './types.js'

const DEFAULT_HOST = 'https://api.openai.com'
/** Settings of the connection; everything else in `options` is a parameter of the model. */
const NOT_PARAMETERS = new Set([
  'model',
  'host',
  'key',
  'headers',
  'stream',
  'proxy',
  'label',
  'azure',
  'capabilities',
  'organization',
])

export function createOpenaiConnector(file: ConnectorFile, tools: ConnectorTools): Connector {
  const { options } = file
  const key = readString(options['key'])
  const host = readString(options['host']) ?? DEFAULT_HOST
  if (key === undefined && host === DEFAULT_HOST) throw missingKey(file)
  if (options['model'] === undefined && host === DEFAULT_HOST) throw missingModel(file)
  const organization = readString(options['organization'])
  const url = parseHost(file, host)
  const credentials = takeCredentials(url)
  const endpoint: ChatEndpoint = {
    http: tools.http,
    url: chatUrl(url.href),
    headers: {
      ...(credentials && { authorization: credentials.authorization }),
      ...(key && { authorization: `Bearer ${key}` }),
      ...(organization && { 'openai-organization': organization }),
      ...readHeaders(options['headers']),
    },
    budget: tools.budget,
    places: placesOf(file),
    secrets: [...(key ? [key] : []), ...(credentials?.secrets ?? [])],
    ...defined({ model: readString(options['model']), baseMs: tools.retryBaseMs }),
  }
  const defaults = Object.fromEntries(Object.entries(options).filter(([name]) => !NOT_PARAMETERS.has(name)))
  return {
    id: file.id,
    type: file.type,
    complete: (request) =>
      completeChat(endpoint, {
        messages: request.messages,
        parameters: { ...defaults, ...modelParameters(request.options) },
        stream: wantsStream(request, options),
        signal: request.signal,
        ...defined({
          tools: request.tools,
          deadline: request.deadline,
          onChunk: request.onChunk,
          onWait: request.onWait,
        }),
      }),
  }
}
