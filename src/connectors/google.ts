// `google`: Gemini.
import type { Connector } from '../model/connector.js'
import { missingKey, missingModel } from './option-errors.js'
import { completeWithSdk } from './sdk-model.js'
import { readSdkSettings } from './sdk-settings.js'
import type { ConnectorFile, ConnectorTools } from './types.js'

export async function createGoogleConnector(file: ConnectorFile, tools: ConnectorTools): Promise<Connector> {
  const { settings, model, ...setup } = readSdkSettings(file, '/v1beta', tools.http)
  if (model === undefined) throw missingModel(file)
  if (settings.apiKey === undefined) throw missingKey(file)
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  const language = createGoogleGenerativeAI(settings).languageModel(model)
  return {
    id: file.id,
    type: file.type,
    complete: completeWithSdk({ model: language, provider: 'google', ...setup, tools }),
  }
}
