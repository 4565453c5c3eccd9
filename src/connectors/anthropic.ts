// `anthropic`: the messages API.
import type { Connector } from '../model/connector.js'
import { missingKey, missingModel } from './option-errors.js'
import { completeWithSdk } from './sdk-model.js'
import { readSdkSettings } from './sdk-settings.js'
import type { ConnectorFile, ConnectorTools } from './types.js'

export async function createAnthropicConnector(file: ConnectorFile, tools: ConnectorTools): Promise<Connector> {
  const { settings, model, ...setup } = readSdkSettings(file, '/v1', tools.http)
  if (model === undefined) throw missingModel(file)
  // The package would read the environment by itself; a key is only ever what the file says.
  if (settings.apiKey === undefined) throw missingKey(file)
  const { createAnthropic } = await import('@ai-sdk/anthropic')
  const language = createAnthropic(settings).languageModel(model)
  return {
    id: file.id,
    type: file.type,
    complete: completeWithSdk({ model: language, provider: 'anthropic', ...setup, tools }),
  }
}
