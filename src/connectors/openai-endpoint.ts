// What the connectors of OpenAI's two APIs share: where requests go, with which key, and what they are made of.
import { UserError } from '../errors.js'
import type { Completion, Connector } from '../model/connector.js'
import { defined } from '../base/defined.js'
import { takeCredentials } from '../http/credentials.js'
import { readString } from '../base/record.js'
import { extraBody, parametersOf, wantsStream } from './completion-options.js'
import { readHost, requireOwnHost } from './host.js'
import { endpointUrl, type EndpointCall, type EndpointRoute, type ModelEndpoint } from './model-endpoint.js'
import { modelParameters } from './model-parameters.js'
import { missingKey, missingModel, readHeaders, readKey, refuseOptions } from './option-errors.js'
import { placesOf } from './places.js'
import type { AuthMode, ConnectorFile, ConnectorTools } from './types.js'

const OWN = { vendor: 'OpenAI', host: 'api.openai.com', isShared: true }

export type Complete = (endpoint: ModelEndpoint, call: EndpointCall) => Promise<Completion>

export function openaiConnector(
  route: EndpointRoute,
  createComplete: () => Complete,
): (file: ConnectorFile, tools: ConnectorTools) => Connector {
  return (file, tools) => {
    const complete = createComplete()
    const endpoint = endpointOf(file, tools, route)
    const defaults = { ...parametersOf(file), ...extraBody(file) }
    return {
      id: file.id,
      type: file.type,
      complete: (request) =>
        complete(endpoint, {
          messages: request.messages,
          parameters: { ...defaults, ...modelParameters(request.options) },
          stream: wantsStream(request, file.options),
          signal: request.signal,
          ...defined({
            reasoning: request.reasoning,
            tools: request.tools,
            deadline: request.deadline,
            onChunk: request.onChunk,
            onWait: request.onWait,
          }),
        }),
    }
  }
}

function endpointOf(file: ConnectorFile, tools: ConnectorTools, route: EndpointRoute): ModelEndpoint {
  const { options } = file
  const key = readKey(file)
  const azure = isAzure(file)
  const url = readHost(file) ?? ownHost(file, azure)
  const organization = readString(options['organization'])
  const credentials = takeCredentials(url)
  refuseOptions(file, { version: 'only the type anthropic has versions' })
  return {
    http: tools.http,
    url: endpointUrl(url.href, route, azure ? '/openai/v1' : '/v1'),
    headers: {
      ...(credentials && { authorization: credentials.authorization }),
      ...(key && keyHeader(key, file.auth_mode ?? (azure ? 'api-key' : 'bearer'))),
      ...(organization && { 'openai-organization': organization }),
      ...readHeaders(options['headers']),
    },
    budget: tools.budget,
    places: placesOf(file),
    secrets: [...(key ? [key] : []), ...(credentials?.secrets ?? [])],
    ...defined({
      model: readString(options['model']),
      baseMs: tools.retryBaseMs,
      finishReasons: file.finish_reasons,
    }),
  }
}

function ownHost(file: ConnectorFile, azure: boolean): URL {
  if (azure) throw noAzureHost(file)
  if (file.options['key'] === undefined) throw missingKey(file)
  if (file.options['model'] === undefined) throw missingModel(file)
  requireOwnHost(file, OWN)
  return new URL(`https://${OWN.host}`)
}

/** `azure` sends the key as Azure wants it; its addresses are given in full. */
function isAzure({ options: { azure }, file, id }: ConnectorFile): boolean {
  if (azure === undefined || azure === null || azure === '' || azure === false || azure === 'false') return false
  if (azure === true || azure === 'true') return true
  throw new UserError({
    code: 'BAD_OPTION',
    message: `options.azure of ${file ?? id} must be true or false, found ${JSON.stringify(azure)}`,
  })
}

function keyHeader(key: string, mode: AuthMode): Record<string, string> {
  return mode === 'bearer' ? { authorization: `Bearer ${key}` } : { [mode]: key }
}

function noAzureHost(file: ConnectorFile): UserError {
  return new UserError({
    code: 'NO_HOST',
    message: `${file.file ?? file.id} is for Azure and has no options.host: every resource has its own address`,
    hint: 'add "host": "https://….openai.azure.com", or the whole address of a deployment: "https://…/openai/deployments/…?api-version=…"',
  })
}
