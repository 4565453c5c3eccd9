// What every provider package receives: key, address, headers and our transport.
import { defined } from '../base/defined.js'
import { readString } from '../base/record.js'
import type { HttpClient } from '../http/types.js'
import { extraBody, parametersOf } from './completion-options.js'
import { readHost } from './host.js'
import { readHeaders, readKey, refuseOptions } from './option-errors.js'
import { placeOf, placesOf } from './places.js'
import { createSdkFetch, type Amend } from './sdk-fetch.js'
import type { ConnectorFile } from './types.js'

export interface SdkSettings {
  apiKey?: string
  baseURL?: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch
}

export interface ReadSettings {
  settings: SdkSettings
  model: string | undefined
  /** Model parameters from the connector file. */
  defaults: Record<string, unknown>
  secrets: string[]
  keySource: string
}

/** `api`: where the API is below a host, given the path that the host is written with. */
export function readSdkSettings(
  file: ConnectorFile,
  api: (path: string) => string,
  http: HttpClient,
  amend?: () => Amend,
): ReadSettings {
  const { options } = file
  refuseOptions(file, OF_OTHER_TYPES)
  const key = readKey(file)
  const model = readString(options['model'])
  const secrets = key === undefined ? [] : [key]
  const { stream, capabilities } = options
  return {
    model,
    secrets,
    keySource: placeOf(file, 'key'),
    defaults: { ...parametersOf(file), ...defined({ stream, capabilities }) },
    settings: {
      headers: readHeaders(options['headers']),
      fetch: createSdkFetch({
        http,
        secrets,
        places: placesOf(file),
        extraBody: extraBody(file),
        ...defined({ model, amend }),
      }),
      ...defined({ apiKey: key, baseURL: baseUrl(readHost(file), api) }),
    },
  }
}

const OF_OTHER_TYPES = {
  azure: 'only the type openai knows it',
  organization: 'only the type openai knows it',
}

function baseUrl(url: URL | undefined, api: (path: string) => string): string | undefined {
  if (url === undefined) return undefined
  url.pathname = api(url.pathname.replace(/\/+$/, ''))
  return url.href.replace(/\/+$/, '')
}
