// Mistakes in the options of a connector that several types share.
import { UserError } from '../errors.js'
import { isRecord } from '../base/record.js'
import type { ConnectorFile } from './types.js'

export function missingKey(file: ConnectorFile): UserError {
  return new UserError({
    code: 'MISSING_KEY',
    message: `the connector ${file.id} has no key`,
    hint: `add "key": "$ENV.…_API_KEY" to options in ${file.file ?? 'its file'}`,
  })
}

export function missingModel(file: ConnectorFile): UserError {
  return new UserError({
    code: 'MISSING_MODEL',
    message: `the connector ${file.id} names no model`,
    hint: `add "model": "…" to options in ${file.file ?? 'its file'}`,
  })
}

/** `localhost:8080` parses as an address of the scheme "localhost", which is never what was meant. */
export function parseHost(file: ConnectorFile, host: string): URL {
  const url = URL.canParse(host) ? new URL(host) : undefined
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new UserError({
    code: 'BAD_HOST',
    message: `options.host of ${file.file ?? file.id} is not a URL: ${host}`,
    hint: 'write it with its scheme, e.g. https://api.example.com or http://localhost:8080/v1',
  })
}

export function readHeaders(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name.toLowerCase(), String(item)]))
}
