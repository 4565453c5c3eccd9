// `anthropic`: the messages API.
import type { Connector } from '../model/connector.js'
import { readString } from '../base/record.js'
import { fillUsage } from './anthropic-usage.js'
import { requireOwnHost } from './host.js'
import { missingKey, missingModel } from './option-errors.js'
import { completeWithSdk } from './sdk-model.js'
import { readSdkSettings } from './sdk-settings.js'
import type { ConnectorFile, ConnectorTools } from './types.js'

const OWN = { vendor: 'Anthropic', host: 'api.anthropic.com', isShared: false }

export async function createAnthropicConnector(file: ConnectorFile, tools: ConnectorTools): Promise<Connector> {
  const { settings, model, ...setup } = readSdkSettings(file, messagesPath, tools.http, fillUsage)
  if (model === undefined) throw missingModel(file)
  // On its own the package would read key and address from the environment; both are only ever what the file says.
  const { apiKey, baseURL, ...rest } = settings
  if (apiKey === undefined) throw missingKey(file)
  if (baseURL === undefined) requireOwnHost(file, OWN)
  const version = readString(file.options['version'])
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const provider = createAnthropic({
    ...rest,
    ...(file.auth_mode === 'bearer' ? { authToken: apiKey } : { apiKey }),
    baseURL: baseURL ?? `https://${OWN.host}/v1`,
    headers: { ...(version !== undefined && { 'anthropic-version': version }), ...rest.headers },
  })
  return {
    id: file.id,
    type: file.type,
    complete: completeWithSdk({
      model: provider.languageModel(model),
      provider: 'anthropic',
      mayBeStrict: false,
      ...setup,
      tools,
      finishReasons: file.finish_reasons,
    }),
  }
}

/** `https://api.example.com/anthropic` has the API under `/anthropic/v1`, as a bare host has it under `/v1`. */
export function messagesPath(path: string): string {
  const api = path.replace(/\/messages$/, '')
  return api !== path || /\/v\d+\w*$/.test(path) ? api : `${path}/v1`
}
