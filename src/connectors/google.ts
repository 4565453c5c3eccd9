// `google`: Gemini.
import type { Connector } from '../model/connector.js'
import { requireOwnHost } from './host.js'
import { missingKey, missingModel, refuseOptions } from './option-errors.js'
import { completeWithSdk } from './sdk-model.js'
import { readSdkSettings } from './sdk-settings.js'
import type { ConnectorFile, ConnectorTools } from './types.js'

const OWN = { vendor: 'Google', host: 'generativelanguage.googleapis.com', isShared: false }

export async function createGoogleConnector(file: ConnectorFile, tools: ConnectorTools): Promise<Connector> {
  const { settings, model, ...setup } = readSdkSettings(file, (path) => path || '/v1beta', tools.http)
  refuseOptions(file, { version: 'write it into options.host: https://…/v1' })
  if (model === undefined) throw missingModel(file)
  if (settings.apiKey === undefined) throw missingKey(file)
  if (settings.baseURL === undefined) requireOwnHost(file, OWN)
  const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
  const provider = createGoogleGenerativeAI({ ...settings, baseURL: settings.baseURL ?? `https://${OWN.host}/v1beta` })
  return {
    id: file.id,
    type: file.type,
    complete: completeWithSdk({
      model: provider.languageModel(model),
      provider: 'google',
      mayBeStrict: false,
      ...setup,
      tools,
      finishReasons: file.finish_reasons,
    }),
  }
}
