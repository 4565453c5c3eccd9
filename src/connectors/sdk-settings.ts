// What every provider package is given: key, address, headers and our transport.
import { defined } from '../base/defined.js'
import { readString } from '../base/record.js'
import type { HttpClient } from '../http/types.js'
import { parseHost, readHeaders } from './option-errors.js'
import { placeOf, placesOf } from './places.js'
import { createSdkFetch } from './sdk-fetch.js'
import type { ConnectorFile } from './types.js'

export interface SdkSettings {
  apiKey?: string
  baseURL?: string
  headers: Record<string, string>
  fetch: typeof globalThis.fetch
}

const NOT_PARAMETERS = new Set(['model', 'host', 'key', 'headers', 'stream', 'package', 'export', 'settings', 'label'])

export interface ReadSettings {
  settings: SdkSettings
  model: string | undefined
  /** Parameters of the model that stand in the connector file. */
  defaults: Record<string, unknown>
  secrets: string[]
  keyPlace: string
}

/** `path` is what a bare host lacks, e.g. `/v1`. */
export function readSdkSettings(file: ConnectorFile, path: string, http: HttpClient): ReadSettings {
  const { options } = file
  const key = readString(options['key'])
  const model = readString(options['model'])
  const secrets = key ? [key] : []
  return {
    model,
    secrets,
    keyPlace: placeOf(file, 'key'),
    defaults: Object.fromEntries(
      Object.entries(options).filter(([name]) => name === 'stream' || !NOT_PARAMETERS.has(name)),
    ),
    settings: {
      headers: readHeaders(options['headers']),
      fetch: createSdkFetch({ http, secrets, places: placesOf(file), ...defined({ model }) }),
      ...defined({ apiKey: key, baseURL: baseUrl(file, readString(options['host']), path) }),
    },
  }
}

function baseUrl(file: ConnectorFile, host: string | undefined, path: string): string | undefined {
  if (host === undefined) return undefined
  const url = parseHost(file, host)
  if (url.pathname === '/' || url.pathname === '') url.pathname = path
  return url.href.replace(/\/+$/, '')
}
