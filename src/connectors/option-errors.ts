// Mistakes in the options of a connector that are common to several types.
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

/** A number or an empty string is not a key, and a call without one is not what was meant. */
export function readKey(file: ConnectorFile): string | undefined {
  const key: unknown = file.options['key']
  if (key === undefined || key === null) return undefined
  if (typeof key === 'string' && key !== '') return key
  throw new UserError({
    code: 'BAD_KEY',
    message: `options.key of ${file.file ?? file.id} is ${key === '' ? 'empty' : 'not a string'}`,
    hint: 'write "key": "$ENV.…_API_KEY", or leave it out if none is needed',
  })
}

/** An option that works elsewhere and does nothing here is not ignored silently. */
export function refuseOptions(file: ConnectorFile, names: Record<string, string>): void {
  for (const [name, why] of Object.entries(names)) {
    const value = file.options[name]
    if (value === undefined || value === null || value === false || value === '' || value === 'false') continue
    throw new UserError({
      code: 'BAD_OPTION',
      message: `options.${name} of ${file.file ?? file.id} has no effect: ${why}`,
      hint: 'remove it',
    })
  }
}

export function readHeaders(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name.toLowerCase(), String(item)]))
}
